//! Fitness by games (2014 §III.C): players of this process on one thread, from openings that a
//! game's number decides.
//!
//! With fixed nodes a move, a game is a pure function of both players' parameters, the colours,
//! the seed and the opening's number: tables and histories are cleared before each.

use crate::base::statistics::{Pentanomial, counted};
use crate::data::openings::Openings;
use crate::play::adjudication::{GameResult, Rules};
use crate::play::game::{OpeningRule, draw_opening, play_on};
use crate::play::in_process::{Effort, InProcessEngine};
use crate::play::openings::{Opening, game_rng};
use crate::play::player::{PlayError, Player as _};
use crate::play::record::GameRecord;
use engine::params::ParamSet;
use engine::tt::TableError;
use engine::types::Color;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Who judges random openings: the compiled defaults of the program that made the golden runs
/// (`tests/data/golden`). Another judge would draw other openings, and what an old run goes on with would not be
/// what it began with.
const JUDGE: &str = include_str!("judge.toml");
/// Nodes with which random openings are judged.
const JUDGE_NODES: u64 = 2000;
/// Table of the judge, in megabytes.
const JUDGE_HASH: usize = 1;

/// How games are played.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// How much the players may think.
    pub effort: Effort,
    /// Table of each player in megabytes.
    pub hash: usize,
    /// When a game is over.
    pub rules: Rules,
    /// How games begin.
    pub openings: OpeningSource,
    /// Seed of the openings.
    pub seed: u64,
}

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum OpeningSource {
    /// Random moves; those that the [judge] finds balanced.
    Random(OpeningRule),
    /// A book.
    Book(Openings),
}

/// The colours of the games from one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colours {
    /// Two games, the first player having White in the first.
    Both,
    /// One game, in which the first player has this colour.
    First(#[serde(with = "Written")] Color),
}

/// A colour as JSON.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Color")]
enum Written {
    White,
    Black,
}

impl Colours {
    /// The first player's colour in each game.
    pub fn of_first(self) -> Vec<Color> {
        match self {
            Colours::Both => vec![Color::White, Color::Black],
            Colours::First(color) => vec![color],
        }
    }
}

/// Points of the games from one opening, in halves: 2 for a win, 1 for a draw. A game that could
/// not be played gives nobody any.
pub fn half_points(games: &[GameRecord], colours: Colours) -> [u32; 2] {
    let mut points = [0, 0];
    for (game, color) in games.iter().zip(colours.of_first()) {
        match game.result() {
            Some(GameResult::Draw) => points = points.map(|points| points + 1),
            Some(GameResult::Win(winner)) => points[usize::from(winner != color)] += 2,
            None => {}
        }
    }
    points
}

/// Counts the pairs of games from one opening each, for the first player. Single games and
/// pairs that could not be played are left out.
pub fn pentanomial<'a>(pairs: impl IntoIterator<Item = &'a Vec<GameRecord>>) -> Pentanomial {
    let mut counts = Pentanomial::default();
    for games in pairs {
        let played = games.iter().filter(|game| game.result().is_some()).count();
        if games.len() == 2 && played == 2 {
            counts.add(half_points(games, Colours::Both)[0]);
        }
    }
    counts
}

/// The positions that the openings of a match have led to so far. At fixed nodes a game is a
/// function of its players and its opening, so what comes again is no new evidence: the walks
/// through a book of moves, and random openings of few moves, do come again.
#[derive(Debug)]
pub struct OpeningsSeen {
    is_repeatable: bool,
    keys: HashSet<u64>,
    repeated: u64,
}

impl OpeningsSeen {
    /// None so far; of games that do not repeat themselves all are new.
    pub fn new(is_repeatable: bool) -> OpeningsSeen {
        OpeningsSeen {
            is_repeatable,
            keys: HashSet::new(),
            repeated: 0,
        }
    }

    /// Whether these games, from one opening, are new.
    pub fn is_new(&mut self, games: &[GameRecord]) -> bool {
        let played = games.iter().find_map(GameRecord::game);
        let is_new = !self.is_repeatable
            || played.is_none_or(|game| self.keys.insert(game.opening.game().position().key()));
        self.repeated += u64::from(!is_new);
        is_new
    }

    /// How many were not.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }
}

/// What is said of so many pairs of games that are not new, if any are.
pub fn repeated_text(pairs: u64) -> Option<String> {
    (pairs > 0).then(|| {
        format!(
            "Not counted: {} of games that began where another had; at fixed nodes they are the same games.",
            counted(pairs as usize, "pair")
        )
    })
}

/// The parameters that random openings are judged with.
pub fn judge() -> ParamSet {
    // A test reads it.
    let loaded = ParamSet::parse([("judge.toml", JUDGE)]);
    loaded.map(|loaded| loaded.params).unwrap_or_default()
}

/// Two players and a judge of openings, for one thread.
pub struct Arena {
    settings: GameSettings,
    players: [InProcessEngine; 2],
    judge: Option<InProcessEngine>,
}

