//! The table of wall times, `timing.csv`: what each generation took, and, in rows without a
//! generation, time that belongs to none that has ended. From their sum a run that goes on knows
//! what is left of its hours, so nothing may be missing, however often it was stopped or killed.

use crate::base::files::{FileError, append};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the run's table of wall times.
pub const TIMING_NAME: &str = "timing.csv";
/// First line of the table.
const HEADING: &str = "phase,run,generation,seconds,work,unit,per_second\n";
/// The most that a kill makes the table forget.
const NOTED_AFTER: Duration = Duration::from_secs(10);

/// Writes the table.
pub struct Timing {
    path: PathBuf,
    /// Up to when the table tells, or the journal was replayed.
    since: Instant,
    /// Seconds in the table that belong to the generation under way.
    unfinished: f64,
}

impl Timing {
    /// The table in a run's folder; nothing is to be written before [`Timing::begin_work`].
    pub fn new(folder: &Path) -> Timing {
        Timing {
            path: folder.join(TIMING_NAME),
            since: Instant::now(),
            unfinished: 0.0,
        }
    }

    /// The journal has ended, in this phase. What earlier processes spent on the generation that
    /// comes is known from the table.
    ///
    /// # Errors
    /// The table can't be written.
    pub fn begin_work(&mut self, phase: &str) -> Result<(), FileError> {
        if !self.path.exists() {
            append(&self.path, HEADING)?;
        }
        self.unfinished = 0.0;
        for row in rows(&self.path).iter().filter(|row| row.phase == phase) {
            match row.generation.is_empty() {
                true => self.unfinished += row.seconds,
                false => self.unfinished = 0.0,
            }
        }
        Ok(())
    }

    /// A replayed generation has ended, or a phase begins.
    pub fn restart(&mut self) {
        self.since = Instant::now();
    }

    /// Writes down what has been spent on a generation that has not ended, if it is long enough to
    /// be worth a row.
    ///
    /// # Errors
    /// The table can't be written.
    pub fn note_if_long(&mut self, phase: &str) -> Result<(), FileError> {
        match self.since.elapsed() >= NOTED_AFTER {
            true => self.note(phase),
            false => Ok(()),
        }
    }

    /// Writes down what has been spent since the last row, however little.
    ///
    /// # Errors
    /// The table can't be written.
    pub fn note(&mut self, phase: &str) -> Result<(), FileError> {
        let seconds = self.since.elapsed().as_secs_f64();
        append(&self.path, &format!("{phase},,,{seconds:.6},0,,\n"))?;
        self.since = Instant::now();
        self.unfinished += seconds;
        Ok(())
    }

    /// A generation has ended that did so much work; returns how many seconds it took, all
    /// processes together.
    ///
    /// # Errors
    /// The table can't be written.
    pub fn generation_done(
        &mut self,
        phase: &str,
        run: usize,
        generation: u32,
        (work, unit): (u64, &str),
    ) -> Result<f64, FileError> {
        let seconds = self.since.elapsed().as_secs_f64();
        let whole = self.unfinished + seconds;
        let rate = work as f64 / whole.max(1e-9);
        let row = format!("{phase},{run},{generation},{seconds:.6},{work},{unit},{rate:.0}\n");
        append(&self.path, &row)?;
        self.since = Instant::now();
        self.unfinished = 0.0;
        Ok(whole)
    }
}

/// The time of a phase, of all of which names and shares are given: what is left of the hours, shared by the
/// phases that are left; what it has spent already is taken off its share.
pub fn time_of(
    hours: f64,
    phases: &[(&str, f64)],
    number: usize,
    spent: &BTreeMap<String, f64>,
) -> Duration {
    let spent_by = |(name, _): &(&str, f64)| spent.get(*name).copied().unwrap_or(0.0);
    let (before, rest) = phases.split_at(number);
    let left = hours * 3600.0 - before.iter().map(spent_by).sum::<f64>();
    let shares: f64 = rest.iter().map(|(_, share)| share).sum();
    let own = rest.first().map_or(0.0, |phase| {
        left.max(0.0) * phase.1 / shares.max(f64::MIN_POSITIVE) - spent_by(phase)
    });
    Duration::try_from_secs_f64(own.max(0.0)).unwrap_or(Duration::MAX)
}

