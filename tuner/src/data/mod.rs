//! Games and suites in, positions out.
//!
//! - [`source`]: a file, compressed or not, as a stream that knows its line numbers;
//! - [`pgn`]: that stream → decisive games, or the reason why a game is none;
//! - [`sample`]: which file a game belongs to and which of its positions are drawn;
//! - [`positions`]: the command that puts these together;
//! - [`openings`]: opening books of three kinds;
//! - [`suite`]: EPD files → positions with the moves that solve them.
//!
//! May import: the engine library, shakmaty and pgn-reader (here alone in the tuner), and
//! [`crate::files`], and openings as [`crate::play`] has them; no other part of the tuner.

pub mod openings;
pub mod pgn;
pub mod positions;
pub mod sample;
pub mod source;
pub mod suite;
