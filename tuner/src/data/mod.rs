//! Games and suites in, positions out.
//!
//! - [`pgn`]: games of a text, and decisive ones or the reason why a game is none;
//! - [`sample`]: which file a game belongs to and which of its positions are drawn;
//! - [`positions`]: the command that puts these together;
//! - [`openings`]: opening books of three kinds;
//! - [`suite`]: EPD files → positions with the moves that solve them.
//!
//! May import: the engine library, which reads text files and EPD, shakmaty (here alone in the tuner), and
//! [`crate::base::files`], and openings as [`crate::play`] has them; no other part of the tuner.

/// SHA-256 of the shipped positions with moves, which come from engines' games.
pub const SHIPPED_SAMPLES: [&str; 2] = [
    // sample-train.epd
    "e0bc1b1c74ccd92498431590459f0f73e625a43d8808b1e2edffca53162259e8",
    // sample-test.epd
    "58fa1da96cd4faec3a0bb9de4737d9c4aa8fcb533306a048df9a6dc9414c7c17",
];

pub mod openings;
pub mod pgn;
pub mod positions;
pub mod sample;
pub mod suite;
pub mod summary;
