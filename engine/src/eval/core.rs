//! The 35 terms of 2014 Figure 3, each with its reading: a documented function, or a line where that
//! says it all.
//!
//! The papers name the terms and do not define them: the readings are ours. Each function counts
//! for one side. Counts of penalties are negative, so that no weight has to be.

use super::params::term;
use super::view::{Attacker, Side};
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Square};

/// What a piece counts for where it stands, whatever else is on the board; `square` is seen from
/// the own side.
pub(super) fn placement(piece: Piece, square: Square, add: &mut impl FnMut(usize, i32)) {
    match piece {
        Piece::Pawn => {
            add(term::pawn_value, 1);
            let wing = WING_FILES.contains(square);
            let advance = if wing {
                term::pawn_advance_a
            } else {
                term::pawn_advance_b
            };
            add(advance, pawn_advance(square));
        }
        Piece::Knight => {
            add(term::knight_value, 1);
            add(term::knight_sq_mult, knight_square(square));
        }
        Piece::Bishop => add(term::bishop_value, 1),
        Piece::Rook => {
            add(term::rook_value, 1);
            let column = square.file().min(7 - square.file());
            add(term::rook_column_mult, i32::from(column));
            add(term::rook_7th_rank, i32::from(square.rank() == 6));
        }
        Piece::Queen => add(term::queen_value, 1),
        Piece::King => {}
    }
}

/// Adds one side's counts that follow from the pawns, the kings and whether the opponent has a
/// queen.
pub(super) fn pawns_and_kings(side: &Side, has_queen: bool, add: &mut impl FnMut(usize, i32)) {
    add(term::doubled_pawn_penalty, -doubled_pawns(side).count());
    add(term::isolated_pawn_penalty, -isolated_pawns(side).count());
    add(term::backward_pawn_penalty, -backward_pawns(side).count());
    add(term::weak_square_penalty, -weak_squares(side).count());
    for square in side.passed {
        let distance = enemy_king_distance(side, square);
        add(term::passed_pawn_enemy_king_dist, distance);
    }
    if has_queen {
        king(side, add);
    }
}

/// Adds the count of a side's passed pawns.
#[inline(always)]
pub(super) fn passed_pawns(side: &Side, add: &mut impl FnMut(usize, i32)) {
    for square in side.passed {
        add(term::passed_pawn_mult, passed_pawn(side, square));
    }
}

/// Adds what a piece counts for by what it attacks and what stands around it.
#[inline(always)]
pub(super) fn piece(
    position: &Position,
    side: &Side,
    attacker: &Attacker,
    add: &mut impl FnMut(usize, i32),
) {
    add(term::king_pressure_mult, attacker.king_pressure);
    match attacker.piece {
        Piece::Knight => add(
            term::knight_outpost_mult,
            knight_outpost(side, attacker.square),
        ),
        Piece::Bishop => add(term::bishop_mobility, attacker.mobility),
        Piece::Rook => {
            add(term::rook_mobility, attacker.mobility);
            rook(position, side, attacker, add);
        }
        Piece::Queen => add(term::queen_mobility, attacker.mobility),
        Piece::Pawn | Piece::King => {}
    }
}

/// BISHOP_PAIR: 1 with two bishops or more.
pub(super) fn bishop_pair(position: &Position, color: Color) -> i32 {
    i32::from(position.pieces(color, Piece::Bishop).count() >= 2)
}

pub(super) const WING_FILES: Bitboard = Bitboard(0xc3c3_c3c3_c3c3_c3c3);
pub(super) const CENTRE_FILES: Bitboard = Bitboard(!0xc3c3_c3c3_c3c3_c3c3);

/// PAWN_ADVANCE_A, _B: ranks that a pawn has advanced from its second rank.
fn pawn_advance(square: Square) -> i32 {
    i32::from(square.rank()) - 1
}

/// DOUBLED_PAWN_PENALTY: pawns with another own pawn somewhere in front.
pub(super) fn doubled_pawns(side: &Side) -> Bitboard {
    side.pawns & side.pawns.forward(!side.color).fill_forward(!side.color)
}

/// ISOLATED_PAWN_PENALTY: pawns without an own pawn on a neighbouring file.
pub(super) fn isolated_pawns(side: &Side) -> Bitboard {
    let files = side.pawns.fill_file();
    side.pawns & !(files.east() | files.west())
}

/// BACKWARD_PAWN_PENALTY: pawns whose stop square an enemy pawn attacks and no own pawn can ever
/// defend; isolated pawns have their own term.
pub(super) fn backward_pawns(side: &Side) -> Bitboard {
    let stops = side.pawns.forward(side.color) & side.enemy_pawn_attacks & !side.pawn_attack_span;
    stops.forward(!side.color) & !isolated_pawns(side)
}

/// WEAK_SQUARE_PENALTY: squares on the third and fourth rank that no own pawn can ever defend.
fn weak_squares(side: &Side) -> Bitboard {
    let camp = match side.color {
        Color::White => Bitboard(0x0000_0000_ffff_0000),
        Color::Black => Bitboard(0x0000_ffff_0000_0000),
    };
    camp & !side.pawn_attack_span
}

