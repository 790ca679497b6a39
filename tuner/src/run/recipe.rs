//! What a phase that learns from positions does, without its data: everything that decides the
//! course of evolution but the positions themselves. It follows from the profile and the journal's header, so a finished run
//! can be read again long after its data files are gone.

use super::genotype::{Genotype, base};
use crate::config::{Evolution, Fitness, Runs};
use crate::evolution::ga::Settings;
use engine::params::Gene;
use std::ops::Range;

/// Positions of a task at most: what is lost when a run is killed is one such block's work for
/// one generation.
pub const BLOCK: usize = 100_000;

/// What the phase does.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// What evolves.
    pub genotype: Genotype,
    /// The genetic algorithm.
    pub settings: Settings,
    /// Generations of each run, the random one included.
    pub generations: u32,
    /// The first generation that is drawn as [`crate::evolution::cma_es`] has learnt to.
    pub covariance_from: Option<u32>,
    /// How points become fitness.
    pub fitness: Fitness,
    /// Points of a position at most.
    pub points: u32,
    /// Seed of each run.
    pub seeds: Vec<u64>,
    /// Number of training positions.
    pub train_positions: usize,
    /// Number of held-out positions.
    pub test_positions: Option<usize>,
    /// Positions of a task at most.
    pub block: usize,
    /// What the size of its weights costs an individual before selection, beside what its tasks
    /// have answered; see [`crate::fitness::grandmaster::decay`].
    pub decay: f64,
    /// Whether the champion is the mean of the runs' champions, and not the best of these.
    pub mean: bool,
}

impl Recipe {
    /// The recipe for these genes, where a position is worth at most so many points, with so many
    /// training and held-out positions.
    pub fn new(
        genes: &[Gene],
        (evolution, runs): (&Evolution, &Runs),
        points: u32,
        (train, test): (usize, Option<usize>),
    ) -> Recipe {
        Recipe {
            genotype: Genotype::new(genes.to_vec(), base()),
            settings: evolution.settings.clone(),
            generations: evolution.generations,
            covariance_from: None,
            fitness: evolution.fitness,
            points,
            seeds: runs.seeds.clone(),
            train_positions: train,
            test_positions: test,
            block: BLOCK,
            decay: 0.0,
            mean: false,
        }
    }
}

/// Cuts positions into blocks of at most `block`.
pub fn blocks(positions: usize, block: usize) -> impl Iterator<Item = Range<usize>> {
    let block = block.max(1);
    (0..positions)
        .step_by(block)
        .map(move |start| start..positions.min(start + block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_positions_once() {
        let cut = |positions, block| blocks(positions, block).collect::<Vec<_>>();
        assert_eq!(cut(10, 4), [0..4, 4..8, 8..10]);
        assert_eq!(cut(8, 4), [0..4, 4..8]);
        assert_eq!(cut(3, 100), vec![0..3; 1]);
        assert!(cut(0, 4).is_empty());
    }
}
