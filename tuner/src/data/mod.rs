//! Games and suites in, positions out.
//!
//! - [`pgn`]: games of a text, and decisive ones or the reason why a game is none;
//! - [`sample`]: which file a game belongs to and which of its positions are drawn;
//! - [`positions`]: the command that puts these together;
//! - [`openings`]: opening books of three kinds;
//! - [`suite`]: EPD files → positions with the moves that solve them.
//!
//! May import: the engine library, which reads text files and EPD, shakmaty (here alone in the tuner), and
//! [`crate::files`], and openings as [`crate::play`] has them; no other part of the tuner.

pub mod openings;
pub mod pgn;
pub mod positions;
pub mod sample;
pub mod suite;
