//! The report of a run, finished or interrupted: one self-contained `report.html`, and figures of phase 1
//! and of games as `figures/*.svg` (those of other phases lie in their folders). May import the engine's parameter table,
//! [`crate::base::statistics`] and [`crate::base::files`], nothing else of ours.
//!
//! What is written is a function of the [`Report`] alone (of which wall times are a part, between
//! marks of their own, where a run has several phases): no clock, no locale, no hash order. So
//! the same run gives the same bytes on every machine.

mod answer;
mod champions;
pub mod ecm;
pub mod experiment;
pub mod expert;
pub mod figures;
mod html;
pub mod night;
mod page;
pub mod paper;
pub mod parameters;
pub mod plain;
mod results;
mod tiles;
mod weights;

use crate::base::files::{FileError, create_folder, write_atomically};
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
    /// Phases of other kinds, phase by phase.
    pub plain: Vec<plain::PlainSection>,
    /// What there is beside phase 1, if the run has several phases.
    pub night: Option<night::Night>,
    /// The sections in the order of the run's phases; one that is not in it follows.
    pub order: Vec<Section>,
    /// How far an unfinished run is, in words; `None` if it is finished.
    pub unfinished: Option<String>,
    /// Where the positions of [`Report::runs`] come from.
    pub positions: Source,
    /// What evolved, the evaluation first.
    pub parameters: Vec<parameters::Parameters>,
    /// Parameters in the folder that the best ones may be compared with, relative to it.
    pub compare: Option<String>,
}

/// A section of the page that is about a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// [`Report::runs`].
    Moves,
    /// The expert's phase with this index.
    Expert(usize),
    /// The coevolution with this index in [`night::Night::coevolutions`].
    Games(usize),
    /// The suite with this index.
    Suite(usize),
    /// The phase of another kind with this index.
    Plain(usize),
}

/// Whose games positions with moves come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Engines' games: no figure of the papers compares.
    Engines,
    /// Unknown: the papers' figures compare if these are grandmasters' games.
    Unknown,
}

impl Report {
    /// All sections: those of [`Report::order`], then the others in the order of their lists.
    fn sections(&self) -> Vec<Section> {
        let games = self
            .night
            .as_ref()
            .map_or(0, |night| night.coevolutions.len());
        let all = [Section::Moves].into_iter();
        let all = all.chain((0..self.experts.len()).map(Section::Expert));
        let all = all.chain((0..games).map(Section::Games));
        let all = all.chain((0..self.suites.len()).map(Section::Suite));
        let all = all.chain((0..self.plain.len()).map(Section::Plain));
        let mut sections = self.order.clone();
        for section in all {
            if !sections.contains(&section) {
                sections.push(section);
            }
        }
        sections
    }

    /// Whether the papers' figures may stand beside these.
    fn is_comparable(&self) -> bool {
        self.positions == Source::Unknown
    }
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
    let of_weights = weights::figures(&terms)?;

    let folder = dir.join(FIGURES_NAME);
    create_folder(&folder)?;
    for figure in solved.iter().chain(&of_weights) {
        let path = folder.join(format!("{}.svg", figure.name));
        write_atomically(&path, figure.file().as_bytes())?;
    }
    let (night, of_night) = match &report.night {
        Some(night) => (Some(night), night::figures(night)?),
        None => (None, Vec::new()),
    };
    for figure in of_night.iter().flatten() {
        let path = folder.join(format!("{}.svg", figure.name));
        write_atomically(&path, figure.file().as_bytes())?;
    }
    let mut sections = String::new();
    for section in report.sections() {
        sections += &match (section, night) {
            (Section::Moves, _) => page::moves(report, &solved),
            (Section::Expert(index), _) => match report.experts.get(index) {
                Some(phase) => expert::section(phase, index + 1)?,
                None => String::new(),
            },
            (Section::Suite(index), _) => match report.suites.get(index) {
                Some(phase) => ecm::section(phase, index + 1)?,
                None => String::new(),
            },
            (Section::Games(index), Some(night)) => night::games(night, &of_night, index),
            (Section::Games(_), None) => String::new(),
            (Section::Plain(index), _) => report
                .plain
                .get(index)
                .map_or(String::new(), plain::section),
        };
    }
    let page = page::html(report, &terms, &of_weights, &sections);
    write_atomically(&dir.join(REPORT_NAME), page.as_bytes())?;
    Ok(())
}
