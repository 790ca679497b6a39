//! Keys of a phase of kind `validation`: what the champion has to stand.

use super::evolution::MAX_SEED;
use super::games::GamesKeys;
use super::values::{FilePath, Number, Whole, usual};
use crate::base::statistics::{MOST_ELO, Sprt};
use crate::fitness::search_cost::{PAPER_CAP, Rule, hash_for};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// Keys of a phase of kind `validation`. Paths are relative to the profile's folder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ValidationKeys {
    /// Parameter files of the opponent. Where several files have a row, the last counts. If absent, the
    /// opponent is the best champion of the run's first phase, with the search of the champion (the
    /// EVOL₀ of 2014 §V.C).
    #[serde(default)]
    #[schemars(with = "Vec<FilePath>")]
    pub against: Vec<PathBuf>,
    /// How the first phase's champion searches as the opponent. Not together with `against`.
    #[serde(default)]
    pub opponent_search: OpponentSearch,
    /// Seed of the openings.
    pub seed: Whole<0, MAX_SEED>,
    /// Positions with the moves played, from games that no phase has learnt from.
    pub positions: Option<HeldOut>,
    /// Tactical suites that no phase has learnt from. Write `[[phase.suites]]` once for each.
    #[serde(default, deserialize_with = "suites")]
    pub suites: Vec<Puzzles>,
    /// The match between the champion and the opponent.
    pub games: GamesKeys,
    /// When the match ends: a sequential probability ratio test (SPRT).
    #[serde(default)]
    pub sprt: SprtKeys,
}

impl ValidationKeys {
    /// Whether the keys go together.
    ///
    /// # Errors
    /// Which do not, in words.
    pub fn check(&self) -> Result<(), String> {
        if self.opponent_search == OpponentSearch::Own && !self.against.is_empty() {
            return Err(
                "opponent_search is for the first phase's champion; the files of `against` say how \
                 their player searches"
                    .into(),
            );
        }
        self.games.of_a_match()?;
        self.games.check()
    }
}

/// Whose search the first phase's champion has in the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpponentSearch {
    /// As the champion of the run does, so that the evaluations alone are judged.
    #[default]
    Champion,
    /// As its own phase left it, plainly if that evolved no search, so that the whole run is judged.
    Own,
}

/// Keys of `[phase.positions]` of a validation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct HeldOut {
    /// Positions with the moves played (EPD).
    #[schemars(with = "FilePath")]
    pub file: PathBuf,
    /// Uses only the first so many positions. If absent, all.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Measures what each weight is worth: it is halved, then raised by half, and the solved positions
    /// are counted each time.
    #[serde(default)]
    pub sensitivity: bool,
}

/// Keys of a `[[phase.suites]]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Puzzles {
    /// The suite's positions (EPD with `bm` or `am`).
    #[schemars(with = "FilePath")]
    pub file: PathBuf,
    /// Uses only the first so many positions. If absent, all.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Which positions are used: those that an `ecm` phase with the other part has not learnt from.
    #[serde(default)]
    pub part: super::ecm::SuitePart,
    /// Nodes after which a position is given up.
    #[serde(default = "usual::<PAPER_CAP, 1, 1_000_000_000>")]
    pub cap: Whole<1, 1_000_000_000>,
    /// Measures what each search parameter is worth that has evolved in this run, or in those that the
    /// parameters come from: it is halved, then raised by half, and the suite is searched each time. Only
    /// one suite may have it.
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
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "SprtTable")]
#[schemars(with = "SprtTable")]
pub struct SprtKeys {
    /// The test.
    pub test: Sprt,
    /// Pairs of games at most.
    pub pairs: Whole<1, 1_000_000>,
}

/// The test and the longest match, where a profile says nothing of them.
const USUAL: SprtKeys = SprtKeys {
    test: Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    },
    pairs: Whole(400),
};

impl Default for SprtKeys {
    fn default() -> Self {
        USUAL
    }
}

/// The same as it is written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct SprtTable {
    /// Elo difference under the hypothesis that the champion is not better. Less than `elo1`.
    #[schemars(extend("x-value" = elo_range(), "default" = USUAL.test.elo0))]
    elo0: Option<Number>,
    /// Elo difference under the hypothesis that the champion is better.
    #[schemars(extend("x-value" = elo_range(), "default" = USUAL.test.elo1))]
    elo1: Option<Number>,
    /// Probability of accepting `elo1` although `elo0` holds.
    #[schemars(extend("x-value" = ERROR_RANGE, "default" = USUAL.test.alpha))]
    alpha: Option<Number>,
    /// Probability of accepting `elo0` although `elo1` holds.
    #[schemars(extend("x-value" = ERROR_RANGE, "default" = USUAL.test.beta))]
    beta: Option<Number>,
    /// Pairs of games at most, each pair one opening with both colours.
    #[schemars(extend("default" = USUAL.pairs))]
    pairs: Option<Whole<1, 1_000_000>>,
}

fn elo_range() -> String {
    format!("a number from -{MOST_ELO} to {MOST_ELO}")
}

const ERROR_RANGE: &str = "a number above 0 and below 0.5";

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
                return Err(format!("{key} is {error}, expected {ERROR_RANGE}"));
            }
        }
        Ok(SprtKeys {
            test,
            pairs: table.pairs.unwrap_or(usual.pairs),
        })
    }
}
