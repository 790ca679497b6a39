//! What a program is worth that plays endgames (A. Hauptman and M. Sipper, "Emergence of complex strategies in the
//! evolution of chess endgame players", 2005, §3.4): games against others from random starts, each start with both
//! colours.
//!
//! A game ends by the rules of chess or when each side has made so many moves; then it is judged by material. Equal
//! scores of moves are resolved by a draw from the game's seed, so a game is a function of players, start and seed.

use crate::encoding::programs::Player;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use engine::mixing::scramble;
use engine::position::{Game, Outcome, Position};
use engine::program::{Cache, Ending, Program, Standing, choose, start};
use engine::types::{Color, Move};
use serde::{Deserialize, Serialize};

/// Positions whose terminals a worker keeps: some 10 kB each.
const KEPT: usize = 2_048;

/// How games are played and what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Moves of each side after which a game is judged by material.
    pub moves: u32,
    /// Points for a mate.
    pub mate: u32,
    /// Points for more material when the moves are up.
    pub advantage: u32,
    /// Points of both for a draw.
    pub draw: u32,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has mated.
    Mate(Color),
    /// This side has more material when the moves are up.
    Advantage(Color),
    /// By a rule, or nobody has more.
    Draw,
}

/// Counts of games, of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games that each has won by mate.
    pub mates: [u32; 2],
    /// Games in which each had more material when the moves were up.
    pub advantages: [u32; 2],
    /// The others.
    pub draws: u32,
    /// Moves of both in all games.
    pub plies: u64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u32 {
        let won = self.mates.iter().chain(&self.advantages);
        won.sum::<u32>() + self.draws
    }

    /// Adds other games of the same two.
    pub fn add(&mut self, more: &Tally) {
        for side in 0..2 {
            self.mates[side] += more.mates[side];
            self.advantages[side] += more.advantages[side];
        }
        self.draws += more.draws;
        self.plies += more.plies;
    }

    /// Points of the first (0) or the second player (1).
    pub fn points(&self, side: usize, rules: &Rules) -> u64 {
        let of = |count: u32, points: u32| u64::from(count) * u64::from(points);
        let [mates, advantages] =
            [self.mates, self.advantages].map(|won| won.get(side).copied().unwrap_or(0));
        of(mates, rules.mate) + of(advantages, rules.advantage) + of(self.draws, rules.draw)
    }

    /// The same seen by the other player.
    #[must_use]
    pub fn turned(mut self) -> Tally {
        self.mates.reverse();
        self.advantages.reverse();
        self
    }

    /// Standard error of the score, games taken as independent.
    pub fn error(&self) -> f64 {
        let (games, score) = (f64::from(self.games().max(1)), self.score());
        let lost = self.mates[1] + self.advantages[1];
        let won = self.games() - self.draws - lost;
        let of = |count: u32, worth: f64| f64::from(count) * (worth - score) * (worth - score);
        (of(won, 1.0) + of(self.draws, 0.5) + of(lost, 0.0)).sqrt() / games
    }

    /// The first player's part of the points as in a chess tournament, from 0 to 1: a mate or an advantage 1, a draw ½.
    pub fn score(&self) -> f64 {
        let halves = 2 * (self.mates[0] + self.advantages[0]) + self.draws;
        f64::from(halves) / f64::from(2 * self.games().max(1))
    }
}

/// Where a game begins: a place in the phase's list of endings and a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The ending.
    pub ending: usize,
    /// The seed of the position.
    pub seed: u64,
}

/// Starts of a seed, of endings that take turns.
pub fn starts(seed: u64, first: u64, count: usize, endings: usize) -> Vec<Start> {
    let start = |number: u64| Start {
        ending: (number % endings.max(1) as u64) as usize,
        seed: scramble(seed ^ scramble(number)),
    };
    (first..).take(count).map(start).collect()
}

/// Whom a program plays against.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Opponent {
    /// Another of its generation.
    Peer(Player),
    /// Random moves.
    Random,
    /// The program that the phase names.
    Rival,
}

/// All games of two players from some starts, each twice with colours exchanged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Encounter {
    /// The task's name.
    pub key: String,
    /// The first player.
    pub player: Player,
    /// The second one.
    pub opponent: Opponent,
    /// Where games begin.
    pub starts: Vec<Start>,
    /// The seed of draws between equal moves.
    pub seed: u64,
}

impl Task for Encounter {
    const KIND: &'static str = "encounter";
    type Answer = Tally;

    fn key(&self) -> String {
        self.key.clone()
    }

    /// A rival is one of the phase's files, whose content the journal's header has.
    fn digest(&self) -> String {
        let starts = self.starts.iter();
        let starts = starts.map(|start| format!("{} {}", start.ending, start.seed));
        let opponent = match &self.opponent {
            Opponent::Peer(player) => player.names(),
            Opponent::Random => "random".to_string(),
            Opponent::Rival => "rival".to_string(),
        };
        let starts = starts.collect::<Vec<_>>().join(", ");
        let text = format!(
            "{}\n{opponent}\n{starts}\n{}",
            self.player.names(),
            self.seed
        );
        crate::base::files::sha256(text.as_bytes())
    }

    fn fits(&self, tally: &Tally) -> bool {
        tally.games() as usize == 2 * self.starts.len()
    }

