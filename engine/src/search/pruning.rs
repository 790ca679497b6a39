//! The methods that cut a whole node, or leave out a move, on the strength of a shallower look.
//!
//! Each has its parameters, and a value that turns it off (`search/params.rs`). Of the papers
//! (2014 §IV, Table I): null move, with adaptive reduction (Beal 1989; Donninger 1993; Heinz,
//! "Adaptive null-move pruning", ICCA Journal 22(3), 1999), multi-cut (Björnsson and Marsland,
//! "Multi-cut alpha-beta pruning", 1999), futility (Heinz, "Extended futility pruning", ICCA
//! Journal 21(2), 1998). The others are described at
//! <https://www.chessprogramming.org/Pruning>.

use super::limits::Stopped;
use super::ordering::{MovePicker, RefutationMoves, SEE_VALUES, Selection};
use super::window::Window;
use super::{Search, ZeroWindow};
use crate::depth::Depth;
use crate::position::Position;
use crate::score::Score;
use crate::see::see_ge;
use crate::tt::{Bound, Entry, to_stored};
use crate::types::{Move, Piece};

/// What is known of a node that has no open window and is not in check.
pub(super) struct Candidate<'a> {
    pub position: &'a Position,
    pub key: u64,
    pub depth: Depth,
    pub ply: usize,
    pub beta: Score,
    /// Static evaluation, corrected, and bettered by the table.
    pub eval: Score,
    /// The same as it came.
    pub static_eval: Score,
    /// Whether the evaluation has risen since the side's last move.
    pub improving: bool,
    pub hash_move: Option<Move>,
    pub cut_node: bool,
    /// Whether the position has been on the principal variation.
    pub principal: bool,
}

/// What the methods that cut nodes have to say.
pub(super) enum Verdict {
    /// The node's score.
    Cut(Score),
    /// The node is to be searched; passing would allow mate.
    MateThreat,
    /// The node is to be searched.
    Search,
}

