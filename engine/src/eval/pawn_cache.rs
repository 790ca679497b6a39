//! What changes seldom: the counts that follow from the pawns, the kings and whether there are
//! queens, and a cache of their score (<https://www.chessprogramming.org/Pawn_Hash_Table>).

use super::view::Side;
use super::{Tracer, core, full};
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece};

/// Tells the tracer these counts, White's minus Black's.
pub(super) fn trace<T: Tracer>(position: &Position, sides: &[Side; 2], tracer: &mut T) {
    for (side, sign) in sides.iter().zip([1, -1]) {
        for pawn in side.pawns {
            tracer.place(Piece::Pawn, pawn.from_side(side.color), sign);
        }
        tracer.place(Piece::King, side.king.from_side(side.color), sign);
        let has_queen = position.pieces(!side.color, Piece::Queen).any();
        core::pawns_and_kings(side, has_queen, &mut |term, count| {
            tracer.add(term, sign * count);
        });
        if tracer.wants_all() {
            full::pawns_and_kings(side, has_queen, &mut |term, count| {
                tracer.add(term, sign * count);
            });
        }
    }
}

/// Scores of pawn structures, for one set of weights.
pub struct PawnCache(Vec<Cell>);

/// All that the counts depend on, so that a score is never taken for another's, and the score.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Key {
    pawns: [Bitboard; 2],
    /// Squares of the kings, and a bit for each side's queens.
    others: u32,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    key: Key,
    score: i64,
}

/// Cells: a quarter of a megabyte, which stays in the processor's own cache.
const CELLS: usize = 1 << 13;

impl PawnCache {
    /// An empty cache.
    pub fn new() -> PawnCache {
        PawnCache(vec![Cell::default(); CELLS])
    }

    /// Forgets everything: needed when the weights change.
    pub fn clear(&mut self) {
        self.0.fill(Cell::default());
    }

    /// The score of a position's structure, counted if it is not known.
    #[inline(always)]
    pub(super) fn get(&mut self, position: &Position, count: impl FnOnce() -> i64) -> i64 {
        let kings = Color::ALL.map(|color| position.king(color).index() as u32);
        let queens = Color::ALL.map(|color| position.pieces(color, Piece::Queen).any());
        let key = Key {
            pawns: Color::ALL.map(|color| position.pieces(color, Piece::Pawn)),
            others: kings[0]
                | kings[1] << 6
                | u32::from(queens[0]) << 12
                | u32::from(queens[1]) << 13,
        };
        // The kings' squares differ, so no position has the key of an empty cell.
        let mixed = position.pawn_key() ^ u64::from(key.others).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let cell = &mut self.0[(mixed >> 51) as usize];
        if cell.key != key {
            *cell = Cell {
                key,
                score: count(),
            };
        }
        cell.score
    }
}

impl Default for PawnCache {
    fn default() -> Self {
        PawnCache::new()
    }
}
