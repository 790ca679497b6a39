//! Iterative deepening, and the moves of the root.

use super::depth::Depth;
use super::extensions::{Reasons, extension, may_extend};
use super::limits::Stopped;
use super::ordering::{MovePicker, MoveStack, Selection};
use super::{Event, Info, MAX_DEPTH, Outcome, PvNode, Search};
use crate::position::Position;
use crate::score::Score;
use crate::tt::{Bound, Entry};
use crate::types::Move;

/// The best line so far.
struct Best {
    depth: usize,
    score: Score,
    pv: Vec<Move>,
}

impl Search<'_> {
    /// Searches deeper and deeper until a limit says stop.
    pub(super) fn run(
        mut self,
        position: &Position,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Outcome {
        let mut moves = self.root_moves(position);
        let Some(&first) = moves.first() else {
            return Outcome {
                best: None,
                ponder: None,
                score: if position.in_check() {
                    Score::mated_in(0)
                } else {
                    Score::DRAW
                },
                depth: 0,
                seldepth: 0,
                nodes: 0,
                pv: Vec::new(),
            };
        };
        // Should not even the first move be searched to its end, the static evaluation is all that
        // is known.
        let mut best = Best {
            depth: 1,
            score: self.evaluate(position),
            pv: vec![first],
        };
        let mut reported = None;
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last {
            self.iteration = depth;
            let result = self.iterate(position, &mut moves, &mut best, on_event);
            // A line that was found before the iteration broke off is at least as good as the
            // previous iteration's, for that one's move was searched first.
            if result.is_ok() {
                reported = Some(self.nodes);
                on_event(Event::Info(&self.info(&best)));
            }
            if result.is_err() || self.is_enough(&best, moves.len()) {
                break;
            }
        }
        if reported != Some(self.nodes) {
            on_event(Event::Info(&self.info(&best)));
        }
        Outcome {
            best: best.pv.first().copied(),
            ponder: expected_answer(position, &best.pv),
            score: best.score,
            depth: best.depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            pv: best.pv,
        }
    }

    /// The legal moves that the limits allow, in the order in which the first iteration looks at
    /// them.
    fn root_moves(&self, position: &Position) -> Vec<Move> {
        let hash_move = self.table.probe(position.key(), 0).and_then(|e| e.mv);
        let mut picker = MovePicker::new(Selection::All, hash_move, [None; 2]);
        let (mut moves, mut stack) = (Vec::new(), MoveStack::new());
        while let Some(mv) = picker.next(position, self.history, &mut stack) {
            moves.push(mv);
        }
        let wanted = &self.limits.moves;
        if moves.iter().any(|mv| wanted.contains(mv)) {
            moves.retain(|mv| wanted.contains(mv));
        }
        moves
    }

    /// One iteration: principal variation search over the root's moves.
    fn iterate(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        best: &mut Best,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        let depth = Depth::plies(self.iteration as i32);
        let key = position.key();
        let mut alpha = -Score::INFINITE;
        for i in 0..moves.len() {
            let mv = moves[i];
            on_event(Event::CurrentMove {
                mv,
                number: i + 1,
                depth: self.iteration,
            });
            let child = self.make(position, mv)?;
            let reasons = Reasons {
                gives_check: child.in_check(),
            };
            let mut child_depth = depth - Depth::PLY;
            if may_extend(0, self.iteration) {
                child_depth = child_depth + extension(&self.params.search, reasons);
            }
            self.keys.push(key);
            let beta = Score::INFINITE;
            let score = self.search_child::<PvNode>(&child, child_depth, 0, alpha, beta, i == 0);
            self.keys.pop();
            let score = score?;
            if score > alpha {
                alpha = score;
                self.pv.update(0, mv);
                *best = Best {
                    depth: self.iteration,
                    score,
                    pv: self.pv.line(0).to_vec(),
                };
                // The new best move is first in the next iteration; the others keep their order.
                moves[..=i].rotate_right(1);
                on_event(Event::BestMove {
                    mv,
                    nodes: self.nodes,
                });
            }
        }
        let entry = Entry {
            mv: best.pv.first().copied(),
            score: best.score,
            bound: Bound::Exact,
            depth,
        };
        self.table.store(key, 0, entry);
        Ok(())
    }

    /// Whether another iteration is not worth beginning.
    fn is_enough(&self, best: &Best, choices: usize) -> bool {
        let mate = best.score.mate_moves();
        if let (Some(wanted), Some(found)) = (self.limits.mate, mate)
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        let Some(budget) = self.limits.time else {
            return false;
        };
        // A mate no longer than the iteration is deep has been proved.
        let proved = mate.is_some_and(|moves| 2 * moves.unsigned_abs() as usize <= best.depth);
        (budget.may_answer_early && (choices == 1 || proved))
            || self.control.clock.elapsed() >= budget.soft
    }

    fn info(&self, best: &Best) -> Info {
        Info {
            depth: best.depth,
            seldepth: self.seldepth.max(best.pv.len()),
            score: best.score,
            nodes: self.nodes,
            hashfull: self.table.permille_full(),
            pv: best.pv.clone(),
        }
    }
}

/// The second move of the variation, if the game is not over after it.
fn expected_answer(position: &Position, pv: &[Move]) -> Option<Move> {
    let (&first, &second) = (pv.first()?, pv.get(1)?);
    let after = position.play(first).play(second);
    let goes_on =
        after.has_legal_move() && !after.is_insufficient_material() && after.halfmove_clock() < 100;
    goes_on.then_some(second)
}
