//! Eyas as a library: the board, the evaluation, the search and the parameters that evolve.
//!
//! Architecture invariants, each with a test in this workspace:
//!
//! 1. Only [`position`] names the rules crate, and only validated setups reach it. Tablebases and
//!    books go by way of another crate's positions, behind a bridge.
//! 2. [`search`], [`eval`] and [`tt`] never print, never read a clock directly and never read a
//!    global; [`uci`] alone owns stdin and stdout.
//! 3. There is one evaluation routine, for scores and for the vector of counts.
//! 4. Every number that is tuned is a row of a [`param_table!`] table.

pub mod analyse;
pub mod bench;
pub mod book;
mod bridge;
mod depth;
pub mod epd;
pub mod epd_lines;
pub mod eval;
pub mod fen;
pub mod free_memory;
pub mod kind;
mod king_and_pawn;
mod memory;
pub mod mixing;
pub mod movetext;
pub mod nearest;
pub mod one_ply;
pub mod param_table;
pub mod params;
pub mod position;
pub mod program;
pub mod san;
pub mod score;
pub mod search;
pub mod see;
pub mod source;
mod strength;
pub mod tablebase;
pub mod text;
pub mod time;
pub mod tt;
pub mod types;
pub mod uci;
mod wdl;
mod zobrist;
