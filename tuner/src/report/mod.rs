//! What a report shows.

use engine::params::ParamSet;
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

/// Everything that a report shows.
#[derive(Clone, Debug)]
pub struct Report {
    /// Heading.
    pub title: String,
    /// Where the numbers come from: labels and texts.
    pub provenance: Vec<(String, String)>,
    /// The runs in order.
    pub runs: Vec<RunReport>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Its seed.
    pub seed: u64,
    /// Its generations in order.
    pub generations: Vec<GenerationStats>,
    /// Training positions.
    pub positions: u32,
    /// Held-out positions.
    pub test_positions: Option<u32>,
    /// The best individual of the last generation.
    pub champion: ParamSet,
    /// Training positions that it solves.
    pub train_solved: u32,
    /// Held-out positions that it solves.
    pub test_solved: Option<u32>,
}

/// One generation; all counts are of solved training positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationStats {
    /// Its number, from 0.
    pub generation: u32,
    /// Solved by the best individual.
    pub best: u32,
    /// Solved on average.
    pub mean: f64,
    /// Solved by the worst individual.
    pub worst: u32,
    /// Standard deviation over the population.
    pub standard_deviation: f64,
    /// Different phenotypes in the population.
    pub distinct: u32,
}

/// Why a report can't be written.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ReportError(#[from] std::io::Error);

/// Writes the report.
///
/// # Errors
/// The folder can't be written.
pub fn write(_dir: &Path, _report: &Report) -> Result<(), ReportError> {
    Ok(())
}
