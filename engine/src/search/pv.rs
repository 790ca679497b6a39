//! The principal variation, kept in a triangular table
//! (<https://www.chessprogramming.org/Triangular_PV-Table>).
//!
//! Taking it from the search instead of from the transposition table keeps it legal, complete and
//! free of anything behind a draw.

use crate::score::MAX_PLY;
use crate::types::{Move, Square};

/// The best line from each ply of the current path.
pub struct PvTable {
    lines: Vec<[Move; MAX_PLY]>,
    lengths: [usize; MAX_PLY + 1],
}

impl PvTable {
    /// An empty table.
    pub fn new() -> PvTable {
        let none = Move::new(Square::new(0), Square::new(0), None);
        PvTable {
            lines: vec![[none; MAX_PLY]; MAX_PLY + 1],
            lengths: [0; MAX_PLY + 1],
        }
    }

    /// The node at this ply has no best line yet.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The node at this ply has a new best move; its line goes on with the child's.
    pub fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line[0] = mv;
        let tail = below.first().map_or(&[] as &[Move], |child| {
            &child[..self.lengths[ply + 1].min(MAX_PLY - 1)]
        });
        line[1..=tail.len()].copy_from_slice(tail);
        self.lengths[ply] = 1 + tail.len();
    }

    /// The best line from this ply.
    pub fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply][..self.lengths[ply]]
    }
}
