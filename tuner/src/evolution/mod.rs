//! The genetic algorithm of 2014 §III.B: Gray-coded bit strings, fitness-proportional selection,
//! uniform crossover, bit mutation, elitism; and, where a profile asks for it, steps along differences.
//! Beside it: [`cma_es`], for genes that make up for each other, which also takes over from it where fitness
//! is exact; [`compact`], another genetic algorithm, for fitness that is mostly noise; [`evolutionary_programming`]
//! with a memory of those who have left (2013); [`genetic_programming`] of typed trees (2005); and [`random_search`],
//! which all of them have to beat.
//!
//! Architecture invariant 6: nothing here knows chess. Genomes go out, fitness values come in,
//! and these modules import nothing of this crate but each other. Everything is a pure function
//! of the settings, the seed and the fitness values, in integers wherever a draw depends on it, or in
//! operations whose result IEEE 754 prescribes to the last bit, so that a run can be replayed bit by
//! bit from the fitness values alone.

pub mod algorithm;
pub mod ancestors;
pub mod cma_es;
pub mod compact;
pub mod crossover;
pub mod difference;
pub mod evolutionary_programming;
pub mod ga;
pub mod genetic_programming;
pub mod genome;
pub mod gray;
pub mod intermediate;
pub mod mutation;
pub mod random_search;
pub mod rng;
pub mod selection;
mod series;

use algorithm::Algorithm;
use genome::{Genome, Shape};

/// An algorithm over bits that needs to know no more than the size of a population and of its elite.
#[derive(Debug)]
pub struct Plain {
    /// Its name in profiles.
    pub name: &'static str,
    /// What it does, for the list of keys.
    pub meaning: &'static str,
    /// Generation 0, from these founders.
    pub new: New,
}

/// Generation 0 of an algorithm: shape of the genomes, founders, individuals, individuals that are kept, seed.
pub type New = fn(&Shape, Vec<Genome>, usize, usize, u64) -> Box<dyn Algorithm<Genome = Genome>>;

/// All such algorithms; to add one is a file and a line here.
pub static PLAIN: [Plain; 1] = [Plain {
    name: "random-search",
    meaning: "New random individuals in each generation, of which the best is kept: what every other method \
              has to\nbeat.",
    new: |shape, founders, population, elitism, seed| {
        Box::new(random_search::RandomSearch::founded(
            shape, founders, population, elitism, seed,
        ))
    },
}];
