//! `tuner bench`: how fast games of coevolution are, against the engine's own speed.
//!
//! The engine's speed is that of one thread that searches the positions of such games one after
//! another, each to the same number of nodes, and does nothing else; and that of as many such
//! engines at once as there are threads, which share the machine as the tuner's threads do. What
//! these lose against the latter is the price of openings, adjudication, records, tables emptied
//! for each game, and of cores that wait for the last game.

use crate::base::statistics::counted;
use crate::base::stop::Stop;
use crate::base::workers;
use crate::commands::bench::{ROUNDS, Speeds, median, random_individuals};
use crate::config::games::GamesKeys;
use crate::config::games::OPENING_PLIES;
use crate::error::RunError;
use crate::fitness::coevolution::Colours;
use crate::phases::games::GamePlan;
use crate::play::record::GameRecord;
use engine::params::ParamSet;
use engine::position::Game;
use engine::search::{Limits, Searcher};
use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

/// What was measured.
#[derive(Clone, Debug)]
pub struct GamesBench {
    /// Nodes a move.
    pub nodes: u64,
    /// Games of all rounds.
    pub games: usize,
    /// Threads.
    pub threads: usize,
    /// Games a second on all threads; the median of the rounds.
    pub rate: f64,
    /// Nodes a second.
    pub speeds: Speeds,
}

/// Measures games of two individuals with weights that make sense and plain alpha-beta.
///
/// # Errors
/// There is no memory for the tables.
pub fn bench_games(nodes: u64, pairs: usize) -> Result<GamesBench, RunError> {
    let threads = crate::base::room::cores();
    let keys = GamesKeys::of(nodes, None, None, OPENING_PLIES);
    let plan = GamePlan::for_command(&keys, 1)?;
    let player = |seed: u64| {
        // Near each other, so that games are long, as in coevolution.
        let mut params = ParamSet::missing();
        params.eval = ParamSet::default().eval;
        let random = random_individuals(1, seed);
        params.eval.bishop_pair = random.first().map_or(30, |other| other.bishop_pair);
        params
    };
    let players = [&player(1), &player(2)];
    let (mut rates, mut rounds) = (Vec::new(), Vec::new());
    let mut games = 0;
    for round in 0..ROUNDS {
        let begun = Instant::now();
        let mut played: Vec<GameRecord> = Vec::new();
        workers::in_order(
            threads,
            0..pairs,
            &Stop::default(),
            || Ok(plan.player()?),
            |arena, number| {
                let opening = (round * pairs + number) as u64;
                Ok(arena.0.play(players, opening, Colours::Both)?)
            },
            |of_pair| {
                played.extend(of_pair);
                Ok::<_, RunError>(ControlFlow::Continue(()))
            },
        )?;
        let seconds = begun.elapsed().as_secs_f64();
        games += played.len();
        let searched: u64 = played.iter().map(GameRecord::nodes).sum();
        let tuner = searched as f64 / seconds;
        let speed = || engine_speed(players[0], &played, nodes, searched / threads as u64);
        rounds.push(Speeds::of(tuner, threads, speed)?);
        rates.push(played.len() as f64 / seconds);
    }
    Ok(GamesBench {
        nodes,
        games,
        threads,
        rate: median(rates),
        speeds: Speeds::median(&rounds),
    })
}

/// Nodes a second of one thread that searches the games' positions until it has searched so many.
fn engine_speed(
    params: &ParamSet,
    games: &[GameRecord],
    nodes: u64,
    enough: u64,
) -> Result<f64, RunError> {
    let mut searcher = Searcher::new(params.clone(), 1)?;
    let mut searched = 0;
    let begun = Instant::now();
    for played in games.iter().filter_map(GameRecord::game) {
        searcher.clear();
        let mut game = Game::new(played.opening.start);
        for (ply, mv) in played.moves().enumerate() {
            if ply >= played.opening.moves.len() {
                searched += searcher.search_quietly(&game, &Limits::nodes(nodes)).nodes;
            }
            game.play(mv);
        }
        if searched >= enough {
            break;
        }
    }
    Ok(searched as f64 / begun.elapsed().as_secs_f64().max(1e-9))
}

impl fmt::Display for GamesBench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games at {} nodes a move, {}",
            self.games,
            self.nodes,
            counted(self.threads, "thread")
        )?;
        writeln!(f, "games             {:>12.2} games/s", self.rate)?;
        write!(f, "{}", self.speeds)
    }
}
