//! The kinds of phases, one file or folder each, and what they are made of.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the registry: one line a kind |
//! | `phase`, `kind` | what a phase and its keys are to a run |
//! | `profile` | whole profiles |
//! | `context`, `options` | where a phase finds its files; files that the user names instead |
//! | `start`, `methods` | what it begins with; the algorithm that a profile names |
//! | `summary`, `uses` | what there is to report; which data it learns from |
//! | `measured` | what the runs of any kind have come to in numbers |
//! | `positions` | what phases that learn from positions have in common |
//! | `games` | how games are played |
//! | `sample`, `dry_run` | what `tuner check` measures |
//! | `verdict` | what a validation has come to |
//! | `grandmaster`, `expert`, `expert_2011`, `coevolution`, `ecm`, `endgames`, `validation` | the kinds |

pub mod coevolution;
pub mod context;
mod dry_run;
pub mod ecm;
pub mod endgames;
pub mod expert;
pub mod expert_2011;
pub mod games;
pub mod grandmaster;
pub mod kind;
pub mod measured;
pub mod methods;
pub mod options;
pub mod phase;
pub mod positions;
pub mod profile;
pub mod sample;
pub mod start;
pub mod summary;
pub mod uses;
pub mod validation;
pub mod verdict;

use kind::Kind;

/// All kinds of phases, in the order of the list of keys.
pub static KINDS: [Kind; 7] = [
    grandmaster::KIND,
    expert::KIND,
    expert_2011::KIND,
    coevolution::KIND,
    ecm::KIND,
    endgames::KIND,
    validation::KIND,
];
