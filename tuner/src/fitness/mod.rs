//! What an individual is worth, one file a phase.
//!
//! A fitness value is a pure function of parameters, task and seed (architecture invariant 5), and
//! this folder knows no genetics (invariant 6): it gets parameters and gives back numbers.
//! An objective's tasks, and the workers that answer them, are here too (`positions`, `suite`, `games`).

mod batched_minimax;
pub mod coevolution;
pub mod endgame_play;
pub mod endgame_players;
pub mod endgames;
pub mod expert;
pub mod expert_2011;
pub mod games;
pub mod grandmaster;
pub mod lessons;
pub mod perfect_play;
pub mod positions;
pub mod search_cost;
pub mod suite;
#[cfg(test)]
mod testing;
mod tree;

/// Nodes, or plies, that an answer may tell of at most: nobody has searched more, and sums stay whole numbers.
const MOST_NODES: u64 = 1 << 44;
