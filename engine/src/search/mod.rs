//! The search.

pub mod params;

/// Deepest ply that a search reaches, quiescence included.
pub const MAX_PLY: usize = 128;
