//! The 35 terms of 2014 Figure 3, one documented function each.
//!
//! The papers name the terms and do not define them: the readings are ours. Each function counts
//! for one side. Counts of penalties are negative, so that no weight has to be.

use super::params::term;
use super::view::Side;
use crate::types::{Bitboard, Color, Square};

/// Adds one side's counts of the 35 terms; `has_queen` says whether the opponent has one.
#[inline(always)]
pub(super) fn count(side: &Side, has_queen: bool, add: &mut impl FnMut(usize, i32)) {
    pawns(side, add);
    knights(side, add);
    bishops(side, add);
    rooks(side, add);
    queens(side, add);
    if has_queen {
        king(side, add);
    }
}

#[inline(always)]
fn pawns(side: &Side, add: &mut impl FnMut(usize, i32)) {
    add(term::pawn_value, side.pawns.count());
    add(term::pawn_advance_a, pawn_advance(side, WING_FILES));
    add(term::pawn_advance_b, pawn_advance(side, CENTRE_FILES));
    add(term::doubled_pawn_penalty, -doubled_pawns(side).count());
    add(term::isolated_pawn_penalty, -isolated_pawns(side).count());
    add(term::backward_pawn_penalty, -backward_pawns(side).count());
    add(term::weak_square_penalty, -weak_squares(side).count());
    for square in side.passed {
        add(term::passed_pawn_mult, passed_pawn(side, square));
        add(
            term::passed_pawn_enemy_king_dist,
            enemy_king_distance(side, square),
        );
    }
}

pub(super) const WING_FILES: Bitboard = Bitboard(0xc3c3_c3c3_c3c3_c3c3);
pub(super) const CENTRE_FILES: Bitboard = Bitboard(!0xc3c3_c3c3_c3c3_c3c3);

/// PAWN_ADVANCE_A, _B: ranks that pawns on these files have advanced from their second rank.
fn pawn_advance(side: &Side, files: Bitboard) -> i32 {
    (side.pawns & files)
        .map(|square| i32::from(square.rank_for(side.color)) - 1)
        .sum()
}

/// DOUBLED_PAWN_PENALTY: pawns with another own pawn somewhere in front.
fn doubled_pawns(side: &Side) -> Bitboard {
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

#[inline(always)]
fn knights(side: &Side, add: &mut impl FnMut(usize, i32)) {
    for (square, attacks) in side.knights.iter() {
        add(term::knight_value, 1);
        add(term::knight_sq_mult, knight_square(side, square));
        add(term::knight_outpost_mult, knight_outpost(side, square));
        add(term::king_pressure_mult, king_pressure(side, attacks));
    }
}

/// KNIGHT_SQ_MULT: 0 in the own corners to 7 in the centre of the opponent's half: the file's
/// distance to the edge, and a worth of each rank that sends knights out and forward.
fn knight_square(side: &Side, square: Square) -> i32 {
    const FILE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
    const RANK: [i32; 8] = [0, 1, 3, 3, 4, 4, 2, 1];
    FILE[usize::from(square.file())] + RANK[usize::from(square.rank_for(side.color))]
}

/// KNIGHT_OUTPOST_MULT: the rank (from the own side) of a knight beyond the own half's third rank
/// that an own pawn defends and no enemy pawn can ever drive away.
fn knight_outpost(side: &Side, square: Square) -> i32 {
    let rank = i32::from(square.rank_for(side.color));
    let outpost = side.pawn_attacks.contains(square) && !side.enemy_attack_span.contains(square);
    if outpost && rank >= 3 { rank } else { 0 }
}

#[inline(always)]
fn bishops(side: &Side, add: &mut impl FnMut(usize, i32)) {
    for (_, attacks) in side.bishops.iter() {
        add(term::bishop_value, 1);
        add(term::bishop_mobility, mobility(side, attacks));
        add(term::king_pressure_mult, king_pressure(side, attacks));
    }
    add(term::bishop_pair, i32::from(side.bishops.count() >= 2));
}

/// BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY: squares that the piece attacks, without those
/// of own pawns and the own king, and without those that an enemy pawn attacks. A piece that is
/// defended counts: it can move away, a pawn in the way mostly can't.
pub(super) fn mobility(side: &Side, attacks: Bitboard) -> i32 {
    (attacks & !side.pawns & !side.king.bitboard() & !side.enemy_pawn_attacks).count()
}

#[inline(always)]
fn rooks(side: &Side, add: &mut impl FnMut(usize, i32)) {
    if side.rooks.count() == 0 {
        return;
    }
    let rooks = side.rooks.squares();
    let weak = weak_enemy_pawns(side);
    for (square, attacks) in side.rooks.iter() {
        add(term::rook_value, 1);
        add(term::rook_mobility, mobility(side, attacks));
        add(term::king_pressure_mult, king_pressure(side, attacks));
        add(term::rook_connected, i32::from((attacks & rooks).any()));
        add(
            term::rook_column_mult,
            i32::from(square.file().min(7 - square.file())),
        );
        add(
            term::rook_7th_rank,
            i32::from(square.rank_for(side.color) == 6),
        );
        add(
            term::rook_behind_passed_pawn,
            i32::from(is_behind_passed_pawn(side, square)),
        );
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
            add(
                term::rook_atck_weak_pawn_open_column,
                i32::from((attacks & weak & file).any()),
            );
        }
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

#[inline(always)]
fn queens(side: &Side, add: &mut impl FnMut(usize, i32)) {
    for (_, attacks) in side.queens.iter() {
        add(term::queen_value, 1);
        add(term::queen_mobility, mobility(side, attacks));
        add(term::king_pressure_mult, king_pressure(side, attacks));
    }
}

/// KING_PRESSURE_MULT: squares of the enemy king's zone that a piece attacks and no enemy pawn
/// does.
fn king_pressure(side: &Side, attacks: Bitboard) -> i32 {
    (attacks & side.enemy_king_zone & !side.enemy_pawn_attacks).count()
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
