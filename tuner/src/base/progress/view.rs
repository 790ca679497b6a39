//! What is shown of progress, as text for a terminal of a given width, or as one line for a file.
//! Pure: it knows no clock and no terminal.

use super::{clock, short};
use crate::base::statistics::thousands;

/// Widest bar, in columns.
const BAR: usize = 24;
/// Narrowest bar that is worth its place.
const LEAST_BAR: usize = 8;

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The phase, from 1, and how many there are.
    pub phase: (usize, usize),
    /// Its name.
    pub name: String,
    /// The run within the phase, from 1, and how many there are; zeros if none has begun.
    pub run: (usize, usize),
    /// The generation that ended last, from 1, and how many a run has.
    pub generation: Option<(u64, u64)>,
    /// What a generation is called here.
    pub step: &'static str,
    /// Generations of all runs of the phase that have ended, and all there are.
    pub done: (u64, u64),
    /// What the last of them came to, the most important first.
    pub facts: Vec<String>,
    /// What is being done where no generation tells.
    pub doing: Option<String>,
    /// Of the tasks that are done together now: how many are done, and how many there are.
    pub tasks: Option<(usize, usize)>,
    /// Work a second, in a unit.
    pub speed: Option<(f64, String)>,
    /// Time left of the phase.
    pub phase_left: Option<Left>,
    /// Time left of the whole run, where it is known; not repeated in the last phase.
    pub run_left: Option<Left>,
}

/// A time that is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// Seconds.
    pub seconds: f64,
    /// Whether it may be less, because something may end before.
    pub at_most: bool,
}

impl Left {
    fn text(self) -> String {
        let most = if self.at_most { "at most " } else { "" };
        format!("{most}{}", clock(self.seconds))
    }
}

impl View {
    /// Lines for a terminal with so many columns, none of them longer.
    pub fn lines(&self, columns: usize) -> Vec<String> {
        let lines = [
            self.place(columns),
            self.state(columns),
            first_that_fits(self.times(), columns),
        ];
        let lines = lines.into_iter().filter(|line| !line.is_empty());
        lines.collect()
    }

    /// All of it in one line, however long.
    pub fn line(&self) -> String {
        if self.generation.is_none() && self.states().is_empty() {
            return format!("{} begins", self.places().swap_remove(0));
        }
        let whole = [
            self.places().swap_remove(0),
            self.states().join(", "),
            self.times().swap_remove(0),
        ];
        let parts = whole.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("; ")
    }

    /// Where it is, with a bar if there is room for one.
    fn place(&self, columns: usize) -> String {
        let text = first_that_fits(self.places(), columns);
        let room = columns.saturating_sub(length(&text) + 1).min(BAR);
        let (done, all) = self.done;
        if room < LEAST_BAR || all == 0 {
            return text;
        }
        let full = (room as u64 * done.min(all) / all) as usize;
        let bar = "█".repeat(full) + &"░".repeat(room - full);
        format!("{text} {bar}")
    }

    /// Where it is, the longest way to say it first.
    fn places(&self) -> Vec<String> {
        let (phase, phases) = self.phase;
        let (run, runs) = self.run;
        let percent = match self.done {
            (_, 0) => String::new(),
            (done, all) => format!(" ({} %)", 100 * done.min(all) / all),
        };
        // What there is one of needs no number.
        let counted = |what: &str, number: usize, of: usize| match of {
            0 | 1 => String::new(),
            _ => format!("{what} {number} of {of}"),
        };
        let (phase_text, run_text) = (counted("phase", phase, phases), counted("run", run, runs));
        let step = |name: &str, between: &str| {
            let of = |(number, of): (u64, u64)| format!("{name} {number}{between}{of}");
            self.generation.map_or(String::new(), of)
        };
        let (named, phase_alone) = match phase_text.is_empty() {
            true => (self.name.clone(), self.name.clone()),
            false => (format!("{phase_text}: {}", self.name), phase_text),
        };
        let (long, brief) = (step(self.step, " of "), step(self.step, "/"));
        let join = |parts: [&str; 3]| {
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", ")
        };
        vec![
            join([&named, &run_text, &long]) + &percent,
            join([&named, &run_text, &long]),
            join([&named, &run_text, &brief]),
            join([&phase_alone, &run_text, &brief]),
            join([&phase_alone, &run_text.replace(" of ", "/"), &brief]),
        ]
    }

    /// What it has come to, as much of it as there is room for.
    fn state(&self, columns: usize) -> String {
        let mut parts = self.states();
        while parts.len() > 1 && length(&parts.join(", ")) > columns {
            parts.pop();
        }
        first_that_fits(vec![parts.join(", ")], columns)
    }

    fn states(&self) -> Vec<String> {
        let mut parts = match &self.doing {
            Some(doing) => vec![doing.clone()],
            None => self.facts.clone(),
        };
        if let Some((done, all)) = self.tasks {
            let of = |count: usize| thousands(count as u64);
            let next = if self.doing.is_some() { "" } else { "next " };
            parts.push(format!("{} of the {next}{} tasks", of(done), of(all)));
        }
        parts
    }

    /// How fast, and how long still, the longest way to say it first.
    fn times(&self) -> Vec<String> {
        let speed = match &self.speed {
            Some((rate, unit)) => format!("{} {unit}/s", short(*rate)),
            None => String::new(),
        };
        let is_last = self.phase.0 >= self.phase.1;
        let same = |text: String| (text.clone(), text);
        let (long, brief) = match (
            self.phase_left.map(Left::text),
            self.run_left.map(Left::text),
        ) {
            // What is left of the last phase is left of the run.
            (Some(left), _) if is_last => same(format!("{left} left")),
            (Some(left), Some(run)) => (
                format!("{left} left of the phase, {run} of the run"),
                format!("{left} left, run {run}"),
            ),
            (Some(left), None) => same(format!("{left} left of the phase")),
            (None, Some(run)) => same(format!("{run} left of the run")),
            (None, None) => same(String::new()),
        };
        let with_speed = |times: &str| match (speed.is_empty(), times.is_empty()) {
            (true, _) => times.to_string(),
            (_, true) => speed.clone(),
            _ => format!("{speed}, {times}"),
        };
        vec![with_speed(&long), with_speed(&brief), brief]
    }
}

