//! How games begin: with random moves, so that no two games are alike and no book is needed, or
//! with a line of a book.

use engine::mixing::scramble;
use engine::position::{Game, Position};
use engine::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A position to start from and the first moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts.
    pub start: Position,
    /// The moves that follow, all legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Moves from the initial position.
    pub fn from_startpos(moves: Vec<Move>) -> Opening {
        Opening {
            start: Position::startpos(),
            moves,
        }
    }

    /// The game after these moves.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }
}

/// The random numbers of one game: a function of the run's seed and the game's number alone, so
/// that games may be played in any order, at the same time or in another session.
pub fn game_rng(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    // So that neighbouring games of neighbouring seeds have nothing in common.
    let mixed = scramble(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

/// A number below `bound`, every one as likely: numbers from the incomplete last run are redrawn.
pub fn below(rng: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    let bound = bound.max(1) as u64;
    let limit = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = rng.next_u64();
        if drawn < limit {
            return (drawn % bound) as usize;
        }
    }
}

/// Plays so many random legal moves from the initial position, every legal move as likely, and
/// starts again when they end the game.
pub fn random_opening(rng: &mut Xoshiro256PlusPlus, plies: u32) -> Vec<Move> {
    loop {
        let mut game = Game::new(Position::startpos());
        let mut moves = Vec::with_capacity(plies as usize);
        while (moves.len() as u32) < plies && game.outcome().is_none() {
            let legal = game.position().legal_moves();
            let mv = legal[below(rng, legal.len())];
            game.play(mv);
            moves.push(mv);
        }
        if game.outcome().is_none() {
            return moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_its_own_opening() {
        let opening = |seed, number| random_opening(&mut game_rng(seed, number), 8);
        assert_eq!(opening(1, 1), opening(1, 1));
        let mut all: Vec<_> = (0..200).map(|n| opening(n / 100, n % 100)).collect();
        assert!(all.iter().all(|moves| moves.len() == 8));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 200);
        assert!(random_opening(&mut game_rng(1, 1), 0).is_empty());
    }
}
