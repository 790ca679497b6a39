//! What there is to report of search parameters on a suite.

use crate::base::statistics::{counted, rate_text, thousands};
use crate::phases::summary::{Evolved, Part, PhaseFiles, Summary};
use crate::report::ecm::EcmReport;

impl EcmReport {
    fn generations(&self) -> usize {
        let runs = self.outcome.runs.iter();
        runs.map(|run| run.generations.len()).sum()
    }
}

impl Summary for EcmReport {
    fn steps_done(&self) -> u64 {
        self.generations() as u64
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        let (index, run) = self.outcome.best()?;
        // Hours may end a run while it samples.
        let part = match run.train.positions < self.positions {
            true => "a part of ",
            false => "",
        };
        Some(format!(
            "best search is of run {}: {} nodes for {part}the suite, solves {}",
            index + 1,
            thousands(run.train.nodes),
            rate_text(run.train.solved, run.train.positions)
        ))
    }

    fn best_so_far(&self) -> Option<String> {
        let (_, run) = self.outcome.best()?;
        let nodes = thousands(run.train.nodes);
        Some(format!("best {nodes} nodes, solves {}", run.train.solved))
    }

    fn row(&self, _: PhaseFiles<'_>) -> (String, String) {
        let (runs, generations) = (self.outcome.runs.len(), self.generations());
        (
            format!("{}, {generations} generations", counted(runs, "run")),
            format!("{} positions", thousands(self.positions as u64)),
        )
    }

    fn evolved(&self) -> Option<Evolved<'_>> {
        let (_, best) = self.outcome.best()?;
        Some(Evolved {
            rows: Some(self.rows.clone()),
            first: None,
            last: &best.champion,
            all: self.outcome.runs.iter().map(|run| &run.champion).collect(),
        })
    }

    fn searches_evolved(&self) -> bool {
        self.outcome.best().is_some()
    }

    fn part(&self, _: &str) -> Option<Part> {
        Some(Part::Suite(self.clone()))
    }
}
