//! What phases that imitate an expert have in common: [`crate::phases::expert`], [`crate::phases::expert_2011`].

use super::basis::Basis;
use super::champions::Champions;
use super::data::{self, TEST, TRAIN};
use super::outcome::{Outcome, Who};
use crate::base::statistics::counted;
use crate::error::RunError;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::task::Worker;
use crate::fitness::positions::{Block, Count, one_by_one};
use crate::phases::context::with_role;
use crate::phases::phase::PhaseOutcome;
use crate::phases::sample::{Checked, estimate_text};
use crate::phases::summary::{Part, PhaseFiles, Summary};
use crate::report::expert::{ERROR_NAME, ExpertReport, ExpertRun, Unit, figure};

/// What work needs beside the keys.
#[derive(Debug)]
pub struct Data<P> {
    /// The training positions.
    pub train: P,
    /// The held-out positions.
    pub test: Option<P>,
    /// The threads that evaluate.
    pub pool: rayon::ThreadPool,
}

impl<P> Data<P> {
    /// The positions that a block is of.
    pub fn of(&self, block: Block) -> Option<&P> {
        match block {
            Block::Train { .. } => Some(&self.train),
            Block::HeldOut { .. } => self.test.as_ref(),
        }
    }
}

/// Gives points on all threads at once, as the phase says of a task.
pub struct Examiner<F>(pub F);

impl<F> Worker<Count> for Examiner<F>
where
    F: FnMut(&Count) -> Result<Vec<u32>, WorkError>,
{
    fn answer(&mut self, task: &Count) -> Result<Vec<u32>, WorkError> {
        (self.0)(task)
    }

    fn answer_again(&mut self, task: &Count) -> Result<(Vec<u32>, String), WorkError> {
        one_by_one(self, task)
    }
}

/// What there is to report of these runs.
pub fn report(basis: &Basis, unit: Unit, runs: Vec<ExpertRun>, outcome: &Outcome) -> ExpertReport {
    let (train, test) = data::counts(&basis.files);
    ExpertReport {
        unit,
        layout: basis.layout.clone(),
        positions: train,
        test_positions: test.unwrap_or(0),
        runs,
        best: outcome.best_so_far().and_then(|best| match best.who {
            Who::Run(place) => Some(place),
            Who::Mean => None,
        }),
    }
}

/// Draws the errors, and says what has come of it.
///
/// # Errors
/// The figure can't be drawn or written.
pub fn concluded(
    report: ExpertReport,
    champions: &Champions<'_>,
    outcome: &Outcome,
    executor: &mut Executor<'_>,
) -> Result<PhaseOutcome, RunError> {
    if !report.runs.is_empty() {
        let figure = figure(&report).map_err(RunError::Report)?;
        executor.write(&format!("{ERROR_NAME}.svg"), figure.file())?;
    }
    Ok(champions.outcome(outcome, Box::new(ExpertSummary(report))))
}

/// What a check has found: so many individuals, their errors in words, the seconds of all the work on so many
/// threads; `each` says what a generation is measured on.
pub fn checked(
    basis: &Basis,
    each: &str,
    (individuals, errors): (usize, &str),
    (seconds, threads): (f64, usize),
) -> Checked {
    let file = |role: &str| {
        with_role(&basis.files, role).map_or("none".to_string(), |file| {
            let note = file.note.as_ref();
            let note = note.map_or(String::new(), |note| format!("; {note}"));
            format!("{}, {} positions{note}", file.name(), file.count)
        })
    };
    let text = format!(
        "{}{each}\n  training: {}\n  held out: {}\nMiniature generation: {individuals} random individuals, \
         error of the best {errors}\n{}",
        basis.settings.text(&basis.layout),
        file(TRAIN),
        file(TEST),
        estimate_text(seconds, threads)
    );
    Checked { text, seconds }
}

/// What has come of it.
#[derive(Debug)]
struct ExpertSummary(ExpertReport);

impl Summary for ExpertSummary {
    fn steps_done(&self) -> u64 {
        let runs = self.0.runs.iter();
        runs.map(|run| run.generations as u64).sum()
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        let best = self.0.best_text()?;
        Some(format!("nearest to the expert is {best}"))
    }

    fn best_so_far(&self) -> Option<String> {
        let best = self.0.best_text()?;
        Some(format!("best is {best}"))
    }

    fn row(&self, files: PhaseFiles<'_>) -> (String, String) {
        let positions = data::count_text(files);
        let work = match self.0.best_text() {
            Some(best) => format!("{positions}, {best}"),
            None => positions,
        };
        let (runs, generations) = (counted(self.0.runs.len(), "run"), self.steps_done());
        (format!("{runs}, {generations} generations"), work)
    }

    fn part(&self, _: &str) -> Option<Part> {
        Some(Part::Expert(self.0.clone()))
    }
}
