//! Which data a phase learns from or tries champions on, for those who ask whether it is new to them.

use crate::config::ecm::SuitePart;
use std::path::Path;

/// A file that a phase reads, as its profile names it.
#[derive(Clone, Debug)]
pub struct DataUse<'a> {
    /// Its role, as in the journal's header.
    pub role: String,
    /// The file.
    pub path: &'a Path,
    /// Which part of it.
    pub part: SuitePart,
    /// Whether it is halved by stretches of games: then each half has some positions of either half
    /// by positions.
    pub by_stretches: bool,
    /// Whether it is learnt from; if not, champions are tried on it.
    pub is_learnt: bool,
    /// The role of the file or part that this phase holds out of it, if it does.
    pub held_out: Option<&'static str>,
}
