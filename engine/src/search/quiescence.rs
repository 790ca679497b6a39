//! Quiescence: where the depth is used up, captures are played out until the static evaluation
//! can be believed (<https://www.chessprogramming.org/Quiescence_Search>).
//!
//! Captures that do not lose material by static exchange, promotions to a queen, in check all
//! evasions or as many quiet ones as the parameters say, and in the first plies quiet checks, if
//! they say so.

use super::limits::Stopped;
use super::ordering::{MovePicker, RefutationMoves, SEE_VALUES, Selection};
use super::window::Window;
use super::{MAX_PLY, Node, Search, settles};
use crate::depth::Depth;
use crate::position::Position;
use crate::score::Score;
use crate::see::see_ge;
use crate::tt::{Bound, Entry, to_stored};
use crate::types::Piece;

impl Search<'_> {
    /// The score of a position when only forcing moves are played; `inside` counts the plies of
    /// quiescence before it.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        position: &Position,
        key: u64,
        ply: usize,
        window: Window,
        inside: i32,
    ) -> Result<Score, Stopped> {
        debug_assert_eq!(self.frame(ply).excluded, None, "no move is left out here");
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.pv.clear(ply);
        }
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluate(position));
        }

        // 1. The transposition table.
        let params = &self.params.search;
        let Window { mut alpha, beta } = window;
        let uses_table = params.quiescence_table_use != 0;
        let entry = match uses_table {
            true => self.probe(key, ply),
            false => None,
        };
        if let Some(entry) = entry
            && !N::PV
            && settles(&entry, position, window)
        {
            return Ok(entry.score);
        }

        // 2. The side to move need not capture, unless it is in check.
        let in_check = position.in_check();
        let static_eval = (!in_check).then(|| self.static_eval(position, entry.as_ref()));
        let corrected = static_eval.map(|eval| self.corrected(position, ply, eval));
        let (mut best, selection) = match corrected {
            None => (-Score::INFINITE, Selection::All),
            Some(eval) => {
                let best = match entry {
                    Some(entry) if !N::PV && entry.refines(eval) => entry.score,
                    _ => eval,
                };
                let checks = inside < params.quiescence_checks;
                let selection = if checks {
                    Selection::WinningAndChecks
                } else {
                    Selection::Winning
                };
                (best, selection)
            }
        };
        if best >= beta {
            return Ok(best);
        }
        let before = alpha;
        alpha = alpha.max(best);

        // 3. The moves.
        let delta = params.quiescence_delta;
        let hash_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| in_check || position.is_capture(mv));
        let mut refutations = RefutationMoves::default();
        if in_check {
            refutations.earlier = self.earlier(ply);
            refutations.threat_bonus = params.quiet_threat_bonus;
        }
        let mut picker = MovePicker::new(params, selection, hash_move, refutations);
        let mut best_move = None;
        let mut count = 0;
        let (mut captures, mut evasions) = (0, 0);
        while let Some(mv) = picker.next(position, self.history, &mut self.moves) {
            count += 1;
            let step = self.step(position, mv);
            if in_check && step.is_quiet() && params.quiescence_evasions > 0 && !best.is_lost() {
                evasions += 1;
                if evasions > params.quiescence_evasions {
                    continue;
                }
            }
            if let Some(eval) = corrected
                && !best.is_lost()
            {
                if let Some(victim) = step.captured
                    && delta > 0
                    && mv.promotion().is_none()
                    && !N::PV
                {
                    // Delta pruning: even with the piece the score stays below alpha.
                    let hope = eval + SEE_VALUES[victim.index()] + delta;
                    if hope <= alpha && victim != Piece::Queen {
                        best = best.max(hope);
                        continue;
                    }
                }
                let retakes = self.frame(ply).captured_on == Some(mv.to());
                if step.captured.is_some() && params.quiescence_captures > 0 && !retakes {
                    captures += 1;
                    if captures > params.quiescence_captures {
                        continue;
                    }
                }
                if step.is_quiet() && !see_ge(position, mv, &SEE_VALUES, 0) {
                    continue;
                }
            }
            let child = self.make(position, ply, &step)?;
            let child_key = child.key();
            self.keys.push(key);
            let score = match self.draw_score(&child, child_key, ply + 1) {
                Some(score) => {
                    self.pv.clear(ply + 1);
                    Ok(-score)
                }
                None => self
                    .quiescence::<N>(
                        &child,
                        child_key,
                        ply + 1,
                        -Window { alpha, beta },
                        inside + 1,
                    )
                    .map(|score| -score),
            };
            self.keys.pop();
            let score = score?;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.finish(&mut self.moves);
        if in_check && count == 0 {
            return Ok(Score::mated_in(ply));
        }

        // 4. Remember.
        if uses_table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: best_move,
                score: best,
                bound,
                depth: Depth::ZERO,
                eval: static_eval.map(to_stored),
                principal: N::PV || entry.is_some_and(|entry| entry.principal),
            };
            self.remember(key, ply, entry);
        }
        Ok(best)
    }
}
