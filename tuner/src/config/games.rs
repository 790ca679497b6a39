//! Keys of games: how long the players think, from which openings, and when a game is over.

use super::values::{FilePath, Positive, Whole, usual};
use crate::play::adjudication::{DrawRule, MateRule, OrOff, ResignRule, Rules};
use crate::play::game::OpeningRule;
use crate::play::in_process::Effort;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// Games of every two individuals in a generation, unless the profile says (2014 §III.C).
const GAMES_A_PAIR: u64 = 4;

/// Keys of `[phase.games]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "the keys of games")]
pub struct GamesKeys {
    /// Nodes that a player searches for each move. The games are the same every time. Either this,
    /// `depth` or `seconds`.
    nodes: Option<Whole<1, 1_000_000_000>>,
    /// Plies (half moves) that a player searches for each move, instead of `nodes` (2013 §5.4: 6). The
    /// games are the same every time. What a move costs depends on the player's search.
    depth: Option<Whole<1, 64>>,
    /// Seconds that a player has for a whole game, instead of `nodes`. The games are the same every
    /// time only with `speed`.
    seconds: Option<Positive>,
    /// Seconds added to the clock after each move. Needs `seconds`.
    increment: Option<Positive>,
    /// Nodes that count as one second of the clock, which then depends on no machine. Needs `seconds`.
    speed: Option<Whole<{ *SPEEDS.start() }, { *SPEEDS.end() }>>,
    /// Games between two individuals: of every two in a generation, or of a duel. An even number where
    /// openings are paired. No key of a validation.
    #[schemars(extend("default" = GAMES_A_PAIR))]
    each: Option<Whole<1, 1000>>,
    /// How openings are dealt to games. A validation is always paired.
    #[serde(default)]
    pub openings: OpeningsKey,
    /// Opening book (EPD, PGN or Polyglot). If absent, openings are random moves.
    #[schemars(with = "Option<FilePath>")]
    pub book: Option<PathBuf>,
    /// Plies (half moves) of an opening: random ones, or the first ones of a book's games.
    #[serde(default = "usual::<OPENING_PLIES, 0, 200>")]
    plies: Whole<0, 200>,
    /// Random openings whose score is further from 0 than so many centipawns are not used. Not with
    /// `book`.
    #[schemars(extend("default" = OPENING_BALANCE))]
    balance: Option<Whole<0, 10_000>>,
    /// Size of each player's transposition table in megabytes.
    #[serde(default = "usual::<TABLE, 1, 4096>")]
    hash: Whole<1, 4096>,
    /// Adjudication as lost: a side is at least so many centipawns behind for so many of its moves in a
    /// row, and the opponent's scores agree.
    #[serde(default = "resign_rule")]
    #[schemars(extend("x-value" = "`\"CP,MOVES\"` or `\"off\"`"))]
    resign: OrOff<ResignRule>,
    /// Whether the loser's score alone decides in `resign`, without the opponent's.
    #[serde(default)]
    resign_alone: bool,
    /// Adjudication as won: a side has seen a forced mate at so many of its moves in a row.
    #[serde(default = "mate_rule")]
    #[schemars(extend("x-value" = "`\"MOVES\"` or `\"off\"`"))]
    mate: OrOff<MateRule>,
    /// Adjudication as a draw: from the move of this number on, both scores are within so many
    /// centipawns of 0 for so many moves of each side in a row.
    #[serde(default = "draw_rule")]
    #[schemars(extend("x-value" = "`\"MOVENUMBER,CP,MOVES\"` or `\"off\"`"))]
    draw: OrOff<DrawRule>,
    /// A game that is so many moves long is a draw.
    #[serde(default = "usual::<LONGEST, 1, 5000>")]
    max_moves: Whole<1, 5000>,
}

/// Half moves of an opening where nobody says how many.
pub const OPENING_PLIES: u64 = 8;

/// Centipawns beyond which a random opening is refused, where nobody says.
const OPENING_BALANCE: u64 = 80;

/// Megabytes of a player's table.
const TABLE: u64 = 1;
/// Moves of the longest game.
const LONGEST: u64 = 200;

fn resign_rule() -> OrOff<ResignRule> {
    OrOff(Some(ResignRule { cp: 900, moves: 4 }))
}

fn mate_rule() -> OrOff<MateRule> {
    OrOff(Some(MateRule(2)))
}

fn draw_rule() -> OrOff<DrawRule> {
    OrOff(Some(DrawRule {
        from_move: 40,
        cp: 10,
        moves: 8,
    }))
}

/// How openings are given to games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningsKey {
    /// Each opening is played with both colours, so that its own advantage cancels out.
    #[default]
    Paired,
    /// Each game has an opening of its own, and the colours take turns (2014 §III.C).
    Paper,
}

/// A clock in place of nodes a move.
#[derive(Clone, Copy)]
pub struct GameClock {
    /// Seconds a side for a whole game.
    pub seconds: f64,
    /// Seconds added with each move.
    pub increment: f64,
    /// Nodes that count as a second, if the clock is not to be a real one.
    pub speed: Option<u64>,
}

/// Least and most nodes that may count as a second.
pub const SPEEDS: RangeInclusive<u64> = 1000..=1_000_000_000;

