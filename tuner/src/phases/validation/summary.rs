//! What there is to report of a validation.

use crate::base::statistics::{Rate, thousands};
use crate::phases::summary::{Part, PhaseFiles, Summary, indecisive};
use crate::phases::verdict::{Solved, ValidationResult};
use crate::report::night::{Reached, Unseen};

impl Summary for ValidationResult {
    /// A match is looked at after so many games, and ends when its test has decided.
    fn step(&self) -> &'static str {
        "look"
    }

    fn steps_done(&self) -> u64 {
        self.ratios.len() as u64
    }

    fn result_text(&self, _: PhaseFiles<'_>) -> Option<String> {
        self.is_known().then(|| self.text())
    }

    fn best_so_far(&self) -> Option<String> {
        let pairs = self.games.pairs();
        (!self.ratios.is_empty()).then(|| format!("{} after {pairs} pairs", self.verdict))
    }

    fn row(&self, _: PhaseFiles<'_>) -> (String, String) {
        (
            if self.complete { "done" } else { "under way" }.to_string(),
            format!("{} games", thousands(2 * self.games.pairs())),
        )
    }

    fn links(&self, name: &str) -> Vec<(String, String)> {
        let link = |look| {
            (
                format!("{name}: games, part {look}"),
                format!("{name}/games/match-{look:03}.pgn"),
            )
        };
        (1..=self.ratios.len()).map(link).collect()
    }

    fn warnings(&self) -> Vec<String> {
        let warning = indecisive(2 * self.games.pairs(), self.decisive);
        warning.into_iter().collect()
    }

    fn part(&self, _: &str) -> Option<Part> {
        None
    }

    fn validation(&self) -> Option<&ValidationResult> {
        Some(self)
    }
}

/// The verdict of a phase with this name, for the report.
pub fn reached(result: &ValidationResult, phase: &str) -> Reached {
    Reached {
        phase: phase.to_string(),
        word: match result.complete {
            true => result.verdict.to_string(),
            false => format!("{} so far", result.verdict),
        },
        amount: result.amount(),
        headline: result.headline(),
        sentence: result.text(),
        is_early: result.is_early(),
    }
}

/// What it has counted of what no phase has learnt from.
pub fn unseen(result: &ValidationResult) -> Vec<Unseen> {
    let mut rows = Vec::new();
    if let Some((positions, solved)) = result.positions {
        let text = |solved: u32| {
            let rate = Rate::new(solved.into(), positions as u64);
            format!(
                "{solved} ({:.1} %, {:.1}–{:.1})",
                rate.percent, rate.low, rate.high
            )
        };
        rows.push(Unseen {
            what: format!(
                "moves of {} held-out positions",
                thousands(positions as u64)
            ),
            champion: text(solved[0]),
            opponent: text(solved[1]),
            amount: (
                text(solved[0]),
                format!(
                    "of {} held-out positions solved; the opponent {}",
                    thousands(positions as u64),
                    text(solved[1])
                ),
            ),
        });
    }
    for suite in &result.suites {
        let cap = thousands(suite.cap);
        let text = |made: Solved| format!("{}, {} nodes", made.positions, thousands(made.nodes));
        rows.push(Unseen {
            what: format!("{}: of {} within {cap} nodes", suite.name, suite.positions),
            champion: text(suite.results[0]),
            opponent: text(suite.results[1]),
            amount: (
                format!("{} of {}", suite.results[0].positions, suite.positions),
                format!(
                    "unseen tactical positions solved ({}); the opponent {}",
                    suite.name, suite.results[1].positions
                ),
            ),
        });
    }
    rows
}
