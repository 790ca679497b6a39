//! The tuner.
pub mod fitness;
