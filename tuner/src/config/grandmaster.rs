//! Keys of a phase of kind `grandmaster`.

use super::evolution::{Evolution, Runs};
use super::expert::Decay;
use super::values::{Positions, Whole};
use engine::eval::TermSet;
use engine::one_ply::{MAX_PLIES, Moves, Quiescence};
use engine::params::{Gene, LAYOUTS, Table, layout};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Keys of a phase of kind `grandmaster`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct GrandmasterKeys {
    /// The parameters that evolve: a genome layout of one paper's evaluation terms, the 35 of 2014 or the 33 of
    /// 2013.
    pub layout: Layout,
    /// The positions, each with the move that was played in the EPD field `bm`; `tuner positions` makes
    /// them.
    pub positions: Positions,
    /// Training positions of a generation. If absent, all.
    pub sample: Option<Whole<1, 100_000_000>>,
    /// Which training positions these are.
    #[serde(default)]
    pub draw: DrawKey,
    /// The quiescence search at the leaves of the 1-ply search.
    #[serde(default)]
    pub quiescence: QuiescenceKeys,
    /// Weight decay: what a weight that adds 100 centipawns to an average position costs, in positions
    /// of 10,000. Other weights cost in proportion to their square.
    #[serde(default)]
    pub decay: Decay,
    /// The genetic algorithm.
    pub evolution: Evolution,
    /// How many runs, from which seeds.
    pub runs: Runs,
    /// Which parameters the runs leave as their result.
    #[serde(default)]
    pub champion: ChampionKey,
}

/// Which training positions a generation is valued on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrawKey {
    /// The first, the same in every generation.
    #[default]
    Fixed,
    /// Others in each generation, drawn from all. Needs `sample`.
    Fresh,
    /// The first, from a tenth of them in generation 0 to all of them in the last generation.
    Growing,
}

/// What several runs leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChampionKey {
    /// The champion that solves most training positions.
    #[default]
    Best,
    /// The mean of the runs' champions, weight by weight (2014 Figure 3). What one run owes to chance,
    /// the others mostly don't share.
    Mean,
}

/// Keys of `[quiescence]`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct QuiescenceKeys {
    /// Which moves are searched.
    moves: QuiescenceMoves,
    /// Plies after the root move at which the search stops.
    max_plies: Whole<0, { MAX_PLIES as u64 }>,
    /// Plies after the root move in which moves that check are searched too; a side in check then has all its
    /// moves and is not evaluated as it stands (2013 §3).
    #[serde(default)]
    checks: Whole<0, 4>,
}

/// Which moves the quiescence looks at, as written in profiles and on the command line.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum QuiescenceMoves {
    /// Captures and queen promotions that lose no material by static exchange evaluation.
    See,
    /// All captures and queen promotions.
    All,
    /// None: leaves are evaluated as they stand.
    None,
}

/// A layout of the engine's table that phase 1 can evolve: one with genes of one paper's evaluation terms
/// alone, for these are what its trees count.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Its name.
    pub name: String,
    /// Its genes in order.
    pub genes: Vec<Gene>,
}

impl Layout {
    /// The names that there are.
    pub(super) fn known() -> Vec<&'static str> {
        let known = LAYOUTS.iter().copied();
        known
            .filter(|name| Layout::of_evaluation(name).is_some())
            .collect()
    }

    fn of_evaluation(name: &str) -> Option<Vec<Gene>> {
        let genes = layout(name)?;
        let is_evaluation = terms_of(&genes).is_some();
        (is_evaluation && !genes.is_empty()).then_some(genes)
    }

    /// The terms that its genes are weights of.
    pub fn terms(&self) -> TermSet {
        terms_of(&self.genes).unwrap_or(TermSet::Of2014)
    }
}

/// The terms that genes are weights of, if there is one set of them.
fn terms_of(genes: &[Gene]) -> Option<TermSet> {
    let are_weights = genes.iter().all(|gene| gene.table == Table::Eval);
    let rows = genes.iter().map(|gene| gene.index);
    TermSet::of(rows).filter(|_| are_weights)
}

impl GrandmasterKeys {
    /// What is wrong with the keys together, if anything.
    ///
    /// # Errors
    /// Weights of other terms than those of 2014 are to cost something, or nobody says how many positions are drawn.
    pub fn check(&self) -> Result<(), String> {
        if self.decay.0 > 0.0 && self.layout.terms() != TermSet::Of2014 {
            return Err(format!(
                "decay is {}, which is known for the terms of 2014 alone; expected 0 with layout {:?}",
                self.decay.0, self.layout.name
            ));
        }
        match (self.draw, self.sample) {
            (DrawKey::Fresh, None) => Err("draw = \"fresh\" draws `sample` positions for each generation, expected `sample` too".into()),
            _ => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match Layout::of_evaluation(&name) {
            Some(genes) => Ok(Layout { name, genes }),
            None => Err(D::Error::custom(format!(
                "layout {name:?} can't be evolved from positions, expected one of {}",
                Layout::known().join(", ")
            ))),
        }
    }
}

impl Default for QuiescenceKeys {
    fn default() -> Self {
        let quiescence = Quiescence::default();
        QuiescenceKeys {
            moves: quiescence.moves.into(),
            max_plies: Whole(u64::from(quiescence.max_plies)),
            checks: Whole(u64::from(quiescence.checks)),
        }
    }
}

impl From<QuiescenceKeys> for Quiescence {
    fn from(keys: QuiescenceKeys) -> Self {
        Quiescence {
            moves: keys.moves.into(),
            max_plies: keys.max_plies.get() as u32,
            checks: keys.checks.get() as u32,
        }
    }
}

impl From<QuiescenceMoves> for Moves {
    fn from(moves: QuiescenceMoves) -> Self {
        match moves {
            QuiescenceMoves::See => Moves::See,
            QuiescenceMoves::All => Moves::All,
            QuiescenceMoves::None => Moves::None,
        }
    }
}

impl From<Moves> for QuiescenceMoves {
    fn from(moves: Moves) -> Self {
        match moves {
            Moves::See => QuiescenceMoves::See,
            Moves::All => QuiescenceMoves::All,
            Moves::None => QuiescenceMoves::None,
        }
    }
}
