//! Pawns: how they stand together, and passed ones by what is before them.

use super::{EvalInfo, Side, term};
use crate::eval::core::{backward_pawns, isolated_pawns};
use crate::position::Position;
use crate::types::{Bitboard, Color, Square};

/// Adds one side's counts that follow from the pawns and the kings.
pub(super) fn pawns_and_kings(side: &Side, add: &mut impl FnMut(usize, i32)) {
    formation(side, add);
    for square in side.passed {
        let rank = usize::from(square.rank_for(side.color));
        if rank >= 3 {
            add(term::passed_rank_4 + (rank - 3).min(3), 1);
        }
        let beyond = beyond_third(rank);
        if side.pawn_attacks.contains(square) {
            add(term::passed_protected, beyond);
        }
        if let Some(stop) = square.bitboard().forward(side.color).first() {
            let distance = |king: Square| i32::from(king.distance(stop));
            add(term::passed_own_king, -beyond * distance(side.king));
            add(term::passed_enemy_king, beyond * distance(side.enemy_king));
        }
    }
}

/// How far beyond the third rank a pawn on a rank is, from 1 on.
fn beyond_third(rank: usize) -> i32 {
    (rank as i32 - 2).max(0)
}

/// Pawns that stand together, weak ones that can be attacked along their file, and those that an
/// enemy pawn blocks on their fifth rank.
#[inline(always)]
fn formation(side: &Side, add: &mut impl FnMut(usize, i32)) {
    let advanced = |pawns: Bitboard| -> i32 {
        pawns
            .map(|square| i32::from(square.rank_for(side.color)))
            .sum()
    };
    let abreast = side.pawns & (side.pawns.east() | side.pawns.west());
    add(term::pawn_phalanx, advanced(abreast));
    add(
        term::pawn_supported,
        advanced(side.pawns & side.pawn_attacks),
    );
    let behind_enemy = side
        .enemy_pawns
        .forward(!side.color)
        .fill_forward(!side.color);
    let weak = (isolated_pawns(side) | backward_pawns(side)) & !behind_enemy;
    add(term::pawn_weak_unopposed, -weak.count());
    let fifth = match side.color {
        Color::White => Bitboard::rank(4),
        Color::Black => Bitboard::rank(3),
    };
    let blocked = side.pawns & fifth & side.enemy_pawns.forward(!side.color);
    add(term::pawn_blocked_fifth, blocked.count());
}

/// Passed pawns by what is before them.
#[inline(always)]
pub(super) fn passed(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let (position, side, enemy) = (info.position, info.side, info.enemy);
    if side.passed.is_empty() {
        return;
    }
    let lone_king = !position.has_pieces(!side.color);
    for square in side.passed {
        let rank = usize::from(square.rank_for(side.color));
        if lone_king && can_outrun(position, side, square, rank) {
            add(term::passed_unstoppable, 1);
        }
        let beyond = beyond_third(rank);
        if beyond == 0 {
            continue;
        }
        let stop = square.bitboard().forward(side.color);
        if (stop & (side.occupied | enemy.all)).is_empty() {
            add(term::passed_free, beyond);
        }
        if (stop.fill_forward(side.color) & enemy.all).is_empty() {
            add(term::passed_path_safe, beyond);
        }
    }
}

/// The rule of the square: the enemy king is too far away to catch the pawn, and nothing stands in
/// its way.
fn can_outrun(position: &Position, side: &Side, square: Square, rank: usize) -> bool {
    let path = square
        .bitboard()
        .forward(side.color)
        .fill_forward(side.color);
    if (path & side.occupied).any() {
        return false;
    }
    let last = match side.color {
        Color::White => Square::at(square.file(), 7),
        Color::Black => Square::at(square.file(), 0),
    };
    // From the second rank a pawn may take two steps at once.
    let steps = if rank == 1 { 5 } else { 7 - rank as i32 };
    let to_move = i32::from(position.side_to_move() != side.color);
    i32::from(last.distance(side.enemy_king)) - to_move > steps
}
