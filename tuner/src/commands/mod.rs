//! The commands of the command line, one file each.

pub mod bench;
pub mod bench_games;
pub mod check;
pub mod cli;
pub mod compare;
pub mod experiment;
pub mod export;
pub mod help;
pub mod program;
pub mod rate;
pub mod score;
pub mod status;
pub mod suite_score;
pub mod task;
#[cfg(feature = "redis")]
pub mod worker;
#[cfg(feature = "redis")]
pub mod workers;
