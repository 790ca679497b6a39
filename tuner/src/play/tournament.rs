//! Many games at a time, handed over in the order of their numbers.
//!
//! A game depends on its number and the seed alone, so that the file is the same whatever the
//! number of threads. Starts threads and engines; writes nothing itself.

use crate::base::stop::Stop;
use crate::base::workers;
use crate::play::adjudication::Rules;
use crate::play::failure_budget::{FailureBudget, ending, twice};
use crate::play::game::{OpeningRule, PlayedGame, play_game};
use crate::play::openings::game_rng;
use crate::play::pgn::first_is_white;
use crate::play::player::PlayError;
use crate::play::uci::{EngineSpec, UciEngine};
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

/// Two engines that play each other.
pub type Pair = [UciEngine; 2];

/// What is to be played.
pub struct Plan {
    /// Who plays: the first has White in odd games and judges the openings.
    pub engines: [EngineSpec; 2],
    /// Openings.
    pub opening: OpeningRule,
    /// Adjudication.
    pub rules: Rules,
    /// Seed of the openings.
    pub seed: u64,
    /// Games at a time.
    pub concurrency: usize,
}

/// A game with its number.
pub struct NumberedGame {
    /// From 1.
    pub number: u64,
    /// The game; none if it failed twice.
    pub game: Option<PlayedGame>,
    /// What happened to an engine that had to be restarted for it.
    pub broken: Option<String>,
}

/// Starts both engines of a plan.
///
/// # Errors
/// One of them doesn't start.
pub fn start_pair(plan: &Plan, stop: &Stop) -> Result<Pair, PlayError> {
    Ok([
        UciEngine::start(&plan.engines[0], stop)?,
        UciEngine::start(&plan.engines[1], stop)?,
    ])
}

/// Plays the games of these numbers and hands them over in order, until `accept` breaks off, `stop`
/// is set from outside, or an engine is out of order: see [`FailureBudget`]. The games under way end then.
///
/// # Errors
/// `accept`'s, or that of a game that failed twice; all games before it have been accepted.
pub fn play_games<E: From<PlayError> + Send>(
    plan: &Plan,
    pair: Pair,
    numbers: Range<usize>,
    stop: &Stop,
    mut accept: impl FnMut(NumberedGame) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut due = numbers.start as u64;
    let mut budget = FailureBudget::new(due > 1);
    // One thread has the engines that run already.
    let ready = Mutex::new(Some(pair));
    workers::in_order(
        plan.concurrency,
        numbers,
        stop,
        || Ok(ready.lock().ok().and_then(|mut pair| pair.take())),
        |pair, number| {
            let start = || start_pair(plan, stop);
            let play = |pair: &mut Pair| play_number(plan, pair, number as u64);
            Ok(twice(pair, start, play))
        },
        |told| {
            ending(stop, || {
                let number = due;
                due += 1;
                let (game, broken) = match budget.take(told)? {
                    Ok((game, broken)) => (Some(game), broken),
                    Err(failure) => (None, Some(failure)),
                };
                accept(NumberedGame {
                    number,
                    game,
                    broken: broken.map(|failure| failure.to_string()),
                })
            })
        },
    )
}

fn play_number(
    plan: &Plan,
    [first, second]: &mut Pair,
    number: u64,
) -> Result<PlayedGame, PlayError> {
    let mut rng = game_rng(plan.seed, number);
    let white = first_is_white(number);
    play_game([first, second], white, plan.opening, plan.rules, &mut rng)
}
