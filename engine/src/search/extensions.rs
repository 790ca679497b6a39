//! Extensions: reasons to search a move deeper than the others.
//!
//! All in quarter plies (2014 §IV, Table I). The extensions of one move are summed and capped at
//! one ply (ARCHITECTURE.md, invariant 7).

use super::params::SearchParams;
use crate::depth::Depth;
use crate::position::{Position, Step};
use crate::types::Piece;

/// What is known of a move when its depth is decided.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reasons {
    /// It gives check.
    pub gives_check: bool,
    /// It is the only legal move.
    pub one_reply: bool,
    /// It takes what has just taken.
    pub recapture: bool,
    /// A passed pawn steps to the seventh rank.
    pub passed_pawn: bool,
    /// Had the side to move passed, it would be mated (found by the null move).
    pub mate_threat: bool,
}

/// How much deeper a move is searched.
pub fn extension(params: &SearchParams, reasons: Reasons) -> Depth {
    let sum = i32::from(reasons.gives_check) * params.check_extension
        + i32::from(reasons.one_reply) * params.one_reply_extension
        + i32::from(reasons.recapture) * params.recapture_extension
        + i32::from(reasons.passed_pawn) * params.passed_pawn_extension
        + i32::from(reasons.mate_threat) * params.mate_threat_extension;
    Depth::quarters(sum).min(Depth::PLY)
}

/// Whether a line may still be extended, `ply` plies from the root in an iteration of that depth.
/// Without a bound an evolved set of extensions can follow checks to the last ply before the first
/// iteration is done.
pub fn may_extend(params: &SearchParams, ply: usize, iteration: usize) -> bool {
    ply < params.extension_reach as usize * iteration
}

/// Whether a legal move brings a pawn to the seventh rank: no enemy pawn can stop it there.
pub fn is_passed_pawn_push(position: &Position, step: &Step) -> bool {
    step.mv.to().rank_for(position.side_to_move()) == 6 && step.piece == Piece::Pawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_extensions_together_are_one_ply() {
        let params = SearchParams {
            check_extension: 4,
            one_reply_extension: 4,
            recapture_extension: 4,
            passed_pawn_extension: 4,
            mate_threat_extension: 4,
            ..SearchParams::default()
        };
        let reasons = Reasons {
            gives_check: true,
            one_reply: true,
            recapture: true,
            passed_pawn: true,
            mate_threat: true,
        };
        assert_eq!(extension(&params, reasons), Depth::PLY);
        assert_eq!(extension(&params, Reasons::default()), Depth::ZERO);
    }
}
