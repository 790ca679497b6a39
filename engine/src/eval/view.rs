//! What several terms need of a position, computed once.

use crate::position::{Position, attacks, king_attacks};
use crate::types::{Bitboard, Color, Piece, Square};

/// One side, with what it attacks.
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
    /// Own knights, bishops, rooks and queens with what they attack.
    pub knights: Attackers,
    pub bishops: Attackers,
    pub rooks: Attackers,
    pub queens: Attackers,
}

/// The pieces of one kind.
pub(super) struct Attackers {
    squares: Bitboard,
    attacks: [Bitboard; Attackers::MOST],
    /// All squares that they attack.
    pub all: Bitboard,
    /// Squares that two of them attack.
    pub twice: Bitboard,
}

impl Attackers {
    /// Most pieces of a kind: two, and all pawns promoted.
    const MOST: usize = 10;

    #[inline(always)]
    fn new(position: &Position, color: Color, piece: Piece) -> Attackers {
        let mut found = Attackers {
            squares: position.pieces(color, piece),
            attacks: [Bitboard::EMPTY; Attackers::MOST],
            all: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
        };
        let occupied = position.occupied();
        for (square, slot) in found.squares.zip(&mut found.attacks) {
            *slot = attacks(piece, color, square, occupied);
            found.twice |= found.all & *slot;
            found.all |= *slot;
        }
        found
    }

    /// The pieces with the squares that each attacks.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (Square, Bitboard)> + '_ {
        self.squares.zip(self.attacks.iter().copied())
    }

    /// Where they stand.
    #[inline(always)]
    pub fn squares(&self) -> Bitboard {
        self.squares
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> i32 {
        self.squares.count()
    }
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
            knights: Attackers::new(position, color, Piece::Knight),
            bishops: Attackers::new(position, color, Piece::Bishop),
            rooks: Attackers::new(position, color, Piece::Rook),
            queens: Attackers::new(position, color, Piece::Queen),
        }
    }
}
