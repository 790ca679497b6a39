//! What the nodes on the current path know of themselves and of each other.

use super::MAX_PLY;
use super::piece_to::PieceTo;
use crate::score::Score;
use crate::types::{Move, Square};

/// A node on the current path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// Static evaluation, unless in check.
    pub eval: Option<Score>,
    /// The piece that the move before the node put somewhere; `None` at the root and after a null
    /// move.
    pub piece_to: Option<PieceTo>,
    /// Where the move before the node captured.
    pub captured_on: Option<Square>,
    /// Whether the move before the node was a null move.
    pub after_null: bool,
    /// The move that the node is searched without.
    pub excluded: Option<Move>,
    /// Whether the node is searched to verify a null move's cut-off: nothing but its moves may cut it.
    pub verifies: bool,
}

impl Frame {
    /// The node is reached by passing.
    pub fn pass(&mut self) {
        *self = Frame {
            after_null: true,
            ..Frame::default()
        };
    }
}

/// Nodes before the root that may be asked for: they know nothing.
const BEFORE: usize = 4;

/// The nodes by their distance from the root.
pub struct Stack(Vec<Frame>);

impl Stack {
    /// A stack of nodes of which nothing is known.
    pub fn new() -> Stack {
        Stack(vec![Frame::default(); BEFORE + MAX_PLY + 2])
    }

    /// The node at this ply.
    #[inline]
    pub fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE]
    }

    /// The node at this ply.
    #[inline]
    pub fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The node `back` (0 to 4) plies before this one, which may lie before the root.
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &Frame {
        &self.0[ply + BEFORE - back]
    }
}
