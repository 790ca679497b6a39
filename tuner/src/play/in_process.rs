//! The engine in this process as a player: its search as a library, with parameters as a value.

use crate::base::room;
use crate::play::player::{Choice, PlayError, Player};
use engine::params::ParamSet;
use engine::position::Game;
use engine::search::{Clock, Control, Limits, Searcher};
use engine::time::{Clocks, NodeClock, WallClock};
use engine::tt::TableError;
use engine::types::Move;
use std::sync::atomic::AtomicBool;

/// How much a machine may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Nodes a move: the same game every time.
    Nodes(u64),
    /// Plies a move: the same game every time.
    Depth(usize),
    /// The clock of a whole game.
    Clock {
        /// Milliseconds a side.
        time: u64,
        /// Milliseconds added with each move.
        increment: u64,
        /// Nodes that count as a second: the same game every time. Without it the clock is real, and no
        /// two games are the same.
        speed: Option<u64>,
    },
}

impl Effort {
    /// Whether the same games come out every time.
    pub fn is_repeatable(self) -> bool {
        !matches!(self, Effort::Clock { speed: None, .. })
    }
}

fn micros(milliseconds: u64) -> i64 {
    i64::try_from(milliseconds.saturating_mul(1000)).unwrap_or(i64::MAX)
}

/// Milliseconds that a move loses between the search and the clock, here next to nothing.
const OVERHEAD: i64 = 2;

/// What the search is told of a clock with so many microseconds left and added.
fn clocks(left: i64, increment: i64) -> Clocks {
    Clocks {
        remaining: Some(left / 1000),
        increment: increment / 1000,
        ..Clocks::default()
    }
}

/// What a clock shows after a move, in microseconds. Nobody loses on time here: a flag that falls by
/// a hair leaves a hair.
fn after_move(left: i64, spent: i64, increment: i64) -> i64 {
    let left = left.saturating_sub(spent).max(1000);
    left.saturating_add(increment)
}

/// A player that searches with the engine's library.
pub struct InProcessEngine {
    searcher: Searcher,
    effort: Effort,
    /// Microseconds left on the clock.
    left: i64,
    /// The position that was searched last, for the record of a panic.
    last: Option<Game>,
}

impl InProcessEngine {
    /// A player with a table of so many megabytes.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(
        params: ParamSet,
        effort: Effort,
        megabytes: usize,
    ) -> Result<InProcessEngine, TableError> {
        Ok(InProcessEngine {
            searcher: room::with_table(megabytes, || Searcher::new(params, megabytes))?,
            effort,
            left: 0,
            last: None,
        })
    }

    /// Plays with these parameters from now on.
    pub fn become_player(&mut self, params: &ParamSet) {
        if self.searcher.params() != params {
            self.searcher.set_params(params.clone());
        }
    }

    /// The position that was searched last.
    pub fn place(&self) -> Option<String> {
        let game = self.last.as_ref()?;
        Some(game.position().to_fen())
    }
}

impl Player for InProcessEngine {
    fn name(&self) -> &str {
        "eyas"
    }

    fn new_game(&mut self) -> Result<(), PlayError> {
        self.searcher.clear();
        if let Effort::Clock { time, .. } = self.effort {
            self.left = micros(time);
        }
        Ok(())
    }

