//! Progress on stderr: lines that are drawn anew where that is a terminal, JSON lines where asked for,
//! else a plain line when a phase begins and ends and every few minutes in between.

mod view;

use crate::base::statistics::thousands;
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};
use view::{Left, View, wrapped};

/// Between two lines where nothing can be drawn anew.
const LINE_AFTER: Duration = Duration::from_secs(180);
/// Between two looks at how far the journal has been read.
const REDRAWN_AFTER: Duration = Duration::from_millis(100);

/// What a phase goes on by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A generation.
    Generation,
    /// A look at a match, which its test may end before the last one.
    Look,
}

/// What is said of a generation that has ended.
#[derive(Debug)]
pub struct News<'a> {
    /// What it is.
    pub step: Step,
    /// The run within the phase, from 1, and how many there are.
    pub run: (usize, usize),
    /// The generation, from 0, and how many there are.
    pub generation: (u32, u32),
    /// Its line in the phase's `history.csv`.
    pub row: String,
    /// The line as JSON, for `--json-log`.
    pub json: serde_json::Value,
    /// What it came to, for people, the most important first: best, mean.
    pub facts: Vec<String>,
    /// What was done for it, in this unit: 12000 "positions".
    pub work: (u64, &'a str),
}

/// Where a phase stands in its run.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its number, from 1, and how many phases there are.
    pub phase: (usize, usize),
    /// All the time that the whole run may still take, if its profile sets hours.
    pub time: Option<Duration>,
}

/// A bar of so many steps. On a standard error that is no terminal, indicatif draws nothing.
pub fn bar(template: &str, steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// How far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    json: bool,
    silent: bool,
    view: View,
    /// When the times in the view were right.
    at: Instant,
    /// When the run's hours end.
    run_ends: Option<Instant>,
    /// Generations that this process evaluated in this phase, and since when.
    evaluated: u32,
    started: Instant,
    /// When a plain line was written last, or the journal looked at.
    said: Instant,
    /// Whether answers come from the journal still.
    replays: bool,
}

impl Progress {
    /// Nothing is known yet. A silent one neither draws nor writes.
    pub fn new(json: bool, silent: bool) -> Progress {
        let is_drawn = !json && !silent && std::io::stderr().is_terminal();
        let bar = is_drawn.then(|| bar("{msg}", 1));
        // A terminal that can't draw one would show nothing at all.
        let bar = bar.filter(|bar| !bar.is_hidden());
        let now = Instant::now();
        Progress {
            bar,
            json,
            silent,
            view: View::default(),
            at: now,
            run_ends: None,
            evaluated: 0,
            started: now,
            said: now,
            replays: false,
        }
    }

    /// Another phase begins.
    pub fn begin(&mut self, phase: &str, place: Option<Place>) {
        let now = Instant::now();
        self.view = View {
            phase: place.map_or((1, 1), |place| place.phase),
            name: phase.to_string(),
            ..View::default()
        };
        self.run_ends = place.and_then(|place| now.checked_add(place.time?));
        self.evaluated = 0;
        (self.started, self.at) = (now, now);
        if !self.replays {
            self.show(true);
        }
    }

