//! The Universal Chess Interface.
//!
//! | file | job |
//! |---|---|
//! | `command` | a line of text → a command; pure |
//! | `number` | text → whole numbers; pure |
//! | `options` | the declared options |
//! | `parameters` | parameter files: where they are found, what is loaded |
//! | `describe` | protocol lines, boards and tables as text; pure |
//! | `input` | bytes → lines |
//! | `output` | lines → stdout: the only place in the library that prints |
//! | `go` | what `go` says → the limits of a search; pure |
//! | `settings` | the options' values, and what setting one does |
//! | `thinking` | one search from `go` to `bestmove`, in its thread |
//! | `tools` | move counts and benchmarks, in a thread too |
//! | `session` | what is done with each command, and when |

mod command;
pub mod describe;
mod go;
mod input;
mod number;
pub mod options;
mod output;
pub mod parameters;
mod session;
mod settings;
mod thinking;
mod tools;

pub use session::{NAME, SessionError, run};
