//! What has come of a phase that imitates an expert: [`crate::phases::expert`], [`crate::phases::expert_2011`].

use super::data;
use crate::phases::summary::{Part, PhaseFiles, Summary};
use crate::report::expert::ExpertReport;

/// What has come of it.
#[derive(Debug)]
pub struct ExpertSummary {
    /// What a report says.
    pub report: ExpertReport,
    /// Runs and generations, in words.
    pub progress: String,
    /// Generations of all runs together.
    pub generations: u64,
}

impl Summary for ExpertSummary {
    fn steps_done(&self) -> u64 {
        self.generations
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        let best = self.report.best_text()?;
        Some(format!("nearest to the expert is {best}"))
    }

    fn best_so_far(&self) -> Option<String> {
        let best = self.report.best_text()?;
        Some(format!("best is {best}"))
    }

    fn row(&self, files: PhaseFiles<'_>) -> (String, String) {
        let positions = data::count_text(files);
        let work = match self.report.best_text() {
            Some(best) => format!("{positions}, {best}"),
            None => positions,
        };
        (self.progress.clone(), work)
    }

    fn part(&self, _: &str) -> Option<Part> {
        Some(Part::Expert(self.report.clone()))
    }
}
