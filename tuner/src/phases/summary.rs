//! What there is to report of a phase, whatever its kind.

use super::measured::Measured;
use super::positions::outcome::Outcome;
use super::verdict::ValidationResult;
use crate::exec::journal::{DataFile, Header};
use crate::report::ecm::EcmReport;
use crate::report::expert::ExpertReport;
use crate::report::night::EloCourse;
use crate::report::plain::PlainSection;
use engine::params::{ParamSet, Row};
use std::fmt;

/// The data files of a phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseFiles<'a> {
    /// The journal's first record.
    pub header: &'a Header,
    /// The phase.
    pub phase: &'a str,
}

impl<'a> PhaseFiles<'a> {
    /// The file with a role.
    pub fn file(&self, role: &str) -> Option<&'a DataFile> {
        self.header.file(self.phase, role)
    }
}

/// What a phase has to show in the report.
#[derive(Clone, Debug)]
pub enum Part {
    /// Moves played, of which [`Summary::moves`] has the runs.
    Moves,
    /// An evaluation after an expert.
    Expert(ExpertReport),
    /// The Elo of a coevolution's elites.
    Games(EloCourse),
    /// A search on a suite.
    Suite(EcmReport),
    /// Anything else: words and figures.
    Plain(PlainSection),
}

/// What has evolved in a phase.
#[derive(Clone, Debug)]
pub struct Evolved<'a> {
    /// The rows, if they are not all of the phase's layout.
    pub rows: Option<Vec<Row>>,
    /// What was there before.
    pub first: Option<&'a ParamSet>,
    /// The best until now.
    pub last: &'a ParamSet,
    /// Individuals that show the spread.
    pub all: Vec<&'a ParamSet>,
}

/// See the module. `None` stands for nothing to tell as yet.
pub trait Summary: fmt::Debug {
    /// What the phase goes on by.
    fn step(&self) -> &'static str {
        "generation"
    }

    /// How many of these steps all its runs have done.
    fn steps_done(&self) -> u64;

    /// The result in a sentence, for the end of the run.
    fn result_text(&self, files: PhaseFiles<'_>) -> Option<String>;

    /// The best until now in a few words, for `tuner status`.
    fn best_so_far(&self) -> Option<String> {
        None
    }

    /// How far the phase is, and what it has worked on, for the report's table.
    fn row(&self, files: PhaseFiles<'_>) -> (String, String) {
        let _ = files;
        let done = format!("{} {}s", self.steps_done(), self.step());
        (done, String::new())
    }

    /// Files of the phase to look at, with what they are; `name` is the phase's.
    fn links(&self, name: &str) -> Vec<(String, String)> {
        let _ = name;
        Vec::new()
    }

    /// What makes the result mean little.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What has evolved; the champions that the phase leaves tell it if this doesn't.
    fn evolved(&self) -> Option<Evolved<'_>> {
        None
    }

    /// The file of its best program, relative to its folder, if programs evolve and one has been written.
    fn program(&self) -> Option<&'static str> {
        None
    }

    /// Whether its best parameters have a search that has evolved.
    fn searches_evolved(&self) -> bool {
        false
    }

    /// What it has to show in the report; `name` is the phase's.
    fn part(&self, name: &str) -> Option<Part>;

    /// Its runs, if it has learnt from moves played.
    fn moves(&self) -> Option<&Outcome> {
        None
    }

    /// What its runs have come to in numbers; `None` if they can't be compared by any.
    fn measured(&self, files: PhaseFiles<'_>) -> Option<Measured> {
        let _ = files;
        None
    }

    /// What it has shown, if it is a validation.
    fn validation(&self) -> Option<&ValidationResult> {
        None
    }
}

/// What is said of games none of which somebody won.
pub fn indecisive(games: u64, decisive: u64) -> Option<String> {
    (games > 0 && decisive == 0).then(|| {
        let games = crate::base::statistics::thousands(games);
        format!("none of the {games} games was decisive")
    })
}
