//! The choice of an individual in phase 1: a 1-ply search whose leaves are resolved by a
//! quiescence of its own (2014 §III.A, Figure 1; ARCHITECTURE.md, invariant 8).
//!
//! This quiescence is frozen. Which moves it looks at depends on the position alone and never on
//! the weights, so the tuner can build its tree once for all individuals, and a champion's rate
//! stays comparable when the playing search changes. Its rules, version 1:
//!
//! - A side without a legal move is mated (worth the mate's distance) or stalemated (0).
//! - Otherwise it may stand pat on the static evaluation, in check too, or play one of the moves
//!   that the rule allows while plies are left.
//! - The moves are captures, en passant among them, and promotions to a queen; `see` leaves out
//!   those that lose material by [`crate::see`] with pieces worth 1, 3, 3, 5 and 9.
//! - Repetition, the fifty-move rule and insufficient material don't exist.
//! - Of root moves with equal scores the lowest by (from, to, promotion) is chosen.
//!
//! With `checks` (2013 §3: "the exchange of material and the king's checks") the first plies have more: moves that
//! check are looked at too, by the same rule, and a side in check has all its moves and may not stand pat.

use crate::eval::Weights;
use crate::eval::evaluate;
use crate::eval::params::EvalParams;
use crate::position::Position;
use crate::score::Score;
use crate::see::{CLASSIC_VALUES, see};
use crate::types::{Move, MoveList, Piece};

/// The longest quiescence that may be asked for, in plies.
pub const MAX_PLIES: u32 = 30;

/// Which moves the quiescence looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// None: every leaf is its static evaluation.
    None,
    /// All captures and queen promotions.
    All,
    /// Those that don't lose material by static exchange evaluation.
    See,
}

/// The quiescence at the leaves of a 1-ply search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiescence {
    /// Which moves it looks at.
    pub moves: Moves,
    /// Plies after the root move at which it stops, at most [`MAX_PLIES`].
    pub max_plies: u32,
    /// Plies after the root move in which moves that check are looked at too.
    pub checks: u32,
}

impl Default for Quiescence {
    fn default() -> Self {
        Quiescence {
            moves: Moves::See,
            max_plies: 10,
            checks: 0,
        }
    }
}

/// A node of the quiescence tree, before any weights are known.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // Lives on the stack for the time of one node only.
pub enum Node {
    /// The side to move is mated.
    Mated,
    /// The side to move is stalemated.
    Stalemate,
    /// The side to move may stand pat or play one of these.
    Quiet(MoveList),
    /// The side to move is in check and plays one of these: all that it has.
    Forced(MoveList),
}

impl Quiescence {
    /// Whether any move is looked at so many plies after the root move.
    fn goes_on(&self, plies: u32) -> bool {
        self.moves != Moves::None && plies < self.max_plies.min(MAX_PLIES)
    }

    /// Whether a side with legal moves has to answer a check that many plies after the root move.
    pub fn is_forced(&self, position: &Position, plies: u32) -> bool {
        self.checks > 0 && plies <= self.checks && self.goes_on(plies) && position.in_check()
    }

    /// What is to be looked at in a position that many plies after the root move (0 = right
    /// after it).
    pub fn node(&self, position: &Position, plies: u32) -> Node {
        if !position.has_legal_move() {
            return if position.in_check() {
                Node::Mated
            } else {
                Node::Stalemate
            };
        }
        if self.is_forced(position, plies) {
            let mut all = position.legal_moves();
            by_promise(position, &mut all);
            return Node::Forced(all);
        }
        let mut list = MoveList::new();
        let is_sound = |mv| self.moves == Moves::All || see(position, mv, &CLASSIC_VALUES) >= 0;
        if self.goes_on(plies) {
            for &mv in position.tactical_moves().iter() {
                if mv.promotion().is_some_and(|piece| piece != Piece::Queen) {
                    continue;
                }
                if is_sound(mv) {
                    list.push(mv);
                }
            }
            if plies < self.checks {
                let quiet = position.legal_moves();
                let quiet = quiet
                    .iter()
                    .filter(|mv| position.captured(**mv).is_none() && mv.promotion().is_none());
                for &mv in quiet {
                    if position.play(mv).in_check() && is_sound(mv) {
                        list.push(mv);
                    }
                }
            }
        }
        by_promise(position, &mut list);
        Node::Quiet(list)
    }

