//! Keys of a phase of kind `expert`: an evaluation, by what an expert says of positions.

use super::evolution::{Evolution, Runs};
use super::values::{AnyLayout, Positions, Positive};
use super::values::{Number, Whole, one_of};
use crate::fitness::expert::Scales;
use engine::eval::params::FIRST_2013;
use engine::params::{Gene, LAYOUTS, Table, layout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys of a phase of kind `expert`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ExpertKeys {
    /// The parameters that evolve: a genome layout of the evaluation.
    #[schemars(extend("x-value" = one_of(&evaluation_layouts())))]
    pub layout: AnyLayout,
    /// The positions, each with an expert's score in the EPD field `ce`; `tuner label` makes them.
    pub positions: Positions,
    /// How scores in centipawns become winning chances.
    pub chances: ChancesKeys,
    /// Weight decay: what a parameter of 100 centipawns costs on every position, in points of 10,000.
    /// Other parameters cost in proportion to their square.
    #[serde(default)]
    pub decay: Decay,
    /// The genetic algorithm.
    pub evolution: Evolution,
    /// Covariance matrix adaptation, which takes over from the genetic algorithm (Hansen and Ostermeier
    /// 2001). Needs `ancestor_rate` in `[evolution]`.
    pub covariance: Option<CovarianceKeys>,
    /// How many runs, from which seeds. The best champion of them counts.
    pub runs: Runs,
}

/// The layouts with genes of the evaluation alone.
fn evaluation_layouts() -> Vec<&'static str> {
    let is_evaluation = |name: &&str| {
        let genes = layout(name).unwrap_or_default();
        !genes.is_empty() && genes.iter().all(is_tapered)
    };
    LAYOUTS.iter().copied().filter(is_evaluation).collect()
}

/// Whether a gene is of the evaluation whose terms are counted: those of 2013 are not among them.
fn is_tapered(gene: &Gene) -> bool {
    gene.table == Table::Eval && gene.index < FIRST_2013
}

/// A number from 0 to 100.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "Number")]
pub struct Decay(pub f64);

impl Decay {
    /// What is expected, in words.
    pub(super) const EXPECTED: &str = "a number from 0 to 100";
}

impl TryFrom<Number> for Decay {
    type Error = String;

    fn try_from(number: Number) -> Result<Self, String> {
        let number = f64::from(number);
        match (0.0..=100.0).contains(&number) {
            true => Ok(Decay(number)),
            false => Err(format!("{number} is not from 0 to 100")),
        }
    }
}

/// Keys of `[covariance]`; see [`crate::evolution::cma_es`].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct CovarianceKeys {
    /// The first generation that is drawn with a covariance matrix. Less than `generations`.
    from: Whole<1, 1_000_000>,
}

impl CovarianceKeys {
    /// The first generation that is drawn with a covariance.
    pub fn from(&self) -> u32 {
        self.from.0 as u32
    }
}

/// Keys of `[chances]`; see [`Scales`].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ChancesKeys {
    /// Score of the expert, in centipawns, that stands for a winning chance of 73 %.
    expert: Positive,
    /// Score of the evolved evaluation, in centipawns, that stands for a winning chance of 73 %. It
    /// sets the scale of the evolved scores, which the margins of the search must fit.
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
    /// The layout has genes that are no evaluation's, or nobody remembers the ancestors that the covariance
    /// begins with, or it is to be learnt from fewer than four children.
    pub fn check(&self) -> Result<(), String> {
        if let Some(covariance) = &self.covariance {
            let Some(settings) = self.evolution.method.ga() else {
                return Err(
                    "[covariance] takes over from a genetic algorithm, expected method = \"ga\"; \
                     method = \"cma-es\" needs no [covariance]"
                        .into(),
                );
            };
            if covariance.from() >= self.evolution.generations {
                return Err(format!(
                    "[covariance] from is {}, beyond the last of {} generations, expected fewer",
                    covariance.from(),
                    self.evolution.generations
                ));
            }
            if settings.ancestor_rate.is_none() {
                return Err(
                    "[covariance] begins with how far ancestors are spread, expected \
                            `ancestor_rate` in [evolution] too"
                        .into(),
                );
            }
            if settings.population - settings.elitism < 5 {
                return Err(format!(
                    "[covariance] is learnt from the generation's new individuals but one, which are {} \
                     (population less elitism, less 1), expected 4 or more",
                    settings.population - settings.elitism - 1
                ));
            }
        }
        match self.layout.genes.iter().all(is_tapered) {
            true => Ok(()),
            false => Err(format!(
                "layout {:?} is no evaluation's that can be learnt from scores, expected one of {}",
                self.layout.name,
                evaluation_layouts().join(", ")
            )),
        }
    }
}
