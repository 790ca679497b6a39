//! The Universal Chess Interface.
//!
//! | file | job |
//! |---|---|
//! | `command` | a line of text → a [`command::Command`]; pure |
//! | `options` | the declared options |
//! | `parameters` | parameter files: where they are found, what is loaded |
//! | `describe` | protocol lines, boards and tables as text; pure |
//! | `input` | bytes → lines |
//! | `session` | threads, stdin and stdout: the only place in the library that prints |

pub mod command;
pub mod describe;
mod input;
pub mod options;
mod parameters;
mod session;

pub use session::{NAME, bench_line, run};
