//! How the games of a phase or of a command are played, and where their openings come from.

use super::context::{PhaseContext, Role};
use crate::base::statistics::counted;
use crate::config::games::{GamesKeys, OpeningsKey};
use crate::data::openings::Openings;
use crate::error::RunError;
use crate::exec::error::WorkError;
use crate::exec::journal::DataFile;
use crate::fitness::coevolution::{Arena, Colours, GameSettings, OpeningSource, OpeningsSeen};
use crate::fitness::games::{GamePlayer, Match};
use crate::play::in_process::Effort;
use crate::play::pgn::{GameTags, write_game};
use crate::play::record::GameRecord;
use engine::types::Color;

/// Role of a phase's opening book.
pub const BOOK: &str = "opening book";

/// Number of the first opening of each kind of games but the generations' own, which count from 0.
/// Phases may have the same seed, and what one of them played is not to come again in another.
pub mod first_opening {
    /// Games that confirm a challenger.
    pub const CONFIRMATION: u64 = 1 << 40;
    /// Games of the Elo graph.
    pub const GAUGE: u64 = 2 << 40;
    /// Games of the validation's match.
    pub const VALIDATION: u64 = 3 << 40;
}

/// How the games of a phase are played, and where the openings come from.
#[derive(Clone, Debug)]
pub struct GamePlan {
    keys: GamesKeys,
    seed: u64,
    /// The book, if there is one and it was opened.
    book: Option<Openings>,
}

impl GamePlan {
    /// The plan of these keys, and the book as a data file.
    ///
    /// # Errors
    /// The book is refused, or the keys contradict each other.
    pub fn open(
        keys: &GamesKeys,
        seed: u64,
        context: &PhaseContext<'_>,
    ) -> Result<(GamePlan, Option<DataFile>), RunError> {
        let mut plan = GamePlan::closed(keys, seed)?;
        let Some(written) = &keys.book else {
            return Ok((plan, None));
        };
        let path = context.path(BOOK, Role::Other, Some(written));
        let book = Openings::load(&path, keys.opening_rule().plies)?;
        let path = std::path::absolute(&path).unwrap_or(path);
        let file = DataFile {
            note: book.left_out(),
            ..context.file(BOOK, &path, &book.sha256, book.count())
        };
        plan.book = Some(book);
        Ok((plan, Some(file)))
    }

    /// The plan of a command, whose book lies where the user says.
    ///
    /// # Errors
    /// The book is refused, or the keys contradict each other.
    pub fn for_command(keys: &GamesKeys, seed: u64) -> Result<GamePlan, RunError> {
        let mut plan = GamePlan::closed(keys, seed)?;
        if let Some(path) = &keys.book {
            plan.book = Some(Openings::load(path, keys.opening_rule().plies)?);
        }
        Ok(plan)
    }

    /// Without the book: enough to go through a journal.
    ///
    /// # Errors
    /// The keys contradict each other.
    pub fn closed(keys: &GamesKeys, seed: u64) -> Result<GamePlan, RunError> {
        keys.check().map_err(RunError::Games)?;
        Ok(GamePlan {
            keys: keys.clone(),
            seed,
            book: None,
        })
    }

    /// A warning about the book, if some of its lines can't be played.
    pub fn warning(&self) -> Option<String> {
        let book = self.book.as_ref().filter(|book| book.refused > 0)?;
        let first = book.first_refused.as_deref().unwrap_or_default();
        Some(format!(
            "{}: left out {} that can't be played; {first}",
            book.path.display(),
            counted(book.refused, "opening")
        ))
    }

