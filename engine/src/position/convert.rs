//! Our types as the rules crate's, and back.

use crate::types::{Bitboard, Color, Move, Piece, Square};
use chess::ChessMove;

#[inline]
pub(super) const fn bits(set: chess::BitBoard) -> Bitboard {
    Bitboard(set.0)
}

#[inline]
pub(super) fn square_in(square: chess::Square) -> Square {
    Square::new(square.to_int())
}

#[inline]
pub(super) fn square_out(square: Square) -> chess::Square {
    let index = square.index();
    let (rank, file) = (
        chess::Rank::from_index(index >> 3),
        chess::File::from_index(index),
    );
    chess::Square::make_square(rank, file)
}

#[inline]
pub(super) const fn color_in(color: chess::Color) -> Color {
    match color {
        chess::Color::White => Color::White,
        chess::Color::Black => Color::Black,
    }
}

#[inline]
pub(super) const fn color_out(color: Color) -> chess::Color {
    match color {
        Color::White => chess::Color::White,
        Color::Black => chess::Color::Black,
    }
}

#[inline]
pub(super) const fn piece_out(piece: Piece) -> chess::Piece {
    match piece {
        Piece::Pawn => chess::Piece::Pawn,
        Piece::Knight => chess::Piece::Knight,
        Piece::Bishop => chess::Piece::Bishop,
        Piece::Rook => chess::Piece::Rook,
        Piece::Queen => chess::Piece::Queen,
        Piece::King => chess::Piece::King,
    }
}

#[inline]
pub(super) fn move_out(mv: Move) -> ChessMove {
    ChessMove::new(
        square_out(mv.from()),
        square_out(mv.to()),
        mv.promotion().map(piece_out),
    )
}
