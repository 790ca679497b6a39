//! The engine in this process as a player: its search as a library, with parameters as a value.

use crate::play::player::{Choice, PlayError, Player};
use engine::params::ParamSet;
use engine::position::Game;
use engine::search::{Control, Limits, Searcher};
use engine::time::{Clocks, WallClock};
use engine::tt::TableError;
use engine::types::Move;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How much a machine may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Nodes a move: the same game every time.
    Nodes(u64),
    /// Milliseconds a side for the whole game: no two games are the same.
    Clock(u64),
}

/// Milliseconds that a move loses between the search and the clock, here next to nothing.
const OVERHEAD: i64 = 2;

/// A player that searches with the engine's library.
pub struct Machine {
    searcher: Searcher,
    effort: Effort,
    /// Milliseconds left on the clock.
    left: i64,
    /// Nodes searched since it was made.
    nodes: u64,
    /// The position that was searched last, for the record of a panic.
    last: Option<Game>,
}

impl Machine {
    /// A player with a table of so many megabytes.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(params: ParamSet, effort: Effort, megabytes: usize) -> Result<Machine, TableError> {
        Ok(Machine {
            searcher: Searcher::new(params, megabytes)?,
            effort,
            left: 0,
            nodes: 0,
            last: None,
        })
    }

    /// Plays with these parameters from now on.
    pub fn become_player(&mut self, params: &ParamSet) {
        if self.searcher.params() != params {
            self.searcher.set_params(params.clone());
        }
    }

    /// Nodes searched since it was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The position that was searched last.
    pub fn place(&self) -> Option<String> {
        let game = self.last.as_ref()?;
        Some(game.position().to_fen())
    }
}

impl Player for Machine {
    fn name(&self) -> &str {
        "eyas"
    }

    fn new_game(&mut self) -> Result<(), PlayError> {
        self.searcher.clear();
        if let Effort::Clock(milliseconds) = self.effort {
            self.left = i64::try_from(milliseconds).unwrap_or(i64::MAX);
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game, _moves: &[Move]) -> Result<Choice, PlayError> {
        self.last = Some(game.clone());
        let outcome = match self.effort {
            Effort::Nodes(nodes) => self.searcher.search_quietly(game, &Limits::nodes(nodes)),
            Effort::Clock(_) => {
                let clocks = Clocks {
                    remaining: Some(self.left),
                    ..Clocks::default()
                };
                let limits = Limits {
                    time: clocks.budget(OVERHEAD, &self.searcher.params().search),
                    ..Limits::default()
                };
                let begun = Instant::now();
                let control = Control {
                    stop: &AtomicBool::new(false),
                    clock: &WallClock::start(),
                };
                let outcome = self.searcher.search(game, &limits, control, &mut |_| {});
                // Nobody loses on time here: a flag that falls by a hair leaves a hair.
                let spent = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
                self.left = (self.left - spent).max(1);
                outcome
            }
        };
        self.nodes += outcome.nodes;
        let Some(mv) = outcome.best else {
            return Err(PlayError::NoMove {
                player: self.name().to_string(),
                fen: game.position().to_fen(),
            });
        };
        Ok(Choice {
            mv,
            score: Some(outcome.score),
            depth: outcome.depth as u32,
            nodes: outcome.nodes,
        })
    }
}
