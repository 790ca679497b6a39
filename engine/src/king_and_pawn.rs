//! A king and a pawn against a bare king: whether that is won, known for every position.
//!
//! Found backwards from the pawns that promote (<https://www.chessprogramming.org/KPK>): half the positions with
//! either side to move, again and again, until no new one is lost for the bare king. A bitboard has every
//! square of that king at once, so all of it takes a millisecond, when the first such ending comes up.

use crate::position::{Position, king_attacks};
use crate::types::{Bitboard, Color, Piece, Square};
use std::sync::LazyLock;

/// A constant that is worked out when it is first wanted: no search can change it.
static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// Whether `strong` wins with a king and its only pawn against a king.
pub fn is_won(position: &Position, strong: Color) -> bool {
    let Some(pawn) = position.pieces(strong, Piece::Pawn).first() else {
        return false;
    };
    let from_side = |square: Square| square.from_side(strong);
    let (king, bare) = (position.king(strong), position.king(!strong));
    let table = match position.side_to_move() == strong {
        true => &TABLE.pawn_to_move,
        false => &TABLE.bare_to_move,
    };
    won(table, from_side(pawn), from_side(king)).contains(from_side(bare))
}

/// For each square of a white pawn and each of its king, the squares where a bare king has lost.
type Won = Vec<[Bitboard; 64]>;

struct Table {
    pawn_to_move: Won,
    bare_to_move: Won,
}

fn won(table: &Won, pawn: Square, king: Square) -> Bitboard {
    table[pawn.index()][king.index()]
}

impl Table {
    fn new() -> Table {
        let empty = || vec![[Bitboard::EMPTY; 64]; 64];
        let mut table = Table {
            pawn_to_move: empty(),
            bare_to_move: empty(),
        };
        let with_kings = |rank| {
            Bitboard::rank(rank).flat_map(|pawn| (!pawn.bitboard()).map(move |king| (pawn, king)))
        };
        for (pawn, king) in with_kings(7) {
            table.bare_to_move[pawn.index()][king.index()] = where_a_promotion_wins(pawn, king);
        }
        // Ranks from the seventh down, since a pawn's future lies there.
        let endings: Vec<_> = (1..=6).rev().flat_map(with_kings).collect();
        loop {
            let mut has_grown = false;
            for &(pawn, king) in &endings {
                let (attack, defence) = (table.attack(pawn, king), table.defence(pawn, king));
                let (at, by) = (pawn.index(), king.index());
                has_grown |= attack != table.pawn_to_move[at][by];
                has_grown |= defence != table.bare_to_move[at][by];
                table.pawn_to_move[at][by] = attack;
                table.bare_to_move[at][by] = defence;
            }
            if !has_grown {
                return table;
            }
        }
    }

    /// Squares of the bare king from which the side with the pawn has a move that is known to win.
    fn attack(&self, pawn: Square, king: Square) -> Bitboard {
        let after = |pawn, king| won(&self.bare_to_move, pawn, king);
        let mut wins = Bitboard::EMPTY;
        for to in king_attacks(king) & !pawn.bitboard() {
            wins |= after(pawn, to);
        }
        let step = |from: Bitboard| from.forward(Color::White) & !king.bitboard();
        let one = step(pawn.bitboard());
        let two = step(one & Bitboard::rank(2));
        for to in one {
            wins |= after(to, king);
        }
        for to in two {
            wins |= after(to, king) & !one;
        }
        // It has just moved, so it is not in check.
        wins & apart(pawn, king) & !pawn.bitboard().pawn_attacks(Color::White)
    }

    /// Squares from which every move of the bare king is known to lose, and there is one.
    fn defence(&self, pawn: Square, king: Square) -> Bitboard {
        let guarded =
            king_attacks(king) | king.bitboard() | pawn.bitboard().pawn_attacks(Color::White);
        let saved = !guarded & !won(&self.pawn_to_move, pawn, king);
        apart(pawn, king) & (!guarded).king_attacks() & !saved.king_attacks()
    }
}

/// Squares where the bare king may stand with the others there.
fn apart(pawn: Square, king: Square) -> Bitboard {
    !(king_attacks(king) | king.bitboard() | pawn.bitboard())
}

/// Where the bare king can't take the piece that a pawn has become: a queen then, or a rook where a queen
/// would leave no move.
fn where_a_promotion_wins(promoted: Square, king: Square) -> Bitboard {
    let takes = match king_attacks(king).contains(promoted) {
        true => Bitboard::EMPTY,
        false => king_attacks(promoted),
    };
    apart(promoted, king) & !takes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_won_in(fen: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let black = position.by_color(Color::Black).count();
        is_won(
            &position,
            if black == 1 {
                Color::White
            } else {
                Color::Black
            },
        )
    }

    /// Twice the 111,282 of 163,328 positions with the pawn on the files a to d that are commonly counted.
    #[test]
    fn as_many_are_won_as_others_have_counted() {
        let count = |won: &Won| -> i32 {
            let squares = won[8..56].iter().flatten();
            squares.map(|kings| kings.count()).sum()
        };
        let table = Table::new();
        assert_eq!(count(&table.pawn_to_move), 2 * 62_480);
        assert_eq!(count(&table.bare_to_move), 2 * 48_802);
    }

    #[test]
    fn the_opposition_decides() {
        assert!(is_won_in("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
        assert!(is_won_in("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        assert!(is_won_in("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1"));
        assert!(!is_won_in("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"));
        assert!(!is_won_in("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"));
        assert!(!is_won_in("8/8/8/4p3/4k3/8/4K3/8 b - - 0 1"));
        assert!(is_won_in("8/8/8/4p3/4k3/8/4K3/8 w - - 0 1"));
    }

    #[test]
    fn a_king_outside_the_square_is_late() {
        assert!(is_won_in("8/8/8/5k2/P7/8/8/K7 w - - 0 1"));
        assert!(!is_won_in("8/8/8/5k2/P7/8/8/K7 b - - 0 1"));
        // After two steps.
        assert!(is_won_in("8/8/8/8/8/8/K4Pk1/8 w - - 0 1"));
        // A pawn on the edge gains nothing by its king if that stands before it.
        assert!(!is_won_in("1k6/8/K7/P7/8/8/8/8 w - - 0 1"));
    }
}
