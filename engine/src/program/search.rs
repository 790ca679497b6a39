//! A program that looks several plies ahead: plain alpha-beta with the program at the leaves (the paper's
//! future work, §6).
//!
//! A leaf is a position after the last move, and its score is the program's for who made it. The trees' numbers
//! mean nothing beside each other, so all leaves of a player are scored by one tree, that of the material where
//! the search began, and *the original board* is that position. A mate is worth
//! more than anything that a program says, and a nearer one more than a farther; where the game ends in
//! stalemate there is a leaf, too. With one ply this is the paper's player, who knows of a mate only what its
//! tree says.

use super::choose::{Candidates, Standing, choose, draw};
use super::file::Program;
use super::lazy::LazyTerminals;
use crate::one_ply::root_moves;
use crate::position::Position;
use crate::types::Move;

/// A mate at once; a program's scores are below 10,000.
const MATE: f64 = 1e6;

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

struct Search<'a, F> {
    program: &'a Program,
    original: &'a Position,
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
    let mut search = Search {
        program,
        original: position,
        stop,
        leaves,
    };
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

impl<F: FnMut() -> bool> Search<'_, F> {
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
            let standing = Standing::of_side(self.original, position.side_to_move());
            let mut terminals = LazyTerminals::leaf(self.original, position, mv);
            return Ok(self.program.tree(standing).evaluate(&mut terminals));
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
