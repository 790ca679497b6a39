//! Positions for suites: legal ones, moves taken back, and mates proven by trying everything: an oracle of another make than the engine, which prunes.
//!
//! The fifty-move rule and repetitions are left out of account: no mate here is so long.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Position as _, Role, Setup, attacks,
};
use std::collections::HashMap;

/// Proves mates and remembers what it has proved.
#[derive(Default)]
pub struct Prover {
    /// By position and number of moves.
    known: HashMap<(u64, u32), bool>,
}

impl Prover {
    /// The fewest moves, up to a number, in which the side to move can force mate, with all of its
    /// moves that do; `None` if it can't.
    pub fn shortest(&mut self, position: &Chess, most: u32) -> Option<(u32, Vec<Move>)> {
        (1..=most).find_map(|moves| {
            let keys = self.keys(position, moves);
            (!keys.is_empty()).then_some((moves, keys))
        })
    }

    /// All moves that force mate in so many moves at most.
    pub fn keys(&mut self, position: &Chess, moves: u32) -> Vec<Move> {
        let mut keys = position.legal_moves();
        keys.retain(|&mut mv| self.is_lost(&after(position, mv), moves - 1));
        keys.to_vec()
    }

    /// Whether the side to move can force mate in so many moves at most.
    pub fn is_won(&mut self, position: &Chess, moves: u32) -> bool {
        if moves == 0 {
            return false;
        }
        let at = (key(position), moves);
        if moves > 1
            && let Some(&won) = self.known.get(&at)
        {
            return won;
        }
        let children = position.legal_moves().into_iter();
        let mut children: Vec<Chess> = children.map(|mv| after(position, mv)).collect();
        children.sort_by_key(|child| !child.is_check());
        let won = children
            .iter()
            .any(|child| (moves > 1 || child.is_check()) && self.is_lost(child, moves - 1));
        if moves > 1 {
            self.known.insert(at, won);
        }
        won
    }

    /// Whether the side to move is mated in so many moves at most whatever it does.
    pub fn is_lost(&mut self, position: &Chess, moves: u32) -> bool {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return position.is_check();
        }
        moves > 0
            && replies
                .into_iter()
                .all(|mv| self.is_won(&after(position, mv), moves))
    }
}

/// The position after a legal move.
pub fn after(position: &Chess, mv: Move) -> Chess {
    let mut child = position.clone();
    child.play_unchecked(mv);
    child
}

/// Whether a legal move neither takes, nor promotes, nor gives check.
pub fn is_quiet(position: &Chess, mv: Move) -> bool {
    !mv.is_capture() && !mv.is_promotion() && !after(position, mv).is_check()
}

/// The position of a setup, if it is legal.
pub fn legal(setup: &Setup) -> Option<Chess> {
    setup.clone().position(CastlingMode::Standard).ok()
}

/// The positions from which a quiet move of White leads here, a pawn's by one step, with that move.
pub fn earlier(setup: &Setup) -> Vec<(Chess, Move)> {
    let mut found = Vec::new();
    for to in setup.board.white() {
        let Some(piece) = setup.board.piece_at(to) else {
            continue;
        };
        let origins = match piece.role {
            Role::Pawn => to.offset(-8).map_or(Bitboard::EMPTY, Bitboard::from),
            _ => attacks::attacks(to, piece, setup.board.occupied()),
        };
        for from in origins & !setup.board.occupied() {
            let mut before = setup.clone();
            before.turn = Color::White;
            before.board.discard_piece_at(to);
            before.board.set_piece_at(from, piece);
            if let Some(root) = legal(&before)
                && let Some(&key) = root
                    .legal_moves()
                    .iter()
                    .find(|mv| mv.from() == Some(from) && mv.to() == to)
            {
                found.push((root, key));
            }
        }
    }
    found
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn shortest(fen: &str, most: u32) -> Option<(u32, Vec<String>)> {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let (moves, keys) = Prover::default().shortest(&position, most)?;
        let keys = keys.iter().map(|mv| mv.to_uci(CastlingMode::Standard));
        Some((moves, keys.map(|mv| mv.to_string()).collect()))
    }

    #[test]
    fn mates_are_proven() {
        let one = |moves, key: &str| Some((moves, vec![key.to_string()]));
        // On the back rank.
        let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
        assert_eq!(shortest(fen, 2), one(1, "d1d8"));
        // The king can't move; the bishop must, and lets the knight in.
        let fen = "8/3N4/8/8/8/3p1b2/3P1K1p/7k w - - 0 1";
        assert_eq!(shortest(fen, 3), one(3, "d7f6"));
        assert_eq!(shortest(fen, 2), None);
        // Stalemate is none.
        assert_eq!(shortest("7k/8/6K1/8/8/8/5Q2/8 b - - 0 1", 3), None);
    }
}
