//! The terms of layout `eval-full` that the papers do not have, one documented function a group.
//!
//! Each counts for one side; counts of penalties are negative, though weights may be negative too.

mod king;
mod material;
mod pawns;
mod pieces;
mod threats;

pub(super) use pieces::{piece, placement};

use super::core::CENTRE_FILES;
use super::params::term;
use super::view::{AttackMap, Side};
use crate::position::{Position, king_attacks};
use crate::types::{Bitboard, Color, Piece};

/// What a side attacks.
struct Attacked {
    /// Squares that anything attacks.
    all: Bitboard,
    /// Squares that two pieces or pawns attack.
    twice: Bitboard,
    /// Squares that a piece other than the king, or a pawn, attacks.
    without_king: Bitboard,
}

impl Attacked {
    #[inline(always)]
    fn new(side: &Side, pieces: &AttackMap) -> Attacked {
        let front = side.pawns.forward(side.color);
        let by_pawns = side.pawn_attacks;
        let without_king = by_pawns | pieces.all;
        let king = king_attacks(side.king);
        Attacked {
            all: without_king | king,
            twice: (front.east() & front.west())
                | pieces.twice
                | (by_pawns & pieces.all)
                | (without_king & king),
            without_king,
        }
    }
}

/// A position as one side sees it, with all that both sides attack.
struct EvalInfo<'a> {
    position: &'a Position,
    side: &'a Side,
    ours: &'a AttackMap,
    theirs: &'a AttackMap,
    own: &'a Attacked,
    enemy: &'a Attacked,
}

impl EvalInfo<'_> {
    /// What this side has of a kind.
    #[inline(always)]
    fn own_pieces(&self, piece: Piece) -> Bitboard {
        self.position.pieces(self.side.color, piece)
    }

    /// Everything of this side.
    #[inline(always)]
    fn own_all(&self) -> Bitboard {
        self.position.by_color(self.side.color)
    }
}

/// Adds the counts of both sides that follow from all pieces together, White's minus Black's.
#[inline(always)]
pub(super) fn count(
    position: &Position,
    sides: &[Side; 2],
    attack_map: &[AttackMap; 2],
    add: &mut impl FnMut(usize, i32),
) {
    let attacked = [
        Attacked::new(&sides[0], &attack_map[0]),
        Attacked::new(&sides[1], &attack_map[1]),
    ];
    let to_move = match position.side_to_move() {
        Color::White => 1,
        Color::Black => -1,
    };
    add(term::tempo, to_move);
    let [white, black] = position.castling().king_side.map(i32::from);
    add(term::castling_king_side, white - black);
    // Not a loop: the compiler makes code for each colour, which need not ask for it.
    let info = |i: usize| EvalInfo {
        position,
        side: &sides[i],
        ours: &attack_map[i],
        theirs: &attack_map[1 - i],
        own: &attacked[i],
        enemy: &attacked[1 - i],
    };
    count_side(&info(0), add);
    count_side(&info(1), &mut |row, count| add(row, -count));
}

/// The same of one side.
#[inline(always)]
fn count_side(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    material::count(info, add);
    pieces::count(info, add);
    king::attack(info, add);
    pawns::passed(info, add);
    threats::count(info, add);
    territory(info, add);
}

/// Adds one side's counts that follow from the pawns, the kings and whether the opponent has a
/// queen.
pub(super) fn pawns_and_kings(side: &Side, has_queen: bool, add: &mut impl FnMut(usize, i32)) {
    king::shelter(side, has_queen, add);
    pawns::pawns_and_kings(side, add);
}

/// Squares that a side has for itself.
#[inline(always)]
fn territory(info: &EvalInfo, add: &mut impl FnMut(usize, i32)) {
    let (side, own, enemy) = (info.side, info.own, info.enemy);
    let camp = match side.color {
        Color::White => Bitboard(0x0000_0000_ffff_ff00),
        Color::Black => Bitboard(0x00ff_ffff_0000_0000),
    };
    let space = camp & CENTRE_FILES & !side.pawns & !side.enemy_pawn_attacks;
    add(term::space, space.count());
    add(term::control, (own.all & !enemy.all).count());
    let contested = own.all & enemy.all & !side.enemy_pawn_attacks;
    add(term::restriction, contested.count());
}
