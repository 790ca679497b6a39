//! What the runs of a phase have come to in numbers, whatever its kind: what an experiment compares.
//!
//! Numbers are points of a full score; the more, the better.

use crate::base::statistics::Rate;

/// What all runs have come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What is counted, as the column of a table: `positions`.
    pub unit: &'static str,
    /// The same in a sentence.
    pub of: &'static str,
    /// The most that an individual can have while it evolves.
    pub full: u64,
    /// The most that a champion can have where nobody has learnt; `None` if that isn't tried.
    pub held_out_full: Option<u64>,
    /// The runs, in their order.
    pub runs: Vec<MeasuredRun>,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRun {
    /// Its seed.
    pub seed: u64,
    /// Its generations, of those that are measured.
    pub course: Vec<Point>,
    /// What its champion is worth where nobody has learnt, once that is known.
    pub held_out: Option<HeldOut>,
}

/// What a generation has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Individuals evaluated until its end.
    pub evaluations: u64,
    /// Points of its best.
    pub best: u64,
    /// Mean points of all its individuals, if they are known.
    pub mean: Option<f64>,
}

/// What a champion is worth where nobody has learnt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// Its points.
    pub points: u64,
    /// Its part of the full score with a 95 % interval, in per cent.
    pub rate: Rate,
}
