//! The champions' weights, one row per term, beside the paper's. Imports the engine's table.

use super::paper;
use super::{Report, RunReport};
use crate::base::statistics::Summary;
use engine::eval::params::EvalParams;
use engine::params::ParamTable;

/// A mean at or below this is near 0: a wrong sign hides there, for no gene is negative.
const NEAR_ZERO: f64 = 1.0;

/// One weight over all runs.
pub struct Term {
    /// Name of the row in the parameter table.
    pub name: &'static str,
    /// What the term counts.
    pub doc: &'static str,
    /// Greatest value that the table accepts.
    pub greatest: i32,
    /// The champions' values, in the order of the runs.
    pub values: Vec<i32>,
    /// Mean and spread of the values.
    pub summary: Summary,
    /// Value in the paper's Figure 3, where that compares.
    pub paper: Option<i32>,
}

impl Term {
    /// Whether evolution had no use for the term as it is counted.
    pub fn near_zero(&self) -> bool {
        self.summary.mean.abs() <= NEAR_ZERO
    }
}

/// Runs that have finished a generation, and so have a champion, with their number from 1.
pub fn started(report: &Report) -> Vec<(usize, &RunReport)> {
    let numbered = (1..).zip(&report.runs);
    numbered
        .filter(|(_, run)| !run.generations.is_empty())
        .collect()
}

/// The terms of the paper, and any other that a champion weighs, in the table's order; none as
/// long as there is no champion.
pub fn terms(report: &Report) -> Vec<Term> {
    let runs = started(report);
    let rows = EvalParams::SPECS.iter().enumerate();
    let terms = rows.filter_map(|(index, spec)| {
        let champions = runs.iter().map(|(_, run)| &run.champion.eval);
        let values: Vec<i32> = champions.map(|eval| eval.get(index)).collect();
        let summary = Summary::of(values.iter().map(|value| f64::from(*value)))?;
        let paper = paper::weight(spec.name);
        let is_known = paper.is_some();
        let paper = paper.filter(|_| report.is_comparable());
        (is_known || values.iter().any(|value| *value != 0)).then_some(Term {
            name: spec.name,
            doc: spec.doc.trim(),
            greatest: *spec.range.end(),
            values,
            summary,
            paper,
        })
    });
    terms.collect()
}
