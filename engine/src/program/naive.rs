//! The slow way to the same choices: every argument is evaluated, and every terminal is computed afresh wherever
//! it stands. Tests compare, and the benchmark measures against it.

use super::choose::{Standing, draw};
use super::file::Program;
use super::primitives::{Operation, PRIMITIVES};
use super::tree::Tree;
use super::view::View;
use crate::one_ply::root_moves;
use crate::position::Position;
use crate::types::Move;

/// A tree's value for the position that a legal move leads to.
pub fn evaluate(tree: &Tree, position: &Position, mv: Move) -> f64 {
    value(tree, 0, position, mv)
}

fn value(tree: &Tree, at: usize, position: &Position, mv: Move) -> f64 {
    let arguments: Vec<f64> = tree
        .arguments(at)
        .map(|argument| value(tree, argument, position, mv))
        .collect();
    let is_true = |value: &f64| *value != 0.0;
    match (
        PRIMITIVES[usize::from(tree.nodes()[at])].operation,
        &arguments[..],
    ) {
        (Operation::If, [condition, yes, no]) => {
            if is_true(condition) {
                *yes
            } else {
                *no
            }
        }
        (Operation::Or, all) => f64::from(all.iter().any(is_true)),
        (Operation::And, all) => f64::from(all.iter().all(is_true)),
        (Operation::Smaller, [a, b]) => f64::from(a < b),
        (Operation::Not, [a]) => f64::from(!is_true(a)),
        (Operation::Constant(value), _) => value,
        (Operation::Truth(of), _) => f64::from(of(&View::after(position, position, mv))),
        (Operation::Number(of), _) => f64::from(of(&View::after(position, position, mv))),
        // No checked tree has another number of arguments.
        _ => 0.0,
    }
}

/// The move that [`super::choose()`] chooses.
pub fn choose(program: &Program, position: &Position, seed: u64) -> Option<Move> {
    let tree = program.tree(Standing::of(position));
    let moves = root_moves(position);
    let score = |&mv: &Move| (evaluate(tree, position, mv), mv);
    let scored: Vec<(f64, Move)> = moves.iter().map(score).collect();
    let highest = scored.iter().map(|(score, _)| *score);
    let highest = highest.fold(f64::NEG_INFINITY, f64::max);
    let best = scored.iter().filter(|(score, _)| *score == highest);
    let best: Vec<Move> = best.map(|(_, mv)| *mv).collect();
    draw(&best, position.key(), seed)
}
