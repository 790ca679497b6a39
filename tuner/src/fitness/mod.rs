//! What an individual is worth, one file a phase.
//!
//! A fitness value is a pure function of parameters, task and seed (architecture invariant 5), and
//! this folder knows no genetics (invariant 6): it gets parameters and gives back numbers.
//! May import the `engine` library and, of the tuner, `data`, `play`, `statistics`, `stop` and `workers`.

pub mod coevolution;
pub mod expert;
pub mod grandmaster;
pub mod search_cost;
#[cfg(test)]
mod testing;
mod tree;
mod walk;
