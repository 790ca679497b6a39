//! A position after a move, as the terminals look at it: whose view it is, and who attacks what.

use crate::position::{
    Position, attacks, between, bishop_attacks, king_attacks, queen_lines, rook_attacks,
};
use crate::types::{Bitboard, Color, Move, Piece, Square};

/// Worth of each kind of piece by [`Piece::index`] (the paper's Table 5; the king has none).
const WORTH: [i16; 6] = [1, 3, 3, 5, 9, 0];

/// What comes of a move.
#[derive(Clone, Debug)]
pub struct View {
    position: Position,
    /// Who has moved.
    pub me: Color,
    /// Whose turn it is.
    pub opp: Color,
    /// My material less the opponent's in the original position.
    pub balance_before: i16,
    /// The squares that each side attacks, those of its own men among them.
    attacked: [Bitboard; 2],
}

impl View {
    /// The view after a legal move, compared with an original position: the one before the move, or where a
    /// search began.
    pub fn after(original: &Position, before: &Position, mv: Move) -> View {
        let position = before.play(mv);
        let opp = position.side_to_move();
        let attacked = Color::ALL.map(|color| {
            let reached = men(&position, color).map(|man| attacks_of(&position, man));
            reached.fold(Bitboard::EMPTY, |all, reached| all | reached)
        });
        View {
            position,
            me: !opp,
            opp,
            balance_before: balance(original, !opp),
            attacked,
        }
    }

    /// The position after the move.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The squares that a side attacks; its own men there are protected.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.attacked[color.index()]
    }

    /// All men of a side, the king among them.
    pub fn men(&self, color: Color) -> Bitboard {
        men(&self.position, color)
    }

    /// The men of a side without its king.
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.men(color) & !self.position.king(color).bitboard()
    }

    /// The squares that the man on a square attacks.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        attacks_of(&self.position, square)
    }

    /// My material less the opponent's.
    pub fn balance(&self) -> i16 {
        balance(&self.position, self.me)
    }

    /// The worth of the men of a side that attack a man of the other, the king included.
    pub fn worth_attacking(&self, color: Color) -> i16 {
        let targets = self.men(!color);
        let attackers = self.men(color);
        let attackers = attackers.filter(|&man| (self.attacks_from(man) & targets).any());
        let kinds = attackers.filter_map(|man| self.position.piece_at(man));
        kinds.map(|(_, piece)| WORTH[piece.index()]).sum()
    }

    /// Whether one man of a side attacks two men of the other or more.
    pub fn forks(&self, color: Color) -> bool {
        let targets = self.men(!color);
        some(self.men(color), |man| {
            (self.attacks_from(man) & targets).count() >= 2
        })
    }

    /// Whether two men of a side besides its king protect each other.
    pub fn protect_each_other(&self, color: Color) -> bool {
        let pieces = self.pieces(color);
        let protects = |from: Square, to: Square| self.attacks_from(from).contains(to);
        some(pieces, |a| {
            some(self.attacks_from(a) & pieces, |b| protects(b, a))
        })
    }

    /// The squares to which the king of a side could step if it were its turn.
    pub fn king_steps(&self, color: Color) -> Bitboard {
        let king = self.position.king(color);
        let without_king = self.position.occupied() ^ king.bitboard();
        let enemies = self.men(!color);
        let is_safe =
            |&to: &Square| (self.position.attackers_to(to, without_king) & enemies).is_empty();
        let steps = king_attacks(king) & !self.men(color);
        let safe = steps.filter(is_safe);
        safe.fold(Bitboard::EMPTY, |all, to| all | to.bitboard())
    }

    /// Whether every step of a side's king takes it closer to the nearest edge, or along the edge.
    pub fn is_stuck(&self, color: Color) -> bool {
        let distance = edge_distance(self.position.king(color));
        let mut steps = self.king_steps(color);
        steps.all(|to| {
            let then = edge_distance(to);
            then < distance || then == 0
        })
    }

    /// The men of a side that an enemy line piece pins to its king.
    pub fn pinned(&self, color: Color) -> Bitboard {
        let king = self.position.king(color);
        let occupied = self.position.occupied();
        let (diagonals, straights) = queen_lines(king);
        let kind = |piece| self.position.by_piece(piece);
        let queens = kind(Piece::Queen);
        let lines =
            diagonals & (kind(Piece::Bishop) | queens) | straights & (kind(Piece::Rook) | queens);
        let blockers = (lines & self.men(!color)).map(|sniper| between(king, sniper) & occupied);
        let single = blockers.filter(|blockers| blockers.count() == 1);
        single.fold(Bitboard::EMPTY, |all, blocker| all | blocker) & self.men(color)
    }

    /// Whether a man of a side is pinned two squares or more before its king, which so does not protect it.
    pub fn is_king_behind_piece(&self, color: Color) -> bool {
        let king = self.position.king(color);
        some(self.pinned(color), |man| king.distance(man) >= 2)
    }

    /// Whether a line piece checks the opponent's king and would attack one of his men if the king were gone.
    pub fn is_skewered(&self) -> bool {
        let without_king = self.position.occupied() ^ self.position.king(self.opp).bitboard();
        let theirs = self.pieces(self.opp);
        some(self.position.checkers(), |checker| {
            let seen = self.attacks_from(checker);
            let through = match self.position.piece_at(checker) {
                Some((_, Piece::Bishop)) => bishop_attacks(checker, without_king),
                Some((_, Piece::Rook)) => rook_attacks(checker, without_king),
                Some((_, Piece::Queen)) => {
                    bishop_attacks(checker, without_king) | rook_attacks(checker, without_king)
                }
                _ => seen,
            };
            (through & !seen & theirs).any()
        })
    }
}

/// Whether something is so of a square of a set.
fn some(mut set: Bitboard, is_so: impl FnMut(Square) -> bool) -> bool {
    Iterator::any(&mut set, is_so)
}

/// All men of a side.
fn men(position: &Position, color: Color) -> Bitboard {
    position.by_color(color)
}

/// The squares that the man on a square attacks; none from an empty square.
fn attacks_of(position: &Position, square: Square) -> Bitboard {
    position
        .piece_at(square)
        .map_or(Bitboard::EMPTY, |(color, piece)| {
            attacks(piece, color, square, position.occupied())
        })
}

/// A side's material less the other's.
pub fn balance(position: &Position, color: Color) -> i16 {
    let worth = |color| -> i16 {
        let of = |piece: Piece| position.pieces(color, piece).count() as i16 * WORTH[piece.index()];
        Piece::ALL.into_iter().map(of).sum()
    };
    worth(color) - worth(!color)
}

/// King steps to the nearest edge of the board, 0 to 3.
pub fn edge_distance(square: Square) -> i16 {
    let (file, rank) = (square.file(), square.rank());
    let least = file.min(7 - file).min(rank).min(7 - rank);
    i16::from(least)
}
