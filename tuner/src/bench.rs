//! `tuner bench`: how fast phase 1 is, and whether its fast evaluation is right.
//!
//! The same random individuals choose a move in the same positions twice: by the trees that all
//! share ([`Forest`]), and by the engine's own 1-ply search. Both run on all threads in one
//! process, so the ratio holds on a noisy machine; every single choice is compared.

use crate::data::suite::Suite;
use crate::evolution::genome::{Genome, Shape};
use crate::evolution::rng::Random;
use crate::fitness::grandmaster::Forest;
use crate::run::RunError;
use crate::run::genotype::base;
use engine::eval::params::EvalParams;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::layout;
use rayon::prelude::*;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Positions and individuals; each pair is one 1-ply search.
    pub positions: usize,
    /// Random individuals of layout eval-2014.
    pub individuals: usize,
    /// Nodes in the shared trees afterwards.
    pub nodes: usize,
    /// Time to set the trees up.
    pub build: Duration,
    /// Time of the first walk, in which the trees grow.
    pub first: Duration,
    /// Time of a second walk, as in every later generation.
    pub fast: Duration,
    /// Time of the engine's own searches.
    pub slow: Duration,
    /// Pairs in which the two disagree on whether the position is solved.
    pub disagreements: usize,
}

/// Measures on the positions of a file.
///
/// # Errors
/// The file is refused.
pub fn bench(
    positions: &Path,
    individuals: usize,
    quiescence: &Quiescence,
) -> Result<Bench, RunError> {
    let suite = Suite::load(positions, None)?;
    let individuals = random_individuals(individuals, 1);
    let clock = Instant::now();
    let forest = Forest::build(&suite.problems, quiescence);
    let build = clock.elapsed();
    let clock = Instant::now();
    forest.solved(&individuals);
    let first = clock.elapsed();
    let clock = Instant::now();
    forest.solved(&individuals);
    let fast = clock.elapsed();

    let clock = Instant::now();
    let choose = |individual: &EvalParams| -> Vec<bool> {
        let positions = suite.problems.par_iter();
        let solves = positions.map(|problem| {
            let chosen = choose_one_ply(&problem.position, individual, quiescence);
            chosen.is_some_and(|mv| problem.is_solved_by(mv))
        });
        solves.collect()
    };
    let expected: Vec<Vec<bool>> = individuals.iter().map(choose).collect();
    let slow = clock.elapsed();
    let solves = forest.solves(&individuals);
    let pairs = solves.iter().flatten().zip(expected.iter().flatten());
    Ok(Bench {
        positions: suite.problems.len(),
        individuals: individuals.len(),
        nodes: forest.nodes(),
        build,
        first,
        fast,
        slow,
        disagreements: pairs.filter(|(fast, slow)| fast != slow).count(),
    })
}

/// Individuals from random bits, as in generation 0.
pub fn random_individuals(count: usize, seed: u64) -> Vec<EvalParams> {
    let genes = layout("eval-2014").unwrap_or_default();
    let shape = Shape::new(genes.iter().map(|gene| gene.bits));
    let mut random = Random::new(seed);
    let individual = |_| {
        let mut params = base();
        let numbers = shape.decode(&Genome::random(shape.bits(), &mut random));
        for (gene, &number) in genes.iter().zip(&numbers) {
            params.set(gene, i32::try_from(number).unwrap_or(i32::MAX));
        }
        params.eval
    };
    (0..count).map(individual).collect()
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searches = (self.positions * self.individuals) as f64;
        let rate = |time: Duration| searches / time.as_secs_f64().max(1e-9);
        writeln!(
            f,
            "{} positions × {} random individuals, {} threads",
            self.positions,
            self.individuals,
            rayon::current_num_threads()
        )?;
        writeln!(f, "trees set up      {:>12.3} s", self.build.as_secs_f64())?;
        writeln!(f, "grown to          {:>12} nodes", self.nodes)?;
        writeln!(f, "shared trees, 1st {:>12.0} searches/s", rate(self.first))?;
        writeln!(f, "shared trees      {:>12.0} searches/s", rate(self.fast))?;
        writeln!(f, "engine's own      {:>12.0} searches/s", rate(self.slow))?;
        writeln!(
            f,
            "ratio             {:>12.1}",
            self.slow.as_secs_f64() / self.fast.as_secs_f64().max(1e-9)
        )?;
        write!(f, "disagreements     {:>12}", self.disagreements)
    }
}