    fn choose(&mut self, game: &Game, _moves: &[Move]) -> Result<Choice, PlayError> {
        self.last = Some(game.clone());
        // As in the games that journals have.
        let limits = Limits {
            trusts_unproved_losses: true,
            ..Limits::default()
        };
        let outcome = match self.effort {
            Effort::Nodes(nodes) => {
                let nodes = Some(nodes);
                self.searcher
                    .search_quietly(game, &Limits { nodes, ..limits })
            }
            Effort::Depth(plies) => {
                let depth = Some(plies);
                self.searcher
                    .search_quietly(game, &Limits { depth, ..limits })
            }
            Effort::Clock {
                increment, speed, ..
            } => {
                let increment = micros(increment);
                let limits = Limits {
                    time: clocks(self.left, increment)
                        .budget(OVERHEAD, &self.searcher.params().search),
                    ..limits
                };
                let clock: &dyn Clock = match speed {
                    Some(speed) => &NodeClock { speed },
                    None => &WallClock::start(),
                };
                let control = Control {
                    stop: &AtomicBool::new(false),
                    clock,
                };
                let outcome = self.searcher.search(game, &limits, control, &mut |_| {});
                let spent = clock.elapsed(outcome.nodes).as_micros();
                let spent = i64::try_from(spent).unwrap_or(i64::MAX);
                self.left = after_move(self.left, spent, increment);
                outcome
            }
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::position::Position;
    use engine::search::params::SearchParams;

    #[test]
    fn a_clock_goes_down_by_what_is_spent_and_up_by_the_increment() {
        assert_eq!(after_move(50_000, 20_400, 0), 29_600);
        assert_eq!(after_move(50_000, 20_400, 10_000), 39_600);
        assert_eq!(after_move(50_000, 60_000, 10_000), 11_000);
        assert_eq!(after_move(i64::MAX, 0, i64::MAX), i64::MAX);
    }

    #[test]
    fn the_search_is_told_of_the_increment() {
        let soft = |increment| {
            let params = SearchParams::default();
            let budget = clocks(2_000_000, increment).budget(OVERHEAD, &params);
            budget.unwrap().soft
        };
        assert!(soft(30_000) > soft(0));
    }

    /// Plays so many moves with itself, and says of each what it took; `look` sees the clock before and after.
    fn play(
        params: ParamSet,
        effort: Effort,
        moves: usize,
        look: impl Fn(&Choice, i64, i64),
    ) -> Vec<u64> {
        let mut machine = InProcessEngine::new(params, effort, 1).unwrap();
        machine.new_game().unwrap();
        let mut game = Game::new(Position::startpos());
        let mut one = || {
            let before = machine.left;
            let choice = machine.choose(&game, &[]).unwrap();
            look(&choice, before, machine.left);
            assert!(game.play(choice.mv));
            choice.nodes
        };
        (0..moves).map(|_| one()).collect()
    }

    /// Every move is searched so many plies deep, whatever that costs, and the same every time.
    #[test]
    fn a_depth_is_a_depth() {
        let play = |plies| {
            let look = |choice: &Choice, _, _| assert_eq!(choice.depth, plies as u32);
            play(ParamSet::default(), Effort::Depth(plies), 8, look)
        };
        assert_eq!(play(4), play(4));
        let sum = |nodes: Vec<u64>| nodes.iter().sum::<u64>();
        assert!(sum(play(6)) > 2 * sum(play(3)));
    }

    #[test]
    fn a_game_with_an_increment_outlasts_its_time() {
        let effort = Effort::Clock {
            time: 2,
            increment: 3,
            speed: None,
        };
        let mut machine = InProcessEngine::new(ParamSet::default(), effort, 1).unwrap();
        machine.new_game().unwrap();
        assert_eq!(machine.left, 2000);
        let game = Game::new(Position::startpos());
        for _ in 0..20 {
            machine.choose(&game, &[]).unwrap();
            assert!(machine.left >= 4000);
        }
    }

    #[test]
    fn a_clock_by_nodes_goes_down_by_what_is_searched_and_is_the_same_every_time() {
        let effort = Effort::Clock {
            time: 300,
            increment: 2,
            speed: Some(100_000),
        };
        let play = |time_soft: i32| {
            let mut params = ParamSet::default();
            params.search.time_soft = time_soft;
            play(params, effort, 10, |choice, before, after| {
                assert_eq!(before + 2000 - after, choice.nodes as i64 * 10);
            })
        };
        assert_eq!(play(100), play(100));
        let sum = |nodes: Vec<u64>| nodes.iter().sum::<u64>();
        assert!(sum(play(137)) > sum(play(50)));
    }
}
