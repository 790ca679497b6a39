//! The 33 terms of E. Vázquez-Fernández, C. A. Coello Coello and F. D. Sagols Troncoso, "An evolutionary algorithm
//! with a history mechanism for tuning a chess evaluation function" (Applied Soft Computing 13, 2013): the rows of
//! Table 1, as the text of §3 describes them, own minus opponent's. The five piece values are the same in all
//! evaluations; the other 28 are here.
//!
//! Where text and table differ or are silent:
//!
//! - Table 1 has rooks on semi-open columns behind and ahead and on closed columns, §3 on semi-open columns and on
//!   closed columns behind and ahead. The text is taken: rows 18, 19 and 26 are semi-open, closed behind and closed
//!   ahead.
//! - PAWN_CENTRAL prints f6 where f5 must be meant.
//! - Moves are those that the board allows: onto squares without an own piece, and a king's onto none that is
//!   attacked. Pins, castling and en passant don't matter.
//! - Material that attacks or defends a king is that of knights, bishops, rooks and queens in pawns' worth (3, 3, 5
//!   and 9), whatever their weights are, so that scores stay linear. The text describes "defending" with the
//!   opponent's king; the own one is meant.
//! - A king is castled where castling leads or next to it towards the corner, with no own rook beyond it.
//! - Doubled, isolated, backward and passed pawns are what the other terms take for them.

use super::core::{backward_pawns, bishop_pair, doubled_pawns, isolated_pawns};
use super::params::{FIRST_2013, OWN_2013, term};
use super::view::Side;
use crate::position::{Position, attacks, king_attacks};
use crate::see::CLASSIC_VALUES;
use crate::types::{Bitboard, Color, Piece, Square};

/// Counts of the terms that no other paper has, in the order of their rows.
pub(super) type Counts = [i32; OWN_2013];

/// The rows of Table 1 in its order.
pub(super) const ROWS: [usize; 33] = [
    term::pawn_value,
    term::knight_value,
    term::bishop_value,
    term::rook_value,
    term::queen_value,
    term::pawn_doubled_2013,
    term::pawn_isolated_2013,
    term::pawn_backward_2013,
    term::pawn_passed_2013,
    term::pawn_central_2013,
    term::knight_supported_2013,
    term::knight_operations_base_2013,
    term::knight_periphery_0_2013,
    term::knight_periphery_1_2013,
    term::knight_periphery_2_2013,
    term::knight_periphery_3_2013,
    term::rook_open_column_2013,
    term::rook_semi_open_column_2013,
    term::rook_closed_column_behind_2013,
    term::rook_seven_rank_2013,
    term::knight_mobility_2013,
    term::bishop_mobility_2013,
    term::rook_mobility_2013,
    term::queen_mobility_2013,
    term::king_mobility_2013,
    term::rook_closed_column_ahead_2013,
    term::king_attacking_material_2013,
    term::king_defending_material_2013,
    term::king_castling_2013,
    term::king_pawns_2013,
    term::bishop_ahead_2013,
    term::bishop_pawns_mobility_2013,
    term::bishop_pair_2013,
];

/// Squares c4 to f4 and c5 to f5.
const CENTRE: Bitboard = Bitboard(0x0000_003c_3c00_0000);

/// What the pieces that are there make of a position with these weights, White's minus Black's.
#[cold]
#[inline(never)]
pub(super) fn score(position: &Position, weights: &Counts) -> i32 {
    let counts = count(position);
    counts
        .iter()
        .zip(weights)
        .map(|(count, weight)| count * weight)
        .sum()
}

/// The counts of a position, White's minus Black's.
pub(super) fn count(position: &Position) -> Counts {
    let mut counts = [0; OWN_2013];
    let sides = Color::ALL.map(|color| Side::new(position, color));
    for (side, sign) in sides.iter().zip([1, -1]) {
        let mut add = |row: usize, count: i32| counts[row - FIRST_2013] += sign * count;
        pawns(side, &mut add);
        pieces(position, side, &mut add);
        king(position, side, &mut add);
        add(term::bishop_pair_2013, bishop_pair(position, side.color));
    }
    counts
}

/// PAWN_DOUBLED_PENALTY, PAWN_ISOLATED_PENALTY, PAWN_BACKWARD_PENALTY, PAWN_PASSED, PAWN_CENTRAL.
fn pawns(side: &Side, add: &mut impl FnMut(usize, i32)) {
    add(term::pawn_doubled_2013, doubled_pawns(side).count());
    add(term::pawn_isolated_2013, isolated_pawns(side).count());
    add(term::pawn_backward_2013, backward_pawns(side).count());
    add(term::pawn_passed_2013, side.passed.count());
    add(term::pawn_central_2013, (side.pawns & CENTRE).count());
}

