//! Numbers for the keys of positions (Zobrist, "A new hashing method with application for game
//! playing", 1970): a key is the exclusive or of one number for each thing that is so, hence a
//! move changes it by a few of them, and the key after it is known before it is played.

use crate::mixing::scramble;
use crate::types::{Color, Piece, Square};

/// The numbers.
struct Numbers {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black: u64,
}

/// SplitMix64's state after this one, and its number.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, scramble(state))
}

const fn numbers() -> Numbers {
    let mut numbers = Numbers {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 16],
        en_passant: [0; 8],
        black: 0,
    };
    let mut state = 0;
    let mut i = 0;
    while i < 2 * 6 * 64 {
        (state, numbers.pieces[i / 384][i / 64 % 6][i % 64]) = next(state);
        i += 1;
    }
    // No right at all is the number zero, like no piece on a square.
    i = 1;
    while i < 16 {
        (state, numbers.castling[i]) = next(state);
        i += 1;
    }
    i = 0;
    while i < 8 {
        (state, numbers.en_passant[i]) = next(state);
        i += 1;
    }
    (_, numbers.black) = next(state);
    numbers
}

static NUMBERS: Numbers = numbers();

/// A piece stands on a square.
#[inline]
pub fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[color.index()][piece.index()][square.index()]
}

/// The castling rights, a bit each.
#[inline]
pub fn castling(rights: u8) -> u64 {
    NUMBERS.castling[usize::from(rights & 15)]
}

/// A pawn may be taken en passant, and this is the square behind it.
#[inline]
pub fn en_passant(behind: Square) -> u64 {
    NUMBERS.en_passant[usize::from(behind.file())]
}

/// It is Black's turn.
#[inline]
pub fn black_to_move() -> u64 {
    NUMBERS.black
}
