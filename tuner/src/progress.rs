//! Progress on stderr: a bar where that is a terminal, JSON lines where asked for, else nothing.

use crate::report::GenerationStats;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// How far the runs are.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    json: bool,
    runs: usize,
    generations: u32,
    positions: usize,
    /// Generations of all runs that are known.
    done: u64,
    /// Generations of all runs that this process evaluated, and since when.
    evaluated: u64,
    started: Instant,
}

/// What one generation cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Individuals that had to be evaluated.
    pub individuals: usize,
    /// Wall time.
    pub seconds: f64,
}

impl Progress {
    /// Nothing is known yet.
    pub fn new(runs: usize, generations: u32, positions: usize, json: bool) -> Progress {
        let total = runs as u64 * u64::from(generations);
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:24} {msg}");
            ProgressBar::new(total)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Progress {
            bar,
            json,
            runs,
            generations,
            positions,
            done: 0,
            evaluated: 0,
            started: Instant::now(),
        }
    }

    /// A line above the bar.
    pub fn announce(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.println(text);
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
    pub fn replayed(&mut self) {
        self.done += 1;
        self.started = Instant::now();
    }

    /// A generation was evaluated; runs count from 1.
    pub fn evaluated(&mut self, run: usize, stats: &GenerationStats, cost: Cost) {
        self.done += 1;
        self.evaluated += 1;
        let rate = per_second(cost, self.positions);
        let left = (self.runs as u64 * u64::from(self.generations)).saturating_sub(self.done);
        let eta = self.started.elapsed().as_secs_f64() / self.evaluated as f64 * left as f64;
        if self.json {
            let line = serde_json::json!({
                "run": run,
                "generation": stats.generation,
                "best": stats.best,
                "mean": stats.mean,
                "worst": stats.worst,
                "standard_deviation": stats.standard_deviation,
                "distinct": stats.distinct,
                "positions": self.positions,
                "seconds": cost.seconds,
                "positions_per_second": rate.round(),
                "eta_seconds": eta.round(),
            });
            // A closed stderr must not end a night's run.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(format!(
                "run {run}/{} generation {}/{} · best {} ({:.1} %) mean {:.1} · {} positions/s · \
                 {} left",
                self.runs,
                stats.generation + 1,
                self.generations,
                stats.best,
                100.0 * f64::from(stats.best) / self.positions.max(1) as f64,
                stats.mean,
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

/// Positions × individuals a second.
pub fn per_second(cost: Cost, positions: usize) -> f64 {
    cost.individuals as f64 * positions as f64 / cost.seconds.max(1e-9)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(clock(3723.9), "1:02:03");
        assert_eq!(clock(0.0), "0:00:00");
        assert_eq!(short(1_234_567.0), "1.2 M");
        assert_eq!(short(12_345.0), "12 k");
        assert_eq!(short(7.4), "7");
    }
}
