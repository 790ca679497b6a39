//! The tuner: evolves the engine's parameters from positions and games, offline and reproducibly.
//!
//! Architecture invariants, each with a test in this workspace:
//!
//! 5. A fitness value is a pure function of parameters, task and seed: the same on any number of
//!    threads and after a resume.
//! 6. [`evolution`] knows no chess, [`fitness`] knows no genetics; [`phases`] is where they meet.

pub mod base;
pub mod commands;
pub mod config;
pub mod data;
pub mod drive;
pub mod encoding;
pub mod error;
pub mod evolution;
pub mod exec;
pub mod fitness;
pub mod mine;
pub mod phases;
pub mod play;
pub mod report;
pub mod run;