/// How much of a journal has been gone through, first to see what is left to do (`looks`).
pub fn replaying(looks: bool, done: usize, all: usize) -> String {
    let of = |count: usize| thousands(count as u64);
    let what = if looks {
        "reading the journal"
    } else {
        "replaying"
    };
    format!("{what}: {} of {} tasks", of(done), of(all))
}

/// A text whose lines are broken between words where they are longer than so many columns. Lines that
/// begin with a blank are for a machine, and stay whole.
pub fn wrapped(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with(' ') {
            lines.push(line.to_string());
            continue;
        }
        let mut broken = String::new();
        for word in line.split(' ') {
            let is_full = length(&broken) + 1 + length(word) > columns;
            if is_full && !broken.is_empty() {
                lines.push(std::mem::take(&mut broken));
            } else if !broken.is_empty() {
                broken.push(' ');
            }
            broken.push_str(word);
        }
        lines.push(broken);
    }
    lines.join("\n")
}

/// A text with what has no room in so many columns cut off.
pub fn cut(text: &str, columns: usize) -> String {
    first_that_fits(vec![text.to_string()], columns)
}

/// Columns of a text whose characters take one each.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// The first of these that is short enough; if none is, the last one with its end cut off.
fn first_that_fits(texts: Vec<String>, columns: usize) -> String {
    let fits = texts.iter().find(|text| length(text) <= columns);
    let Some(text) = fits.or(texts.last()) else {
        return String::new();
    };
    if length(text) <= columns {
        return text.clone();
    }
    let start: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(seconds: f64, at_most: bool) -> Option<Left> {
        Some(Left { seconds, at_most })
    }

    /// A night's first phase, as far as a profile of ordinary size goes.
    fn night() -> View {
        View {
            phase: (1, 5),
            name: "grandmaster".into(),
            run: (10, 10),
            generation: Some((200, 200)),
            step: "generation",
            done: (2000, 2000),
            facts: vec!["best 1,702 of 5,000 (34.0 %)".into(), "mean 1,498.3".into()],
            doing: None,
            tasks: None,
            speed: Some((1_234_567.0, "positions".into())),
            phase_left: left(4500.0, false),
            run_left: left(26_400.0, true),
        }
    }

    /// The most digits that any phase may have, in a run of days.
    fn extreme() -> View {
        View {
            phase: (12, 12),
            name: "coevolution-of-search-parameters".into(),
            run: (100, 100),
            generation: Some((20_000, 20_000)),
            done: (2_000_000, 2_000_000),
            facts: vec![
                "best 123,456,789,012 nodes".into(),
                "mean 234,567,890,123.4 nodes".into(),
                "8,000 of 8,000 solved".into(),
            ],
            tasks: Some((123_456, 1_234_567)),
            speed: Some((123_400_000.0, "nodes".into())),
            phase_left: left(999_999.0, true),
            run_left: left(9_999_999.0, true),
            ..night()
        }
    }

    fn begun() -> View {
        View {
            phase: (1, 3),
            name: "grandmaster".into(),
            ..View::default()
        }
    }

    const WIDTHS: [usize; 4] = [60, 80, 100, 120];

    #[test]
    fn nothing_is_wider_than_the_terminal() {
        let narrow = View {
            phase: (2, 3),
            ..extreme()
        };
        for view in [begun(), night(), extreme(), narrow] {
            for columns in WIDTHS.into_iter().chain([1, 5, 20, 40]) {
                let lines = view.lines(columns);
                for line in &lines {
                    assert!(length(line) <= columns, "{columns}: {lines:#?}");
                }
                assert!((1..=3).contains(&lines.len()), "{lines:#?}");
            }
        }
    }

    #[test]
    fn what_matters_most_is_there_at_every_width() {
        let last = View {
            phase: (5, 5),
            ..night()
        };
        let no_hours = View {
            run_left: None,
            ..night()
        };
        for columns in WIDTHS {
            let shown = |view: &View| view.lines(columns).join("\n");
            let said = shown(&night());
            for words in [
                "phase 1 of 5",
                "run 10 of 10",
                "generation 200",
                "best 1,702",
                "mean 1,498.3",
                "1.2 M positions/s",
                "1:15:00 left",
                "at most 7:20:00",
            ] {
                assert!(said.contains(words), "{words} at {columns}:\n{said}");
            }
            // The last phase's time is the run's, and what nobody knows is not said.
            let said = shown(&last);
            assert!(
                said.ends_with("1:15:00 left") && !said.contains("7:20:00"),
                "{said}"
            );
            let said = shown(&no_hours);
            assert!(said.ends_with("1:15:00 left of the phase"), "{said}");
            // At the extremes the numbers, the best and the time survive.
            let said = shown(&View {
                phase: (11, 12),
                ..extreme()
            });
            for words in [
                "phase 11 of 12",
                "20000",
                "best 123,456,789,012 nodes",
                "277:46:39 left",
                "2777:46:39",
            ] {
                assert!(said.contains(words), "{words} at {columns}:\n{said}");
            }
        }
    }

    #[test]
    fn a_wide_terminal_has_a_bar() {
        let half = View {
            done: (1000, 2000),
            generation: Some((100, 200)),
            run: (5, 10),
            ..night()
        };
        let bar = |columns: usize| {
            let line = half.lines(columns).remove(0);
            let count = |letter: char| line.chars().filter(|&c| c == letter).count();
            (count('█'), count('░'))
        };
        assert_eq!(bar(120), (12, 12));
        assert_eq!(bar(60), (0, 0));
        assert!(half.lines(120)[0].contains("(50 %)"));
        // Nothing is full or empty of a phase of which nothing is known.
        assert!(!begun().lines(120)[0].contains('░'));
    }

    #[test]
    fn one_of_a_kind_has_no_number() {
        let alone = View {
            phase: (1, 1),
            run: (1, 1),
            ..night()
        };
        let said = alone.lines(80).join("\n");
        assert!(
            said.starts_with("grandmaster, generation 200 of 200"),
            "{said}"
        );
        assert!(!said.contains("run 1") && !said.contains("phase"), "{said}");
    }

    #[test]
    fn what_is_being_done_is_said_with_its_tasks() {
        let view = View {
            doing: Some("solving a suite".into()),
            tasks: Some((12, 1246)),
            ..begun()
        };
        let expected = [
            "phase 1 of 3: grandmaster",
            "solving a suite, 12 of the 1,246 tasks",
        ];
        assert_eq!(view.lines(60), expected);
        assert_eq!(view.line(), expected.join("; "));
        assert_eq!(begun().line(), "phase 1 of 3: grandmaster begins");
        let view = View {
            tasks: Some((12, 40)),
            ..night()
        };
        assert!(view.lines(80)[1].ends_with("mean 1,498.3, 12 of the next 40 tasks"));
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = "one two three\n\n  a line to paste\nfour-and-twenty x";
        let expected = "one two\nthree\n\n  a line to paste\nfour-and-twenty\nx";
        assert_eq!(wrapped(text, 9), expected);
        assert_eq!(wrapped(text, 80), text);
        // A title with its column keeps its blanks.
        assert_eq!(wrapped("Report:   /r", 80), "Report:   /r");
    }

    #[test]
    fn a_journal_is_counted_while_it_is_replayed() {
        assert_eq!(
            replaying(false, 1200, 9300),
            "replaying: 1,200 of 9,300 tasks"
        );
        assert_eq!(cut(&replaying(true, 1, 2), 11), "reading th…");
    }

    #[test]
    fn a_file_gets_all_of_it_in_one_line() {
        assert_eq!(
            night().line(),
            "phase 1 of 5: grandmaster, run 10 of 10, generation 200 of 200 (100 %); \
             best 1,702 of 5,000 (34.0 %), mean 1,498.3; \
             1.2 M positions/s, 1:15:00 left of the phase, at most 7:20:00 of the run"
        );
    }
}
