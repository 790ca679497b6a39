//! What a phase is to the run: a course that asks an [`Executor`] for the answers of tasks.
//!
//! A phase has no state of its own that survives it. Its course is a pure function of its keys,
//! of what the phases before left ([`Start`]) and of the answers to its tasks; the executor journals
//! these, and resuming is going through the course again.

use super::context::PhaseContext;
use super::sample::Checked;
use super::start::Start;
use super::summary::Summary;
use super::uses::DataUse;
use crate::encoding::Encoding;
use crate::encoding::files::{Layouts, Provenance};
use crate::error::RunError;
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use engine::params::{Gene, ParamSet};
use std::any::Any;
use std::fmt;
use std::path::Path;

/// What a phase has come to.
#[derive(Debug)]
pub struct PhaseOutcome {
    /// Whether all of it is done.
    pub complete: bool,
    /// What the next phase begins with, best first.
    pub champions: Vec<ParamSet>,
    /// Where the best of them comes from.
    pub provenance: Provenance,
    /// What there is to report.
    pub summary: Box<dyn Summary>,
}

/// What is known of a phase before it begins.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    /// The data files, as opened.
    pub files: &'a [DataFile],
    /// What evolves; `None` if nothing does.
    pub encoding: Option<&'a Encoding>,
    /// Name of the layout of what evolves and the tables that its parameter files have.
    pub layouts: Layouts<'a>,
    /// Generations of all its runs, if nothing ends it before.
    pub generations: u64,
}

/// The keys of a phase, as its profile has them.
pub trait Keys: Any + fmt::Debug {
    /// Whether the keys go together.
    ///
    /// # Errors
    /// Which do not, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// What evolves, if anything does.
    fn genes_mut(&mut self) -> Option<&mut Vec<Gene>> {
        None
    }

    /// Whether it begins with random individuals, whatever the phases before have left.
    fn begins_at_random(&self) -> bool {
        false
    }

    /// The data files that it learns from or tries champions on.
    fn uses(&self) -> Vec<DataUse<'_>> {
        Vec::new()
    }

    /// The suite that it learns from, as the profile names it.
    fn trained_suite(&self) -> Option<&Path> {
        None
    }

    /// The phase; without `data` one that can only go through a journal.
    ///
    /// # Errors
    /// A data file is refused.
    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError>;
}

/// A phase of a run.
pub trait Phase: fmt::Debug + Sync {
    /// Plays the course out, as far as the executor answers.
    ///
    /// # Errors
    /// The first error of a task or of the executor.
    fn course(&self, start: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError>;

    /// Who answers its tasks in a process of their own.
    fn answers(&self) -> Answers<'_>;

    /// What is known of it before it begins.
    fn outline(&self) -> Outline<'_>;

    /// How many champions it leaves at most, from this start.
    fn leaves(&self, start: &Start) -> usize {
        let _ = start;
        0
    }

    /// Tries out early what could fail late, and estimates the time on so many threads.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError> {
        let _ = (start, threads);
        Ok(Checked::nothing())
    }

    /// Whether it plays a match that tells whether the result is better.
    fn is_match(&self) -> bool {
        false
    }

    /// What is wrong with its data and doesn't keep it from running.
    fn warning(&self) -> Option<String> {
        None
    }
}
