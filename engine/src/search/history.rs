//! What the search remembers about quiet moves: killers and the history of cut-offs.
//!
//! Killers: Akl and Newborn, "The principal continuation and the killer heuristic", 1977.
//! History: Schaeffer, "The history heuristic and alpha-beta search enhancements in practice",
//! IEEE PAMI 11(11), 1989; a butterfly board by side, from and to.

use crate::search::MAX_PLY;
use crate::search::depth::Depth;
use crate::types::{Color, Move};

/// No history score exceeds this in either direction.
pub const HISTORY_MAX: i32 = 1 << 13;

/// The memory of one search. Cleared before each, so that a search is a pure function of its
/// arguments and the table.
pub struct History {
    butterfly: [[i16; 64 * 64]; 2],
    killers: [[Option<Move>; 2]; MAX_PLY],
}

/// The quiet moves that a node has tried; the first few are enough to learn from.
pub struct QuietsTried {
    moves: [Move; 32],
    len: usize,
}

impl Default for QuietsTried {
    fn default() -> Self {
        QuietsTried {
            moves: [Move::from_bits(0); 32],
            len: 0,
        }
    }
}

impl QuietsTried {
    /// Adds a move, if there is room.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    /// The moves in the order in which they were tried.
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

fn index(mv: Move) -> usize {
    mv.from().index() << 6 | mv.to().index()
}

/// What a cut-off at this depth is worth: its square, since deep cut-offs save more.
fn bonus(depth: Depth) -> i32 {
    let plies = depth.to_quarters() / Depth::PLY.to_quarters();
    (plies * plies).min(HISTORY_MAX / 8)
}

impl History {
    /// An empty memory.
    pub fn new() -> Box<History> {
        Box::new(History {
            butterfly: [[0; 64 * 64]; 2],
            killers: [[None; 2]; MAX_PLY],
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly = [[0; 64 * 64]; 2];
        self.killers = [[None; 2]; MAX_PLY];
    }

    /// How well a quiet move has done.
    #[inline]
    pub fn score(&self, color: Color, mv: Move) -> i16 {
        self.butterfly[color.index()][index(mv)]
    }

    /// The quiet moves that last caused cut-offs at this distance from the root.
    #[inline]
    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// A quiet move has caused a cut-off, and those tried before it have not.
    pub fn reward(&mut self, color: Color, ply: usize, depth: Depth, mv: Move, tried: &[Move]) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        self.add(color, mv, bonus(depth));
        for &other in tried {
            self.add(color, other, -bonus(depth));
        }
    }

    /// Adds with gravity: the nearer a score is to its limit, the less it moves, so it never
    /// passes it and recent results count more.
    fn add(&mut self, color: Color, mv: Move, bonus: i32) {
        let cell = &mut self.butterfly[color.index()][index(mv)];
        let old = i32::from(*cell);
        *cell = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}
