//! A program that looks several plies ahead: plain alpha-beta with the program at the leaves (the paper's
//! future work, §6).
//!
//! A leaf is a position after the last move, and its score is the program's for who made it. The trees' numbers
//! mean nothing beside each other, so all leaves of a player are scored by one tree, that of the material where
//! the search began, and *the original board* is that position. A mate is worth
//! more than anything that a program says, and a nearer one more than a farther; where the game ends in
//! stalemate there is a leaf, too. With one ply this is the paper's player, who knows of a mate only what its
//! tree says.

use super::choose::{Candidates, Standing, best_moves, choose, draw};
use super::file::Program;
use super::lazy::LazyTerminals;
use crate::one_ply::root_moves;
use crate::position::Position;
use crate::types::Move;

/// A mate at once; a program's scores are below 10,000.
const MATE: f64 = 1e6;

impl Program {
    /// The score of a move in a position for who makes it, if a search began at another, the original: by the tree for
    /// that one's material.
    fn leaf(&self, original: &Position, position: &Position, mv: Move) -> f64 {
        let standing = Standing::of_side(original, position.side_to_move());
        let mut terminals = LazyTerminals::leaf(original, position, mv);
        self.tree(standing).evaluate(&mut terminals)
    }
}

/// What a look ahead has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The move.
    pub mv: Move,
    /// Plies that were looked ahead to the end.
    pub plies: usize,
    /// Positions that the program has scored.
    pub leaves: u64,
}

/// The search was told to stop.
struct Stopped;

struct Search<L, F> {
    leaf: L,
    stop: F,
    leaves: u64,
}

/// The move that a program chooses by looking `plies` ahead, one ply first and then one more each time until it
/// is told to stop; the first is always looked at. `None` if there is no legal move. Equal scores are resolved
/// as by [`choose`], which one ply equals.
pub fn look_ahead(
    program: &Program,
    position: &Position,
    plies: usize,
    seed: u64,
    stop: impl FnMut() -> bool,
) -> Option<Ahead> {
    let mut candidates = Candidates::new(position);
    let mv = choose(program, &mut candidates, seed)?;
    let leaves = candidates.moves().len() as u64;
    let mut found = Ahead {
        mv,
        plies: 1,
        leaves,
    };
    let leaf = |before: &Position, mv| program.leaf(position, before, mv);
    let mut search = Search { leaf, stop, leaves };
    for plies in 2..=plies {
        match search.best_moves(position, plies) {
            Ok(best) => {
                let mv = draw(&best, position.key(), seed).unwrap_or(found.mv);
                found = Ahead {
                    mv,
                    plies,
                    leaves: search.leaves,
                };
            }
            Err(Stopped) => break,
        }
    }
    found.leaves = search.leaves;
    Some(found)
}

/// All moves that a program finds best and equal so many plies ahead, in their order; with one ply those of
/// [`best_moves`](super::best_moves).
pub fn best_ahead(program: &Program, position: &Position, plies: usize) -> Vec<Move> {
    match plies {
        0 | 1 => {
            let mut best = Vec::new();
            best_moves(program, &mut Candidates::new(position), &mut best);
            best
        }
        _ => best_by(position, plies, |before, mv| {
            program.leaf(position, before, mv)
        }),
    }
}

/// All moves that are best so many plies ahead, a mate before everything, by what a leaf is worth to who makes the last
/// move: a function of the position before it and of the move, below 10,000 either way.
pub fn best_by(
    position: &Position,
    plies: usize,
    leaf: impl FnMut(&Position, Move) -> f64,
) -> Vec<Move> {
    let mut search = Search {
        leaf,
        stop: || false,
        leaves: 0,
    };
    search.best_moves(position, plies).unwrap_or_default()
}

impl<L: FnMut(&Position, Move) -> f64, F: FnMut() -> bool> Search<L, F> {
    /// The moves with the highest score, in their order.
    fn best_moves(&mut self, position: &Position, plies: usize) -> Result<Vec<Move>, Stopped> {
        let mut best = Vec::new();
        let mut highest = f64::NEG_INFINITY;
        for &mv in root_moves(position).iter() {
            // An equal score must come out exactly, so the window begins just below the highest.
            let score = self.score(position, mv, plies, highest.next_down(), f64::INFINITY)?;
            if score > highest {
                highest = score;
                best.clear();
            }
            if score >= highest {
                best.push(mv);
            }
        }
        Ok(best)
    }

    /// The score of a move for who makes it, with so many plies to look, this one included: exact within the
    /// window, a bound outside.
    fn score(
        &mut self,
        position: &Position,
        mv: Move,
        plies: usize,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Stopped> {
        if (self.stop)() {
            return Err(Stopped);
        }
        let after = position.play(mv);
        let replies = root_moves(&after);
        if replies.is_empty() && after.in_check() {
            // A mate with more plies left is a nearer one.
            return Ok(MATE + plies as f64);
        }
        if plies <= 1 || replies.is_empty() {
            self.leaves += 1;
            return Ok((self.leaf)(position, mv));
        }
        let (mut best, mut low) = (f64::NEG_INFINITY, -beta);
        for &reply in replies.iter() {
            let score = self.score(&after, reply, plies - 1, low, -alpha)?;
            best = best.max(score);
            low = low.max(best);
            if low >= -alpha {
                break;
            }
        }
        Ok(-best)
    }
}