/// What knights, bishops, rooks and queens count for each by itself.
fn pieces(position: &Position, side: &Side, add: &mut impl FnMut(usize, i32)) {
    let own = position.by_color(side.color);
    let around = |king: Square| king_attacks(king) | king.bitboard();
    let (enemy_king, own_king) = (around(side.enemy_king), around(side.king));
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let worth = CLASSIC_VALUES[piece.index()];
        for square in position.pieces(side.color, piece) {
            let attacks = attacks(piece, side.color, square, side.occupied);
            let attacking = worth * i32::from((attacks & enemy_king).any());
            add(term::king_attacking_material_2013, attacking);
            let defending = worth * i32::from((attacks & own_king).any());
            add(term::king_defending_material_2013, defending);
            let moves = (attacks & !own).count();
            match piece {
                Piece::Knight => {
                    add(term::knight_mobility_2013, moves);
                    knight(side, square, add);
                }
                Piece::Bishop => {
                    add(term::bishop_mobility_2013, moves);
                    bishop(position, side, square, attacks, add);
                }
                Piece::Rook => {
                    add(term::rook_mobility_2013, moves);
                    rook(side, square, add);
                }
                _ => add(term::queen_mobility_2013, moves),
            }
        }
    }
}

/// KNIGHT_SUPPORTED, KNIGHT_OPERATIONS_BASE, KNIGHT_PERIPHERY_0 to _3.
fn knight(side: &Side, square: Square, add: &mut impl FnMut(usize, i32)) {
    let supported = side.pawn_attacks.contains(square);
    add(term::knight_supported_2013, i32::from(supported));
    let is_safe = !side.enemy_attack_span.contains(square);
    add(term::knight_operations_base_2013, i32::from(is_safe));
    let from_edge = |at: u8| at.min(7 - at);
    let ring = from_edge(square.file()).min(from_edge(square.rank()));
    add(term::knight_periphery_0_2013 + usize::from(ring), 1);
}

/// BISHOP_AHEAD: own pawns that the bishop runs into on its way ahead. BISHOP_PAWNS_MOBILITY: moves of these.
fn bishop(
    position: &Position,
    side: &Side,
    square: Square,
    attacks: Bitboard,
    add: &mut impl FnMut(usize, i32),
) {
    let rank = square.rank_for(side.color);
    let enemies = position.by_color(!side.color);
    let ahead = (attacks & side.pawns).filter(|pawn| pawn.rank_for(side.color) > rank);
    for pawn in ahead {
        add(term::bishop_ahead_2013, 1);
        add(
            term::bishop_pawns_mobility_2013,
            pawn_moves(side, enemies, pawn),
        );
    }
}

/// Steps, double steps and captures of a pawn.
fn pawn_moves(side: &Side, enemies: Bitboard, pawn: Square) -> i32 {
    let step = pawn.bitboard().forward(side.color) & !side.occupied;
    let double = match pawn.rank_for(side.color) {
        1 => step.forward(side.color) & !side.occupied,
        _ => Bitboard::EMPTY,
    };
    let captures = pawn.bitboard().pawn_attacks(side.color) & enemies;
    step.count() + double.count() + captures.count()
}

/// ROOK_OPEN_COLUMN, ROOK_SEMIOPEN_COLUMN, ROOK_CLOSED_COLUMN_BEHIND, ROOK_CLOSED_COLUMN_AHEAD, ROOK_SEVEN_RANK.
fn rook(side: &Side, square: Square, add: &mut impl FnMut(usize, i32)) {
    let file = Bitboard::file(square.file());
    let (own, enemy) = (side.pawns & file, side.enemy_pawns & file);
    let front = square
        .bitboard()
        .forward(side.color)
        .fill_forward(side.color);
    let column = match (own.any(), enemy.any()) {
        (false, false) => Some(term::rook_open_column_2013),
        (false, true) => Some(term::rook_semi_open_column_2013),
        (true, true) if (own & front).any() => Some(term::rook_closed_column_behind_2013),
        (true, true) => Some(term::rook_closed_column_ahead_2013),
        // Own pawns alone have no row.
        (true, false) => None,
    };
    if let Some(column) = column {
        add(column, 1);
    }
    let is_on_seventh = square.rank_for(side.color) == 6;
    add(term::rook_seven_rank_2013, i32::from(is_on_seventh));
}

/// KING_MOBILITY, KING_CASTLING, KING_PAWNS.
fn king(position: &Position, side: &Side, add: &mut impl FnMut(usize, i32)) {
    let beside = king_attacks(side.king);
    let free = beside & !position.by_color(side.color);
    let moves = free.filter(|&square| !is_attacked(position, side, square));
    add(term::king_mobility_2013, moves.count() as i32);
    add(
        term::king_castling_2013,
        i32::from(is_castled(position, side)),
    );
    add(term::king_pawns_2013, (beside & side.pawns).count());
}

/// Whether the opponent attacks a square, also through the king, which can't hide behind itself.
fn is_attacked(position: &Position, side: &Side, square: Square) -> bool {
    let without_king = side.occupied & !side.king.bitboard();
    let attackers = position.attackers_to(square, without_king);
    (attackers & position.by_color(!side.color)).any()
}

/// Whether a king stands where castling leads, or next to it towards the corner, with no own rook beyond it.
fn is_castled(position: &Position, side: &Side) -> bool {
    let (king, rooks) = (side.king, position.pieces(side.color, Piece::Rook));
    let beyond = |rook: Square| match king.file() {
        0..=2 => rook.file() < king.file(),
        _ => rook.file() > king.file(),
    };
    let mut on_first = rooks.filter(|rook| rook.rank_for(side.color) == 0);
    king.rank_for(side.color) == 0 && !matches!(king.file(), 3..=5) && !on_first.any(beyond)
}
