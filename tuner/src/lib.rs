//! The tuner library: evolves the parameters of Eyas from games.

pub mod data;
pub mod play;
