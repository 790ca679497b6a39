//! What pieces are worth by what else is on the board (Kaufman, "The Evaluation of Material
//! Imbalances", 1999: a knight gains with each pawn, a rook loses).

use super::{EvalInfo, term};
use crate::types::{Bitboard, Piece};

/// Pawns of a side that the worths of pieces are meant for.
const USUAL_PAWNS: i32 = 5;

/// Pieces with pawns beside them and against them, and endings that are hard to win.
#[inline(always)]
pub(super) fn count(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let side = info.side;
    let pawns = side.pawns.count();
    let with = pawns - USUAL_PAWNS;
    let against = side.enemy_pawns.count() - USUAL_PAWNS;
    let mut piece = |piece: Piece, own: usize, enemy: usize| {
        let count = info.own_pieces(piece).count();
        add(own, count * with);
        add(enemy, count * against);
    };
    piece(
        Piece::Knight,
        term::knight_with_pawns,
        term::knight_against_pawns,
    );
    piece(
        Piece::Bishop,
        term::bishop_with_pawns,
        term::bishop_against_pawns,
    );
    piece(Piece::Rook, term::rook_with_pawns, term::rook_against_pawns);
    piece(
        Piece::Queen,
        term::queen_with_pawns,
        term::queen_against_pawns,
    );
    add(term::pawn_among_pawns, pawns * (with + against));
    add(term::no_pawns, i32::from(pawns == 0));
    if has_opposite_bishops(info) {
        add(term::opposite_bishops, pawns);
    }
}

/// Whether each side has a bishop and nothing else but pawns, and these bishops never meet
/// (<https://www.chessprogramming.org/Bishops_of_Opposite_Colors>).
fn has_opposite_bishops(info: &EvalInfo) -> bool {
    let bishops = info.position.by_piece(Piece::Bishop);
    let pawns_and_kings = info.position.by_piece(Piece::Pawn) | info.position.by_piece(Piece::King);
    info.side.occupied == bishops | pawns_and_kings
        && info.own_pieces(Piece::Bishop).count() == 1
        && bishops.count() == 2
        && (bishops & Bitboard::LIGHT).count() == 1
}
