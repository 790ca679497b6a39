//! The evaluation: a linear function of counts, one routine for score and counts.
//!
//! Architecture invariant 3: [`evaluate`] and [`features`] run the same code, `trace`, with two
//! tracers; `evaluate(p, w) == dot(features(p), w)` exactly, in integers.

pub mod params;
mod terms;

use crate::position::Position;
use crate::score::Score;
use crate::types::Color;
use params::{EvalParams, term};

/// Counts of all terms, own minus opponent's, from the side to move.
pub type Features = [i32; term::COUNT];

/// Receives the count of a term, own minus opponent's from White's side, piece by piece.
pub(crate) trait Tracer {
    /// Adds to the count of a row of [`EvalParams`].
    fn add(&mut self, row: usize, count: i32);
}

/// Adds up the score at once.
struct Weighed<'a> {
    weights: &'a EvalParams,
    total: i32,
}

impl Tracer for Weighed<'_> {
    #[inline(always)]
    fn add(&mut self, row: usize, count: i32) {
        use crate::params::ParamTable;
        self.total += self.weights.get(row) * count;
    }
}

/// Collects the counts.
struct Counted(Features);

impl Tracer for Counted {
    #[inline(always)]
    fn add(&mut self, row: usize, count: i32) {
        self.0[row] += count;
    }
}

/// Static evaluation from the side to move, in centipawns.
pub fn evaluate(position: &Position, weights: &EvalParams) -> Score {
    let mut tracer = Weighed { weights, total: 0 };
    terms::trace(position, &mut tracer);
    match position.side_to_move() {
        Color::White => Score::cp(tracer.total),
        Color::Black => Score::cp(-tracer.total),
    }
}

/// Counts of all terms, own minus opponent's, from the side to move.
pub fn features(position: &Position) -> Features {
    let mut tracer = Counted([0; term::COUNT]);
    terms::trace(position, &mut tracer);
    match position.side_to_move() {
        Color::White => tracer.0,
        Color::Black => tracer.0.map(|count| -count),
    }
}

/// The score of counts: what [`evaluate`] says of the position they come from.
pub fn dot(features: &Features, weights: &EvalParams) -> Score {
    use crate::params::ParamTable;
    Score::cp(
        features
            .iter()
            .enumerate()
            .map(|(row, count)| count * weights.get(row))
            .sum(),
    )
}
