//! What a phase is to the run: a course that asks a [`Desk`] for the answers of tasks.
//!
//! A phase has no state of its own that survives it. Its course is a pure function of its keys,
//! of what the phases before left ([`Start`]) and of the answers to its tasks; the desk journals
//! these, and resuming is going through the course again. To add a kind of phase:
//!
//! 1. its keys, and an arm for them, in [`crate::config`];
//! 2. a struct that implements [`Phase`], with its data files opened by [`mod@super::plan`];
//! 3. one or more kinds of [`Task`], each with a [`Worker`] that answers it.

use super::RunError;
use super::desk::Desk;
use super::genotype::Genotype;
use super::rows::is_later;
use super::sample::Checked;
use crate::journal::DataFile;
use engine::params::{Gene, Loaded, ParamSet, Row, Table, layout};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use toml::Value;

/// One thing to be found out. Tasks of one call of [`Desk::ask`] are answered at the same time, and
/// must not depend on each other.
pub trait Task: Sync {
    /// What comes out; goes to the journal as JSON, so floats are best avoided.
    type Answer: Serialize + DeserializeOwned + Clone + PartialEq + Send;

    /// The task's name in the journal, unique within the phase.
    fn key(&self) -> String;

    /// Digest of what the answer depends on beside profile and data: the individuals, mostly. A
    /// journal in which it differs belongs to another course of events, and is refused.
    fn digest(&self) -> String;

    /// Whether the same answer comes out every time; not so where a clock decides.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Whether an answer from the journal can be one to this task.
    fn fits(&self, _answer: &Self::Answer) -> bool {
        true
    }

    /// The answer to a task that panicked twice: the worst for whom it is about. If it doesn't fit,
    /// the run ends there.
    fn worst(&self) -> Self::Answer;

    /// Who and what the task is about, for the file that is kept when it panics: parameters,
    /// seed, position.
    fn describe(&self) -> String;
}

/// Answers tasks, one after the other; every thread has its own.
pub trait Worker<T: Task> {
    /// The answer; a pure function of the task and of the phase's data.
    ///
    /// # Errors
    /// What ends the run, an unreadable file for example. A panic doesn't end it.
    fn answer(&mut self, task: &T) -> Result<T::Answer, RunError>;

    /// The answer of a second try, after a panic, and what is to be said of it. Where a task is
    /// about several individuals, those who have no part in the panic are not to suffer from it.
    ///
    /// # Errors
    /// As the first time.
    fn answer_again(&mut self, task: &T) -> Result<(T::Answer, String), RunError> {
        Ok((self.answer(task)?, "done again".to_string()))
    }

    /// Where it is, for the record of a panic: the position that is being searched.
    fn place(&self) -> String {
        String::new()
    }
}

/// What the phases before have left.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The champions of the last of them, best first; none if this phase begins from nothing.
    pub champions: Vec<ParamSet>,
    /// The best champion of the first of them that had any.
    pub first: Option<ParamSet>,
    /// What has evolved in these phases, or in the layouts of what the run began with.
    pub evolved: Vec<Row>,
}

impl Start {
    /// Another champion to begin with, from a file; `part` as [`Start::remember`] has it.
    pub fn push(&mut self, champion: Loaded, part: Option<&str>) {
        self.remember(&champion, part);
        self.champions.push(champion.params);
    }

    /// Takes note of an earlier phase's best champion that a later phase has already built on. `part`
    /// has the names of the rows that evolved, if not the whole layout did.
    pub fn remember(&mut self, best: &Loaded, part: Option<&str>) {
        self.first.get_or_insert_with(|| best.params.clone());
        let genes = best.layouts.iter().flat_map(|name| layout(name));
        let is_in_part = |gene: &Gene| {
            part.is_none_or(|names| names.split(' ').any(|name| gene.spec().is_called(name)))
        };
        // A file that has no such row is from before there was one.
        let missing = [&best.missing_eval[..], &best.missing_search].concat();
        let was_there = |gene: &Gene| !is_later(gene.row()) || !missing.contains(&gene.spec().name);
        let genes = genes.flatten().filter(is_in_part).filter(was_there);
        let evolved = genes.map(|gene| gene.row());
        self.evolved.extend(evolved);
    }

