//! Keys of a phase of kind `validation`: what the champion has to stand.

use super::evolution::MAX_SEED;
use super::values::Rate;
use super::{GamesKeys, Positive, Whole};
use crate::fitness::search_cost::{PAPER_CAP, Rule, hash_for};
use crate::statistics::Sprt;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// Keys of a phase of kind `validation`. Paths are relative to the profile's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationKeys {
    /// Parameter files of the opponent, of which the later wins. If absent, it is the best champion
    /// of the run's first phase, searching as the champion does (the paper's EVOL₀).
    #[serde(default)]
    pub against: Vec<PathBuf>,
    /// Seed of the openings.
    pub seed: Whole<0, MAX_SEED>,
    /// Positions from games that no phase has seen.
    pub positions: Option<HeldOut>,
    /// Tactical suites that no phase has seen.
    #[serde(default, deserialize_with = "suites")]
    pub suites: Vec<Puzzles>,
    /// The match.
    pub games: GamesKeys,
    /// When the match ends.
    #[serde(default)]
    pub sprt: SprtKeys,
}

/// Keys of `[phase.positions]` of a validation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOut {
    /// EPD file of positions with the moves played.
    pub file: PathBuf,
    /// Use the first so many positions; all if absent.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Try out what each weight is worth: halve it and add half of it, and count what is solved.
    #[serde(default)]
    pub sensitivity: bool,
}

/// Keys of a `[[phase.suites]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzles {
    /// EPD file.
    pub file: PathBuf,
    /// Use the first so many positions; all if absent.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Use every second position only: `"odd"` the first, third, …, `"even"` the others.
    #[serde(default)]
    pub part: super::ecm::SuitePart,
    /// Nodes after which a position is given up.
    #[serde(default = "cap")]
    pub cap: Whole<1, 1_000_000_000>,
    /// Try out what each search parameter is worth that evolved in this run, or in those that the
    /// parameters come from: halve it and add half of it, and search the suite again each time.
    /// One suite at most.
    #[serde(default)]
    pub sensitivity: bool,
}

/// The report has one place for what parameters are worth.
fn suites<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Puzzles>, D::Error> {
    let suites = Vec::<Puzzles>::deserialize(deserializer)?;
    match suites.iter().filter(|suite| suite.sensitivity).count() {
        0 | 1 => Ok(suites),
        found => Err(D::Error::custom(format!(
            "{found} suites have `sensitivity = true`, expected one at most"
        ))),
    }
}

fn cap() -> Whole<1, 1_000_000_000> {
    Whole(PAPER_CAP)
}

impl Puzzles {
    /// What a search is given.
    pub fn rule(&self) -> Rule {
        let cap = self.cap.get() as u64;
        Rule {
            cap,
            hash: hash_for(cap),
            ..Rule::default()
        }
    }
}

/// Keys of `[phase.sprt]`: is the champion better by `elo1` rather than by `elo0`?
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SprtKeys {
    elo0: f64,
    elo1: Positive,
    alpha: Rate,
    beta: Rate,
    pairs: Whole<1, 1_000_000>,
}

impl Default for SprtKeys {
    fn default() -> Self {
        SprtKeys {
            elo0: 0.0,
            elo1: Positive(10.0),
            alpha: Rate(0.05),
            beta: Rate(0.05),
            pairs: Whole(400),
        }
    }
}

impl SprtKeys {
    /// The test.
    pub fn test(&self) -> Sprt {
        // Errors of nothing or of everything have no bounds.
        let error = |rate: &Rate| rate.0.clamp(1e-6, 0.499);
        Sprt {
            elo0: self.elo0.min(self.elo1.0 - 0.01),
            elo1: self.elo1.0,
            alpha: error(&self.alpha),
            beta: error(&self.beta),
        }
    }

    /// Pairs of games at most.
    pub fn pairs(&self) -> u64 {
        self.pairs.get() as u64
    }
}