    /// Something that happens once: a line above what is drawn, or, where stderr goes to a file, the
    /// line that tells who reads it in the morning what came of the night.
    pub fn announce(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(wrapped(text, self.columns())),
            None if self.json || self.silent => {}
            None => note(text),
        }
    }

    /// A warning on stderr, whoever reads it.
    pub fn warn(&self, text: &str) {
        self.say_as("warning", text);
    }

    /// An event of the run; heard of a silent run too, which then says its name.
    pub fn event(&self, name: &str, text: &str) {
        match self.silent {
            true => note(&format!("note: {name}: {text}")),
            false => self.say_as("note", text),
        }
    }

    fn say_as(&self, kind: &str, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(format!("{kind}: {text}")),
            None if self.silent => {}
            None if self.json => note(&serde_json::json!({ kind: text }).to_string()),
            None => note(&format!("{kind}: {text}")),
        }
    }

    /// Says what is being done; shown until the next generation is known.
    pub fn say(&mut self, text: &str) {
        self.view.doing = Some(text.to_string());
        if !self.replays {
            self.show(false);
        }
    }

    /// So many of all answers of the journal have been gone through, first to see whether there is
    /// anything left to do (`looks`).
    pub fn replaying(&mut self, looks: bool, done: usize, all: usize) {
        let due = if self.bar.is_some() {
            REDRAWN_AFTER
        } else {
            LINE_AFTER
        };
        let is_first = !self.replays;
        self.replays = true;
        if !is_first && self.said.elapsed() < due {
            return;
        }
        self.said = Instant::now();
        let text = view::replaying(looks, done, all);
        match &self.bar {
            Some(bar) => {
                let columns = self.columns();
                bar.set_message(view::cut(&text, columns));
                bar.tick();
            }
            None if self.json || self.silent => {}
            None if is_first => note(&format!(
                "replaying {} tasks of the journal",
                thousands(all as u64)
            )),
            None => note(&text),
        }
    }

    /// The journal has been gone through: what comes now is work.
    pub fn work_begins(&mut self) {
        self.replays = false;
        self.started = Instant::now();
        self.show(true);
    }

    /// Of the tasks that are done together now, so many are done.
    pub fn tasks(&mut self, done: usize, all: usize) {
        self.view.tasks = Some((done, all)).filter(|_| done < all);
        if all > 1 {
            self.show(false);
        }
    }

    /// A generation was read from the journal.
    pub fn replayed(&mut self, news: &News<'_>) {
        self.view.done.0 += 1;
        self.tell(news);
        self.started = Instant::now();
    }

    /// A generation was evaluated in so many seconds, and this is all the time that the phase may
    /// still take, if its profile sets hours.
    pub fn evaluated(&mut self, news: &News<'_>, seconds: f64, at_most: Option<Duration>) {
        self.view.done.0 += 1;
        self.evaluated += 1;
        self.tell(news);
        let (done, all) = self.view.done;
        let left = all.saturating_sub(done);
        let eta = eta(self.started.elapsed() / self.evaluated, left, at_most);
        let (work, unit) = news.work;
        let rate = work as f64 / seconds.max(1e-9);
        if self.json {
            let ((run, _), (generation, _)) = (news.run, news.generation);
            let mut line = news.json.clone();
            line["phase"] = self.view.name.as_str().into();
            line["run"] = run.into();
            line["generation"] = generation.into();
            line["seconds"] = seconds.into();
            line[format!("{unit}_per_second")] = rate.round().into();
            line["eta_seconds"] = eta.round().into();
            // A closed stderr must not end a night's run.
            note(&line.to_string());
        }
        self.view.speed = (work > 0).then(|| (rate, unit.to_string()));
        self.view.phase_left = Some(Left {
            seconds: eta,
            at_most: news.step == Step::Look,
        });
        self.at = Instant::now();
        self.show(false);
    }

    /// Takes over what a generation has come to.
    fn tell(&mut self, news: &News<'_>) {
        let ((_, runs), (generation, generations)) = (news.run, news.generation);
        let view = &mut self.view;
        view.run = news.run;
        view.generation = Some((u64::from(generation) + 1, generations.into()));
        view.step = match news.step {
            Step::Generation => "generation",
            Step::Look => "look",
        };
        view.done.1 = runs as u64 * u64::from(generations);
        view.facts.clone_from(&news.facts);
        (view.doing, view.tasks) = (None, None);
    }

    /// What is known now.
    fn now(&self) -> View {
        let gone_by = self.at.elapsed().as_secs_f64();
        let rest = |left: Left| {
            let seconds = left.seconds - gone_by;
            // Once it has taken longer than was thought, nobody knows how long it takes still.
            (seconds >= 0.0).then_some(Left { seconds, ..left })
        };
        let (number, phases) = self.view.phase;
        let of_run = |ends: Instant| Left {
            seconds: ends.saturating_duration_since(Instant::now()).as_secs_f64(),
            at_most: true,
        };
        View {
            phase_left: match self.view.done {
                (done, all) if done == all => self.view.phase_left,
                _ => self.view.phase_left.and_then(rest),
            },
            run_left: self.run_ends.filter(|_| number < phases).map(of_run),
            ..self.view.clone()
        }
    }

    /// Columns of the terminal; one less, for some terminals go on to the next line when the last is
    /// full.
    fn columns(&self) -> usize {
        let (_, columns) = Term::stderr().size();
        usize::from(columns).saturating_sub(1)
    }

    /// Draws, or writes a line if one is due.
    fn show(&mut self, is_due: bool) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(self.now().lines(self.columns()).join("\n"));
                bar.tick();
            }
            None => {
                if let Some(line) = self.line(is_due) {
                    note(&line);
                    self.said = Instant::now();
                }
            }
        }
    }

    /// The plain line that is to be written now, if one is.
    fn line(&self, is_due: bool) -> Option<String> {
        let is_wanted = !self.json && !self.silent;
        let is_due = is_due || self.said.elapsed() >= LINE_AFTER;
        (is_wanted && is_due).then(|| self.now().line())
    }

    /// Removes what is drawn.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Seconds that so many generations take of which each takes so long, or what the phase's hours leave.
fn eta(each: Duration, left: u64, at_most: Option<Duration>) -> f64 {
    let eta = each.as_secs_f64() * left as f64;
    at_most.map_or(eta, |time| eta.min(time.as_secs_f64()))
}

/// A text for people on stdout, broken between words where that is a terminal. A file or another
/// program gets its lines whole.
pub fn for_stdout(text: &str) -> String {
    match Term::stdout().size_checked() {
        Some((_, columns)) => wrapped(text, usize::from(columns).clamp(40, 101) - 1),
        None => text.to_string(),
    }
}

