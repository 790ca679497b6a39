//! What the histories know a move by: the piece, its colour and where it goes.

use crate::position::Position;
use crate::types::{Color, Move, Piece};

/// A piece of a colour on the square that it has moved to: 0 to 767.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(pub u16);

impl PieceTo {
    /// How many there are.
    pub const COUNT: usize = 768;

    /// The piece that a legal move puts somewhere.
    #[inline]
    pub fn of(position: &Position, piece: Piece, mv: Move) -> PieceTo {
        PieceTo::new(position.side_to_move(), piece, mv)
    }

    /// The same of a side.
    #[inline]
    pub fn new(color: Color, piece: Piece, mv: Move) -> PieceTo {
        let piece = color.index() * 6 + piece.index();
        PieceTo((piece << 6 | mv.to().index()) as u16)
    }

    /// From 0 to [`PieceTo::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
