//! Endgame tables inside the search: a position that a table knows needs none.
//!
//! As engines commonly do it (<https://www.chessprogramming.org/Syzygy_Bases>): tables are asked
//! right after a capture or a pawn move, when what they say holds whatever the fifty-move clock,
//! and not in quiescence, where a look into a file costs more than it saves.

use super::Search;
use crate::depth::Depth;
use crate::position::Position;
use crate::score::Score;
use crate::tablebase::{Probing, Verdict};
use crate::tt::{Bound, Entry};

/// Plies by which a table's word counts for more than the search that it spares.
const WORTH: Depth = Depth::plies(6);

/// A win that the fifty-move rule takes away is a little better than a draw.
const CURSED: Score = Score::cp(2);

impl Search<'_> {
    /// What endgame tables know of a position in a search of this depth.
    #[inline]
    pub(super) fn look_up(&self, position: &Position, depth: Depth, ply: usize) -> Option<Entry> {
        self.ask(self.endgames?, position, depth, ply)
    }

    #[cold]
    fn ask(
        &self,
        endgames: &Probing,
        position: &Position,
        depth: Depth,
        ply: usize,
    ) -> Option<Entry> {
        let plies = depth.whole_plies();
        let verdict = endgames.probe(position, plies)?;
        self.pool.count_table_hit();
        let (score, bound) = match verdict {
            // There may be a mate, which is better still.
            Verdict::Win => (Score::table_win(ply), Bound::Lower),
            Verdict::CursedWin => (CURSED, Bound::Exact),
            Verdict::Draw => (Score::DRAW, Bound::Exact),
            Verdict::BlessedLoss => (-CURSED, Bound::Exact),
            Verdict::Loss => (Score::table_loss(ply), Bound::Upper),
        };
        Some(Entry {
            mv: None,
            score,
            bound,
            depth: depth + WORTH,
            eval: None,
            principal: false,
        })
    }
}

impl Entry {
    /// Whether a score can't be right, by what is known.
    pub(super) fn contradicts(&self, score: Score) -> bool {
        match self.bound {
            Bound::Lower => score < self.score,
            Bound::Upper => score > self.score,
            Bound::Exact => score != self.score,
        }
    }
}
