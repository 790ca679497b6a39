//! The attack on the enemy king, and the own king's shelter.

use super::{CENTRE_FILES, EvalInfo, Side, term};
use crate::position::{
    between, bishop_attacks, king_attacks, knight_attacks, queen_lines, rook_attacks,
};
use crate::types::{Bitboard, Color, Piece, Square};

/// Counts that grow with the square of an attack are divided by this, so that their weights lie in the
/// range of all others.
const SQUARES_SCALE: i32 = 8;

/// How many pieces take part, how heavy they are, where the king is alone, and whence it could be
/// checked, for nothing or not.
#[inline(always)]
pub(super) fn attack(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let (side, ours, own, enemy) = (info.side, info.ours, info.own, info.enemy);
    let king = side.enemy_king;
    let (attackers, pressure) = (ours.king_attackers, ours.king_pressure);
    if attackers > 1 {
        let weight = ours.king_attack_weight;
        add(term::king_attackers, attackers - 1);
        add(term::king_attack_weight, weight * weight / SQUARES_SCALE);
    }
    if attackers > 0 {
        add(term::king_attackers_holes, attackers * shelter_holes(side));
        if info.own_pieces(Piece::Queen).any() {
            add(term::king_attackers_pressure, attackers * pressure);
        }
    }
    let around = king_attacks(king);
    let alone = side.enemy_king_zone & own.without_king & !enemy.without_king & around;
    add(term::king_zone_undefended, alone.count());

    // Squares from which a check can't be answered by taking the piece, but by a king or queen
    // that would be taken back.
    let weak = own.twice & !enemy.twice & (around | info.theirs.queens);
    let safe = !enemy.all | (weak & !enemy.without_king);
    let safe = safe & !(info.own_all() & !side.king.bitboard());
    let diagonals = bishop_attacks(king, side.occupied);
    let lines = rook_attacks(king, side.occupied);
    let by_knight = knight_attacks(king) & ours.knights;
    let by_bishop = diagonals & ours.bishops;
    let by_rook = lines & ours.rooks;
    let by_queen = (diagonals | lines) & ours.queens;
    let mut checks = 0;
    let mut check = |row: usize, squares: Bitboard| {
        let possible = i32::from((squares & safe).any());
        add(row, possible);
        checks += possible;
    };
    check(term::knight_safe_check, by_knight);
    check(term::bishop_safe_check, by_bishop);
    check(term::rook_safe_check, by_rook);
    check(term::queen_safe_check, by_queen);
    add(
        term::king_check_squares,
        (by_knight | by_bishop | by_rook).count(),
    );
    add(term::king_pressure_checks, pressure * checks);

    let flank = flank(king) & far_side(side.color);
    let attacks = (own.all & flank).count() + (own.twice & flank).count();
    add(term::king_flank_attack, attacks * attacks / SQUARES_SCALE);
    add(term::king_flank_defence, -(enemy.all & flank).count());

    let pinned = pinned(info, king) & info.position.by_color(!side.color);
    add(term::pinned_piece, (pinned & !side.enemy_pawns).count());
}

/// Files at the enemy king, its own and those beside, where no pawn of its side stands close before it
/// or beside it.
fn shelter_holes(side: &Side) -> i32 {
    let king = side.enemy_king.bitboard();
    let abreast = king | king.east() | king.west();
    let first = abreast.forward(!side.color);
    let near = abreast | first | first.forward(!side.color);
    let covered = (side.enemy_pawns & near).fill_file();
    (abreast.fill_file() & !covered & Bitboard::RANK_1).count()
}

/// The files on whose side of the board a king stands.
fn flank(king: Square) -> Bitboard {
    match king.file() {
        0..=2 => Bitboard(0x0f0f_0f0f_0f0f_0f0f),
        3..=4 => CENTRE_FILES,
        _ => Bitboard(0xf0f0_f0f0_f0f0_f0f0),
    }
}

/// All ranks but the own first three.
fn far_side(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xffff_ffff_ff00_0000),
        Color::Black => Bitboard(0x0000_00ff_ffff_ffff),
    }
}

/// Whatever stands alone between the enemy king and a bishop, rook or queen.
#[inline(always)]
fn pinned(info: &EvalInfo, king: Square) -> Bitboard {
    let queens = info.own_pieces(Piece::Queen);
    let (diagonals, lines) = queen_lines(king);
    let snipers = (diagonals & (info.own_pieces(Piece::Bishop) | queens))
        | (lines & (info.own_pieces(Piece::Rook) | queens));
    snipers
        .map(|sniper| between(king, sniper) & info.side.occupied)
        .filter(|stands| stands.count() == 1)
        .fold(Bitboard(0), |all, one| all | one)
}

/// The pawns before the own king, both sides', how far it is from pawns, and from how many squares
/// a queen could see it if there were pawns alone.
#[inline(always)]
pub(super) fn shelter(side: &Side, has_queen: bool, add: &mut impl FnMut(usize, i32)) {
    let king = side.king.bitboard();
    let abreast = king | king.east() | king.west();
    let first = abreast.forward(side.color);
    let second = first.forward(side.color);
    let third = second.forward(side.color);
    add(term::king_shield_second, (side.pawns & first).count());
    add(term::king_shield_third, (side.pawns & second).count());
    let near = side.enemy_pawns & (first | second);
    add(term::king_storm_near, -near.count());
    add(term::king_storm_far, -(side.enemy_pawns & third).count());
    let distances = |pawns: Bitboard| pawns.map(|pawn| i32::from(pawn.distance(side.king)));
    let nearest = distances(side.pawns).min();
    add(term::king_pawn_distance, -nearest.unwrap_or(0));
    add(
        term::king_own_pawns_distance,
        -distances(side.pawns).sum::<i32>(),
    );
    add(
        term::king_enemy_pawns_distance,
        -distances(side.enemy_pawns).sum::<i32>(),
    );
    if has_queen {
        let seen = bishop_attacks(side.king, side.pawns) | rook_attacks(side.king, side.pawns);
        add(term::king_open_lines, -seen.count());
    }
    shield_by_file(side, add);
}

/// The nearest pawn on each of the three files at the king, if it has not gone far: the same pawn
/// covers more on some files than on others.
fn shield_by_file(side: &Side, add: &mut impl FnMut(usize, i32)) {
    let rank = side.king.rank_for(side.color);
    let middle = side.king.file().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let ahead = (side.pawns & Bitboard::file(file))
            .map(|pawn| pawn.rank_for(side.color))
            .filter(|pawn| *pawn >= rank)
            .min();
        match (ahead, file.min(7 - file)) {
            (Some(1), 1) => add(term::shield_bg_second, 1),
            (Some(2), 1) => add(term::shield_bg_third, 1),
            (Some(1), 2) => add(term::shield_cf_second, 1),
            _ => {}
        }
    }
}
