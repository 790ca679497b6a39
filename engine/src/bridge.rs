//! Positions as shakmaty's: for tablebases and for the keys of opening books. The rules of play
//! stay with [`crate::position`].

use crate::position::Position;
use crate::types::{Bitboard, Color, Piece};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard as Set, Board, ByColor, ByRole, CastlingMode, Chess, EnPassantMode, FromSetup,
    Position as _, Setup, Square,
};
use std::num::NonZeroU32;

/// The same position in shakmaty's terms; `None` if it is one that shakmaty refuses, as some are
/// that no game can reach.
pub(crate) fn to_shakmaty(position: &Position) -> Option<Chess> {
    let set = |bitboard: Bitboard| Set(bitboard.0);
    let piece = |piece| set(position.by_piece(piece));
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: piece(Piece::Pawn),
            knight: piece(Piece::Knight),
            bishop: piece(Piece::Bishop),
            rook: piece(Piece::Rook),
            queen: piece(Piece::Queen),
            king: piece(Piece::King),
        },
        ByColor {
            black: set(position.by_color(Color::Black)),
            white: set(position.by_color(Color::White)),
        },
    )
    .ok()?;
    let castling = position.castling();
    let mut rooks = Set::EMPTY;
    for (has_right, rook) in [
        (castling.king_side[Color::White.index()], Square::H1),
        (castling.queen_side[Color::White.index()], Square::A1),
        (castling.king_side[Color::Black.index()], Square::H8),
        (castling.queen_side[Color::Black.index()], Square::A8),
    ] {
        if has_right {
            rooks.add(rook);
        }
    }
    let setup = Setup {
        board,
        turn: match position.side_to_move() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        castling_rights: rooks,
        ep_square: position
            .en_passant()
            .map(|square| Square::new(square.index() as u32)),
        halfmoves: u32::from(position.halfmove_clock()),
        fullmoves: NonZeroU32::new(u32::from(position.fullmove_number()))
            .unwrap_or(NonZeroU32::MIN),
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// The key of a position in Polyglot's opening books
/// (<http://hgm.nubati.net/book_format.html>). The en-passant file counts if a pawn may take; in the
/// books it counts already if one stands there, so a position whose only such pawn is pinned is not
/// found in them.
pub(crate) fn polyglot_key(position: &Position) -> Option<u64> {
    let Zobrist64(key) = to_shakmaty(position)?.zobrist_hash(EnPassantMode::Legal);
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::Setup as FenSetup;

    /// The keys that the description of the format gives as examples.
    #[test]
    fn keys_are_those_of_the_format() {
        for (fen, key) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0x463b_9618_1691_fc9c,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                0x823c_9b50_fd11_4196,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            (
                "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
                0x00fd_d303_c946_bdd9,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
                0x5c3f_9b82_9b27_9560,
            ),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(polyglot_key(&position), Some(key), "{fen}");
        }
    }

    #[test]
    fn positions_arrive_as_they_are() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = Position::from_setup(&FenSetup::parse(fen).unwrap()).unwrap();
            let chess = to_shakmaty(&position).unwrap();
            let back = shakmaty::fen::Fen::from_position(&chess, EnPassantMode::Legal);
            assert_eq!(back.to_string(), fen);
        }
    }
}
