//! Iterative deepening, and the moves of the root.

use super::extensions::{Reasons, extension, is_passed_pawn_push, may_extend};
use super::limits::{Budget, Stopped};
use super::mate::MateSearch;
use super::ordering::{MovePicker, MoveStack, RefutationMoves, Selection};
use super::params::SearchParams;
use super::pvs::{ChildSearch, LmrContext};
use super::window::Window;
use super::{Event, Info, MAX_DEPTH, Observer, Outcome, PvNode, Search, UNDISTURBED_NODES};
use crate::depth::Depth;
use crate::position::{Game, Position};
use crate::score::Score;
use crate::tt::{Bound, Entry, to_stored};
use crate::types::Move;
use std::ops::ControlFlow;
use std::time::Duration;

/// The best line so far.
#[derive(Clone)]
pub(super) struct Line {
    depth: usize,
    score: Score,
    /// What the score says.
    bound: Bound,
    pv: Vec<Move>,
}

/// How a window at the root ended.
enum Ending {
    /// The score is exact.
    Exact,
    /// Every move is at most this good.
    FailedLow,
    /// The best move is at least this good.
    FailedHigh,
}

impl Search<'_> {
    /// Searches deeper and deeper until a limit says stop.
    pub(super) fn run(mut self, observer: &mut Observer<'_>) -> Outcome {
        let position = self.game.position();
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
                broken_off_at: None,
                stats: self.stats,
            };
        };
        // Should not even the first move be searched to its end, the static evaluation is all that
        // is known.
        let mut lines = vec![Line {
            depth: 1,
            score: self.evaluate(position),
            bound: Bound::Exact,
            pv: vec![first],
        }];
        let wanted = self.limits.multi_pv.clamp(1, moves.len());
        let mut reported = None;
        let mut stability = Stability::default();
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut own = 0;
        let mut is_proved = false;
        loop {
            // Several lines are one thread's own affair; of one, the deepest anyone has is taken.
            let superseded = std::mem::take(&mut self.superseded);
            if wanted == 1
                && let Some(line) = self.pool.line()
                && (superseded || line.depth > lines[0].depth)
            {
                to_front(&mut moves, line.pv[0]);
                lines[0] = line;
                reported = Some(self.nodes);
                let asked_to_end = self.report(&lines, observer).is_break();
                stability.note(&lines[0]);
                if asked_to_end || self.is_enough(&lines[0], moves.len(), &stability) {
                    break;
                }
            }
            // A mate that is asked for is proved beside the iterations; the first comes before, so that there
            // is an answer.
            if own > 0 {
                match self.prove_mate(position, &moves) {
                    Ok(Some((score, pv))) => {
                        lines = vec![Line {
                            depth: pv.len(),
                            score,
                            bound: Bound::Exact,
                            pv,
                        }];
                        is_proved = true;
                        break;
                    }
                    Ok(None) => {}
                    Err(Stopped) => break,
                }
            }
            own = match wanted {
                1 => self.pool.next_iteration(last),
                _ => own + 1,
            };
            if own > last {
                break;
            }
            self.iteration = own;
            let before = lines.clone();
            let result = self.iterate(position, &mut moves, &mut lines, wanted, observer);
            if result.is_err() && self.superseded {
                self.moves.clear();
                self.broken_off_at = None;
                continue;
            }
            // Of a line that was not even begun nothing can be told.
            lines.retain(|line| line.depth > 0);
            by_worth(&mut lines);
            // That the moves searched by now all lose proves nothing of those that were to follow.
            let unproved = result.is_err() && !self.limits.trusts_unproved_losses;
            if unproved && lines.iter().any(|line| line.score.is_lost()) {
                lines = before;
            }
            // A line that was found before the iteration broke off is at least as good as the
            // previous iteration's, for that one's move was searched first.
            let mut asked_to_end = false;
            if result.is_ok() {
                self.pool.finish(own, self.nodes, self.seldepth, &lines[0]);
                reported = Some(self.nodes);
                asked_to_end = self.report(&lines, observer).is_break();
            }
            stability.note(&lines[0]);
            if result.is_err() || asked_to_end || self.is_enough(&lines[0], moves.len(), &stability)
            {
                break;
            }
        }
        // What another thread finished since this one last looked is as good as its own.
        if wanted == 1
            && !is_proved
            && let Some(line) = self.pool.line()
            && line.depth > lines[0].depth
        {
            lines[0] = line;
            reported = None;
        }
        if reported != Some(self.nodes) {
            // The search is over, whatever the answer.
            let _ = self.report(&lines, observer);
        }
        self.pool.tell(self.nodes);
        let best = lines.swap_remove(0);
        Outcome {
            best: best.pv.first().copied(),
            ponder: expected_answer(self.game, &self.with_answer(position, &best.pv)),
            score: best.score,
            depth: best.depth,
            seldepth: self.seldepth.max(self.pool.seldepth()),
            nodes: self.nodes + self.pool.others(),
            pv: best.pv,
            broken_off_at: self.broken_off_at,
            stats: self.stats,
        }
    }

    /// A variation with the answer that the table knows, if it ends with the first move: a move that was
    /// better than expected when the search was stopped has no more.
    fn with_answer(&self, position: &Position, pv: &[Move]) -> Vec<Move> {
        let mut line = pv.to_vec();
        if let [first] = line[..] {
            let after = position.play(first);
            let known = self.remembered(after.key(), 1).and_then(|entry| entry.mv);
            line.extend(known.filter(|&mv| after.is_legal(mv)));
        }
        line
    }

    /// The legal moves that the limits allow, in the order in which the first iteration looks at
    /// them.
    fn root_moves(&mut self, position: &Position) -> Vec<Move> {
        let hash_move = self.remembered(position.key(), 0).and_then(|e| e.mv);
        let refutations = RefutationMoves {
            threat_bonus: self.params.search.quiet_threat_bonus,
            ..RefutationMoves::default()
        };
        let mut picker =
            MovePicker::new(&self.params.search, Selection::All, hash_move, refutations);
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

    /// One iteration: the best line, then the best of the moves that begin no better one, and so
    /// on for as many as are wanted.
    fn iterate(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        lines: &mut Vec<Line>,
        wanted: usize,
        observer: &mut Observer<'_>,
    ) -> Result<(), Stopped> {
        for place in 0..wanted {
            if lines.len() == place {
                let pv = vec![moves[place]];
                let score = lines[place - 1].score;
                lines.push(Line {
                    depth: 0,
                    score,
                    bound: Bound::Exact,
                    pv,
                });
            }
            self.aspire(position, moves, lines, place, observer)?;
        }
        by_worth(lines);
        lines_first(moves, lines);
        Ok(())
    }

    /// Searches the moves from `place` on in a window around the last score, and in wider ones
    /// until the score lies inside (<https://www.chessprogramming.org/Aspiration_Windows>).
    fn aspire(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        lines: &mut [Line],
        place: usize,
        observer: &mut Observer<'_>,
    ) -> Result<(), Stopped> {
        let last = lines[place].score;
        let params = &self.params.search;
        let mut width = params.aspiration_window;
        let is_firm = self.iteration as i32 > params.aspiration_depth
            && !last.is_decided()
            && !params.is_decided_by(last);
        let narrow = width > 0 && is_firm;
        let (mut alpha, mut beta) = if narrow {
            (last - width, last + width)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            let window = Window { alpha, beta };
            match self.search_root(position, moves, lines, place, window, observer)? {
                (Ending::Exact, _) => return Ok(()),
                (Ending::FailedLow, score) => {
                    self.tell_bound(lines, score, Bound::Upper, observer)?;
                    beta = alpha + (beta.value() - alpha.value()) / 2;
                    alpha = score.min(alpha) - width;
                }
                (Ending::FailedHigh, score) => {
                    self.tell_bound(lines, score, Bound::Lower, observer)?;
                    beta = score.max(beta) + width;
                }
            }
            width += (width * params.aspiration_growth / 100).max(1);
            let is_wide = params.aspiration_growth == 0 || width > params.aspiration_widest;
            if is_wide || alpha.is_decided() || beta.is_decided() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Principal variation search over the root's moves from `place` on.
    fn search_root(
        &mut self,
        position: &Position,
        moves: &mut [Move],
        lines: &mut [Line],
        place: usize,
        window: Window,
        observer: &mut Observer<'_>,
    ) -> Result<(Ending, Score), Stopped> {
        let depth = Depth::plies(self.iteration as i32);
        let key = position.key();
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITE;
        let in_check = position.in_check();
        let eval = (!in_check).then(|| self.evaluate(position));
        self.frame_mut(0).eval = eval.map(|eval| self.corrected(position, 0, eval));
        let one_reply = in_check && moves.len() == 1;
        for i in place..moves.len() {
            let mv = moves[i];
            tell(
                observer,
                Event::CurrentMove {
                    mv,
                    number: i + 1,
                    depth: self.iteration,
                },
            )?;
            let step = self.step(position, mv);
            let child = self.make(position, 0, &step)?;
            let reasons = Reasons {
                gives_check: child.in_check(),
                one_reply,
                passed_pawn: is_passed_pawn_push(position, &step),
                ..Reasons::default()
            };
            let mut child_depth = depth - Depth::PLY;
            if may_extend(&self.params.search, 0, self.iteration) {
                child_depth = child_depth + extension(&self.params.search, reasons);
            }
            let mut reduced = child_depth;
            let number = i + 1 - place;
            if step.is_quiet() && self.is_late_at_root(number, depth) {
                let quiet_context = self.history.quiet_context(position, &[None; 3]);
                let history = self.history.quiet(&quiet_context, step.piece, mv);
                let lmr_context = LmrContext {
                    cut_node: false,
                    improving: true,
                    principal: true,
                    hash_captures: false,
                };
                let reduction = self.reduction::<PvNode>(depth, number, lmr_context, history);
                reduced = (child_depth - Depth::quarters(reduction)).max(Depth::PLY);
            }
            self.keys.push(key);
            let child_search = ChildSearch {
                depth: child_depth,
                reduced,
                ply: 0,
                is_first: i == place,
                cut_node: false,
                best,
            };
            let before = self.nodes;
            let score = self.search_child::<PvNode>(&child, child_search, alpha, beta);
            self.keys.pop();
            self.count_root_nodes(mv, self.nodes - before);
            let score = score?;
            best = best.max(score);
            if score <= alpha {
                continue;
            }
            // The new best move is first in the next iteration; the others keep their order.
            moves[place..=i].rotate_right(1);
            let last = lines[place].score;
            let is_new = lines[place].pv[0] != mv;
            if is_new {
                // Those before which it goes keep their lines, one place further down. Its own
                // makes room for them, or the last does.
                let own = lines.iter().skip(place).position(|line| line.pv[0] == mv);
                let end = own.map_or(lines.len(), |own| place + own + 1);
                lines[place..end].rotate_right(1);
            }
            let line = &mut lines[place];
            if score >= beta {
                // No exact score and no line are known yet; the move is the one to play all the
                // same, should time run out. The bound is nearer to its worth than what another
                // move was worth, but a mate would be one without its variation.
                if is_new || line.depth == self.iteration {
                    *line = Line {
                        depth: self.iteration,
                        score: if score.is_decided() { last } else { score },
                        bound: Bound::Lower,
                        pv: vec![mv],
                    };
                }
            } else {
                alpha = score;
                self.pv.update(0, mv);
                *line = Line {
                    depth: self.iteration,
                    score,
                    bound: Bound::Exact,
                    pv: self.pv.line(0).to_vec(),
                };
            }
            if place == 0 {
                let nodes = self.nodes;
                tell(observer, Event::BestMove { mv, nodes })?;
            }
            if score >= beta {
                return Ok((Ending::FailedHigh, score));
            }
        }
        if alpha == window.alpha {
            return Ok((Ending::FailedLow, best));
        }
        if place == 0 && self.limits.moves.is_empty() {
            let entry = Entry {
                mv: lines[0].pv.first().copied(),
                score: best,
                bound: Bound::Exact,
                depth,
                eval: eval.map(to_stored),
                principal: true,
            };
            self.remember(key, 0, entry);
        }
        Ok((Ending::Exact, best))
    }

    /// Whether a move of the root comes so late that it may be reduced.
    fn is_late_at_root(&self, number: usize, depth: Depth) -> bool {
        let params = &self.params.search;
        number as i32 > params.lmr_root_move_number && depth >= Depth::plies(params.lmr_root_depth)
    }

    /// So many nodes more were searched below a move of the root.
    fn count_root_nodes(&mut self, mv: Move, nodes: u64) {
        match self.root_nodes.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, count)) => *count += nodes,
            None => self.root_nodes.push((mv, nodes)),
        }
    }

    /// Percent of all nodes until now that are below this move of the root; `None` if that says
    /// nothing of it: several lines share the nodes, or this thread has not looked at it.
    fn effort(&self, mv: Option<Move>) -> Option<i32> {
        let total: u64 = self.root_nodes.iter().map(|(_, nodes)| nodes).sum();
        let own = self.root_nodes.iter().find(|(known, _)| Some(*known) == mv);
        let (_, own) = own.filter(|_| self.limits.multi_pv <= 1)?;
        Some((100 * own).checked_div(total)? as i32)
    }

    /// Whether another iteration is not worth beginning.
    fn is_enough(&mut self, best: &Line, choices: usize, stability: &Stability) -> bool {
        let mate = best.score.mate_moves();
        if let (Some(wanted), Some(found)) = (self.limits.mate, mate)
            && found > 0
            && found as u32 <= wanted
        {
            return true;
        }
        // Neither side mates in so many moves; as many plies give a move worth playing.
        let is_over = |mate: &MateSearch| mate.is_disproved() && best.depth >= mate.plies();
        if self.mate.as_ref().is_some_and(is_over) {
            return true;
        }
        let most = self.limits.nodes_after_first;
        if most.is_some_and(|most| self.nodes >= most) {
            return true;
        }
        let Some(budget) = self.limits.time else {
            return false;
        };
        // A mate no longer than the iteration is deep has been proved.
        let proved = mate.is_some_and(|moves| 2 * moves.unsigned_abs() as usize <= best.depth);
        let effort = self.effort(stability.best);
        let soft = stability.stretch(budget, effort, &self.params.search);
        let clock = self.control.clock;
        if !budget.may_answer_early {
            return clock.elapsed(self.nodes) >= soft;
        }
        if choices == 1 || proved {
            return true;
        }
        // What was thought on the opponent's time need not be thought again. While he thinks on there is
        // no answer yet, and it may still become a better one.
        let is_enough = clock.with_pondering(self.nodes) >= soft;
        self.is_ready = is_enough && clock.ponders();
        is_enough && !self.is_ready
    }

    fn report(&self, lines: &[Line], observer: &mut Observer<'_>) -> ControlFlow<()> {
        for (place, line) in lines.iter().enumerate() {
            observer(Event::Info(&self.info(place, line.clone())))?;
        }
        ControlFlow::Continue(())
    }

    /// Tells what a window that was too narrow says of the best line.
    fn tell_bound(
        &self,
        lines: &[Line],
        score: Score,
        bound: Bound,
        observer: &mut Observer<'_>,
    ) -> Result<(), Stopped> {
        // A proof that is no more than a bound has not the variation that belongs to it.
        if self.nodes < UNDISTURBED_NODES || self.limits.multi_pv > 1 || score.is_decided() {
            return Ok(());
        }
        let line = Line {
            depth: self.iteration,
            score,
            bound,
            pv: lines[0].pv.clone(),
        };
        tell(observer, Event::Bound(&self.info(0, line)))
    }

    fn info(&self, place: usize, line: Line) -> Info {
        Info {
            depth: line.depth,
            seldepth: self.seldepth.max(self.pool.seldepth()).max(line.pv.len()),
            multi_pv: place + 1,
            score: line.score,
            bound: line.bound,
            nodes: self.nodes + self.pool.others(),
            hashfull: self.table.permille_full(),
            table_hits: self.pool.table_hits(),
            pv: line.pv,
        }
    }
}

