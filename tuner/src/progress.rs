//! Progress on stderr: a bar where that is a terminal, JSON lines where asked for, else only what
//! happens once.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// What is said of a generation that has ended.
#[derive(Debug)]
pub struct News<'a> {
    /// The run within the phase, from 1, and how many there are.
    pub run: (usize, usize),
    /// The generation, from 0, and how many there are.
    pub generation: (u32, u32),
    /// Its line in the phase's `history.csv`.
    pub row: String,
    /// The line as JSON, for `--json-log`.
    pub json: serde_json::Value,
    /// The same for the progress bar.
    pub text: String,
    /// What was done for it, in this unit: 12000 "positions".
    pub work: (u64, &'a str),
}

/// How far a phase is.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    json: bool,
    silent: bool,
    phase: String,
    /// Generations of all runs of the phase that are known.
    done: u64,
    /// Those that this process evaluated, and since when.
    evaluated: u32,
    started: Instant,
}

impl Progress {
    /// Nothing is known yet. A silent one neither draws nor writes.
    pub fn new(json: bool, silent: bool) -> Progress {
        let bar = (!json && !silent && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:24} {msg}");
            ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        // A terminal that can't draw one would show nothing at all.
        let bar = bar.filter(|bar| !bar.is_hidden());
        Progress {
            bar,
            json,
            silent,
            phase: String::new(),
            done: 0,
            evaluated: 0,
            started: Instant::now(),
        }
    }

    /// Another phase begins.
    pub fn begin(&mut self, phase: &str) {
        self.phase = phase.to_string();
        (self.done, self.evaluated) = (0, 0);
        self.started = Instant::now();
        if let Some(bar) = &self.bar {
            bar.set_position(0);
        }
        self.say(phase);
    }

    /// Something that happens once: a line above the bar, or, where stderr goes to a file, the line
    /// that tells who reads it in the morning what came of the night.
    pub fn announce(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.json || self.silent => {}
            None => note(text),
        }
    }

    /// A warning on stderr, whoever reads it.
    pub fn warn(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(format!("warning: {text}")),
            None if self.silent => {}
            None => {
                let line = match self.json {
                    true => serde_json::json!({ "warning": text }).to_string(),
                    false => format!("warning: {text}"),
                };
                note(&line);
            }
        }
    }

    /// Says what is being done; shown until the next generation is known.
    pub fn say(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(text.to_string());
            bar.tick();
        }
    }

    /// A generation was read from the journal.
    pub fn replayed(&mut self, _news: &News<'_>) {
        self.done += 1;
        self.started = Instant::now();
    }

    /// A generation was evaluated in so many seconds, and this is all the time that the phase may
    /// still take, if its profile sets hours.
    pub fn evaluated(&mut self, news: &News<'_>, seconds: f64, at_most: Option<Duration>) {
        self.done += 1;
        self.evaluated += 1;
        let ((run, runs), (generation, generations)) = (news.run, news.generation);
        let all = runs as u64 * u64::from(generations);
        let left = all.saturating_sub(self.done);
        let eta = eta(self.started.elapsed() / self.evaluated, left, at_most);
        let (work, unit) = news.work;
        let rate = work as f64 / seconds.max(1e-9);
        if self.json {
            let mut line = news.json.clone();
            line["phase"] = self.phase.as_str().into();
            line["run"] = run.into();
            line["generation"] = generation.into();
            line["seconds"] = seconds.into();
            line[format!("{unit}_per_second")] = rate.round().into();
            line["eta_seconds"] = eta.round().into();
            // A closed stderr must not end a night's run.
            note(&line.to_string());
        }
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(self.done);
            bar.set_message(format!(
                "{} run {run}/{runs} generation {}/{generations} · {} · {} {unit}/s · {} left",
                self.phase,
                generation + 1,
                news.text,
                short(rate),
                clock(eta),
            ));
        }
    }

    /// Removes the bar.
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
