//! Positions solved by 1-ply searches.

use engine::epd::Epd;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use rayon::prelude::*;

/// Positions to solve.
#[derive(Debug)]
pub struct Forest {
    problems: Vec<Epd>,
    quiescence: Quiescence,
}

impl Forest {
    /// Takes the positions in.
    pub fn build(problems: &[Epd], quiescence: &Quiescence) -> Forest {
        Forest {
            problems: problems.to_vec(),
            quiescence: *quiescence,
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Positions solved by each individual.
    pub fn solved(&self, individuals: &[EvalParams]) -> Vec<u32> {
        let count = |weights: &EvalParams| {
            let solved = self.problems.iter().filter(|problem| {
                choose_one_ply(&problem.position, weights, &self.quiescence)
                    .is_some_and(|mv| problem.is_solved_by(mv))
            });
            solved.count() as u32
        };
        individuals.par_iter().map(count).collect()
    }
}
