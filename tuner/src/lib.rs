//! The tuner library.

pub mod play;
