//! The tuner as a library: evolves the parameters of Eyas.

pub mod report;
