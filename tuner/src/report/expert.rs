//! What a report says of an evaluation that imitates an expert's: its error by generation and a
//! table. Imports the other parts of the report.

use super::figures::{Course, Curves, Figure, curves, described};
use super::html::{Html, Table};
use super::results::short_seed;
use super::{GenerationStats, ReportError};
use crate::base::statistics::thousands;

/// Name of the figure.
pub const ERROR_NAME: &str = "error";

/// Generations that a figure shows at most, but for the last.
const DRAWN: usize = 400;

/// What an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The root of the mean square of the differences between the individual's and the expert's
    /// chances of winning, in per cent.
    Chances,
    /// The mean difference between the individual's and the expert's scores, in centipawns (2011 §3.3).
    Centipawns {
        /// Positions that each generation was measured on.
        sample: usize,
    },
}

impl Unit {
    /// An error in words.
    pub fn text(self, error: f64) -> String {
        match self {
            Unit::Chances => format!("{error:.2} %"),
            Unit::Centipawns { .. } => format!("{error:.2} centipawns"),
        }
    }

    fn caption(self) -> &'static str {
        match self {
            Unit::Chances => {
                "How far the chances of winning are from the expert’s, for the \
                 best individual and the population’s mean. Less is better."
            }
            Unit::Centipawns { .. } => {
                "How far scores are from the expert’s, for the best individual and the population’s \
                 mean. Less is better."
            }
        }
    }

    fn meaning(self) -> String {
        match self {
            Unit::Chances => {
                "The error is the root of the mean \
                 square, in per cent. In the curve, what the size of parameters costs is counted in. In the \
                 table that cost is counted in generation 0 alone; the best run is the best with it."
                    .into()
            }
            Unit::Centipawns { sample } => format!(
                "The error is the mean difference of scores, in centipawns. In the curve, and in the table \
                 for generation 0, each generation is measured on {} other positions, so it goes up and \
                 down by chance; champions of runs that have ended are measured on all.",
                thousands(sample as u64)
            ),
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Unit::Chances => "difference from the expert’s chances, per cent",
            Unit::Centipawns { .. } => "difference from the expert’s scores, centipawns",
        }
    }

    fn table_caption(self) -> &'static str {
        match self {
            Unit::Chances => "Error of the best individual of each run, in per cent",
            Unit::Centipawns { .. } => "Error of the best individual of each run, in centipawns",
        }
    }
}

/// Errors of the best and of the mean, by generation, from their points: no more of them than a figure shows.
pub fn course(generations: &[GenerationStats], error: impl Fn(f64) -> f64) -> Course {
    let step = generations.len().div_ceil(DRAWN).max(1);
    let last = generations.len().saturating_sub(1);
    let drawn = generations.iter().enumerate();
    drawn
        .filter(|(at, _)| at % step == 0 || *at == last)
        .map(|(_, stats)| {
            (
                stats.generation,
                error(f64::from(stats.best)),
                error(stats.mean),
            )
        })
        .collect()
}

/// What there is to report.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpertReport {
    /// What its errors are.
    pub unit: Unit,
    /// The layout that evolved.
    pub layout: String,
    /// Number of training positions.
    pub positions: usize,
    /// Number of held-out positions; 0 if there are none.
    pub test_positions: usize,
    /// The runs that have at least one generation.
    pub runs: Vec<ExpertRun>,
    /// Which of them is the best so far.
    pub best: Option<usize>,
}

/// One run from one seed.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpertRun {
    /// Its seed.
    pub seed: u64,
    /// Generations so far.
    pub generations: usize,
    /// Some of them: generation, error of the best, error that belongs to the population's mean.
    pub course: Course,
    /// The champion's error on the training positions; until a run in centipawns has ended, on its latest ones.
    pub train: f64,
    /// On the held-out ones, once all runs have ended.
    pub test: Option<f64>,
}

impl ExpertReport {
    /// The best run so far, from 1, with its error in words.
    pub fn best_text(&self) -> Option<String> {
        let best = self.best?;
        let run = self.runs.get(best)?;
        let test = run.test.map_or(String::new(), |test| {
            let positions = thousands(self.test_positions as u64);
            format!(
                ", {} on {positions} held-out positions",
                self.unit.text(test)
            )
        });
        let positions = thousands(self.positions as u64);
        let (number, train) = (best + 1, self.unit.text(run.train));
        Some(format!(
            "run {number}: error {train} on {positions} positions{test}"
        ))
    }
}

/// The section of the page, for the phase of this number among its kind, from 1.
///
/// # Errors
/// The figure can't be drawn.
pub fn section(report: &ExpertReport, number: usize) -> Result<String, ReportError> {
    if report.runs.is_empty() {
        return Ok(String::new());
    }
    Ok(format!(
        "<section>\n<h2>Evaluation after an expert</h2>\n<div class=\"pair\">\n<figure \
         class=\"wide\">{}<figcaption>{}</figcaption></figure>\n\
         <div class=\"means\">\n<h3>What it means</h3>\n<p>{}</p>\n\
         <p>Layout {}.</p>\n</div>\n</div>\n{}</section>\n",
        figure(report)?.numbered(number).inline(),
        report.unit.caption(),
        report.unit.meaning(),
        Html::text(&report.layout),
        table(report).html(),
    ))
}

/// Error by generation.
///
/// # Errors
/// It can't be drawn.
pub fn figure(report: &ExpertReport) -> Result<Figure, ReportError> {
    let said = |&(generation, error, _): &(u32, f64, f64)| (report.unit.text(error), generation);
    let ends = |run: &ExpertRun| Some([run.course.first()?, run.course.last()?].map(said));
    curves(Curves {
        name: ERROR_NAME.to_string(),
        title: "Error in each generation".to_string(),
        heading: report.unit.heading().to_string(),
        description: described(report.runs.iter().map(ends)),
        runs: report.runs.iter().map(|run| run.course.clone()).collect(),
        mark: None,
    })
}

fn table(report: &ExpertReport) -> Table {
    let row = |(number, run): (usize, &ExpertRun)| {
        let last = run.course.last().map_or(0, |point| point.0);
        let first = run.course.first().map_or(0.0, |point| point.1);
        let test = run
            .test
            .map_or("–".to_string(), |test| format!("{test:.2}"));
        [
            number.to_string(),
            short_seed(run.seed),
            last.to_string(),
            format!("{first:.2}"),
            format!("{:.2}", run.train),
            test,
        ]
    };
    let head = [
        "Run".to_string(),
        "Seed".to_string(),
        "Gen.".to_string(),
        "Gen. 0 best".to_string(),
        format!("Train, {}", thousands(report.positions as u64)),
        format!("Held-out, {}", thousands(report.test_positions as u64)),
    ];
    let rows = (1..).zip(&report.runs).map(row);
    Table::of_texts(report.unit.table_caption(), head, rows, "")
}
