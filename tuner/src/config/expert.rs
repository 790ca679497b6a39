//! Keys of a phase of kind `expert`: an evaluation, by what an expert says of positions.

use super::{AnyLayout, Evolution, Positions, Positive, Runs};
use crate::fitness::expert::Scales;
use engine::params::Table;
use serde::Deserialize;

/// Keys of a phase of kind `expert`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpertKeys {
    /// The genome layout of the engine's evaluation table.
    pub layout: AnyLayout,
    /// The data: EPD with `ce`.
    pub positions: Positions,
    /// How scores become chances of winning.
    pub chances: ChancesKeys,
    /// The genetic algorithm.
    pub evolution: Evolution,
    /// How many runs, from which seeds.
    pub runs: Runs,
}

/// Keys of `[chances]`; see [`Scales`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChancesKeys {
    expert: Positive,
    own: Positive,
}

impl From<ChancesKeys> for Scales {
    fn from(keys: ChancesKeys) -> Scales {
        Scales {
            expert: keys.expert.0,
            own: keys.own.0,
        }
    }
}

impl ExpertKeys {
    /// What is wrong with the keys together, if anything.
    ///
    /// # Errors
    /// The layout has genes that are no evaluation's.
    pub fn validated(self) -> Result<ExpertKeys, String> {
        match self.layout.tables()[..] == [Table::Eval] {
            true => Ok(self),
            false => Err(format!(
                "layout {:?} is no evaluation's, expected eval-2014, eval-2011 or eval-full",
                self.layout.name
            )),
        }
    }
}