impl Search<'_> {
    /// Tries to settle a node without searching its moves.
    pub(super) fn prune_node(&mut self, node: &Candidate<'_>) -> Result<Verdict, Stopped> {
        if let Some(score) = self.reverse_futility(node) {
            return Ok(Verdict::Cut(score));
        }
        if let Some(score) = self.razoring(node)? {
            return Ok(Verdict::Cut(score));
        }
        let verdict = self.null_move(node)?;
        if let Verdict::Cut(_) = verdict {
            return Ok(verdict);
        }
        if let Some(score) = self.probcut(node)? {
            return Ok(Verdict::Cut(score));
        }
        if let Some(score) = self.multi_cut(node)? {
            return Ok(Verdict::Cut(score));
        }
        Ok(verdict)
    }

    /// Reverse futility: so far above beta that the opponent's next moves won't change it.
    fn reverse_futility(&self, node: &Candidate<'_>) -> Option<Score> {
        let params = &self.params.search;
        let plies = node.depth.whole_plies();
        let margin = params.reverse_futility_margin * plies
            - i32::from(node.improving) * params.reverse_futility_improving;
        let cut = plies <= params.reverse_futility_depth
            && node.eval - margin.max(0) >= node.beta
            && (params.zugzwang_guard_depth == 0 || !is_prone_to_zugzwang(node.position))
            && !node.eval.is_decided()
            && !node.beta.is_decided()
            && !params.is_decided_by(node.beta);
        let above = node.eval.value() - node.beta.value();
        let kept = above.checked_div(params.reverse_futility_divisor);
        cut.then(|| node.beta + kept.unwrap_or(0))
    }

    /// Razoring: so far below alpha that only a capture could help.
    fn razoring(&mut self, node: &Candidate<'_>) -> Result<Option<Score>, Stopped> {
        let params = &self.params.search;
        let plies = node.depth.whole_plies();
        let alpha = node.beta - 1;
        if plies > params.razoring_depth
            || alpha.is_decided()
            || node.eval + params.razoring_margin * plies > alpha
        {
            return Ok(None);
        }
        let window = Window::zero(alpha);
        let score = self.quiescence::<ZeroWindow>(node.position, node.key, node.ply, window, 0)?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null move: who stands above beta and could even pass needs no search. Not with king and
    /// pawns alone, where to have to move may be what loses, and not twice in a row.
    fn null_move(&mut self, node: &Candidate<'_>) -> Result<Verdict, Stopped> {
        let params = &self.params.search;
        let us = node.position.side_to_move();
        if params.null_move_use == 0
            || node.depth < Depth::plies(params.null_move_depth)
            || node.eval < node.beta
            || node.beta.is_decided()
            || self.frame(node.ply).after_null
            || !node.position.has_pieces(us)
        {
            return Ok(Verdict::Search);
        }
        let Some(child) = node.position.play_null() else {
            return Ok(Verdict::Search);
        };
        let plies = node.depth.whole_plies();
        let mut reduction = params.null_move_reduction;
        if params.null_move_adaptivity != 0 && plies <= params.null_move_adaptivity_depth {
            reduction -= 1;
        }
        if let Some(more) = plies.checked_div(params.null_move_depth_divisor) {
            reduction += more;
        }
        let above = node.eval.value() - node.beta.value();
        if let Some(more) = above.checked_div(params.null_move_eval_divisor) {
            reduction += more.min(params.null_move_eval_limit);
        }
        let depth = node.depth - Depth::plies(1 + reduction.max(0));
        self.count_node()?;
        self.table.prefetch(child.key());
        self.frame_mut(node.ply + 1).pass();
        self.keys.push(node.key);
        let window = -Window::zero(node.beta - 1);
        let score = self.pvs::<ZeroWindow>(&child, depth, node.ply + 1, window, !node.cut_node);
        self.keys.pop();
        let score = -score?;
        if score >= node.beta && self.is_verified(node, depth)? {
            // A mate, or a table's win, that passing allows is none that the opponent must allow.
            let score = if score.is_decided() { node.beta } else { score };
            return Ok(Verdict::Cut(score));
        }
        let mated = score.is_mate() && score < Score::DRAW;
        Ok(if mated {
            Verdict::MateThreat
        } else {
            Verdict::Search
        })
    }

    /// Whether a null move that beat beta is to be believed. At high remaining depth, where an
    /// error costs most and a check of it least, the node is searched without passing: zugzwang
    /// would show (<https://www.chessprogramming.org/Null_Move_Pruning#Zugzwang>).
    fn is_verified(&mut self, node: &Candidate<'_>, depth: Depth) -> Result<bool, Stopped> {
        let params = &self.params.search;
        let depths = [
            params.null_move_verification_depth,
            params.zugzwang_guard_depth,
        ];
        let applies = |&from: &i32| from > 0 && node.depth >= Depth::plies(from);
        if !depths.iter().any(applies) {
            return Ok(true);
        }
        let frame = *self.frame(node.ply);
        self.frame_mut(node.ply).after_null = true;
        self.frame_mut(node.ply).verifies = self.params.search.zugzwang_guard_depth > 0;
        let window = Window::zero(node.beta - 1);
        let score = self.pvs::<ZeroWindow>(node.position, depth, node.ply, window, true);
        *self.frame_mut(node.ply) = frame;
        Ok(score? >= node.beta)
    }

    /// ProbCut: a good capture that beats beta by far in a shallow search will beat it in a deep
    /// one too (Buro, 1995).
    fn probcut(&mut self, node: &Candidate<'_>) -> Result<Option<Score>, Stopped> {
        let params = &self.params.search;
        let from = params.probcut_depth;
        if from == 0 || node.depth < Depth::plies(from) || node.beta.is_decided() {
            return Ok(None);
        }
        let beta = node.beta + params.probcut_margin;
        let window = Window::zero(beta - 1);
        let depth = node.depth - Depth::plies(1 + params.probcut_reduction);
        let needed = (beta.value() - node.eval.value()).max(0);
        let hash_move = node.hash_move.filter(|&mv| {
            node.position.is_legal(mv)
                && node.position.is_capture(mv)
                && see_ge(node.position, mv, &SEE_VALUES, needed)
        });
        let refutations = RefutationMoves::default();
        let mut picker =
            MovePicker::new(params, Selection::Winning, hash_move, refutations).gaining(needed);
        let mut result = None;
        while let Some(mv) = picker.next(node.position, self.history, &mut self.moves) {
            let step = self.step(node.position, mv);
            let child = self.make(node.position, node.ply, &step)?;
            self.keys.push(node.key);
            let child_key = child.key();
            let next = node.ply + 1;
            let mut score = match self.draw_score(&child, child_key, next) {
                Some(score) => Ok(-score),
                None => self
                    .quiescence::<ZeroWindow>(&child, child_key, next, -window, 0)
                    .map(|score| -score),
            };
            if score.is_ok_and(|score| score >= beta) && depth >= Depth::PLY {
                score = self
                    .pvs::<ZeroWindow>(&child, depth, next, -window, !node.cut_node)
                    .map(|score| -score);
            }
            self.keys.pop();
            let score = score?;
            if score >= beta {
                let entry = Entry {
                    mv: Some(mv),
                    score,
                    bound: Bound::Lower,
                    depth: depth + Depth::PLY,
                    eval: Some(to_stored(node.static_eval)),
                    principal: node.principal,
                };
                self.remember(node.key, node.ply, entry);
                result = Some(score);
                break;
            }
        }
        picker.finish(&mut self.moves);
        Ok(result)
    }

    /// Multi-cut: where several of the first moves beat beta in a shallow search, one of them will
    /// do so in a deep one. Only where a cut-off is expected.
    fn multi_cut(&mut self, node: &Candidate<'_>) -> Result<Option<Score>, Stopped> {
        let params = &self.params.search;
        let (wanted, looked_at) = (params.multi_cut_cut_num, params.multi_cut_move_num);
        if params.multi_cut_use == 0
            || wanted == 0
            || wanted > looked_at
            || !node.cut_node
            || node.depth < Depth::plies(params.multi_cut_depth.max(1))
            || node.beta.is_decided()
        {
            return Ok(None);
        }
        let depth = node.depth - Depth::plies(1 + params.multi_cut_reduction);
        let refutations = self.refutations(node.ply);
        let mut picker = MovePicker::new(params, Selection::All, node.hash_move, refutations);
        let window = Window::zero(node.beta - 1);
        let mut cuts = 0;
        for _ in 0..looked_at {
            let Some(mv) = picker.next(node.position, self.history, &mut self.moves) else {
                break;
            };
            let step = self.step(node.position, mv);
            let child = self.make(node.position, node.ply, &step)?;
            self.keys.push(node.key);
            let score = self.pvs::<ZeroWindow>(&child, depth, node.ply + 1, -window, false);
            self.keys.pop();
            cuts += i32::from(-score? >= node.beta);
            if cuts == wanted {
                break;
            }
        }
        picker.finish(&mut self.moves);
        Ok((cuts == wanted).then_some(node.beta))
    }
}