/// Wall time of each phase until now, in seconds.
pub fn seconds_spent(folder: &Path) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for row in rows(&folder.join(TIMING_NAME)) {
        *sums.entry(row.phase).or_insert(0.0) += row.seconds;
    }
    sums
}

/// Wall time of each run of a phase until now, in seconds, by the run's number.
pub fn seconds_of_runs(folder: &Path, phase: &str) -> BTreeMap<usize, f64> {
    let mut sums = BTreeMap::new();
    for row in rows(&folder.join(TIMING_NAME)) {
        if let (true, Ok(run)) = (row.phase == phase, row.run.parse()) {
            *sums.entry(run).or_insert(0.0) += row.seconds;
        }
    }
    sums
}

/// What each phase has done in that time, in a unit of its own: positions or nodes.
pub fn work_done(folder: &Path) -> BTreeMap<String, (f64, String)> {
    let mut sums: BTreeMap<String, (f64, String)> = BTreeMap::new();
    let rows = rows(&folder.join(TIMING_NAME));
    for row in rows.into_iter().filter(|row| !row.unit.is_empty()) {
        let sum = sums.entry(row.phase).or_default();
        *sum = (sum.0 + row.work, row.unit);
    }
    sums
}

/// A row of the table; what a full disk cut off, or somebody's editor spoilt, is nothing.
struct Row {
    phase: String,
    run: String,
    generation: String,
    seconds: f64,
    work: f64,
    unit: String,
}

fn rows(path: &Path) -> Vec<Row> {
    let table = std::fs::read_to_string(path).unwrap_or_default();
    let of_row = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let text = |column: usize| cells.get(column).copied().unwrap_or_default();
        let number = |column: usize| {
            let number = text(column).parse().ok();
            number.filter(|&number| number >= 0.0).unwrap_or(0.0)
        };
        Row {
            phase: text(0).to_string(),
            run: text(1).to_string(),
            generation: text(2).to_string(),
            seconds: number(3),
            work: number(4),
            unit: text(5).to_string(),
        }
    };
    table.lines().skip(1).map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Timing {
        /// As if it had begun so many seconds earlier.
        pub fn earlier(&mut self, seconds: u64) {
            let earlier = Duration::from_secs(seconds);
            self.since = self.since.checked_sub(earlier).unwrap();
        }
    }

    #[test]
    fn an_interrupted_generation_has_taken_all_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut first = Timing::new(folder);
        first.begin_work("ecm").unwrap();
        first.earlier(5);
        first.note_if_long("ecm").unwrap();
        assert!(seconds_spent(folder).is_empty());
        first.earlier(5);
        first.note_if_long("ecm").unwrap();
        assert!(!seconds_spent(folder).is_empty());
        first.earlier(60);
        first.note("ecm").unwrap();
        let about = |seconds: f64, expected: f64| (seconds - expected).abs() < 5.0;
        assert!(about(seconds_spent(folder)["ecm"], 70.0));
        assert!(work_done(folder).is_empty());

        // Another process ends the generation, and a third one begins the next.
        let mut second = Timing::new(folder);
        second.begin_work("ecm").unwrap();
        second.earlier(30);
        let work = (1_000, "nodes");
        let whole = second.generation_done("ecm", 1, 0, work).unwrap();
        assert!(about(whole, 100.0), "{whole}");
        assert!(about(seconds_spent(folder)["ecm"], 100.0));
        assert!(about(seconds_of_runs(folder, "ecm")[&1], 30.0));
        assert_eq!(work_done(folder)["ecm"], (1_000.0, "nodes".to_string()));
        let table = std::fs::read_to_string(folder.join(TIMING_NAME)).unwrap();
        let rate = table.trim_end().rsplit(',').next().unwrap();
        assert!(about(rate.parse().unwrap(), 10.0), "{table}");
        let mut third = Timing::new(folder);
        third.begin_work("ecm").unwrap();
        let whole = third.generation_done("ecm", 1, 1, work).unwrap();
        assert!(about(whole, 0.0), "{whole}");
    }
}
