//! The tuner: evolves the engine's parameters from positions and games, offline and reproducibly.
//!
//! Architecture invariants, each with a test in this workspace:
//!
//! 5. A fitness value is a pure function of parameters, task and seed: the same on any number of
//!    threads and after a resume.
//! 6. [`evolution`] knows no chess, [`fitness`] knows no genetics; [`run`] is where they meet.

pub mod bench;
pub mod bench_games;
pub mod check;
pub mod cli;
pub mod compare;
pub mod config;
pub mod data;
pub mod evolution;
pub mod export;
pub mod files;
pub mod fitness;
pub mod help;
pub mod journal;
pub mod lock;
pub mod mine;
pub mod play;
pub mod progress;
pub mod report;
pub mod room;
pub mod run;
pub mod score;
pub mod shell;
pub mod statistics;
pub mod status;
pub mod stop;
pub mod suite_score;
pub mod workers;
