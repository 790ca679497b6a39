//! The tuner.
fn main() {}
