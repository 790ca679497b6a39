//! Extensions: reasons to search a move deeper than the others.
//!
//! All in quarter plies (2014 §IV, Table I). The extensions of one move are summed and capped at
//! one ply (ARCHITECTURE.md, invariant 7).

use super::depth::Depth;
use super::params::SearchParams;

/// What is known of a move when its depth is decided.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reasons {
    /// It gives check.
    pub gives_check: bool,
    // The other selective extensions of Table I (one reply, recapture, passed pawn, mate threat)
    // are further reasons here.
}

/// How much deeper a move is searched.
pub fn extension(params: &SearchParams, reasons: Reasons) -> Depth {
    let mut sum = 0;
    if reasons.gives_check {
        sum += params.check_extension;
    }
    Depth::quarters(sum).min(Depth::PLY)
}

/// Whether a line may still be extended, `ply` plies from the root in an iteration of that depth.
/// Without a bound an evolved set of extensions can follow checks to the last ply before the first
/// iteration is done.
pub fn may_extend(ply: usize, iteration: usize) -> bool {
    ply < 2 * iteration
}