/// Puts the best of the deepest lines first. One that comes later may turn out to be better.
fn by_worth(lines: &mut [Line]) {
    lines.sort_by_key(|line| std::cmp::Reverse((line.depth, line.score)));
}

/// Tells the caller what happens; its wish to end is like a limit that is reached.
fn tell(observer: &mut Observer<'_>, event: Event<'_>) -> Result<(), Stopped> {
    match observer(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stopped),
    }
}

/// Brings the moves that begin these lines to the front, in the lines' order; the others keep theirs.
fn lines_first(moves: &mut [Move], lines: &[Line]) {
    for (place, line) in lines.iter().enumerate() {
        to_front(&mut moves[place..], line.pv[0]);
    }
}

/// Brings a move to the front; the others keep their order.
fn to_front(moves: &mut [Move], first: Move) {
    if let Some(at) = moves.iter().position(|&mv| mv == first) {
        moves[..=at].rotate_right(1);
    }
}

/// Percent of its time that a move has left however much of the search was spent on it.
const LEAST_FOR_EFFORT: i32 = 10;

/// How firm the best move is; the rows of the clock say how much time it gets for having stayed the
/// same for so long, or for a score that falls.
#[derive(Default)]
struct Stability {
    best: Option<Move>,
    score: Score,
    iterations: u32,
    /// Centipawns by which the score has fallen in the last iteration.
    fall: i32,
}

