//! Keys of a phase of kind `coevolution`.

use super::evolution::{MAX_SEED, SelectionKey};
use super::games::GamesKeys;
use super::values::{AnyLayout, Rate, Whole};
use crate::evolution::ga::Settings;
use crate::evolution::rng::Probability;
use serde::Deserialize;
use std::path::PathBuf;

/// Keys of a phase of kind `coevolution`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoevolutionKeys {
    /// The genome layout of the engine's parameter table; any of them.
    pub layout: AnyLayout,
    /// Parameter files whose individuals make up generation 0; the champions of the phase before
    /// if absent.
    #[serde(default)]
    pub population: Vec<PathBuf>,
    /// Parameter files for what doesn't evolve: the search with an evaluation layout (everything
    /// selective is off if absent), the evaluation with a search layout (that of the first
    /// champion if absent).
    #[serde(default)]
    pub fixed: Vec<PathBuf>,
    /// Seed of the genetic algorithm and of the openings.
    pub seed: Whole<0, MAX_SEED>,
    /// The genetic algorithm.
    pub evolution: Coevolve,
    /// The games.
    pub games: GamesKeys,
}

/// Keys of `[phase.evolution]` of a coevolution.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coevolve {
    /// Individuals; as many as there are champions, but two at least, if absent. More than there
    /// are champions are bred from these.
    pub population: Option<Whole<2, 1000>>,
    /// What generation 0 is made of.
    #[serde(default)]
    pub initial: Initial,
    generations: Whole<1, 1_000_000>,
    crossover_rate: Rate,
    mutation_rate: Rate,
    selection: SelectionKey,
    /// How an individual becomes the elite.
    #[serde(default)]
    pub elite: Elite,
    /// Pairs of games in which a challenger has to prove itself.
    #[serde(default = "confirmation_pairs")]
    confirmation_pairs: Whole<1, 10_000>,
    /// Pairs of games of every new elite against the first one; they change nothing, and are
    /// there for the report.
    #[serde(default = "gauge_pairs")]
    gauge_pairs: Whole<0, 10_000>,
}

fn confirmation_pairs() -> Whole<1, 10_000> {
    Whole(32)
}

fn gauge_pairs() -> Whole<0, 10_000> {
    Whole(16)
}

impl Coevolve {
    /// The genetic algorithm's settings for a population of this size.
    pub fn settings(&self, population: usize) -> Settings {
        Settings {
            population,
            crossover_rate: Probability::new(self.crossover_rate.0),
            mutation_rate: Probability::new(self.mutation_rate.0),
            difference_rate: None,
            elitism: 1,
            selection: self.selection.into(),
        }
    }

    /// Generations, the initial one included.
    pub fn generations(&self) -> u32 {
        self.generations.0 as u32
    }

    /// See the field.
    pub fn confirmation_pairs(&self) -> u64 {
        self.confirmation_pairs.0
    }

    /// See the field.
    pub fn gauge_pairs(&self) -> u64 {
        self.gauge_pairs.0
    }
}

/// What generation 0 is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Initial {
    /// The champions of the phase before, or the parameter files.
    #[default]
    Champions,
    /// Random bits.
    Random,
}

/// How an individual becomes the elite, which survives unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Elite {
    /// The best score of the generation's games (2014 §III.C). One lucky generation is enough.
    Best,
    /// The best score makes a challenger, who must beat the elite in games of their own: see
    /// [`crate::run::coevolution`].
    #[default]
    ReEvaluated,
}
