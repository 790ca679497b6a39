//! What a side could take or attack next.

use super::{EvalInfo, term};
use crate::position::{attacks, bishop_attacks, knight_attacks, rook_attacks};
use crate::types::{Bitboard, Color, Piece, Square};

/// Enemy pieces that are attacked by lesser ones, or not well defended.
#[inline(always)]
pub(super) fn count(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let (position, side, ours) = (info.position, info.side, info.ours);
    let (own, enemy) = (info.own, info.enemy);
    let them = !side.color;
    let pawns_and_king = side.enemy_pawns | side.enemy_king.bitboard();
    let targets = position.by_color(them) & !pawns_and_king;
    let rooks = position.pieces(them, Piece::Rook);
    let queens = position.pieces(them, Piece::Queen);
    let minors = targets & !(rooks | queens);
    let by_minor = ours.knights | ours.bishops;
    let undefended = !enemy.all;

    add(term::threat_by_pawn, (side.pawn_attacks & targets).count());
    let steps = side.pawns.forward(side.color) & !side.occupied;
    let third = match side.color {
        Color::White => Bitboard::rank(2),
        Color::Black => Bitboard::rank(5),
    };
    let steps = steps | ((steps & third).forward(side.color) & !side.occupied);
    let safe = steps & !side.enemy_pawn_attacks & (own.all | undefended);
    let pushed = safe.pawn_attacks(side.color) & targets & !side.pawn_attacks;
    add(term::threat_by_pawn_push, pushed.count());
    add(term::threat_by_minor, (by_minor & (rooks | queens)).count());
    add(
        term::threat_minor_on_minor,
        (by_minor & minors & undefended).count(),
    );
    add(term::threat_by_rook, (ours.rooks & queens).count());
    let prey = (targets | side.enemy_pawns) & undefended;
    let king = attacks(Piece::King, side.color, side.king, side.occupied);
    add(term::threat_by_king, (king & prey).count());
    add(term::hanging, (own.all & prey).count());

    add(
        term::threat_minor_defended,
        (by_minor & minors & enemy.all).count(),
    );
    let well_defended = side.enemy_pawn_attacks | (enemy.twice & !own.twice);
    add(
        term::weak_piece,
        (targets & own.all & !well_defended).count(),
    );
    fork(info, rooks | queens, add);
    for queen in queens {
        on_queen(info, queen, add);
    }
}

/// Squares from which a knight would attack two of the king, queens and rooks at once and where
/// nothing but the king could take it.
#[inline(always)]
fn fork(info: &EvalInfo, majors: Bitboard, add: &mut impl FnMut(usize, i32)) {
    let squares = info.ours.knights & !info.enemy.without_king;
    if squares.is_empty() {
        return;
    }
    let (mut once, mut twice) = (Bitboard(0), Bitboard(0));
    for target in majors | info.side.enemy_king.bitboard() {
        let jumps = knight_attacks(target);
        twice |= once & jumps;
        once |= jumps;
    }
    add(term::knight_fork, (squares & twice).count());
}

/// Squares from which a knight, bishop or rook could attack a queen without being lost.
#[inline(always)]
fn on_queen(info: &EvalInfo, queen: Square, add: &mut impl FnMut(usize, i32)) {
    let (side, ours) = (info.side, info.ours);
    let supported = info.own.twice & !side.enemy_pawn_attacks;
    let by_knight = ours.knights & knight_attacks(queen) & !info.own_all();
    let safe = by_knight & (!info.enemy.without_king | supported);
    add(term::knight_on_queen, safe.count());
    if (supported & (ours.bishops | ours.rooks)).any() {
        let by_bishop = ours.bishops & bishop_attacks(queen, side.occupied);
        let by_rook = ours.rooks & rook_attacks(queen, side.occupied);
        let sliders = (by_bishop | by_rook) & supported;
        add(term::slider_on_queen, sliders.count());
    }
}
