//! Keys of a phase of kind `validation`: what the champion has to stand.

use super::evolution::MAX_SEED;
use super::values::Number;
use super::{GamesKeys, Whole};
use crate::fitness::search_cost::{PAPER_CAP, Rule, hash_for};
use crate::statistics::{MOST_ELO, Sprt};
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
    /// How the first phase's champion searches: `"champion"` as the champion of the run does, so that
    /// the evaluations alone are judged, or `"own"` as it was left by its phase, plainly if that phase
    /// evolved no search, so that the whole run is judged. Not with `against`.
    #[serde(default)]
    pub opponent_search: OpponentSearch,
    /// Seed of the openings.
    pub seed: Whole<0, MAX_SEED>,
    /// Positions from games that no phase has learnt from.
    pub positions: Option<HeldOut>,
    /// Tactical suites that no phase has learnt from.
    #[serde(default, deserialize_with = "suites")]
    pub suites: Vec<Puzzles>,
    /// The match.
    pub games: GamesKeys,
    /// When the match ends.
    #[serde(default)]
    pub sprt: SprtKeys,
}

impl ValidationKeys {
    /// Whether the keys go together.
    ///
    /// # Errors
    /// Which do not, in words.
    pub fn check(&self) -> Result<(), &'static str> {
        match self.opponent_search == OpponentSearch::Own && !self.against.is_empty() {
            true => Err(
                "opponent_search is for the first phase's champion; the files of `against` say how \
                 their player searches",
            ),
            false => Ok(()),
        }
    }
}

/// Whose search the first phase's champion has in the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpponentSearch {
    /// That of the run's champion.
    #[default]
    Champion,
    /// Its own.
    Own,
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
#[serde(try_from = "SprtTable")]
pub struct SprtKeys {
    test: Sprt,
    pairs: Whole<1, 1_000_000>,
}

impl Default for SprtKeys {
    fn default() -> Self {
        SprtKeys {
            test: Sprt {
                elo0: 0.0,
                elo1: 10.0,
                alpha: 0.05,
                beta: 0.05,
            },
            pairs: Whole(400),
        }
    }
}

/// The same as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtTable {
    elo0: Option<Number>,
    elo1: Option<Number>,
    alpha: Option<Number>,
    beta: Option<Number>,
    pairs: Option<Whole<1, 1_000_000>>,
}

impl TryFrom<SprtTable> for SprtKeys {
    type Error = String;

    fn try_from(table: SprtTable) -> Result<Self, String> {
        let usual = SprtKeys::default();
        let test = Sprt {
            elo0: table.elo0.map_or(usual.test.elo0, f64::from),
            elo1: table.elo1.map_or(usual.test.elo1, f64::from),
            alpha: table.alpha.map_or(usual.test.alpha, f64::from),
            beta: table.beta.map_or(usual.test.beta, f64::from),
        };
        if !(-MOST_ELO <= test.elo0 && test.elo0 < test.elo1 && test.elo1 <= MOST_ELO) {
            return Err(format!(
                "elo0 is {} and elo1 is {}, expected elo0 below elo1, both from -{MOST_ELO} to {MOST_ELO}",
                test.elo0, test.elo1
            ));
        }
        for (key, error) in [("alpha", test.alpha), ("beta", test.beta)] {
            if !(error > 0.0 && error < 0.5) {
                return Err(format!("{key} is {error}, expected above 0 and below 0.5"));
            }
        }
        Ok(SprtKeys {
            test,
            pairs: table.pairs.unwrap_or(usual.pairs),
        })
    }
}

impl SprtKeys {
    /// The test.
    pub fn test(&self) -> Sprt {
        self.test
    }

    /// Pairs of games at most.
    pub fn pairs(&self) -> u64 {
        self.pairs.get() as u64
    }
}
