//! What a program is worth that plays endgames (A. Hauptman and M. Sipper, "Emergence of complex strategies in the
//! evolution of chess endgame players", 2005, §3.4): games against others from random starts, each start with both
//! colours.
//!
//! Equal scores of moves are resolved by a draw from the game's seed, so a game is a function of players, start and
//! seed; how it ends is in [`super::endgame_play`].

use super::MOST_NODES;
use crate::encoding::programs::Player;
use crate::exec::error::WorkError;
use crate::exec::task::{Task, Worker};
use crate::fitness::endgame_play::play;
use crate::play::in_process::{Effort, InProcessEngine};
use crate::play::player::Player as _;
use engine::mixing::scramble;
use engine::params::ParamSet;
use engine::position::{Game, Position};
use engine::program::{Cache, Candidates, Ending, Kind, PRIMITIVES, Program, choose, start};
use engine::types::Move;
use serde::{Deserialize, Serialize};

pub use crate::fitness::endgame_play::{End, Rules, Tally};

/// Positions whose terminals a worker keeps: some 10 kB each.
const KEPT: usize = 2_048;

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
    /// Eyas with as many nodes a move as the phase says.
    Engine,
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
            Opponent::Engine => "engine".to_string(),
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
        let counts = tally.mates.iter().chain(&tally.advantages);
        let games: u64 = counts
            .chain([&tally.draws])
            .map(|&count| u64::from(count))
            .sum();
        games == 2 * self.starts.len() as u64 && tally.plies <= MOST_NODES
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
            Opponent::Engine => "Eyas\n".to_string(),
        };
        format!(
            "{:?}, seed {}\n{}{opponent}",
            self.starts, self.seed, self.player.0
        )
    }
}

/// Both games from each of some starts, colours exchanged; `at` is told of each start. `choose` says what the first
/// player (0) or the second (1) plays, by a seed.
///
/// # Errors
/// No start of an ending is found, or a player's.
pub fn play_all(
    choose: &mut impl FnMut(usize, &Game, u64) -> Result<Option<Move>, WorkError>,
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
            let mut chosen =
                |who, game: &Game, ply| choose(who, game, scramble(seed.wrapping_add(ply)));
            let (end, plies) = play(begin, first_is_white, rules, &mut chosen)?;
            tally.count(end, plies, first_is_white);
        }
    }
    Ok(tally)
}

/// The engine's transposition table, in megabytes: searches are short.
const ENGINE_HASH: usize = 1;

/// Plays on one thread.
pub struct Board<'a> {
    endings: &'a [Ending],
    rules: Rules,
    random: Option<Player>,
    rival: Option<&'a Program>,
    /// Nodes that the engine has for a move, if it plays.
    nodes: Option<u64>,
    /// A terminal that first players can't see.
    hidden: Option<u16>,
    /// Made when it is asked for the first time.
    engine: Option<InProcessEngine>,
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
            nodes: None,
            hidden: None,
            engine: None,
            cache: Cache::new(KEPT),
            place: None,
        }
    }

    /// Lets Eyas play, too, with so many nodes a move.
    #[must_use]
    pub fn with_engine(self, nodes: Option<u64>) -> Board<'a> {
        Board { nodes, ..self }
    }

    /// Hides a terminal from first players: in each position and after each move they are told a random value, false or
    /// true or a number from 0 to 9, as often as they ask the same one (2005 §5.1, S_DIS).
    #[must_use]
    pub fn with_hidden(self, terminal: u16) -> Board<'a> {
        Board {
            hidden: Some(terminal),
            ..self
        }
    }

    /// All games of an encounter.
    ///
    /// # Errors
    /// No start of an ending is found, or there is no memory for the engine.
    pub fn play(&mut self, task: &Encounter) -> Result<Tally, WorkError> {
        let random = self.random.clone();
        let opponent = match &task.opponent {
            Opponent::Peer(player) => Some(&*player.0),
            Opponent::Random => random.as_ref().map(|random| &*random.0),
            Opponent::Rival => self.rival,
            Opponent::Engine => None,
        };
        let needs_engine = matches!(task.opponent, Opponent::Engine);
        if needs_engine && self.engine.is_none() {
            let made = self.nodes.map(|nodes| {
                InProcessEngine::new(ParamSet::default(), Effort::Nodes(nodes), ENGINE_HASH)
            });
            self.engine = made.transpose()?;
        }
        let Board {
            endings,
            rules,
            hidden,
            engine,
            cache,
            place,
            ..
        } = self;
        let mut engine = engine.as_mut().filter(|_| needs_engine);
        if opponent.is_none() && engine.is_none() {
            return Ok(task.worst());
        }
        let players = [Some(&*task.player.0), opponent];
        let mut choose = |who: usize, game: &Game, seed| -> Result<Option<Move>, WorkError> {
            let position = game.position();
            Ok(match (players[who], &mut engine, *hidden) {
                (Some(player), _, Some(terminal)) if who == 0 => {
                    choose(player, &mut blinded(position, terminal, seed), seed)
                }
                (Some(player), ..) => choose(player, cache.candidates(position), seed),
                (None, Some(engine), _) => {
                    // Its first move of a game: it forgets the one before.
                    if game.keys().len() < 2 {
                        engine.new_game()?;
                    }
                    Some(engine.choose(game, &[])?.mv)
                }
                (None, None, _) => None,
            })
        };
        let told = |begin| *place = Some(begin);
        play_all(&mut choose, endings, &task.starts, (rules, task.seed), told)
    }
}

