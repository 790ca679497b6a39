//! The game: a position with those before it, its repetitions and its end.

use super::Position;
use crate::types::Move;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position has occurred three times.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// Nobody can mate.
    InsufficientMaterial,
}

/// A position with the keys of all positions before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts here.
    pub fn new(position: Position) -> Game {
        Game {
            position,
            keys: Vec::new(),
        }
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the positions before the current one, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move if it is legal; otherwise nothing changes and `false` comes back.
    pub fn play(&mut self, mv: Move) -> bool {
        let legal = self.position.is_legal(mv);
        if legal {
            self.keys.push(self.position.key());
            self.position = self.position.play(mv);
        }
        legal
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let reversible = usize::from(self.position.halfmove_clock());
        let key = self.position.key();
        1 + self
            .keys
            .iter()
            .rev()
            .take(reversible)
            .filter(|&&k| k == key)
            .count()
    }

    /// Whether and how the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if position.halfmove_clock() >= 100 {
            Some(Outcome::FiftyMoves)
        } else if self.occurrences() >= 3 {
            Some(Outcome::Repetition)
        } else {
            None
        }
    }
}