    /// The score of a position for the side to move that many plies after the root move, by plain
    /// alpha-beta over the tree; exact within the window, a bound outside.
    pub fn search(
        &self,
        position: &Position,
        weights: &Weights,
        plies: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let (moves, mut best) = match self.node(position, plies) {
            Node::Mated => return Score::mated_in(plies as usize + 1),
            Node::Stalemate => return Score::DRAW,
            Node::Quiet(moves) => (moves, evaluate(position, weights)),
            Node::Forced(moves) => (moves, -Score::INFINITE),
        };
        alpha = alpha.max(best);
        for &mv in moves.iter() {
            if alpha >= beta {
                break;
            }
            let score = -self.search(&position.play(mv), weights, plies + 1, -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(best);
        }
        best
    }
}

/// Puts large victims and small attackers first: the order changes the speed, not the score.
fn by_promise(position: &Position, moves: &mut MoveList) {
    moves.sort_by_key(|&mv| {
        let victim = position.captured(mv).map_or(0, |piece| 1 + piece.index());
        let promotion = mv.promotion().map_or(0, Piece::index);
        std::cmp::Reverse(8 * (victim + promotion) + 5 - position.moved(mv).index())
    });
}

/// The legal moves in the order in which ties are resolved.
pub fn root_moves(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    moves
}

/// The move that a player with these weights chooses; `None` if there is no legal move.
pub fn choose_one_ply(
    position: &Position,
    weights: &EvalParams,
    quiescence: &Quiescence,
) -> Option<Move> {
    let weights = &Weights::from(weights);
    let mut best: Option<(Score, Move)> = None;
    for &mv in root_moves(position).iter() {
        let alpha = best.map_or(-Score::INFINITE, |(score, _)| score);
        let child = position.play(mv);
        let score = -quiescence.search(&child, weights, 0, -Score::INFINITE, -alpha);
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param_table::ParamTable as _;

    /// The score of a position for its side to move, a knight worth 300 and a queen 900.
    fn score(fen: &str, checks: u32) -> i32 {
        let mut weights = EvalParams::missing();
        weights.knight_value = 300;
        weights.queen_value = 900;
        let quiescence = Quiescence {
            checks,
            ..Quiescence::default()
        };
        let Ok(position) = Position::from_fen(fen) else {
            return i32::MIN;
        };
        let window = (-Score::INFINITE, Score::INFINITE);
        let score = quiescence.search(&position, &Weights::from(&weights), 0, window.0, window.1);
        score.value()
    }

    /// A knight's check on c7 wins the queen on a8, which captures alone don't see; a check that gives the knight away
    /// for nothing changes nothing.
    #[test]
    fn checks_are_seen_where_they_are_asked_for() {
        let fork = "q3k3/8/8/3N4/8/8/8/6K1 w - - 0 1";
        assert_eq!((score(fork, 0), score(fork, 1)), (-600, 300));
        let guarded = "1q2k3/8/8/3N4/8/8/8/6K1 w - - 0 1";
        assert_eq!((score(guarded, 0), score(guarded, 1)), (-600, -600));
    }

    /// Black, in check by the rook, can't stand pat with a queen more: the king has to give way to it.
    #[test]
    fn a_side_in_check_has_to_move() {
        let skewer = "3q4/8/8/3k4/8/8/8/K2R4 b - - 0 1";
        assert_eq!((score(skewer, 0), score(skewer, 1)), (900, 0));
    }
}
