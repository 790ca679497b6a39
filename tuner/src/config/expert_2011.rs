//! Keys of a phase of kind `expert-2011`: an evaluation, by the centipawns between its scores and an expert's.

use super::evolution::{Evolution, Runs};
use super::grandmaster::Layout;
use super::values::{Positions, Whole, usual};
use engine::one_ply::{Moves, Quiescence};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys of a phase of kind `expert-2011`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Expert2011Keys {
    /// The parameters that evolve: a genome layout of one paper's evaluation terms. That of 2011 has 230 bits:
    /// `"eval-2011"`.
    pub layout: Layout,
    /// The positions, each with an expert's score in centipawns in the EPD field `ce`. Those with a mate or
    /// a score beyond 1,500 are left out and counted.
    pub positions: Positions,
    /// Training positions of a generation, drawn anew for each. At most those that there are.
    #[serde(default = "usual::<1000, 1, 1_000_000>")]
    pub sample: Whole<1, 1_000_000>,
    /// What an individual says of a position.
    #[serde(default)]
    pub score: ScoreKey,
    /// The genetic algorithm.
    pub evolution: Evolution,
    /// How many runs, from which seeds. The champion with the least error on all training positions counts.
    pub runs: Runs,
}

/// What an individual says of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreKey {
    /// Its static evaluation.
    Static,
    /// The score of the quiescence that `grandmaster` phases have by default, from the position on.
    #[default]
    Quiescence,
}

impl From<ScoreKey> for Quiescence {
    fn from(key: ScoreKey) -> Quiescence {
        match key {
            ScoreKey::Static => Quiescence {
                moves: Moves::None,
                max_plies: 0,
                checks: 0,
            },
            ScoreKey::Quiescence => Quiescence::default(),
        }
    }
}
