//! Games: between UCI engines for a database of one's own (`tuner games`), and the parts that any
//! other game of the tuner shares (openings, the referee, adjudication).
//!
//! May import the `engine` library and, of the tuner, [`crate::base::room`], [`crate::base::stop`] and [`crate::base::workers`] alone; its command also what writes
//! files and lines ([`crate::base::files`], [`crate::base::lock`], [`crate::base::progress`]). Inside, `command` → `tournament`
//! → `game` → `adjudication`, `openings`; `uci` and `machine` are kinds of [`player::Player`],
//! and `said` takes the lines of the former apart.

pub mod adjudication;
mod command;
pub mod failure_budget;
pub mod game;
pub mod in_process;
pub mod limit;
pub mod openings;
pub mod pgn;
pub mod player;
pub mod record;
pub mod said;
pub mod settings;
pub mod tournament;
pub mod uci;

pub use command::{GamesArgs, run};
