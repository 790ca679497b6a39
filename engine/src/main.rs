//! Eyas.
fn main() {}
