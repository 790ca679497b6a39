//! Black-box tests of the executable: a GUI on the other end of its pipes.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

mod bad_input;
mod books_and_tables;
mod compliance;
mod fuzz;
mod games;
mod gui;
mod options;
mod pondering;
mod programs;
mod session;
mod tuning;