impl Arena {
    /// An arena for games by these settings.
    ///
    /// # Errors
    /// There is no memory for the tables.
    pub fn new(settings: &GameSettings) -> Result<Arena, TableError> {
        let player = || InProcessEngine::new(ParamSet::missing(), settings.effort, settings.hash);
        let umpire = || {
            let effort = Effort::Nodes(JUDGE_NODES);
            InProcessEngine::new(judge(), effort, JUDGE_HASH)
        };
        Ok(Arena {
            players: [player()?, player()?],
            judge: match settings.openings {
                OpeningSource::Random(_) => Some(umpire()?),
                OpeningSource::Book(_) => None,
            },
            settings: settings.clone(),
        })
    }

    /// Plays the games from the opening with this number.
    ///
    /// # Errors
    /// No balanced opening is found.
    pub fn play(
        &mut self,
        players: [&ParamSet; 2],
        opening: u64,
        colours: Colours,
    ) -> Result<Vec<GameRecord>, PlayError> {
        let opening = self.opening(opening)?;
        let [first, second] = &mut self.players;
        first.become_player(players[0]);
        second.become_player(players[1]);
        let mut games = Vec::new();
        for color in colours.of_first() {
            first.new_game()?;
            second.new_game()?;
            let game = opening.game();
            let played = play_on(
                [&mut *first, &mut *second],
                color == Color::White,
                game,
                opening.clone(),
                self.settings.rules,
            )?;
            games.push(GameRecord::of(&played));
        }
        Ok(games)
    }

    fn opening(&mut self, number: u64) -> Result<Opening, PlayError> {
        let seed = self.settings.seed;
        match (&self.settings.openings, &mut self.judge) {
            (OpeningSource::Book(book), _) => Ok(book.draw(seed, number)),
            (OpeningSource::Random(rule), Some(judge)) => {
                judge.new_game()?;
                let (_, opening) = draw_opening(judge, *rule, &mut game_rng(seed, number))?;
                Ok(opening)
            }
            // Not made by `new`.
            (OpeningSource::Random(_), None) => Ok(Opening::from_startpos(Vec::new())),
        }
    }

    /// Where the players are, for the record of a panic.
    pub fn place(&self) -> String {
        let places = self.players.iter().filter_map(InProcessEngine::place);
        places.collect::<Vec<_>>().join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::adjudication::ResignRule;

    fn settings() -> GameSettings {
        GameSettings {
            effort: Effort::Nodes(200),
            hash: 1,
            rules: Rules {
                resign: Some(ResignRule { cp: 900, moves: 4 }),
                resign_needs_both: true,
                mate_moves: None,
                draw: None,
                max_moves: 60,
            },
            openings: OpeningSource::Random(OpeningRule {
                plies: 8,
                balance: Some(60),
            }),
            seed: 3,
        }
    }

    #[test]
    fn games_are_functions_of_their_players_and_number() {
        let settings = settings();
        let strong = ParamSet::default();
        let mut weak = ParamSet::missing();
        weak.eval.pawn_value = 100;
        let mut arena = Arena::new(&settings).unwrap();
        let mut play = |players, number| arena.play(players, number, Colours::Both).unwrap();
        let once = play([&strong, &weak], 1);
        // Whatever was played in between.
        play([&weak, &strong], 5);
        assert_eq!(once, play([&strong, &weak], 1));
        assert_ne!(once[0].opening, play([&strong, &weak], 2)[0].opening);
        assert_eq!(once[0].opening, once[1].opening);
        assert_eq!(
            Arena::new(&settings)
                .unwrap()
                .play([&strong, &weak], 1, Colours::Both)
                .unwrap(),
            once
        );
        assert!(once.iter().all(|game| game.game().is_some()));
    }

    /// Why a pair of games between equals need not be played.
    #[test]
    fn a_player_draws_every_pair_with_itself() {
        let mut arena = Arena::new(&settings()).unwrap();
        let player = ParamSet::default();
        for number in 0..4 {
            let games = arena
                .play([&player, &player], number, Colours::Both)
                .unwrap();
            assert_eq!(games[0], games[1]);
            assert_eq!(half_points(&games, Colours::Both), [2, 2]);
        }
    }

    #[test]
    fn points_and_pairs_are_counted_for_the_first_player() {
        let game = |result: &str| GameRecord {
            result: result.into(),
            ..GameRecord::void()
        };
        let pair = |first: &str, second: &str| vec![game(first), game(second)];
        let won = pair("1-0", "0-1");
        assert_eq!(half_points(&won, Colours::Both), [4, 0]);
        let mixed = pair("1/2-1/2", "1-0");
        assert_eq!(half_points(&mixed, Colours::Both), [1, 3]);
        let void = pair("*", "1-0");
        assert_eq!(half_points(&void, Colours::Both), [0, 2]);
        assert_eq!(
            half_points(&[game("0-1")], Colours::First(Color::Black)),
            [2, 0]
        );
        let counts = pentanomial([&won, &mixed, &void, &vec![game("1-0")]]);
        assert_eq!(counts.counts, [0, 1, 0, 0, 1]);
    }
}