impl GamesKeys {
    /// The defaults with this much thinking, this book and half moves of an opening.
    pub fn of(
        nodes: u64,
        clock: Option<GameClock>,
        book: Option<PathBuf>,
        plies: u64,
    ) -> GamesKeys {
        GamesKeys {
            nodes: clock.is_none().then_some(Whole(nodes)),
            depth: None,
            seconds: clock.map(|clock| Positive(clock.seconds)),
            increment: clock
                .map(|clock| Positive(clock.increment))
                .filter(|increment| increment.0 > 0.0),
            speed: clock.and_then(|clock| clock.speed).map(Whole),
            each: None,
            openings: OpeningsKey::default(),
            book,
            plies: Whole(plies),
            balance: None,
            hash: Whole(TABLE),
            resign: resign_rule(),
            resign_alone: false,
            mate: mate_rule(),
            draw: draw_rule(),
            max_moves: Whole(LONGEST),
        }
    }

    /// Whether the keys go together.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self) -> Result<(), String> {
        self.effort()?;
        if self.book.is_some() && self.balance.is_some() {
            return Err("[games] has a book and `balance`, which is for random openings, expected one of them".into());
        }
        if self.resign_alone && self.resign.0.is_none() {
            return Err("[games] has `resign_alone` and `resign = \"off\"`".into());
        }
        if self.each() % 2 == 1 && self.openings == OpeningsKey::Paired {
            return Err(format!(
                "[games] has `each = {}`, and each opening is played with both colours, expected an \
                 even number, or `openings = \"paper\"`",
                self.each()
            ));
        }
        Ok(())
    }

    fn balance(&self) -> u64 {
        self.balance.map_or(OPENING_BALANCE, |balance| balance.0)
    }

    /// How much the players think.
    ///
    /// # Errors
    /// In words.
    pub fn effort(&self) -> Result<Effort, String> {
        let millis = |Positive(seconds)| (seconds * 1000.0).round() as u64;
        match (self.nodes, self.depth, self.seconds) {
            (_, _, None) if self.increment.is_some() => {
                Err("[games] has an increment and no seconds, to which it would be added".into())
            }
            (_, _, None) if self.speed.is_some() => {
                Err("[games] has a speed and no seconds, which it would be the length of".into())
            }
            (Some(nodes), None, None) => Ok(Effort::Nodes(nodes.0)),
            (None, Some(plies), None) => Ok(Effort::Depth(plies.get())),
            (None, None, Some(seconds)) if millis(seconds) == 0 => {
                Err("[games] has less than a millisecond, expected seconds = 0.001 or more".into())
            }
            (None, None, Some(seconds)) => Ok(Effort::Clock {
                time: millis(seconds),
                increment: self.increment.map_or(0, millis),
                speed: self.speed.map(|speed| speed.0),
            }),
            (None, None, None) => {
                Err("[games] has none of nodes, depth and seconds, expected one of them".into())
            }
            _ => Err(
                "[games] has more than one of nodes, depth and seconds, expected one of them"
                    .into(),
            ),
        }
    }

    /// Games of every two individuals in a generation.
    pub fn each(&self) -> u64 {
        self.each.map_or(GAMES_A_PAIR, |each| each.0)
    }

    /// Refuses what says nothing of a match, whose openings are all played with both colours.
    ///
    /// # Errors
    /// In words.
    pub fn of_a_match(&self) -> Result<(), String> {
        match (self.each, self.openings) {
            (Some(_), _) => Err("[games] has `each`; a match has `pairs` in [sprt]".into()),
            (None, OpeningsKey::Paper) => Err(
                "[games] has `openings = \"paper\"`; a match plays each opening with both colours"
                    .into(),
            ),
            (None, OpeningsKey::Paired) => Ok(()),
        }
    }

    /// How games end.
    pub fn rules(&self) -> Rules {
        Rules {
            resign: self.resign.0,
            resign_needs_both: !self.resign_alone,
            mate_moves: self.mate.0.map(|rule| rule.0),
            draw: self.draw.0,
            max_moves: self.max_moves.0 as u32,
        }
    }

    /// How many random openings there are at most, where they are few; `None` for more than any
    /// match can use.
    pub fn random_openings(&self) -> Option<u64> {
        match self.plies.0 {
            0 => Some(1),
            1 => Some(20),
            2 => Some(400),
            _ => None,
        }
    }

    /// Random openings.
    pub fn opening_rule(&self) -> OpeningRule {
        OpeningRule {
            plies: self.plies.0 as u32,
            balance: Some(self.balance() as i32),
        }
    }

    /// Table of each player in megabytes.
    pub fn hash(&self) -> usize {
        self.hash.get()
    }

    /// All settings in words, for games and reports.
    pub fn text(&self) -> String {
        let clock = match self.speed {
            Some(speed) => format!("at {} nodes a second", speed.0),
            None => "not repeatable".to_string(),
        };
        let plies = || self.depth.map(|plies| format!("{} plies a move", plies.0));
        let effort = match (self.nodes, self.seconds, self.increment) {
            (Some(nodes), ..) => format!("{} nodes a move", nodes.0),
            (None, Some(Positive(seconds)), None) => format!("{seconds} s a side, {clock}"),
            (None, Some(Positive(seconds)), Some(Positive(increment))) => {
                format!("{seconds} s a side and {increment} s a move, {clock}")
            }
            (None, None, _) => plies().unwrap_or_default(),
        };
        let openings = match self.openings {
            OpeningsKey::Paired => "each opening with both colours",
            OpeningsKey::Paper => "each game its own opening",
        };
        let source = match &self.book {
            Some(book) => book
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            None => format!("{} random plies within {} cp", self.plies.0, self.balance()),
        };
        let alone = if self.resign_alone { " alone" } else { "" };
        format!(
            "{effort}; {openings}: {source}; hash {} MB; resign {}{alone}; mate {}; draw {}; at \
             most {} moves",
            self.hash.0, self.resign, self.mate, self.draw, self.max_moves.0
        )
    }
}

impl<'de, T: FromStr<Err = String>> Deserialize<'de> for OrOff<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
