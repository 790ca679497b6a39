//! Random weights and positions, for the tests of what must equal the engine's own answers.

use engine::eval::TermSet;
use engine::eval::params::EvalParams;
use engine::params::ParamTable;
use engine::position::Position;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Weights from their whole ranges for these terms; the others are 0.
pub fn random_weights(rng: &mut Xoshiro256PlusPlus, terms: TermSet) -> EvalParams {
    random_rows(rng, terms.rows().iter().copied())
}

/// The same for these rows.
pub fn random_rows(rng: &mut Xoshiro256PlusPlus, rows: impl Iterator<Item = usize>) -> EvalParams {
    let mut weights = EvalParams::missing();
    for row in rows {
        let spec = &EvalParams::SPECS[row];
        let (low, high) = (*spec.range.start(), *spec.range.end());
        let span = (high - low) as u64 + 1;
        weights.set(row, low + (rng.next_u64() % span) as i32);
    }
    weights
}

/// A position after up to 119 random moves, fewer if the game ends before.
pub fn random_position(rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position::startpos();
    for _ in 0..rng.next_u64() % 120 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[rng.next_u64() as usize % moves.len()]);
    }
    position
}
