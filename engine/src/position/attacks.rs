//! Squares that pieces attack, whatever else stands on the board, and lines between squares.

use super::convert::{bits, square_out};
use crate::types::{Bitboard, Color, Piece, Square};

/// Squares attacked by a bishop on `square` with these squares occupied.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bits(chess::get_bishop_moves(
        square_out(square),
        chess::BitBoard(occupied.0),
    ))
}

/// Squares attacked by a rook on `square` with these squares occupied.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bits(chess::get_rook_moves(
        square_out(square),
        chess::BitBoard(occupied.0),
    ))
}

/// Diagonals, and rank and file, through a square of an empty board, without the square.
#[inline]
pub(crate) fn queen_lines(square: Square) -> (Bitboard, Bitboard) {
    let square = square_out(square);
    (
        bits(chess::get_bishop_rays(square)),
        bits(chess::get_rook_rays(square)),
    )
}

/// Squares attacked by a knight on `square`.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    bits(chess::get_knight_moves(square_out(square)))
}

/// Squares attacked by a king on `square`.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    bits(chess::get_king_moves(square_out(square)))
}

/// Squares strictly between two squares on a line, if they are on one.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    bits(chess::between(square_out(a), square_out(b)))
}

/// All squares of the rank, file or diagonal that runs through two squares.
#[inline]
pub(super) fn line(a: Square, b: Square) -> Bitboard {
    bits(chess::line(square_out(a), square_out(b)))
}

/// Squares attacked by any piece on `square` with these squares occupied.
#[inline(always)]
pub fn attacks(piece: Piece, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => square.bitboard().pawn_attacks(color),
        Piece::Knight => knight_attacks(square),
        Piece::Bishop => bishop_attacks(square, occupied),
        Piece::Rook => rook_attacks(square, occupied),
        Piece::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
        Piece::King => king_attacks(square),
    }
}
