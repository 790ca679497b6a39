//! What a run has come to.

use crate::exec::journal::Header;
use crate::phases::phase::PhaseOutcome;
use std::path::PathBuf;

/// What all phases of a run have come to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Those that have begun, by name.
    pub phases: Vec<(String, PhaseOutcome)>,
    /// Whether all of them are done.
    pub complete: bool,
    /// Tasks that panicked.
    pub faults: usize,
    /// The phases that ended because their time was up.
    pub cut: Vec<String>,
    /// Of the tasks among which a journal that is replayed ends, those that it answers and all.
    pub in_hand: Option<(usize, usize)>,
}

/// A run that ended, and where.
#[derive(Debug)]
pub struct Ended {
    /// Its folder.
    pub folder: PathBuf,
    /// Its journal's first record.
    pub header: Header,
    /// What it came to.
    pub outcome: Outcome,
}
