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
}

impl Default for Quiescence {
    fn default() -> Self {
        Quiescence {
            moves: Moves::See,
            max_plies: 10,
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
}

impl Quiescence {
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
        let mut list = MoveList::new();
        if self.moves != Moves::None && plies < self.max_plies.min(MAX_PLIES) {
            for &mv in position.tactical_moves().iter() {
                if mv.promotion().is_some_and(|piece| piece != Piece::Queen) {
                    continue;
                }
                if self.moves == Moves::All || see(position, mv, &CLASSIC_VALUES) >= 0 {
                    list.push(mv);
                }
            }
        }
        // The order changes the speed, not the score: large victims and small attackers first.
        list.sort_by_key(|&mv| {
            let victim = position.captured(mv).map_or(0, |piece| 1 + piece.index());
            let promotion = mv.promotion().map_or(0, Piece::index);
            std::cmp::Reverse(8 * (victim + promotion) + 5 - position.moved(mv).index())
        });
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
        let moves = match self.node(position, plies) {
            Node::Mated => return Score::mated_in(plies as usize + 1),
            Node::Stalemate => return Score::DRAW,
            Node::Quiet(moves) => moves,
        };
        let mut best = evaluate(position, weights);
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