    /// What is wrong with a match of so many pairs if some of them would be the same games again,
    /// which a reckoning of chances takes for new ones: at fixed nodes an opening makes the game.
    pub fn repeats(&self, pairs: u64) -> Option<String> {
        let plies = self.keys.opening_rule().plies;
        let lines = match &self.book {
            Some(book) => book.lines(),
            None => self.keys.random_openings(),
        };
        let lines = lines.filter(|&lines| self.is_repeatable() && lines < pairs)?;
        Some(format!(
            "{pairs} pairs of games, but {} of {plies} half moves or of a book: at fixed nodes an \
             opening that comes again makes the same games again, expected {lines} pairs or fewer, or \
             more openings or half moves",
            counted(lines as usize, "different opening")
        ))
    }

    /// Refuses such a match.
    ///
    /// # Errors
    /// The book is too small, or there are too few random openings.
    pub fn has_openings_for(&self, pairs: u64) -> Result<(), RunError> {
        match self.repeats(pairs) {
            None => Ok(()),
            Some(why) => Err(RunError::Games(why)),
        }
    }

    /// How the games are played, in words.
    pub fn text(&self) -> String {
        self.keys.text()
    }

    /// Whether the same games come out every time.
    pub fn is_repeatable(&self) -> bool {
        self.keys.effort().is_ok_and(Effort::is_repeatable)
    }

    /// For a match by this plan, to count each opening once.
    pub fn openings_seen(&self) -> OpeningsSeen {
        OpeningsSeen::new(self.is_repeatable())
    }

    /// Whether a player draws a pair of games with itself: both games are the same one then.
    pub fn clones_draw(&self) -> bool {
        self.is_repeatable() && self.keys.openings == OpeningsKey::Paired
    }

    /// The openings and colours of so many games of two players, the first opening having this
    /// number.
    pub fn openings(&self, games: u64, first: u64) -> Vec<(u64, Colours)> {
        match self.keys.openings {
            OpeningsKey::Paired => {
                let pairs = games.div_ceil(2);
                (0..pairs)
                    .map(|pair| (first + pair, Colours::Both))
                    .collect()
            }
            OpeningsKey::Paper => {
                // By the opening's number, so that colours are shared out evenly among opponents
                // even where two players have one game.
                let colour = |opening: u64| match opening % 2 {
                    0 => Color::White,
                    _ => Color::Black,
                };
                let one = |opening| (opening, Colours::First(colour(opening)));
                (first..first + games).map(one).collect()
            }
        }
    }

    /// Games of two players that are asked for as `each`: with pairs an even number.
    pub fn games(&self, each: u64) -> u64 {
        let openings = self.openings(each, 0);
        let games = openings
            .iter()
            .map(|(_, colours)| colours.of_first().len() as u64);
        games.sum()
    }

    /// Somebody who plays games.
    ///
    /// # Errors
    /// There is no memory for the tables.
    pub fn player(&self) -> Result<GamePlayer, WorkError> {
        let effort = self.keys.effort()?;
        let settings = GameSettings {
            effort,
            hash: self.keys.hash(),
            rules: self.keys.rules(),
            openings: match &self.book {
                Some(book) => OpeningSource::Book(book.clone()),
                None => OpeningSource::Random(self.keys.opening_rule()),
            },
            seed: self.seed,
        };
        Ok(GamePlayer(Arena::new(&settings)?))
    }

    /// Games as PGN, with score, depth and nodes behind every move, numbered on from those that the
    /// file has `before`. The first of a file says how all were played.
    pub fn pgn(&self, event: &str, before: u64, matches: &[(Match, Vec<GameRecord>)]) -> String {
        let preface = format!("tuner: {}", self.text());
        let mut text = String::new();
        let mut number = before;
        for (task, games) in matches {
            for (record, color) in games.iter().zip(task.colours.of_first()) {
                number += 1;
                let Some(game) = record.game() else { continue };
                let [first, second] = &task.names;
                let (white, black) = match color {
                    Color::White => (first, second),
                    Color::Black => (second, first),
                };
                let tags = GameTags {
                    event,
                    number,
                    white,
                    black,
                    preface: (before == 0 && text.is_empty()).then_some(preface.as_str()),
                    comments: true,
                };
                text.push_str(&write_game(&tags, &game));
            }
        }
        text
    }
}
