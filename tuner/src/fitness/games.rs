//! Games as tasks: the games from one opening are one task, played by whichever thread is free.

use super::MOST_NODES;
use super::coevolution::{Arena, Colours, half_points};
use crate::encoding::by_place;
use crate::encoding::rows::digest_of;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use crate::play::adjudication::GameResult;
use crate::play::record::GameRecord;
use engine::params::{ParamSet, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The games of two players from one opening.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Match {
    /// Name of the task, unique within the phase.
    pub key: String,
    /// Who plays.
    #[serde(with = "by_place")]
    pub players: [Arc<ParamSet>; 2],
    /// What they are called in the games' tags.
    pub names: [String; 2],
    /// Number of the opening.
    pub opening: u64,
    /// Who has White.
    pub colours: Colours,
    /// Whether the games are the same every time.
    pub is_repeatable: bool,
}

impl Task for Match {
    const KIND: &'static str = "match";
    type Answer = Vec<GameRecord>;

    fn key(&self) -> String {
        self.key.clone()
    }

    fn digest(&self) -> String {
        let players = self.players.iter().map(AsRef::as_ref);
        format!("{} opening {}", digest_of(players), self.opening)
    }

    fn is_repeatable(&self) -> bool {
        self.is_repeatable
    }

    fn fits(&self, games: &Vec<GameRecord>) -> bool {
        let is_game = |game: &GameRecord| game.game().is_some() && game.nodes() <= MOST_NODES;
        let valid = |game: &GameRecord| *game == GameRecord::void() || is_game(game);
        games.len() == self.colours.of_first().len() && games.iter().all(valid)
    }

    /// Whose fault a panic is can't be told from outside: nobody gets a point.
    fn worst(&self) -> Vec<GameRecord> {
        let colours = self.colours.of_first();
        colours.iter().map(|_| GameRecord::void()).collect()
    }

    fn describe(&self) -> String {
        let players = self.players.iter().zip(&self.names).map(|(player, name)| {
            let tables = [Table::Eval, Table::Search];
            format!("# {name}\n{}", player.to_toml(&[], &[], &tables))
        });
        let players = players.collect::<String>();
        format!("opening {}, {:?}\n\n{players}", self.opening, self.colours)
    }
}

/// What is counted of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// Half points of the first player and of the second.
    pub halves: [u32; 2],
    /// Games that were played.
    pub games: u64,
    /// Those that somebody won.
    pub decisive: u64,
    /// Nodes that were searched.
    pub nodes: u64,
}

impl Points {
    /// Of the games from one opening.
    pub fn of(games: &[GameRecord], colours: Colours) -> Points {
        let played = || games.iter().filter(|game| game.result().is_some());
        let decisive = |game: &&GameRecord| matches!(game.result(), Some(GameResult::Win(_)));
        Points {
            halves: half_points(games, colours),
            games: played().count() as u64,
            decisive: played().filter(decisive).count() as u64,
            nodes: played().map(GameRecord::nodes).sum(),
        }
    }

    /// Of all of them.
    pub fn of_all<'a>(played: impl IntoIterator<Item = &'a (Match, Vec<GameRecord>)>) -> Points {
        let mut all = Points::default();
        for (task, games) in played {
            all.add(&Points::of(games, task.colours));
        }
        all
    }

    /// Adds those of other games.
    pub fn add(&mut self, more: &Points) {
        for (points, more) in self.halves.iter_mut().zip(more.halves) {
            *points += more;
        }
        self.games += more.games;
        self.decisive += more.decisive;
        self.nodes += more.nodes;
    }
}

/// The games of two individuals from one opening, of which only the points are kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Duel(pub Match);

impl Task for Duel {
    const KIND: &'static str = "duel";
    type Answer = Points;

    fn key(&self) -> String {
        self.0.key()
    }

    fn digest(&self) -> String {
        self.0.digest()
    }

    fn is_repeatable(&self) -> bool {
        self.0.is_repeatable()
    }

    fn fits(&self, points: &Points) -> bool {
        let halves: u64 = points.halves.iter().map(|&halves| u64::from(halves)).sum();
        let games = self.0.colours.of_first().len() as u64;
        points.games <= games
            && points.decisive <= points.games
            && halves == 2 * points.games
            && points.nodes <= MOST_NODES
    }

    /// Nobody gets a point, as elsewhere.
    fn worst(&self) -> Points {
        Points::default()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }
}

/// Plays games on one thread.
pub struct GamePlayer(pub Arena);

impl GamePlayer {
    /// The games of a match.
    ///
    /// # Errors
    /// No balanced opening is found.
    fn play(&mut self, task: &Match) -> Result<Vec<GameRecord>, WorkError> {
        let players = task.players.each_ref().map(AsRef::as_ref);
        Ok(self.0.play(players, task.opening, task.colours)?)
    }
}

impl Worker<Match> for GamePlayer {
    fn answer(&mut self, task: &Match) -> Result<Vec<GameRecord>, WorkError> {
        self.play(task)
    }

    fn place(&self) -> String {
        self.0.place()
    }
}

impl Worker<Duel> for GamePlayer {
    fn answer(&mut self, Duel(task): &Duel) -> Result<Points, WorkError> {
        Ok(Points::of(&self.play(task)?, task.colours))
    }

    fn place(&self) -> String {
        self.0.place()
    }
}