impl Stability {
    fn note(&mut self, line: &Line) {
        let best = line.pv.first().copied();
        if best == self.best {
            self.iterations += 1;
        } else {
            self.iterations = 0;
        }
        self.fall = match self.best {
            Some(_) => (self.score.value() - line.score.value()).max(0),
            None => 0,
        };
        self.best = best;
        self.score = line.score;
    }

    /// The soft limit, stretched or shortened; `effort` is the percentage of nodes that were spent
    /// on the best move: where the others take many, one of them may yet replace it.
    fn stretch(&self, budget: Budget, effort: Option<i32>, params: &SearchParams) -> Duration {
        if !budget.may_answer_early {
            return budget.soft;
        }
        let stable = match self.iterations {
            0 => params.time_stable_0,
            1 => params.time_stable_1,
            2 => params.time_stable_2,
            3 => params.time_stable_3,
            4 => params.time_stable_4,
            _ => params.time_stable_5,
        };
        let falling = self.fall * params.time_falling / 100;
        let percent = stable + falling.min(params.time_falling_limit);
        let even = params.time_effort_even;
        let doubt = params.time_effort * (even - effort.unwrap_or(even)) / 100;
        let percent = percent * (100 + doubt).max(LEAST_FOR_EFFORT) / 100;
        (budget.soft * percent as u32 / 100).min(budget.hard)
    }
}

