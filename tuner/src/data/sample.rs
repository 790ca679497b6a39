//! Which file a game belongs to, which games are kept, and which of their positions are drawn.
//!
//! Every decision is a hash of the game's id and the seed, so that it depends neither on the order
//! of the games nor on the other games, and takes no memory. Of more games than fit, those with
//! the least hash are kept (priority sampling, as in Duffield, Lund and Thorup 2007 with equal
//! weights): memory is bounded by the number asked for. Imports only [`super::pgn`] and
//! [`engine::mixing`].

use super::pgn::GameId;
use engine::mixing::scramble;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::str::FromStr;

/// The three files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What is evolved on.
    Train,
    /// What choices are made on.
    Dev,
    /// What is read once, at the end.
    Test,
}

impl Part {
    /// All three.
    pub const ALL: [Part; 3] = [Part::Train, Part::Dev, Part::Test];

    /// `train`, `dev` or `test`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Dev => "dev",
            Part::Test => "test",
        }
    }
}

/// What the hash decides; each purpose has a stream of its own.
#[derive(Clone, Copy)]
enum Purpose {
    Part = 1,
    Priority = 2,
    Plies = 3,
}

fn hash(id: GameId, seed: u64, purpose: Purpose) -> u64 {
    let key = scramble(seed.wrapping_add((purpose as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    scramble(id.bits ^ key)
}

/// The shares of the games that go to train, dev and test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares(pub [f64; 3]);

impl FromStr for Shares {
    type Err = String;

    /// Three weights, as in `0.6,0.2,0.2` or `3,1,1`.
    fn from_str(text: &str) -> Result<Shares, String> {
        let expected = "expected three weights for train, dev and test, as in 0.6,0.2,0.2";
        let weights: Vec<f64> = text
            .split(',')
            .map(|weight| weight.trim().parse().map_err(|_| expected.to_string()))
            .collect::<Result<_, _>>()?;
        let Ok(weights) = <[f64; 3]>::try_from(weights) else {
            return Err(expected.to_string());
        };
        let sound = |weight: &f64| (0.0..=1e9).contains(weight);
        let sum: f64 = weights.iter().sum();
        if !weights.iter().all(sound) || sum <= 0.0 {
            return Err(format!("{expected}; weights are 0 or more, and not all 0"));
        }
        Ok(Shares(weights.map(|weight| weight / sum)))
    }
}

/// The file that a game belongs to.
pub fn part_of(id: GameId, seed: u64, shares: Shares) -> Part {
    // 53 bits fill a double's mantissa: a number in [0, 1).
    let at = (hash(id, seed, Purpose::Part) >> 11) as f64 / (1u64 << 53) as f64;
    let mut bound = 0.0;
    let mut part = Part::Train;
    for (candidate, share) in Part::ALL.into_iter().zip(shares.0) {
        // Rounding must not put a game into a file that has no share.
        if share > 0.0 {
            bound += share;
            part = candidate;
            if at < bound {
                break;
            }
        }
    }
    part
}

/// Where a game stands among all games; games with the least priority number are kept. No two ids
/// have the same.
pub fn priority(id: GameId, seed: u64) -> u64 {
    hash(id, seed, Purpose::Priority)
}

/// Draws `count` of the candidates without replacement, in random order; fewer if there are not so
/// many. A greater count only appends to the draw of a smaller one.
pub fn draw<T: Copy>(candidates: &mut [T], count: usize, id: GameId, seed: u64) -> &[T] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(hash(id, seed, Purpose::Plies));
    let count = count.min(candidates.len());
    for place in 0..count {
        let left = (candidates.len() - place) as u128;
        // Lemire's multiplication without the rejection: the bias is below 2⁻⁵².
        let step = (u128::from(rng.next_u64()) * left) >> 64;
        candidates.swap(place, place + step as usize);
    }
    &candidates[..count]
}

/// One drawn position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    /// Four-field FEN.
    pub fen: String,
    /// The winner's move, in SAN.
    pub san: String,
    /// Plies from the start of the game.
    pub ply: u32,
}

/// A game with its drawn positions, the first drawn first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrawnGame {
    /// Its id.
    pub id: GameId,
    /// Players, event, date, round and result.
    pub heading: String,
    /// At least one.
    pub positions: Vec<Drawn>,
}

/// The games kept for one file: those with the least priority, as many as are needed for a number
/// of positions.
#[derive(Debug, Default)]
pub struct Sample {
    capacity: usize,
    games: BTreeMap<u64, DrawnGame>,
    positions: usize,
    duplicates: u64,
    crowded_out: u64,
}

impl Sample {
    /// A sample of at least `capacity` positions, if so many come.
    pub fn new(capacity: usize) -> Sample {
        Sample {
            capacity,
            ..Sample::default()
        }
    }

    /// Adds a game; `make` is asked for its positions only if the game is kept. Of two games with
    /// one id the lesser is kept, whichever comes first.
    pub fn add(&mut self, priority: u64, make: impl FnOnce() -> DrawnGame) {
        let full = self.positions >= self.capacity;
        let last = self.games.last_key_value().map(|(last, _)| *last);
        if full && last.is_none_or(|last| priority > last) {
            self.crowded_out += 1;
            return;
        }
        match self.games.entry(priority) {
            Entry::Vacant(place) => {
                self.positions += place.insert(make()).positions.len();
            }
            Entry::Occupied(mut place) => {
                self.duplicates += 1;
                let game = make();
                if game < *place.get() {
                    self.positions += game.positions.len();
                    self.positions -= place.insert(game).positions.len();
                }
            }
        }
        while let Some(last) = self.games.last_entry()
            && self.positions - last.get().positions.len() >= self.capacity
        {
            self.positions -= last.remove().positions.len();
            self.crowded_out += 1;
        }
    }

    /// The games kept, by priority.
    pub fn games(&self) -> impl Iterator<Item = &DrawnGame> {
        self.games.values()
    }

    /// Games seen again; games that are not kept are not known again.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Games that came but are not kept.
    pub fn crowded_out(&self) -> u64 {
        self.crowded_out
    }
}
