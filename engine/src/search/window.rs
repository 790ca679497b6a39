//! The alpha-beta window, so that its negation lives in one place.

use crate::score::Score;
use std::ops::Neg;

/// Scores between which the exact value is wanted: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move already has elsewhere.
    pub alpha: Score,
    /// What the opponent already has elsewhere.
    pub beta: Score,
}

impl Window {
    /// The window without width just above `alpha`: asks only whether a move is better.
    #[inline]
    pub fn zero(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Whether no score lies strictly inside.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Mate-distance pruning (<https://www.chessprogramming.org/Mate_Distance_Pruning>): at this
    /// distance from the root nothing worse than being mated here and nothing better than mating
    /// with the next move can happen.
    #[inline]
    pub fn within_mate_distance(self, ply: usize) -> Window {
        Window {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(ply + 1)),
        }
    }
}

impl Neg for Window {
    type Output = Window;
    #[inline]
    fn neg(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}
