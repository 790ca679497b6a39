//! Fitness: how good an individual is. One file a phase; nothing here knows genetics
//! (architecture invariant 6).

pub mod grandmaster;
