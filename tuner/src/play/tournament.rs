//! Many games at a time, handed over in the order of their numbers.
//!
//! A game depends on its number and the seed alone, so that the file is the same whatever the
//! number of threads. Starts threads and engines; writes nothing itself.

use crate::play::adjudication::Rules;
use crate::play::game::{OpeningRule, PlayedGame, play_game};
use crate::play::openings::game_rng;
use crate::play::patience::Patience;
use crate::play::pgn::first_is_white;
use crate::play::player::PlayError;
use crate::play::uci::{EngineSpec, UciEngine};
use crate::stop::Stop;
use crossbeam_channel::{Sender, unbounded};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

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

/// Plays the games `first..=last` and hands them over in order, until `accept` breaks off, `stop`
/// is set from outside, or an engine is out of order: see [`Patience`]. `stop` is set when this returns.
///
/// # Errors
/// `accept`'s, or that of a game that failed twice; all games before it have been accepted.
pub fn play_games<E: From<PlayError>>(
    plan: &Plan,
    pair: Pair,
    (first, last): (u64, u64),
    stop: &Stop,
    mut accept: impl FnMut(NumberedGame) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(first);
    let games_left = last.saturating_sub(first).saturating_add(1);
    let threads = (plan.concurrency.max(1) as u64).min(games_left);
    thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        let mut pair = Some(pair);
        for number in 0..threads {
            let (own, next, pair) = (sender.clone(), &next, pair.take());
            let play = move || work(plan, pair, next, last, stop, &own);
            // A system without room for another thread plays with those that it has.
            if thread::Builder::new().spawn_scoped(scope, play).is_err() {
                if number == 0 {
                    work(plan, None, next, last, stop, &sender);
                }
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = first;
        let mut patience = Patience::new(first > 1);
        let mut outcome = Ok(());
        for (number, played) in receiver {
            waiting.insert(number, played);
            while let Some(played) = waiting.remove(&due) {
                let number = due;
                due += 1;
                let played = patience.take(played).map_err(E::from);
                let accepted = played.and_then(|played| {
                    accept(played.unwrap_or_else(|failure| NumberedGame {
                        number,
                        game: None,
                        broken: Some(failure.to_string()),
                    }))
                });
                if !matches!(accepted, Ok(ControlFlow::Continue(()))) {
                    stop.request();
                    waiting.clear();
                    // No number comes after this one.
                    due = u64::MAX;
                    outcome = accepted.map(drop);
                }
            }
        }
        stop.request();
        outcome
    })
}

type Played = (u64, Result<NumberedGame, PlayError>);

/// One thread: takes the next number until there is none.
fn work(
    plan: &Plan,
    mut pair: Option<Pair>,
    next: &AtomicU64,
    last: u64,
    stop: &Stop,
    sender: &Sender<Played>,
) {
    while !stop.requested() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number > last {
            return;
        }
        let mut broken = None;
        let mut played = play_number(plan, &mut pair, number, stop);
        if let Err(PlayError::Engine(failure)) = &played {
            // Once may be chance (a full machine, a rare bug); the game starts anew.
            broken = Some(failure.to_string());
            pair = None;
            played = play_number(plan, &mut pair, number, stop);
        }
        if matches!(played, Err(PlayError::Engine(_))) {
            pair = None;
        }
        let go_on = matches!(played, Ok(_) | Err(PlayError::Engine(_)));
        let played = played.map(|game| NumberedGame {
            number,
            game: Some(game),
            broken,
        });
        if sender.send((number, played)).is_err() || !go_on {
            return;
        }
    }
}

fn play_number(
    plan: &Plan,
    pair: &mut Option<Pair>,
    number: u64,
    stop: &Stop,
) -> Result<PlayedGame, PlayError> {
    let [first, second] = match pair {
        Some(pair) => pair,
        None => pair.insert(start_pair(plan, stop)?),
    };
    let mut rng = game_rng(plan.seed, number);
    let white = first_is_white(number);
    play_game([first, second], white, plan.opening, plan.rules, &mut rng)
}
