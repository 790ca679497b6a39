//! Starts of endings, and matches between endgame programs: for what ships in `programs/`.
//!
//! ```sh
//! cargo run --release -p engine --example programs -- starts KRKR 500 2005 > programs/starts/krkr.epd
//! cargo run --release -p engine --example programs -- match programs/master.sexp random KRKR 500 1
//! ```
//!
//! `FILE@2` is a program that looks two plies ahead. `table` prints the language as the guide has it. A match
//! plays each start with both colours. A game ends by mate, by a draw of the rules, or after 150 moves of each
//! side, when it counts by material.

#![allow(missing_docs, clippy::print_stdout)]

use engine::mixing::scramble;
use engine::position::{Game, Outcome};
use engine::program::{Cache, Ending, Program, Standing, choose, look_ahead, starts, table};
use engine::types::{Color, Move};
use std::error::Error;
use std::path::Path;

/// Plies after which a game is judged by material.
const MOST_PLIES: u64 = 300;

/// A program with the plies that it looks ahead, or any legal move.
enum Player {
    Program(Box<Program>, usize),
    Random,
}

impl Player {
    fn named(name: &str) -> Result<Player, Box<dyn Error>> {
        if name == "random" {
            return Ok(Player::Random);
        }
        let (path, plies) = name.split_once('@').unwrap_or((name, "1"));
        let program = Program::load(Path::new(path))?;
        Ok(Player::Program(Box::new(program), plies.parse()?))
    }

    fn choose(&self, game: &Game, cache: &mut Cache, seed: u64) -> Option<Move> {
        let candidates = cache.candidates(game.position());
        match self {
            Player::Program(program, 1) => choose(program, candidates, seed),
            Player::Program(program, plies) => {
                look_ahead(program, game.position(), *plies, seed, || false).map(|found| found.mv)
            }
            Player::Random => {
                let moves = candidates.moves();
                let drawn = scramble(seed) % moves.len().max(1) as u64;
                moves.get(drawn as usize).map(|(mv, _)| *mv)
            }
        }
    }
}

/// How a game ended for its first player.
#[derive(Default)]
struct Tally {
    mates: u32,
    ahead: u32,
    draws: u32,
    behind: u32,
    mated: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["starts", ending, count, seed] => {
            for position in starts(&ending.parse()?, seed.parse()?, count.parse()?)? {
                let fen = position.to_fen();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                println!("{}", fields.join(" "));
            }
        }
        ["match", first, second, ending, pairs, seed] => {
            let players = [Player::named(first)?, Player::named(second)?];
            play_match(&players, &ending.parse()?, pairs.parse()?, seed.parse()?)?;
        }
        ["table"] => print!("{}", table()),
        _ => {
            return Err(
                "expected starts ENDING COUNT SEED, match A B ENDING PAIRS SEED, or table".into(),
            );
        }
    }
    Ok(())
}

fn play_match(
    players: &[Player; 2],
    ending: &Ending,
    pairs: usize,
    seed: u64,
) -> Result<(), Box<dyn Error>> {
    let mut tally = Tally::default();
    let mut cache = Cache::new(1024);
    for (number, start) in (1_u64..).zip(starts(ending, seed, pairs)?) {
        for first_is in Color::ALL {
            let mut game = Game::new(start);
            let mut ply = 0;
            let outcome = loop {
                if let Some(outcome) = game.outcome() {
                    break Some(outcome);
                }
                if ply == MOST_PLIES {
                    break None;
                }
                ply += 1;
                let player = &players[usize::from(game.position().side_to_move() != first_is)];
                let draw = scramble(seed ^ scramble(number << 10 | ply));
                match player.choose(&game, &mut cache, draw) {
                    Some(mv) if game.play(mv) => {}
                    _ => return Err("a player has no legal move".into()),
                }
            };
            let first_moves = game.position().side_to_move() == first_is;
            let count = match (outcome, Standing::of(game.position())) {
                (Some(Outcome::Checkmate), _) if first_moves => &mut tally.mated,
                (Some(Outcome::Checkmate), _) => &mut tally.mates,
                (Some(_), _) | (None, Standing::Even) => &mut tally.draws,
                (None, Standing::Advantage) if first_moves => &mut tally.ahead,
                (None, Standing::Disadvantage) if !first_moves => &mut tally.ahead,
                (None, _) => &mut tally.behind,
            };
            *count += 1;
        }
    }
    let Tally {
        mates,
        ahead,
        draws,
        behind,
        mated,
    } = tally;
    println!(
        "{ending}: {mates} mates, {ahead} ahead, {draws} draws, {behind} behind, {mated} mated"
    );
    Ok(())
}