/// PASSED_PAWN_MULT: a passed pawn's worth grows with each rank by more than on the one before (0,
/// 1, 3, 6, 10, 15); half while its stop square is occupied.
fn passed_pawn(side: &Side, square: Square) -> i32 {
    let advanced = i32::from(square.rank_for(side.color)) - 1;
    let worth = advanced * (advanced + 1) / 2;
    let stop = square.bitboard().forward(side.color);
    if (stop & side.occupied).any() {
        worth / 2
    } else {
        worth
    }
}

/// PASSED_PAWN_ENEMY_KING_DIST: how many king moves the enemy king is farther from the nearest
/// square of the pawn's path than the own king.
fn enemy_king_distance(side: &Side, square: Square) -> i32 {
    let path = square
        .bitboard()
        .forward(side.color)
        .fill_forward(side.color);
    let distance = |king: Square| {
        path.map(|step| i32::from(step.distance(king)))
            .min()
            .unwrap_or(0)
    };
    distance(side.enemy_king) - distance(side.king)
}

/// KNIGHT_SQ_MULT: 0 in the own corners to 7 in the centre of the opponent's half: the file's
/// distance to the edge, and a worth of each rank that sends knights out and forward.
fn knight_square(square: Square) -> i32 {
    const FILE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
    const RANK: [i32; 8] = [0, 1, 3, 3, 4, 4, 2, 1];
    FILE[usize::from(square.file())] + RANK[usize::from(square.rank())]
}

/// KNIGHT_OUTPOST_MULT: the rank (from the own side) of a knight beyond the own half's third rank
/// that an own pawn defends and no enemy pawn can ever drive away.
fn knight_outpost(side: &Side, square: Square) -> i32 {
    let rank = i32::from(square.rank_for(side.color));
    let outpost = side.pawn_attacks.contains(square) && !side.enemy_attack_span.contains(square);
    if outpost && rank >= 3 { rank } else { 0 }
}

/// The rook's files, ranks and companions.
#[inline(always)]
fn rook(position: &Position, side: &Side, rook: &Attacker, add: &mut impl FnMut(usize, i32)) {
    let square = rook.square;
    let others = position.pieces(side.color, Piece::Rook);
    let connected = (rook.attacks & others).any();
    add(term::rook_connected, i32::from(connected));
    let behind = is_behind_passed_pawn(side, square);
    add(term::rook_behind_passed_pawn, i32::from(behind));
    let away = square.file().abs_diff(side.enemy_king.file());
    let wing_king = WING_FILES.contains(side.enemy_king);
    add(term::rook_attack_king_file, i32::from(away == 0));
    add(term::rook_attack_king_adj_file, i32::from(away == 1));
    add(
        term::rook_attack_king_adj_file_abgh,
        i32::from(away == 1 && wing_king),
    );
    let file = Bitboard::file(square.file());
    if (side.pawns & file).is_empty() {
        let enemy = side.enemy_pawns & file;
        add(term::rook_open_file, i32::from(enemy.is_empty()));
        add(term::rook_semi_open_file, i32::from(enemy.any()));
        let weak = (rook.attacks & weak_enemy_pawns(side) & file).any();
        add(term::rook_atck_weak_pawn_open_column, i32::from(weak));
    }
}

/// ROOK_BEHIND_PASSED_PAWN: an own passed pawn stands in front of the rook on its file.
fn is_behind_passed_pawn(side: &Side, rook: Square) -> bool {
    let front = rook.bitboard().forward(side.color).fill_forward(side.color);
    (front & side.passed).any()
}

/// For ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN: enemy pawns that no enemy pawn can ever defend.
fn weak_enemy_pawns(side: &Side) -> Bitboard {
    side.enemy_pawns & !side.enemy_attack_span
}

/// The king's cover, which counts only while the opponent has a queen.
///
/// KING_NO_FRIENDLY_PAWN: no own pawn on the king's file, beside it or on the next two ranks.
/// KING_NO_ENEMY_PAWN: no enemy pawn on the king's file, the sign of a line to the king.
#[inline(always)]
fn king(side: &Side, add: &mut impl FnMut(usize, i32)) {
    let file = Bitboard::file(side.king.file());
    let neighbours = file.east() | file.west();
    let beside = Bitboard::rank(side.king.rank()) & (file | neighbours);
    let front = beside.forward(side.color);
    let shield = side.pawns & (beside | front | front.forward(side.color));
    add(
        term::king_no_friendly_pawn,
        -i32::from((shield & file).is_empty()),
    );
    add(
        term::king_no_friendly_pawn_adj,
        -files_without(neighbours, shield),
    );
    add(
        term::king_friendly_pawn_advanced1,
        -advanced_shield_pawns(side, shield),
    );
    add(
        term::king_no_enemy_pawn,
        -i32::from((side.enemy_pawns & file).is_empty()),
    );
    add(
        term::king_no_enemy_pawn_adj,
        -files_without(neighbours, side.enemy_pawns),
    );
}

/// KING_NO_FRIENDLY_PAWN_ADJ, KING_NO_ENEMY_PAWN_ADJ: files of the set without one of these pawns.
fn files_without(files: Bitboard, pawns: Bitboard) -> i32 {
    (files & !pawns.fill_file() & Bitboard::RANK_1).count()
}

/// KING_FRIENDLY_PAWN_ADVANCED1: shield pawns that have left their second rank by one step.
fn advanced_shield_pawns(side: &Side, shield: Bitboard) -> i32 {
    let third = Bitboard::rank(if side.color == Color::White { 2 } else { 5 });
    (shield & third).count()
}