/// The second move of the variation, if the game is over neither before nor after it.
fn expected_answer(game: &Game, pv: &[Move]) -> Option<Move> {
    let (&first, &second) = (pv.first()?, pv.get(1)?);
    let mut game = game.clone();
    let mut goes_on = |mv| game.play(mv) && game.outcome().is_none();
    (goes_on(first) && goes_on(second)).then_some(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_iteration_looks_at_the_moves_of_lines_in_their_order() {
        let [a, b, c, d] =
            ["a2a3", "b2b3", "c2c3", "d2d3"].map(|text| Move::parse_uci(text).unwrap());
        let mut moves = [a, b, c, d];
        let lines = [c, a, d].map(|first| Line {
            depth: 3,
            score: Score::DRAW,
            bound: Bound::Exact,
            pv: vec![first],
        });
        lines_first(&mut moves, &lines);
        assert_eq!(moves, [c, a, d, b]);
    }

    #[test]
    fn nobody_ponders_on_a_move_that_ends_the_game() {
        // A rook and a king go to and fro: the position that begins comes again and again.
        let start = Position::from_fen("7k/8/8/8/8/8/R7/6K1 w - - 0 1").unwrap();
        let moves = |text: &str| -> Vec<Move> {
            let moves = text.split(' ').map(|text| Move::parse_uci(text).unwrap());
            moves.collect()
        };
        let mut game = Game::new(start);
        let back = moves("a3a2 h7h8");
        let mut answers = Vec::new();
        for _ in 0..2 {
            for mv in moves("a2a3 h8h7") {
                assert!(game.play(mv), "{mv}");
            }
            answers.push(expected_answer(&game, &back));
            let other = moves("a3b3 h7h8");
            let answer = expected_answer(&game, &other);
            assert_eq!(answer, Some(other[1]));
            for &mv in &back {
                game.play(mv);
            }
        }
        assert_eq!(answers, [Some(back[1]), None]);
        // The third time the rook's move ends it, whatever would come after it.
        for mv in moves("a2a3 h8h7") {
            game.play(mv);
        }
        assert_eq!(expected_answer(&game, &moves("a3a2 h7g7")), None);
        assert!(expected_answer(&game, &moves("a3b3 h7g7")).is_some());
    }
}
