//! The genetic algorithm of 2014 §III.B: Gray-coded bit strings, fitness-proportional selection,
//! uniform crossover, bit mutation, elitism; and, where a profile asks for it, steps along differences.
//! Beside it: [`cma_es`], for genes that make up for each other, which also takes over from it where fitness
//! is exact; [`compact`], another genetic algorithm, for fitness that is mostly noise; and [`random_search`],
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
pub mod ga;
pub mod genome;
pub mod gray;
pub mod intermediate;
pub mod mutation;
pub mod random_search;
pub mod rng;
pub mod selection;
mod series;