/// A line on stderr, whether or not anybody reads it.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// `1.2 M`
fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} G", n / 1e9),
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e3 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// `1:02:03`
pub fn clock(seconds: f64) -> String {
    let seconds = Duration::try_from_secs_f64(seconds).map_or(u64::MAX, |time| time.as_secs());
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// A time in two units at most, for people: `40 s`, `4 min`, `2 h 40 min`, `3 days 4 h`.
pub fn duration(seconds: f64) -> String {
    let whole = |number: f64| Duration::try_from_secs_f64(number).map_or(u64::MAX, |t| t.as_secs());
    let (minutes, hours) = (whole(seconds / 60.0 + 0.5), whole(seconds / 3600.0 + 0.5));
    match (minutes, hours) {
        _ if seconds < 99.5 => format!("{} s", whole(seconds + 0.5)),
        (..=99, _) => format!("{minutes} min"),
        (_, ..=47) => match minutes % 60 {
            0 => format!("{} h", minutes / 60),
            rest => format!("{} h {rest} min", minutes / 60),
        },
        _ => format!("{} days {} h", hours / 24, hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_end_a_phase_that_would_take_longer() {
        let (each, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert_eq!(eta(each, 90, None), 5400.0);
        assert_eq!(eta(each, 90, Some(hour)), 3600.0);
        assert_eq!(eta(each, 30, Some(hour)), 1800.0);
    }

    fn news(generation: u32) -> News<'static> {
        News {
            step: Step::Generation,
            run: (1, 2),
            generation: (generation, 10),
            row: String::new(),
            json: serde_json::json!({}),
            facts: vec!["best 7".into(), "mean 5.5".into()],
            work: (2_000_000, "positions"),
        }
    }

    /// Progress as it is where stderr is no terminal, on which nothing is written here.
    fn silent(place: Option<Place>) -> Progress {
        let mut progress = Progress::new(false, true);
        progress.begin("grandmaster", place);
        progress
    }

    fn place(number: usize, seconds: Option<u64>) -> Option<Place> {
        Some(Place {
            phase: (number, 3),
            time: seconds.map(Duration::from_secs),
        })
    }

    #[test]
    fn the_time_of_the_run_is_told_where_it_is_known() {
        let run_left = |place| silent(place).now().run_left;
        let left = run_left(place(1, Some(3600))).unwrap();
        assert!(
            left.at_most && (3590.0..=3600.0).contains(&left.seconds),
            "{left:?}"
        );
        // Without hours nobody knows how long the phases to come take, and the last phase says it itself.
        assert_eq!(run_left(place(1, None)), None);
        assert_eq!(run_left(place(3, Some(3600))), None);
    }

    #[test]
    fn a_time_that_has_run_out_is_not_told() {
        let mut progress = silent(place(1, None));
        progress.started = progress
            .started
            .checked_sub(Duration::from_secs(60))
            .unwrap();
        progress.evaluated(&news(0), 60.0, None);
        let left = progress.now().phase_left.unwrap().seconds;
        // Nineteen more generations of a minute.
        assert!((1130.0..1150.0).contains(&left), "{left}");
        let at = progress.at;
        progress.at = at.checked_sub(Duration::from_secs(1000)).unwrap();
        let left = progress.now().phase_left.unwrap().seconds;
        assert!((130.0..150.0).contains(&left), "{left}");
        progress.at = at.checked_sub(Duration::from_secs(1200)).unwrap();
        assert_eq!(progress.now().phase_left, None);
    }

    #[test]
    fn without_a_terminal_a_line_comes_every_three_minutes() {
        let mut progress = silent(place(1, None));
        progress.evaluated(&news(0), 1.0, None);
        (progress.silent, progress.bar) = (false, None);
        assert_eq!(progress.line(false), None);
        let line = progress.line(true).unwrap();
        let expected = "phase 1 of 3: grandmaster, run 1 of 2, generation 1 of 10 (5 %); best 7, \
                        mean 5.5; 2.0 M positions/s";
        assert!(line.starts_with(expected), "{line}");
        progress.said = progress.said.checked_sub(Duration::from_secs(181)).unwrap();
        let line = progress.line(false).unwrap();
        assert!(line.starts_with(expected), "{line}");
        progress.json = true;
        assert_eq!(progress.line(true), None);
    }

    #[test]
    fn times_for_people() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (99.4, "99 s"),
            (99.6, "2 min"),
            (200.0, "3 min"),
            (5960.0, "99 min"),
            (5990.0, "1 h 40 min"),
            (7200.0, "2 h"),
            (9600.0, "2 h 40 min"),
            (172_800.0, "2 days 0 h"),
            (f64::MAX, "768614336404564650 days 15 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(clock(3723.9), "1:02:03");
        assert_eq!(clock(0.0), "0:00:00");
        assert_eq!(short(1_234_567.0), "1.2 M");
        assert_eq!(short(12_345.0), "12 k");
        assert_eq!(short(7.4), "7");
    }
}