/// Whether to have to move is often what loses: the side to move has one minor piece beside king and
/// pawns.
fn is_prone_to_zugzwang(position: &Position) -> bool {
    let own = position.by_color(position.side_to_move());
    let minor = own & (position.by_piece(Piece::Knight) | position.by_piece(Piece::Bishop));
    let major = own & (position.by_piece(Piece::Rook) | position.by_piece(Piece::Queen));
    major.is_empty() && minor.count() == 1
}

/// What is known of a move when it is asked whether to leave it out.
pub(super) struct MoveFacts {
    pub mv: Move,
    /// Neither capture nor promotion.
    pub is_quiet: bool,
    /// It comes after the quiet moves, since it loses material by static exchange.
    pub is_losing: bool,
    pub gives_check: bool,
    /// History score, if quiet.
    pub history: i32,
    /// Moves before it, and itself.
    pub number: i32,
    /// Remaining depth of the node.
    pub depth: Depth,
    /// Remaining depth of the node after the move's reduction.
    pub reduced: Depth,
    /// Static evaluation of the node.
    pub eval: Score,
    pub alpha: Score,
    pub improving: bool,
}

/// What to do with a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MovePruning {
    Search,
    Skip,
    /// Leave it out and all quiet moves after it.
    SkipQuiets,
}

impl Search<'_> {
    /// Whether a move that is not the first, in a node not in check, may be left out.
    pub(super) fn prune_move(&self, position: &Position, facts: &MoveFacts) -> MovePruning {
        let params = &self.params.search;
        let plies = facts.depth.whole_plies();
        let reduced = facts.reduced.whole_plies().max(0);
        if facts.is_quiet {
            let square = plies * plies * params.lmp_square / 100;
            let mut most = params.lmp_base + square;
            if !facts.improving {
                most = most * params.lmp_not_improving / 100;
            }
            if plies <= params.lmp_depth && facts.number > most {
                return MovePruning::SkipQuiets;
            }
            let margin = params.late_futility_base + params.late_futility_margin * reduced;
            let futile = params.late_futility_depth > 0
                && reduced <= params.late_futility_depth
                && facts.eval + margin <= facts.alpha;
            if (futile || self.is_futile(facts)) && !facts.gives_check {
                return MovePruning::Skip;
            }
            if reduced <= params.history_pruning_depth
                && params.history_pruning_depth > 0
                && facts.history < -params.history_pruning_margin * plies
            {
                return MovePruning::Skip;
            }
        }
        if plies <= params.see_pruning_depth && (facts.is_quiet || facts.is_losing) {
            let allowed = if facts.is_quiet {
                params.see_pruning_quiet * reduced
            } else {
                params.see_pruning_capture * plies
            };
            if !see_ge(position, facts.mv, &SEE_VALUES, -allowed) {
                return MovePruning::Skip;
            }
        }
        MovePruning::Search
    }

    /// Futility of the papers: within its depth, a quiet move can't bring a position up that is
    /// more than the threshold below alpha.
    fn is_futile(&self, facts: &MoveFacts) -> bool {
        let params = &self.params.search;
        let plies = facts.depth.whole_plies();
        let threshold = match plies {
            1 => params.futility_threshold_1,
            2 => params.futility_threshold_2,
            3 => params.futility_threshold_3,
            _ => return false,
        };
        plies <= params.futility_depth && facts.eval + threshold <= facts.alpha
    }
}
