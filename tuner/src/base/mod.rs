//! What every part of the tuner uses and that knows none of them: files and their locks, progress,
//! statistics, threads, signals, wrong command lines.

pub mod files;
pub mod lock;
pub mod names;
pub mod nonparametric;
pub mod progress;
pub mod ratings;
pub mod room;
pub mod shell;
pub mod statistics;
pub mod stop;
pub mod usage;
pub mod workers;