/// The candidates of a position with random values of a terminal.
fn blinded(position: &Position, terminal: u16, seed: u64) -> Candidates {
    let is_truth = PRIMITIVES
        .get(usize::from(terminal))
        .is_some_and(|one| one.result == Kind::Boolean);
    let mut candidates = Candidates::new(position);
    for (number, (_, terminals)) in (1..).zip(candidates.moves()) {
        let word = scramble(seed ^ scramble(number)) >> 32;
        let value = if is_truth { word % 2 } else { word % 10 };
        terminals.overrule(terminal, value as i16);
    }
    candidates
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
mod tests {
    use super::*;
    use std::sync::Arc;

    const RULES: Rules = Rules {
        moves: 3,
        mate: 6,
        advantage: 3,
        draw: 1,
    };

    /// A program of one tree in all three places.
    fn program(tree: &str) -> Program {
        let text = format!(
            "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
        );
        Program::parse(&text).unwrap()
    }

    #[test]
    fn everybody_plays_equally_many_peers_and_each_pair_once() {
        for (count, peers) in [(3, 2), (80, 6), (7, 6), (10, 4)] {
            let order: Vec<usize> = (0..count).rev().collect();
            let pairs = pairs(&order, peers);
            assert_eq!(pairs.len(), count * peers / 2);
            let mut met = std::collections::BTreeSet::new();
            for [one, other] in &pairs {
                assert_ne!(one, other);
                assert!(
                    met.insert((one.min(other), one.max(other))),
                    "{count} {peers}"
                );
            }
            for who in 0..count {
                let games = pairs.iter().filter(|pair| pair.contains(&who));
                assert_eq!(games.count(), peers, "{count} {peers}");
            }
        }
    }

    #[test]
    fn endings_take_turns_and_no_start_comes_again() {
        let first = starts(7, 0, 6, 4);
        let turns: Vec<usize> = first.iter().map(|start| start.ending).collect();
        assert_eq!(turns, [0, 1, 2, 3, 0, 1]);
        let later = starts(7, 6, 6, 4);
        assert_eq!(later[0].ending, 2);
        assert!(first.iter().all(|start| !later.contains(start)));
        assert_eq!(starts(7, 3, 3, 4), first[3..]);
        assert_ne!(starts(8, 0, 6, 4), first);
    }

    /// The same task has the same answer on any worker, whatever that one has played before; the two players'
    /// places can be exchanged, and colours are.
    #[test]
    fn an_encounter_is_a_function_of_its_task() {
        let endings: [Ending; 2] = ["KRKR", "KQKQ"].map(|name| name.parse().unwrap());
        let player = |tree| Player(Arc::new(program(tree)));
        let mate = player("(If3 IsMate 1000/2 EvaluateMaterial)");
        let task = |first: &Player, second: &Player| Encounter {
            key: "k".into(),
            player: first.clone(),
            opponent: Opponent::Peer(second.clone()),
            starts: starts(3, 0, 20, 2),
            seed: 5,
        };
        let rules = Rules { moves: 30, ..RULES };
        let other = player("NumMyPiecesNotAttacked");
        let mut board = Board::new(&endings, rules, None);
        let found = board.answer(&task(&mate, &other)).unwrap();
        assert_eq!(found.games(), 40);
        assert!(found.plies > 100 && found.draws < 40, "{found:?}");
        let again = Board::new(&endings, rules, None)
            .answer(&task(&mate, &other))
            .unwrap();
        assert_eq!(found, again);
        assert_eq!(board.answer(&task(&mate, &other)).unwrap(), found);
        // Random moves are a program too; without a rival there is nothing to be won against it.
        let mut against = task(&mate, &other);
        against.opponent = Opponent::Random;
        assert!(board.answer(&against).unwrap().score() > 0.5);
        for lacking in [Opponent::Rival, Opponent::Engine] {
            against.opponent = lacking;
            assert_eq!(board.answer(&against).unwrap(), against.worst());
        }
        assert!(against.fits(&against.worst()) && !against.fits(&Tally::default()));
        let text = serde_json::to_string(&task(&mate, &other)).unwrap();
        let sent: Encounter = serde_json::from_str(&text).unwrap();
        assert_eq!(board.answer(&sent).unwrap(), found);
        assert_eq!(sent.digest(), task(&mate, &other).digest());
        assert_ne!(sent.digest(), task(&other, &mate).digest());
    }
    /// Eyas with few nodes takes what hangs and mates random moves; its games too are a function of the task.
    #[test]
    fn the_engine_is_an_opponent_and_forgets_every_game() {
        let endings: [Ending; 1] = ["KQKQ".parse().unwrap()];
        let rules = Rules { moves: 30, ..RULES };
        let task = Encounter {
            key: "k".into(),
            player: Player::random().unwrap(),
            opponent: Opponent::Engine,
            starts: starts(3, 0, 5, 1),
            seed: 5,
        };
        let mut board = Board::new(&endings, rules, None).with_engine(Some(200));
        let found = board.answer(&task).unwrap();
        assert_eq!(found.games(), 10);
        assert!(found.score() < 0.2 && found.mates[1] > 0, "{found:?}");
        assert_eq!(board.answer(&task).unwrap(), found);
    }
    /// Whoever goes by a terminal alone plays any move without it, and who never asks it plays on as before.
    #[test]
    fn a_hidden_terminal_is_not_seen() {
        let endings: [Ending; 1] = ["KRKR".parse().unwrap()];
        let player = |tree| Player(Arc::new(program(tree)));
        let by = |player: Player, hidden: Option<&str>| {
            let task = Encounter {
                key: "k".into(),
                player,
                opponent: Opponent::Random,
                starts: starts(3, 0, 50, 1),
                seed: 5,
            };
            let rules = Rules { moves: 20, ..RULES };
            let mut board = Board::new(&endings, rules, None);
            if let Some(name) = hidden {
                board = board.with_hidden(engine::program::named(name).unwrap());
            }
            board.answer(&task).unwrap()
        };
        let safe = || player("NumMyPiecesNotAttacked");
        let seen = by(safe(), None);
        let blind = by(safe(), Some("NumMyPiecesNotAttacked"));
        assert!(seen.score() > 0.7, "{seen:?}");
        assert!(
            (blind.score() - 0.5).abs() < 4.0 * blind.error(),
            "{blind:?}"
        );
        assert_eq!(by(safe(), Some("IsMate")), seen);
    }
}