    /// What the next phase begins with, after one with this genotype.
    pub fn after(&self, champions: &[ParamSet], genotype: Option<&Genotype>) -> Start {
        match champions.first() {
            None => self.clone(),
            Some(best) => Start {
                champions: champions.to_vec(),
                first: self.first.clone().or_else(|| Some(best.clone())),
                evolved: (self.evolved.iter().copied())
                    .chain(
                        genotype
                            .iter()
                            .flat_map(|of| of.genes.iter().map(Gene::row)),
                    )
                    .collect(),
            },
        }
    }
}

/// Refuses parameters that can't tell good from bad.
///
/// # Errors
/// All rows of the evaluation are 0.
pub fn with_evaluation(params: &ParamSet) -> Result<(), RunError> {
    match params.has_evaluation() {
        true => Ok(()),
        false => Err(RunError::NoEvaluation {
            whose: "the parameters that it begins with have".to_string(),
        }),
    }
}

/// What a phase has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseOutcome {
    /// Whether all of it is done.
    pub complete: bool,
    /// What the next phase begins with, best first.
    pub champions: Vec<ParamSet>,
    /// Where the best of them comes from.
    pub provenance: Provenance,
    /// What there is to report.
    pub result: PhaseResult,
}

impl PhaseOutcome {
    /// What a phase goes on by. A match is looked at after so many games, and ends when its test has
    /// decided.
    pub fn step(&self) -> &'static str {
        match self.result {
            PhaseResult::Validation(_) => "look",
            _ => "generation",
        }
    }

    /// Generations of all its runs that are done, or looks at its match.
    pub fn steps_done(&self) -> u64 {
        let done = match &self.result {
            PhaseResult::Grandmaster(evolved) => {
                evolved.runs.iter().map(|run| run.generations.len()).sum()
            }
            PhaseResult::Expert(report) => report.runs.iter().map(|run| run.generations).sum(),
            PhaseResult::Coevolution(result) => result.generations.len(),
            PhaseResult::Ecm(report) => {
                let runs = report.outcome.runs.iter();
                runs.map(|run| run.generations.len()).sum()
            }
            PhaseResult::Validation(result) => result.ratios.len(),
        };
        done as u64
    }
}

/// What there is to report of a phase, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum PhaseResult {
    /// Of phase 1.
    Grandmaster(super::evolve::Outcome),
    /// Of an evaluation after an expert.
    Expert(crate::report::expert::ExpertReport),
    /// Of coevolution.
    Coevolution(Box<super::coevolution::CoevolutionResult>),
    /// Of search parameters on a suite.
    Ecm(crate::report::ecm::EcmReport),
    /// Of a validation.
    Validation(Box<super::validation::ValidationResult>),
}

/// A phase of a run.
pub trait Phase: fmt::Debug {
    /// Plays the course out, as far as the desk answers.
    ///
    /// # Errors
    /// The first error of a task or of the desk.
    fn course(&self, start: &Start, desk: &mut Desk<'_>) -> Result<PhaseOutcome, RunError>;

    /// The data files, as opened.
    fn files(&self) -> &[DataFile];

    /// What evolves; `None` if nothing does.
    fn genotype(&self) -> Option<&Genotype>;

    /// Name of the layout of what evolves and the tables that its parameter files have.
    fn layouts(&self) -> (Vec<&str>, Vec<Table>);

    /// Generations of all its runs, if nothing ends it before.
    fn generations(&self) -> u64;

    /// How many champions it leaves at most, from this start.
    fn leaves(&self, start: &Start) -> usize {
        let _ = start;
        0
    }

    /// Tries out early what could fail late, and estimates the time on so many threads.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError>;

    /// Whether it plays a match that tells whether the result is better.
    fn is_match(&self) -> bool {
        false
    }

    /// What is wrong with its data and doesn't keep it from running.
    fn warning(&self) -> Option<String> {
        None
    }
}

/// What is said if a population has no room for all champions that it begins with.
pub fn crowd_text(champions: usize, room: usize) -> Option<String> {
    let left_out = champions
        .checked_sub(room)
        .filter(|&left_out| left_out > 0)?;
    Some(format!(
        "a population of {room} has no room for {champions} champions: the last {left_out} take no part"
    ))
}

/// Keys and values of a parameter file's provenance.
pub type Provenance = Vec<(String, Value)>;

/// A parameter file.
pub fn params_toml(
    params: &ParamSet,
    (layouts, tables): &(Vec<&str>, Vec<Table>),
    provenance: &Provenance,
) -> String {
    let pairs = provenance.iter();
    let pairs: Vec<(&str, Value)> = pairs
        .map(|(key, value)| (key.as_str(), value.clone()))
        .collect();
    params.to_toml(layouts, &pairs, tables)
}
