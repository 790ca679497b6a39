//! The search below the root.
//!
//! Principal variation search: Marsland and Campbell, "Parallel search of strongly ordered game
//! trees", 1982; Reinefeld's NegaScout, 1983. Fail-soft.

use super::depth::Depth;
use super::extensions::{Reasons, extension, may_extend};
use super::history::QuietsTried;
use super::limits::Stopped;
use super::ordering::{MovePicker, Selection};
use super::window::Window;
use super::{MAX_PLY, Node, PvNode, Search, ZeroWindow};
use crate::position::Position;
use crate::score::Score;
use crate::tt::{Bound, Entry};

/// Half-move clock from which the table's scores are no longer trusted: they know nothing of the
/// fifty-move rule, which is then near.
const CLOCK_TOO_HIGH: u16 = 88;

/// Whether internal iterative deepening pays: only where a good first move matters most
/// (<https://www.chessprogramming.org/Internal_Iterative_Deepening>; 2014 §II).
fn wants_internal_deepening<N: Node>(depth: Depth) -> bool {
    N::PV && depth >= Depth::plies(4)
}

/// Depth of internal iterative deepening.
fn internal_depth(depth: Depth) -> Depth {
    depth - Depth::plies(2)
}

impl Search<'_> {
    /// The score of a position, `ply` plies from the root, searched to `depth`.
    ///
    /// One function on purpose, and longer than others: its numbered steps share their state and
    /// are read from top to bottom.
    pub(super) fn pvs<N: Node>(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: usize,
        window: Window,
    ) -> Result<Score, Stopped> {
        debug_assert!(window.alpha < window.beta && ply > 0 && ply <= MAX_PLY);
        debug_assert!(N::PV || window == Window::zero(window.alpha));

        // 1. A draw by the rules ends the line.
        let key = position.key();
        if N::PV {
            self.pv.clear(ply);
        }
        if let Some(score) = self.draw_score(position, key, ply) {
            return Ok(score);
        }

        // 2. No depth left: only captures and evasions from here.
        if depth < Depth::PLY {
            return self.quiescence::<N>(position, key, ply, window);
        }
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluate(position));
        }
        self.seldepth = self.seldepth.max(ply);

        // 3. Mate-distance pruning.
        let bounds = window.within_mate_distance(ply);
        if bounds.is_empty() {
            return Ok(bounds.alpha);
        }

        // 4. The transposition table. On the principal variation its move is used and its score is
        // not, so that the variation is complete and no draw is overlooked.
        let entry = self.table.probe(key, ply);
        if let Some(entry) = entry
            && !N::PV
            && entry.depth >= depth
            && entry.settles(bounds.alpha, bounds.beta)
            && position.halfmove_clock() < CLOCK_TOO_HIGH
        {
            return Ok(entry.score);
        }
        let mut hash_move = entry.and_then(|entry| entry.mv);
        let in_check = position.in_check();

        // The selective methods that prune whole nodes belong here, in this order: null move (and
        // the mate threat that it finds), multi-cut. Futility pruning belongs into step 6.

        // 5. Internal iterative deepening: a shallower search finds the move to try first.
        if hash_move.is_none() && wants_internal_deepening::<N>(depth) {
            self.pvs::<N>(position, internal_depth(depth), ply, bounds)?;
            hash_move = self.table.probe(key, ply).and_then(|entry| entry.mv);
            self.pv.clear(ply);
        }

        // 6. The moves.
        // On the principal variation beta stays where it was: a mate on the narrowed bound is
        // exact for the parent, so its line has to be searched, not only proved.
        let mut alpha = bounds.alpha;
        let beta = if N::PV { window.beta } else { bounds.beta };
        let killers = self.history.killers(ply);
        let mut picker = MovePicker::new(Selection::All, hash_move, killers);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut quiets_tried = QuietsTried::default();
        let mut count = 0;
        while let Some(mv) = picker.next(position, self.history, &mut self.moves) {
            count += 1;
            let is_quiet = mv.promotion().is_none() && !position.is_capture(mv);
            let child = self.make(position, mv)?;
            let reasons = Reasons {
                gives_check: child.in_check(),
            };
            let mut child_depth = depth - Depth::PLY;
            if may_extend(ply, self.iteration) {
                child_depth = child_depth + extension(&self.params.search, reasons);
            }

            self.keys.push(key);
            let score = self.search_child::<N>(&child, child_depth, ply, alpha, beta, count == 1);
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
                        if is_quiet {
                            let color = position.side_to_move();
                            self.history
                                .reward(color, ply, depth, mv, quiets_tried.as_slice());
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if is_quiet {
                quiets_tried.push(mv);
            }
        }

        picker.finish(&mut self.moves);

        // 7. Without a move it is mate or stalemate.
        if count == 0 {
            return Ok(if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }

        // 8. Remember.
        let bound = if best >= beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: best_move,
            score: best,
            bound,
            depth,
        };
        self.table.store(key, ply, entry);
        Ok(best)
    }

    /// Searches the position after a move: the first move with the whole window, every other with
    /// none at all, and again with the whole only if it proves better.
    #[inline]
    pub(super) fn search_child<N: Node>(
        &mut self,
        child: &Position,
        depth: Depth,
        ply: usize,
        alpha: Score,
        beta: Score,
        is_first: bool,
    ) -> Result<Score, Stopped> {
        if !(N::PV && is_first) {
            let zero = Window::zero(alpha);
            let score = -self.pvs::<ZeroWindow>(child, depth, ply + 1, -zero)?;
            if !N::PV || score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        let window = Window { alpha, beta };
        Ok(-self.pvs::<PvNode>(child, depth, ply + 1, -window)?)
    }
}