    /// Whose fault a panic is can't be told from outside: nobody wins.
    fn worst(&self) -> Tally {
        Tally {
            draws: 2 * self.starts.len() as u32,
            ..Tally::default()
        }
    }

    fn describe(&self) -> String {
        let opponent = match &self.opponent {
            Opponent::Peer(player) => player.0.to_string(),
            Opponent::Random => "random moves\n".to_string(),
            Opponent::Rival => "the phase's rival\n".to_string(),
        };
        format!(
            "{:?}, seed {}\n{}{opponent}",
            self.starts, self.seed, self.player.0
        )
    }
}

/// One game, and its length in plies. `choose` says what the first player (0) or the second (1) plays in a position, by
/// a seed. The first has White if `first_is_white`.
pub fn play(
    choose: &mut impl FnMut(usize, &Position, u64) -> Option<Move>,
    first_is_white: bool,
    begin: Position,
    rules: &Rules,
    seed: u64,
) -> (End, u64) {
    let mut game = Game::new(begin);
    let mut plies = 0;
    loop {
        let position = *game.position();
        let mover = position.side_to_move();
        match game.outcome() {
            Some(Outcome::Checkmate) => return (End::Mate(!mover), plies),
            Some(_) => return (End::Draw, plies),
            None => {}
        }
        if plies >= 2 * u64::from(rules.moves) {
            let end = match Standing::of(&position) {
                Standing::Advantage => End::Advantage(mover),
                Standing::Even => End::Draw,
                Standing::Disadvantage => End::Advantage(!mover),
            };
            return (end, plies);
        }
        let who = usize::from((mover == Color::White) != first_is_white);
        let seed = scramble(seed.wrapping_add(plies));
        match choose(who, &position, seed) {
            Some(mv) if game.play(mv) => plies += 1,
            // The rules have said that there is a legal move.
            _ => return (End::Draw, plies),
        }
    }
}

/// Both games from each of some starts, colours exchanged; `at` is told of each start.
///
/// # Errors
/// No start of an ending is found.
pub fn play_all(
    choose: &mut impl FnMut(usize, &Position, u64) -> Option<Move>,
    endings: &[Ending],
    starts: &[Start],
    (rules, seed): (&Rules, u64),
    mut at: impl FnMut(Position),
) -> Result<Tally, WorkError> {
    let mut tally = Tally::default();
    for (number, begin) in (0..).zip(starts) {
        let Some(ending) = endings.get(begin.ending) else {
            tally.draws += 2;
            continue;
        };
        let begin = start(ending, begin.seed)?;
        at(begin);
        for first_is_white in [true, false] {
            let seed = scramble(seed ^ scramble(2 * number + u64::from(first_is_white)));
            let (end, plies) = play(choose, first_is_white, begin, rules, seed);
            let side = |winner: Color| usize::from((winner == Color::White) != first_is_white);
            match end {
                End::Mate(winner) => tally.mates[side(winner)] += 1,
                End::Advantage(winner) => tally.advantages[side(winner)] += 1,
                End::Draw => tally.draws += 1,
            }
            tally.plies += plies;
        }
    }
    Ok(tally)
}

/// Plays on one thread.
pub struct Board<'a> {
    endings: &'a [Ending],
    rules: Rules,
    random: Option<Player>,
    rival: Option<&'a Program>,
    cache: Cache,
    place: Option<Position>,
}

impl<'a> Board<'a> {
    /// For these endings; the rival is whom the phase names.
    pub fn new(endings: &'a [Ending], rules: Rules, rival: Option<&'a Program>) -> Board<'a> {
        Board {
            endings,
            rules,
            random: Player::random(),
            rival,
            cache: Cache::new(KEPT),
            place: None,
        }
    }

    /// All games of an encounter.
    ///
    /// # Errors
    /// No start of an ending is found.
    pub fn play(&mut self, task: &Encounter) -> Result<Tally, WorkError> {
        let opponent = match &task.opponent {
            Opponent::Peer(player) => Some(&*player.0),
            Opponent::Random => self.random.as_ref().map(|random| &*random.0),
            Opponent::Rival => self.rival,
        };
        let Some(opponent) = opponent else {
            return Ok(task.worst());
        };
        let players = [&*task.player.0, opponent];
        let Board {
            endings,
            rules,
            cache,
            place,
            ..
        } = self;
        let mut choose = |who: usize, position: &Position, seed| {
            choose(players[who], cache.candidates(position), seed)
        };
        let told = |begin| *place = Some(begin);
        play_all(&mut choose, endings, &task.starts, (rules, task.seed), told)
    }
}

impl Worker<Encounter> for Board<'_> {
    fn answer(&mut self, task: &Encounter) -> Result<Tally, WorkError> {
        self.play(task)
    }

    fn place(&self) -> String {
        self.place.map_or(String::new(), |place| place.to_fen())
    }
}

/// Who plays whom in a generation (random-2-ways): from a circle in random order everybody plays with so many
/// neighbours on either side, so each pair plays once and everybody equally often. `order` is that circle.
pub fn pairs(order: &[usize], peers: usize) -> Vec<[usize; 2]> {
    let count = order.len();
    let pair = |(at, away): (usize, usize)| [order[at], order[(at + away) % count]];
    let all = (1..=peers / 2).flat_map(|away| (0..count).map(move |at| (at, away)));
    all.map(pair).collect()
}

#[cfg(test)]
mod tests;
