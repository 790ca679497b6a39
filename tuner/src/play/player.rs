//! Whoever chooses moves in a game: the trait, a choice, and what can go wrong.
//!
//! A UCI engine is a player; so is anything in this process that has an opinion on a position.

use engine::position::Game;
use engine::score::Score;
use engine::types::Move;
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// A move with what its player thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, legal where it was asked for.
    pub mv: Move,
    /// Score from the player's own point of view, if it told one.
    pub score: Option<Score>,
    /// Depth of the search in plies; 0 if unknown.
    pub depth: u32,
    /// Nodes searched; 0 if unknown.
    pub nodes: u64,
}

/// Whoever chooses moves.
pub trait Player {
    /// The name, for the game's tags.
    fn name(&self) -> &str;

    /// Forgets the last game, so that the next one is the same whatever was played before.
    ///
    /// # Errors
    /// The player is out of order.
    fn new_game(&mut self) -> Result<(), PlayError>;

    /// A legal move in a game that is not over; `moves` led there from the initial position.
    ///
    /// # Errors
    /// The player is out of order or has no legal move to offer.
    fn choose(&mut self, game: &Game, moves: &[Move]) -> Result<Choice, PlayError>;
}

/// Why a game has no end.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// A player is out of order.
    #[error(transparent)]
    Engine(#[from] Box<EngineFailure>),
    /// A player of this process has broken its promise.
    #[error("{player} played {mv}, which is illegal in {fen}")]
    IllegalMove {
        /// Its name.
        player: String,
        /// What it played.
        mv: Move,
        /// Where.
        fen: String,
    },
    /// A player of this process found no move.
    #[error("{player} found no move in {fen}")]
    NoMove {
        /// Its name.
        player: String,
        /// Where.
        fen: String,
    },
    /// Nothing balanced turned up.
    #[error(
        "{tries} random openings of {plies} plies, and the first player's score was beyond \
         {balance} cp in each: allow more (`balance`), or change the openings' length (`plies`)"
    )]
    NoOpening {
        /// Openings tried.
        tries: u32,
        /// Length of each.
        plies: u32,
        /// The bound, in centipawns.
        balance: i32,
    },
}

impl From<EngineFailure> for PlayError {
    fn from(failure: EngineFailure) -> Self {
        PlayError::Engine(Box::new(failure))
    }
}

impl PlayError {
    /// The same failure with the position in which it happened.
    pub fn at(mut self, fen: String) -> PlayError {
        if let PlayError::Engine(failure) = &mut self {
            failure.fen = Some(fen);
        }
        self
    }
}

/// What an engine did wrong.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum FailureKind {
    #[error("{0}")]
    Command(String),
    #[error("can't be started: {0}; expected the command of a UCI engine")]
    Spawn(std::io::Error),
    #[error(
        "has ended ({status}) instead of answering `{request}`{}",
        doubt(request)
    )]
    Ended { request: String, status: String },
    #[error("sent no `{expected}` within {} s of `{request}`{}", .after.as_secs_f64(), longer(expected))]
    Timeout {
        request: String,
        expected: &'static str,
        after: Duration,
    },
    #[error("has no option {name:?}; it has: {known}")]
    UnknownOption { name: String, known: String },
    #[error("would not take {value:?} for its option {name:?}, expected {expected}")]
    BadOption {
        name: String,
        value: String,
        expected: String,
    },
    #[error("has not set an option as it was told to")]
    OptionRefused,
    #[error("answered {0:?}, which is no move")]
    NoMove(String),
    #[error("played {0:?} and told no score of it")]
    NoScore(String),
    #[error("played {0:?}, which is illegal")]
    IllegalMove(String),
}

/// What the first request tells.
fn doubt(request: &str) -> &'static str {
    match request {
        "uci" => ": it seems to be no UCI engine",
        _ => "",
    }
}

/// How an engine that starts slowly gets more time.
fn longer(expected: &str) -> &'static str {
    match expected {
        "bestmove" => "",
        _ => "; --startup-timeout gives it longer",
    }
}

/// An engine that can't go on, with all that is needed to find out why.
#[derive(Debug)]
pub struct EngineFailure {
    /// Its name, empty if it has told none.
    pub engine: String,
    /// The command that started it.
    pub command: String,
    /// What went wrong.
    pub kind: FailureKind,
    /// FEN of the position it had to move in.
    pub fen: Option<String>,
    /// The last lines that it wrote, oldest first.
    pub output: Vec<String>,
}

impl std::error::Error for EngineFailure {}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine ")?;
        if !self.engine.is_empty() {
            write!(f, "{} ", self.engine)?;
        }
        write!(f, "`{}` {}", self.command, self.kind)?;
        if let Some(fen) = &self.fen {
            write!(f, "\n  position: {fen}")?;
        }
        if !self.output.is_empty() {
            write!(f, "\n  its last lines:")?;
            for line in &self.output {
                write!(f, "\n    {line}")?;
            }
        }
        Ok(())
    }
}
