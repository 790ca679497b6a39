//! The move that a program chooses: one ply, the highest score, equal ones by a seeded draw (the paper, §3.1).

use super::file::Program;
use super::lazy::LazyTerminals;
use super::tree::Tree;
use super::view::balance;
use crate::mixing::scramble;
use crate::one_ply::root_moves;
use crate::position::Position;
use crate::types::{Color, Move};

/// Whether a side is ahead in material (queen 9, rook 5, bishop and knight 3, pawn 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It has more than the other.
    Advantage,
    /// Both have the same.
    Even,
    /// It has less.
    Disadvantage,
}

impl Standing {
    /// That of a side.
    pub(super) fn of_side(position: &Position, side: Color) -> Standing {
        match balance(position, side) {
            1.. => Standing::Advantage,
            0 => Standing::Even,
            _ => Standing::Disadvantage,
        }
    }

    /// That of the side to move.
    pub fn of(position: &Position) -> Standing {
        Standing::of_side(position, position.side_to_move())
    }
}

impl Program {
    /// The tree for a standing.
    pub fn tree(&self, standing: Standing) -> &Tree {
        match standing {
            Standing::Advantage => &self.advantage,
            Standing::Even => &self.even,
            Standing::Disadvantage => &self.disadvantage,
        }
    }
}

/// The legal moves of a position, each with the terminals of what comes of it, for any number of programs.
#[derive(Clone, Debug)]
pub struct Candidates {
    key: u64,
    standing: Standing,
    moves: Vec<(Move, LazyTerminals)>,
}

impl Candidates {
    /// The moves of a position, in their order (from, to, promotion); no terminal is computed yet.
    pub fn new(position: &Position) -> Candidates {
        let moves = root_moves(position);
        let after = |&mv| (mv, LazyTerminals::after(position, mv));
        Candidates {
            key: position.key(),
            standing: Standing::of(position),
            moves: moves.iter().map(after).collect(),
        }
    }

    /// The material of the position before the moves, for the side to move.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The moves with the terminals of the positions after them.
    pub fn moves(&mut self) -> &mut [(Move, LazyTerminals)] {
        &mut self.moves
    }
}

/// The moves that a tree scores highest, in their order; none if there is no legal move.
pub fn best_moves(program: &Program, candidates: &mut Candidates, best: &mut Vec<Move>) {
    best.clear();
    let tree = program.tree(candidates.standing);
    let mut highest = f64::NEG_INFINITY;
    for (mv, terminals) in &mut candidates.moves {
        let score = tree.evaluate(terminals);
        if score > highest {
            highest = score;
            best.clear();
        }
        if score >= highest {
            best.push(*mv);
        }
    }
}

/// The one of several moves that a seed draws in a position; `None` of none.
pub(super) fn draw(moves: &[Move], key: u64, seed: u64) -> Option<Move> {
    let word = u128::from(scramble(seed ^ scramble(key)));
    // The bias of a product by a few hundred moves is below 2⁻⁵⁵.
    moves
        .get(((word * moves.len() as u128) >> 64) as usize)
        .copied()
}

/// The move that a program chooses; `None` if there is no legal one. Equal scores are resolved by a draw that
/// depends on the seed and the position alone: who wants variety gives each move of a game another seed.
pub fn choose(program: &Program, candidates: &mut Candidates, seed: u64) -> Option<Move> {
    let mut best = Vec::new();
    best_moves(program, candidates, &mut best);
    draw(&best, candidates.key, seed)
}

/// The candidates of positions that have been looked at lately, for a worker that plays many games: what a
/// terminal says is computed once for the whole population.
pub struct Cache {
    slots: Vec<Option<(Position, Candidates)>>,
}

impl Cache {
    /// Room for so many positions, at least one; each takes some 10 kB.
    pub fn new(positions: usize) -> Cache {
        let mut slots = Vec::new();
        slots.resize_with(positions.max(1), || None);
        Cache { slots }
    }

    /// The candidates of a position. What is kept never changes a choice: terminals don't see move counters, in
    /// which alone positions with the same board and side to move may differ.
    pub fn candidates(&mut self, position: &Position) -> &mut Candidates {
        let slot =
            ((u128::from(scramble(position.key())) * self.slots.len() as u128) >> 64) as usize;
        let is_same = |known: &Position| {
            let colors = Color::ALL;
            known.key() == position.key()
                && colors
                    .iter()
                    .all(|&color| known.by_color(color) == position.by_color(color))
        };
        let slot = &mut self.slots[slot];
        let kept = slot.take().filter(|(known, _)| is_same(known));
        let fresh = || (*position, Candidates::new(position));
        &mut slot.insert(kept.unwrap_or_else(fresh)).1
    }
}
