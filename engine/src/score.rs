//! Scores: centipawns from the side to move, with mates counted by their distance.
//!
//! A mate score is `MATE - plies to mate`, so a nearer mate is better and a mate stays comparable
//! whatever the search depth (<https://www.chessprogramming.org/Score>). Below the mates lie the
//! wins that endgame tables know of, likewise by the plies to the position that a table has, and
//! below these all evaluations.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Deepest ply that a search reaches, quiescence included: no mate or table's win is further away.
pub const MAX_PLY: usize = 128;

/// A score in centipawns from the point of view of the side to move.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Better than every score that a position can have.
    pub const INFINITE: Score = Score(1_000_001);
    /// The side to move has mated in zero plies; never a score of a position, only an anchor.
    pub const MATE: Score = Score(1_000_000);
    /// A table says that the side to move wins; never a score of a position, only an anchor.
    const TABLE_WIN: Score = Score(900_000);
    /// The largest score that is no proof. An evaluation is clamped to it.
    pub const MAX_EVAL: Score = Score(Score::TABLE_WIN.0 - MAX_PLY as i32 - 1);

    /// A static evaluation, clamped so that it can't be taken for a proof.
    #[inline]
    pub const fn cp(centipawns: i32) -> Score {
        let max = Score::MAX_EVAL.0;
        if centipawns > max {
            Score(max)
        } else if centipawns < -max {
            Score(-max)
        } else {
            Score(centipawns)
        }
    }

    /// The side to move is mated, `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Score {
        Score(-Score::MATE.0 + ply as i32)
    }

    /// The side to move mates, `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE.0 - ply as i32)
    }

    /// An endgame table says that the side to move wins, `ply` plies from the root.
    #[inline]
    pub const fn table_win(ply: usize) -> Score {
        Score(Score::TABLE_WIN.0 - ply as i32)
    }

    /// An endgame table says that the side to move loses, `ply` plies from the root.
    #[inline]
    pub const fn table_loss(ply: usize) -> Score {
        Score(-Score::TABLE_WIN.0 + ply as i32)
    }

    /// The raw value.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the score is a forced mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE.0 - MAX_PLY as i32
    }

    /// Whether the score is a forced mate, or a win or loss by a table: a proof, not an estimate.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Score::MAX_EVAL.0
    }

    /// Whether the side to move loses for certain, or nothing is known yet.
    #[inline]
    pub const fn is_lost(self) -> bool {
        self.0 < -Score::MAX_EVAL.0
    }

    /// Full moves to mate as UCI counts them (negative: the side to move is mated), if a mate.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Score::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-((Score::MATE.0 + self.0 + 1) / 2))
        }
    }

    /// Centipawns as a GUI is told them, if no mate: wins and losses by tables are the 200 pawns
    /// that other engines tell, less the plies to them.
    pub const fn centipawns(self) -> i32 {
        const TOLD: i32 = 20_000;
        if !self.is_decided() || self.is_mate() {
            self.0
        } else if self.0 > 0 {
            TOLD - (Score::TABLE_WIN.0 - self.0)
        } else {
            (Score::TABLE_WIN.0 + self.0) - TOLD
        }
    }

    /// The score as stored in a table: a proof counted from this node instead of from the root.
    #[inline]
    pub const fn to_table(self, ply: usize) -> i32 {
        if !self.is_decided() {
            self.0
        } else if self.0 > 0 {
            self.0 + ply as i32
        } else {
            self.0 - ply as i32
        }
    }

    /// Reverses [`Score::to_table`].
    #[inline]
    pub const fn from_table(value: i32, ply: usize) -> Score {
        let stored = Score(value);
        if !stored.is_decided() {
            stored
        } else if value > 0 {
            Score(value - ply as i32)
        } else {
            Score(value + ply as i32)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

impl fmt::Display for Score {
    /// As in UCI: `cp 12` or `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.centipawns()),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::cp(i32::MAX).mate_moves(), None);
    }

    #[test]
    fn proofs_stand_above_evaluations_and_below_mates() {
        let furthest = Score::table_win(MAX_PLY);
        assert!(Score::cp(i32::MAX) < furthest && furthest.is_decided() && !furthest.is_mate());
        assert!(Score::table_win(0) < Score::mate_in(MAX_PLY));
        assert!(Score::table_loss(3).is_lost() && -Score::table_win(3) == Score::table_loss(3));
        assert_eq!(Score::table_win(3).to_string(), "cp 19997");
        assert_eq!(Score::table_loss(3).to_string(), "cp -19997");
        assert!(!Score::cp(i32::MAX).is_decided() && Score::mated_in(MAX_PLY).is_mate());
    }

    #[test]
    fn table_scores_come_back() {
        for score in [
            Score::mate_in(9),
            Score::mated_in(8),
            Score::table_win(7),
            Score::table_loss(5),
            Score::cp(-31),
            Score::DRAW,
        ] {
            assert_eq!(Score::from_table(score.to_table(5), 5), score);
        }
    }
}
