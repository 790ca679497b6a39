//! What several terms need of a position, computed once.

use crate::position::{Position, attacks, king_attacks};
use crate::types::{Bitboard, Color, Piece, Square};

/// One side, as far as pawns and kings say.
pub(super) struct Side {
    pub color: Color,
    /// Own pawns.
    pub pawns: Bitboard,
    /// The opponent's pawns.
    pub enemy_pawns: Bitboard,
    /// All pieces of both sides.
    pub occupied: Bitboard,
    /// Squares attacked by own pawns.
    pub pawn_attacks: Bitboard,
    /// Squares attacked by the opponent's pawns.
    pub enemy_pawn_attacks: Bitboard,
    /// Squares that own pawns attack or could come to attack.
    pub pawn_attack_span: Bitboard,
    /// The same of the opponent.
    pub enemy_attack_span: Bitboard,
    /// Own pawns that no enemy pawn can stop or take.
    pub passed: Bitboard,
    pub king: Square,
    pub enemy_king: Square,
    /// Squares around the enemy king, its own, and the rank before those, towards us.
    pub enemy_king_zone: Bitboard,
}

/// A knight, bishop, rook or queen with what it attacks.
pub(super) struct Attacker {
    pub piece: Piece,
    pub square: Square,
    pub attacks: Bitboard,
    /// BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY: squares that the piece attacks, without
    /// those of own pawns and the own king, and without those that an enemy pawn attacks. A piece
    /// that is defended counts: it can move away, a pawn in the way mostly can't.
    pub mobility: i32,
    /// KING_PRESSURE_MULT: squares of the enemy king's zone that the piece attacks and no enemy pawn
    /// does.
    pub king_pressure: i32,
}

/// What an attacker of the king's zone weighs
/// (<https://www.chessprogramming.org/King_Safety#Attack_Units>): units of one term, whose weight is
/// learnt.
const MINOR_ATTACK: i32 = 2;
const ROOK_ATTACK: i32 = 3;
const QUEEN_ATTACK: i32 = 5;

/// What one side's knights, bishops, rooks and queens attack.
#[derive(Default)]
pub(super) struct AttackMap {
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    /// Squares that any of them attacks.
    pub all: Bitboard,
    /// Squares that two of them attack.
    pub twice: Bitboard,
    /// How many of them attack the enemy king's zone.
    pub king_attackers: i32,
    /// The sum of these: [`MINOR_ATTACK`], [`ROOK_ATTACK`], [`QUEEN_ATTACK`].
    pub king_attack_weight: i32,
    /// Their attacks there, without squares that enemy pawns guard.
    pub king_pressure: i32,
}

impl Side {
    #[inline(always)]
    pub fn new(position: &Position, color: Color) -> Side {
        let pawns = position.pieces(color, Piece::Pawn);
        let enemy_pawns = position.pieces(!color, Piece::Pawn);
        let enemy_king = position.king(!color);
        let pawn_attacks = pawns.pawn_attacks(color);
        let enemy_pawn_attacks = enemy_pawns.pawn_attacks(!color);
        let enemy_attack_span = enemy_pawn_attacks.fill_forward(!color);
        let enemy_front = enemy_pawns.forward(!color).fill_forward(!color);
        let zone = king_attacks(enemy_king) | enemy_king.bitboard();
        Side {
            color,
            pawns,
            enemy_pawns,
            occupied: position.occupied(),
            pawn_attacks,
            enemy_pawn_attacks,
            pawn_attack_span: pawn_attacks.fill_forward(color),
            enemy_attack_span,
            passed: pawns & !enemy_attack_span & !enemy_front,
            king: position.king(color),
            enemy_king,
            enemy_king_zone: zone | zone.forward(!color),
        }
    }
}

impl AttackMap {
    /// A piece of a side with what it attacks, which is added to the side's.
    #[inline(always)]
    pub fn add(&mut self, side: &Side, piece: Piece, square: Square) -> Attacker {
        let attacks = attacks(piece, side.color, square, side.occupied);
        let open = !(side.pawns | side.king.bitboard() | side.enemy_pawn_attacks);
        let (kind, weight) = match piece {
            Piece::Knight => (&mut self.knights, MINOR_ATTACK),
            Piece::Bishop => (&mut self.bishops, MINOR_ATTACK),
            Piece::Rook => (&mut self.rooks, ROOK_ATTACK),
            Piece::Queen | Piece::Pawn | Piece::King => (&mut self.queens, QUEEN_ATTACK),
        };
        *kind |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
        let attacks_king = i32::from((attacks & side.enemy_king_zone).any());
        self.king_attackers += attacks_king;
        self.king_attack_weight += weight * attacks_king;
        let king_pressure = (attacks & side.enemy_king_zone & !side.enemy_pawn_attacks).count();
        self.king_pressure += king_pressure;
        Attacker {
            king_pressure,
            piece,
            square,
            attacks,
            mobility: (attacks & open).count(),
        }
    }
}
