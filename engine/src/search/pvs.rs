//! The search below the root.
//!
//! Principal variation search: Marsland and Campbell, "Parallel search of strongly ordered game
//! trees", 1982; Reinefeld's NegaScout, 1983. Fail-soft.

use super::extensions::{Reasons, extension, is_passed_pawn_push, may_extend};
use super::gravity::HISTORY_MAX;
use super::history::{ContinuationKeys, QuietContext, Tried, cutoff_bonus};
use super::limits::Stopped;
use super::ordering::{MovePicker, RefutationMoves, SEE_VALUES, Selection};
use super::piece_to::PieceTo;
use super::pruning::{Candidate, MoveFacts, MovePruning, Verdict};
use super::threats::less_reduced;
use super::window::Window;
use super::{MAX_PLY, Node, PvNode, Search, ZeroWindow, settles};
use crate::depth::Depth;
use crate::position::Position;
use crate::score::Score;
use crate::see::see_ge;
use crate::tt::{Bound, Entry, to_stored};
use crate::types::Move;

impl Search<'_> {
    /// The score of a position, `ply` plies from the root, searched to `depth`. `cut_node` says
    /// that a cut-off is expected.
    ///
    /// One function on purpose, and longer than others: its numbered steps share their state and
    /// are read from top to bottom.
    pub(super) fn pvs<N: Node>(
        &mut self,
        position: &Position,
        mut depth: Depth,
        ply: usize,
        window: Window,
        cut_node: bool,
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
            return self.quiescence::<N>(position, key, ply, window, 0);
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
        let excluded = self.frame(ply).excluded;
        let entry = match excluded {
            None => self.probe(key, ply),
            Some(_) => None,
        };
        if let Some(entry) = entry
            && !N::PV
            && entry.depth >= depth
            && settles(&entry, position, bounds)
        {
            return Ok(entry.score);
        }
        let mut hash_move = entry.and_then(|entry| entry.mv);
        let principal = N::PV || entry.is_some_and(|entry| entry.principal);

        // 4b. Endgame tables. What they know bounds the score; unless that settles it, the search
        // goes on for the way to the result.
        let known = match excluded {
            None => self.look_up(position, depth, ply),
            Some(_) => None,
        };
        if let Some(known) = known
            && known.settles(bounds.alpha, bounds.beta)
        {
            self.remember(key, ply, known);
            return Ok(known.score);
        }

        // 5. The static evaluation, for all that is decided by it.
        let in_check = position.in_check();
        let static_eval = (!in_check).then(|| self.static_eval(position, entry.as_ref()));
        let corrected = static_eval.map(|eval| self.corrected(position, ply, eval));
        self.frame_mut(ply).eval = corrected;
        let improving = self.is_improving(ply);
        if excluded.is_none() {
            self.judge_last_move(ply);
        }
        let eval = corrected.map(|eval| match entry {
            Some(entry) if entry.refines(eval) => entry.score,
            _ => eval,
        });

        // 6. Methods that cut the whole node.
        let mut mate_threat = false;
        if let (Some(eval), Some(static_eval)) = (eval, static_eval)
            && !N::PV
            && excluded.is_none()
            && !self.frame(ply).verifies
        {
            let candidate = Candidate {
                position,
                key,
                depth,
                ply,
                beta: bounds.beta,
                eval,
                static_eval,
                improving,
                hash_move,
                cut_node,
                principal,
            };
            match self.prune_node(&candidate)? {
                Verdict::Cut(score) => return Ok(score),
                Verdict::MateThreat => mate_threat = true,
                Verdict::Search => {}
            }
        }

        // 7. Without a move to try first: on the principal variation, where a good first move
        // matters most, a shallower search finds one
        // (<https://www.chessprogramming.org/Internal_Iterative_Deepening>; 2014 §II), or this one
        // is made shallower, for the next iteration will have one.
        if hash_move.is_none() && excluded.is_none() {
            let params = &self.params.search;
            let deepen_from = params.internal_deepening_depth;
            let reduce_from = params.internal_reduction_depth;
            if reduce_from > 0 {
                if (N::PV || cut_node) && depth >= Depth::plies(reduce_from) {
                    let reduction = Depth::quarters(params.internal_reduction);
                    depth = (depth - reduction).max(Depth::PLY);
                }
            } else if N::PV && deepen_from > 0 && depth >= Depth::plies(deepen_from) {
                let shallower = depth - Depth::plies(params.internal_deepening_reduction);
                self.pvs::<N>(position, shallower, ply, bounds, cut_node)?;
                hash_move = self.probe(key, ply).and_then(|entry| entry.mv);
                self.pv.clear(ply);
            }
        }

        // 8. The moves.
        // On the principal variation beta stays where it was: a mate on the narrowed bound is
        // exact for the parent, so its line has to be searched, not only proved.
        let mut alpha = bounds.alpha;
        let beta = if N::PV { window.beta } else { bounds.beta };
        let checks = position.check_squares();
        let bonus = self.params.search.quiet_check_bonus;
        let refutations = RefutationMoves {
            checks: (bonus > 0).then_some((bonus, checks)),
            ..self.refutations(ply)
        };
        let mut picker =
            MovePicker::new(&self.params.search, Selection::All, hash_move, refutations);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let (mut quiets_tried, mut captures_tried) = (Tried::default(), Tried::default());
        let mut count = 0;
        let mut lmr_context = LmrContext {
            cut_node,
            improving,
            principal,
            hash_captures: false,
        };
        let one_reply =
            in_check && self.params.search.one_reply_extension > 0 && position.has_single_reply();
        while let Some(mv) = picker.next(position, self.history, &mut self.moves) {
            if Some(mv) == excluded {
                continue;
            }
            count += 1;
            let step = self.step(position, mv);
            let captures = step.captured.is_some();
            let is_quiet = step.is_quiet();
            if Some(mv) == hash_move {
                lmr_context.hash_captures = captures;
            }
            // The first move is neither left out nor, mostly, reduced.
            let is_judged = count > 1 || self.params.search.lmr_move_number == 0;
            let history = match is_quiet && is_judged {
                true => {
                    let quiet_context = picker.quiet_context(position, self.history);
                    self.history.quiet(quiet_context, step.piece, mv)
                }
                false => 0,
            };

            // 8a. By how much the move will be reduced, and whether it is worth searching at all.
            let gives_check = position.gives_check(step.piece, mv, &checks);
            let is_losing = picker.is_at_losing();
            let is_spared = gives_check
                && is_judged
                && (self.params.search.lmr_checks == 0
                    || (!is_losing && see_ge(position, mv, &SEE_VALUES, 0)));
            let reduction = if is_spared || !is_judged {
                0
            } else {
                // A sacrifice is late by its price alone.
                let mut less = match gives_check || is_losing {
                    true => self.params.search.lmr_bad_see,
                    false => 0,
                };
                if is_quiet || is_losing {
                    less += less_reduced(&self.params.search, position, step.piece, mv);
                }
                (self.reduction::<N>(depth, count, lmr_context, history) - less).max(0)
            };
            if let Some(eval) = corrected
                && !best.is_lost()
                && count > 1
            {
                let facts = MoveFacts {
                    mv,
                    is_quiet,
                    is_losing,
                    gives_check,
                    history,
                    number: count as i32,
                    depth,
                    reduced: depth - Depth::PLY - Depth::quarters(reduction),
                    eval,
                    alpha,
                    improving,
                };
                match self.prune_move(position, &facts) {
                    MovePruning::Search => {}
                    MovePruning::Skip => continue,
                    MovePruning::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // 8b. By how much it is extended.
            let mut extended = Depth::ZERO;
            if may_extend(&self.params.search, ply, self.iteration) {
                if Some(mv) == hash_move
                    && let Some(entry) = entry
                    && excluded.is_none()
                    && self.may_be_singular(&entry, depth)
                {
                    match self.singularity(position, depth, ply, &entry, mv, beta, cut_node)? {
                        Singularity::Singular(extension) => extended = extension,
                        Singularity::Cut(score) if !N::PV => {
                            picker.finish(&mut self.moves);
                            return Ok(score);
                        }
                        Singularity::Cut(_) => {}
                        Singularity::Plural(reduction) => extended = Depth::ZERO - reduction,
                    }
                }
                let reasons = Reasons {
                    gives_check,
                    one_reply,
                    recapture: captures && self.frame(ply).captured_on == Some(mv.to()),
                    passed_pawn: is_passed_pawn_push(position, &step),
                    mate_threat,
                };
                let selective = extension(&self.params.search, reasons);
                extended = (extended + selective).min(Depth::PLY);
            }
            let child = self.make(position, ply, &step)?;
            let child_depth = depth - Depth::PLY + extended;

            // 8c. The search of the move. A capture, least of all one that loses nothing, is rarely
            // as hopeless as its number says, so its reduction has rows of its own.
            let params = &self.params.search;
            let reduction = match (is_quiet, is_losing) {
                (true, _) => reduction,
                (_, true) if params.lmr_captures != 0 => reduction,
                (_, false) if params.lmr_good_captures != 0 && mv.promotion().is_none() => {
                    reduction - params.lmr_good_captures
                }
                _ => 0,
            };
            let late = count as i32 > params.lmr_move_number && reduction > 0;
            let late_depth = Depth::plies(params.lmr_depth);
            let reduced = if late && depth >= late_depth {
                let least = Depth::PLY.min(child_depth);
                (child_depth - Depth::quarters(reduction)).max(least)
            } else {
                child_depth
            };
            self.keys.push(key);
            let child_search = ChildSearch {
                depth: child_depth,
                reduced,
                ply,
                is_first: count == 1,
                cut_node,
                best,
            };
            let score = self.search_child::<N>(&child, child_search, alpha, beta);
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
                        self.count_cutoff(count);
                        break;
                    }
                    alpha = score;
                    let reduction = Depth::quarters(self.params.search.alpha_raise_reduction);
                    depth = (depth - reduction).max(Depth::PLY);
                }
            }
            if is_quiet {
                quiets_tried.push(mv);
            } else if captures {
                captures_tried.push(mv);
            }
        }
        picker.finish(&mut self.moves);

        // 9. Without a move it is mate or stalemate; if one was left out, it is worse than alpha.
        if count == 0 {
            return Ok(if excluded.is_some() {
                bounds.alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }

        // 10. Learn.
        if let Some(mv) = best_move {
            let percent = match best >= beta {
                true => 100,
                false => self.params.search.exact_bonus,
            };
            if percent > 0 {
                let bonus = cutoff_bonus(&self.params.search, depth) * percent / 100;
                let tried = [quiets_tried.as_slice(), captures_tried.as_slice()];
                let is_quiet = mv.promotion().is_none() && !position.is_capture(mv);
                let quiet_context = is_quiet.then(|| picker.quiet_context(position, self.history));
                self.reward(
                    position,
                    quiet_context,
                    ply,
                    bonus.min(HISTORY_MAX),
                    mv,
                    tried,
                );
            }
        } else if excluded.is_none() {
            self.reward_last_move(ply, depth);
        }

        // 11. Remember.
        if excluded.is_none() {
            let mut bound = if best >= beta {
                Bound::Lower
            } else if best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if let Some(known) = known
                && known.contradicts(best)
            {
                (best, bound) = (known.score, known.bound);
            }
            // A bound teaches only what lies beyond what is believed already.
            if let (Some(eval), Some(corrected)) = (static_eval, corrected)
                && best_move.is_none_or(|mv| !position.is_capture(mv))
                && !best.is_decided()
                && !(bound == Bound::Lower && best <= corrected)
                && !(bound == Bound::Upper && best >= corrected)
            {
                self.correct(position, ply, depth, eval, best);
            }
            let entry = Entry {
                mv: best_move,
                score: best,
                bound,
                depth,
                eval: static_eval.map(to_stored),
                principal,
            };
            self.remember(key, ply, entry);
        }
        Ok(best)
    }

    /// Searches the position after a move: the first move with the whole window, every other with
    /// none at all, at first less deep if it is late, and again as deep and wide as it deserves if
    /// it proves better.
    #[inline]
    pub(super) fn search_child<N: Node>(
        &mut self,
        child: &Position,
        mut child_search: ChildSearch,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let ply = child_search.ply + 1;
        let full = child_search.depth;
        if !(N::PV && child_search.is_first) {
            let zero = -Window::zero(alpha);
            if child_search.reduced < child_search.depth {
                let score =
                    -self.pvs::<ZeroWindow>(child, child_search.reduced, ply, zero, true)?;
                if score <= alpha {
                    return Ok(score);
                }
                child_search.depth = self.again(&child_search, score);
            }
            let cut_node = N::PV || !child_search.cut_node;
            let score = -self.pvs::<ZeroWindow>(child, child_search.depth, ply, zero, cut_node)?;
            if !N::PV || score <= alpha {
                return Ok(score);
            }
            if score >= beta {
                // A search without a window leaves no line, and none of an earlier one may stay: an
                // endgame table can bring this node's score back into the parent's window.
                self.pv.clear(ply);
                return Ok(score);
            }
        }
        let window = Window { alpha, beta };
        let depth = match self.params.search.lmr_full_depth {
            0 => child_search.depth,
            _ => child_search.depth.max(full),
        };
        Ok(-self.pvs::<PvNode>(child, depth, ply, -window, false)?)
    }

    /// How deep a late move is searched again whose reduced search has beaten alpha with this score.
    fn again(&self, child_search: &ChildSearch, score: Score) -> Depth {
        let params = &self.params.search;
        if params.lmr_deeper > 0 && score > child_search.best + params.lmr_deeper {
            child_search.depth + Depth::PLY
        } else if score < child_search.best + params.lmr_shallower {
            (child_search.depth - Depth::PLY).max(child_search.reduced)
        } else {
            child_search.depth
        }
    }

    /// The quiet move before the node at this ply, with the moves that it followed.
    fn last_quiet(&self, ply: usize) -> Option<(ContinuationKeys, PieceTo)> {
        let frame = self.frame(ply);
        let piece_to = frame.piece_to.filter(|_| frame.captured_on.is_none())?;
        Some((self.earlier(ply.checked_sub(1)?), piece_to))
    }

    /// Nothing has answered the last move: if it was quiet, it was a good one.
    fn reward_last_move(&mut self, ply: usize, depth: Depth) {
        if self.params.search.fail_low_bonus > 0
            && let Some((earlier, piece_to)) = self.last_quiet(ply)
        {
            let params = &self.params.search;
            self.history
                .reward_unanswered(params, &earlier, piece_to, depth);
        }
    }

    /// A quiet move is as good as the change of the evaluation that it brings.
    fn judge_last_move(&mut self, ply: usize) {
        let params = &self.params.search;
        if params.eval_change_weight > 0
            && let Some(now) = self.frame(ply).eval
            && let Some(before) = self.stack.before(ply, 1).eval
            && let Some((earlier, piece_to)) = self.last_quiet(ply)
        {
            let most = params.eval_change_limit;
            let gain = -(before.value() + now.value()) * params.eval_change_weight / 16;
            self.history
                .add_placed(&earlier, piece_to, gain.clamp(-most, most));
        }
    }

    /// Reduction of a move in quarter plies, should it turn out to be late.
    pub(super) fn reduction<N: Node>(
        &self,
        depth: Depth,
        number: usize,
        lmr_context: LmrContext,
        history: i32,
    ) -> i32 {
        let params = &self.params.search;
        if params.lmr_divisor == 0 {
            return 0;
        }
        let mut reduction = self.reductions.get(depth, number);
        reduction += i32::from(lmr_context.cut_node) * params.lmr_cut_node;
        reduction -= i32::from(N::PV) * params.lmr_pv;
        reduction += i32::from(!lmr_context.improving) * params.lmr_not_improving;
        reduction += i32::from(lmr_context.hash_captures) * params.lmr_tt_capture;
        reduction -= i32::from(lmr_context.principal && !N::PV) * params.lmr_tt_pv;
        if let Some(plies) = (4 * history).checked_div(params.lmr_history_divisor) {
            let most = params.lmr_history_limit;
            reduction -= plies.clamp(-most, most);
        }
        reduction.max(0)
    }

    /// Whether a table entry makes its move a candidate for a singular extension.
    fn may_be_singular(&self, entry: &Entry, depth: Depth) -> bool {
        let params = &self.params.search;
        let from = params.singular_depth;
        from > 0
            && depth >= Depth::plies(from)
            && entry.bound != Bound::Upper
            && entry.depth >= depth - Depth::plies(params.singular_table_depth)
            && !entry.score.is_decided()
    }

    /// Whether the hash move is the only good one: the others are searched to part of the depth
    /// against a bound below its score (Anantharaman, Campbell and Hsu, "Singular extensions",
    /// 1988, in the form that Stockfish made common).
    #[allow(clippy::too_many_arguments)] // The node's whole state.
    fn singularity(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: usize,
        entry: &Entry,
        mv: Move,
        beta: Score,
        cut_node: bool,
    ) -> Result<Singularity, Stopped> {
        let params = &self.params.search;
        let plies = depth.whole_plies();
        let bound = entry.score - params.singular_margin * plies / 16;
        let window = Window::zero(bound - 1);
        let part = params.singular_search_depth;
        // Quiescence would not leave the move out.
        let part = Depth::quarters((depth - Depth::PLY).to_quarters() * part / 16).max(Depth::PLY);
        let extension = Depth::quarters(params.singular_extension);
        let reduction = Depth::quarters(params.singular_reduction);
        self.frame_mut(ply).excluded = Some(mv);
        let frame = *self.frame(ply);
        let score = self.pvs::<ZeroWindow>(position, part, ply, window, cut_node);
        *self.frame_mut(ply) = frame;
        self.frame_mut(ply).excluded = None;
        let score = score?;
        Ok(if score < bound {
            Singularity::Singular(extension)
        } else if bound >= beta && !score.is_decided() {
            Singularity::Cut(bound)
        } else if entry.score >= beta {
            Singularity::Plural(reduction)
        } else {
            Singularity::Singular(Depth::ZERO)
        })
    }

    /// Rewards the move that has proved best over the other quiet moves and captures tried; if it is
    /// quiet, there are shelves for it.
    fn reward(
        &mut self,
        position: &Position,
        quiet_context: Option<&QuietContext>,
        ply: usize,
        bonus: i32,
        mv: Move,
        [quiets, captures]: [&[Move]; 2],
    ) {
        let params = &self.params.search;
        if let Some(quiet_context) = quiet_context {
            let previous = self.frame(ply).piece_to;
            self.history.reward_quiet(
                params,
                position,
                quiet_context,
                previous,
                ply,
                bonus,
                mv,
                quiets,
            );
        }
        if params.capture_history_use != 0 {
            self.history.reward_captures(position, bonus, mv, captures);
        }
    }
}

/// What a node says of how much its late moves are reduced.
#[derive(Clone, Copy)]
pub(super) struct LmrContext {
    /// Whether a cut-off is expected.
    pub cut_node: bool,
    /// Whether the evaluation has risen since the side's last move.
    pub improving: bool,
    /// Whether the node is or has been on the principal variation.
    pub principal: bool,
    /// Whether the hash move is a capture, so that quiet moves are not expected to be better.
    pub hash_captures: bool,
}

/// How a move's child is to be searched.
pub(super) struct ChildSearch {
    /// Full depth.
    pub depth: Depth,
    /// Depth of the first look.
    pub reduced: Depth,
    /// Ply of the node.
    pub ply: usize,
    pub is_first: bool,
    /// Whether a cut-off is expected at the node.
    pub cut_node: bool,
    /// Score of the node's best move until then.
    pub best: Score,
}

/// What the search without the hash move says.
enum Singularity {
    /// The hash move is extended by so much.
    Singular(Depth),
    /// Others beat beta too: the node is cut.
    Cut(Score),
    /// Others are not far: the hash move is searched less deep by so much.
    Plural(Depth),
}
