//! The report of a run, finished or interrupted: one self-contained `report.html`, and figures of phase 1
//! and of games as `figures/*.svg` (those of other phases lie in their folders). May import the engine's parameter table,
//! [`crate::statistics`] and [`crate::files`], nothing else of ours.
//!
//! What is written is a function of the [`Report`] alone (of which wall times are a part, between
//! marks of their own, where a run has several phases): no clock, no locale, no hash order. So
//! the same run gives the same bytes on every machine.

mod champions;
pub mod ecm;
pub mod expert;
pub mod figures;
mod html;
pub mod night;
mod page;
mod paper;
mod results;

use crate::files::{FileError, create_folder, write_atomically};
use engine::params::ParamSet;
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

/// Name of the page.
pub const REPORT_NAME: &str = "report.html";
/// Name of the folder of the figures.
const FIGURES_NAME: &str = "figures";

/// What search a parameter file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// None.
    Plainly,
    /// That of the papers.
    AsThePapers,
    /// More than that.
    Fully,
}

/// All that a report says.
#[derive(Clone, Debug)]
pub struct Report {
    /// Heading of the page.
    pub title: String,
    /// Where the numbers come from: names and values, in the order to be shown.
    pub provenance: Vec<(String, String)>,
    /// The line that started it, but for its folder, if that is known.
    pub command: Option<String>,
    /// What search the best parameters have, if the folder has some already.
    pub best: Option<Plays>,
    /// The runs, in the order to be shown.
    pub runs: Vec<RunReport>,
    /// The mean of their champions, if that is the champion: as of a run without seed or generations.
    pub mean: Option<RunReport>,
    /// Evaluations that imitate an expert's, phase by phase.
    pub experts: Vec<expert::ExpertReport>,
    /// Search parameters that evolved on suites, phase by phase.
    pub suites: Vec<ecm::EcmReport>,
    /// What there is beside phase 1, if the run has several phases.
    pub night: Option<night::Night>,
}

/// One run from one seed.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Seed of the run.
    pub seed: u64,
    /// History so far, oldest first; empty for a run that has just started, whose champion and
    /// score are then not shown.
    pub generations: Vec<GenerationStats>,
    /// Training positions.
    pub positions: u32,
    /// Held-out positions, if the run has any.
    pub test_positions: Option<u32>,
    /// Best individual so far.
    pub champion: ParamSet,
    /// Training positions that the champion solves.
    pub train_solved: u32,
    /// Held-out positions that the champion solves, if it has been scored.
    pub test_solved: Option<u32>,
}

/// One generation's statistics, in training positions solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationStats {
    /// Number of the generation; the random one is 0.
    pub generation: u32,
    /// Positions solved by the best individual.
    pub best: u32,
    /// Mean of the population.
    pub mean: f64,
    /// Positions solved by the worst individual.
    pub worst: u32,
    /// Standard deviation within the population.
    pub standard_deviation: f64,
    /// Distinct phenotypes in the population.
    pub distinct: u32,
}

/// Why no report could be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A folder or file can't be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// A figure can't be drawn.
    #[error("figure {figure}: {message}")]
    Draw {
        /// Name of the figure.
        figure: String,
        /// What the drawing library said.
        message: String,
    },
}

/// Writes `report.html` and `figures/*.svg` into a folder, which is made if it does not exist.
///
/// Each file is replaced as a whole: who reads meanwhile sees the old or the new one.
///
/// # Errors
/// The first folder or file that can't be written, or figure that can't be drawn.
pub fn write(dir: &Path, report: &Report) -> Result<(), ReportError> {
    let terms = champions::terms(report);
    let solved = figures::solved(report)?;
    let weights = figures::weights(&terms)?;

    let folder = dir.join(FIGURES_NAME);
    create_folder(&folder)?;
    for figure in solved.iter().chain(&weights) {
        let path = folder.join(format!("{}.svg", figure.name));
        write_atomically(&path, figure.file().as_bytes())?;
    }
    let experts = (1..).zip(&report.experts);
    let experts = experts.map(|(number, phase)| expert::section(phase, number));
    let suites = (1..).zip(&report.suites);
    let suites = suites.map(|(number, phase)| ecm::section(phase, number));
    let others: Vec<String> = experts.chain(suites).collect::<Result<_, _>>()?;
    let (night, of_night) = match &report.night {
        Some(night) => night::sections(night)?,
        None => (String::new(), Vec::new()),
    };
    for figure in &of_night {
        let path = folder.join(format!("{}.svg", figure.name));
        write_atomically(&path, figure.file().as_bytes())?;
    }
    let page = page::html(report, &terms, &solved, &weights, &(night, others.concat()));
    write_atomically(&dir.join(REPORT_NAME), page.as_bytes())?;
    Ok(())
}
