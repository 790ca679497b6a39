//! Keys that several kinds of phases have: the genetic algorithm, and the runs' seeds.

use super::values::{Rate, Whole};
use crate::evolution::ga::Settings;
use crate::evolution::rng::{Probability, SEED_BITS, run_seeds};
use crate::evolution::selection::Selection;
use schemars::JsonSchema;
use serde::Deserialize;

/// Keys of `[evolution]`; see [`Settings`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, try_from = "EvolutionKeys")]
#[schemars(with = "EvolutionKeys")]
pub struct Evolution {
    /// The genetic algorithm's settings.
    pub settings: Settings,
    /// Generations, the random one included.
    pub generations: u32,
    /// How solved positions become fitness.
    pub fitness: Fitness,
}

/// How solved positions become fitness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// The number, squared (2014 §III.B).
    Squared,
    /// The number itself.
    Linear,
}

impl Fitness {
    /// Fitness of an individual that solved this many positions.
    pub fn of(self, solved: u32) -> u64 {
        match self {
            Fitness::Squared => u64::from(solved).pow(2),
            Fitness::Linear => u64::from(solved),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvolutionKeys {
    /// Individuals in each generation.
    pub population: Whole<2, 100_000>,
    /// Generations, the initial one included.
    pub generations: Whole<1, 1_000_000>,
    /// Probability that two parents are crossed (uniform crossover). Otherwise the child is a copy of
    /// one parent.
    pub crossover_rate: Rate,
    /// Probability that a bit of a child is flipped, for each bit.
    pub mutation_rate: Rate,
    /// Probability that a gene of a child is moved by a small step, for each gene (creep mutation,
    /// Davis 1991). If absent, none is.
    pub creep_rate: Option<Rate>,
    /// Probability that a child is moved along the difference of two individuals (the difference vector
    /// of differential evolution, Storn and Price 1997). If absent, none is.
    pub difference_rate: Option<Rate>,
    /// Probability that a child is moved along the way from the best individual of an earlier
    /// generation to the best of today, instead of along a difference. If absent, none is.
    pub ancestor_rate: Option<Rate>,
    /// Probability that a child that is not crossed begins as the mean of the fittest individuals
    /// (intermediate recombination). If absent, none does.
    pub intermediate_rate: Option<Rate>,
    /// Individuals that go to the next generation unchanged, best first. Fewer than `population`.
    pub elitism: Whole<0, 100_000>,
    /// How the number of solved positions becomes fitness. An `expert` phase counts points in place of
    /// positions.
    pub fitness: Fitness,
    /// How parents are drawn.
    pub selection: SelectionKey,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SelectionKey {
    /// In proportion to fitness.
    Roulette,
    /// In proportion to rank, which is 1 for the least fit.
    Rank,
}

impl From<SelectionKey> for Selection {
    fn from(key: SelectionKey) -> Selection {
        match key {
            SelectionKey::Roulette => Selection::Roulette,
            SelectionKey::Rank => Selection::Rank,
        }
    }
}

impl TryFrom<EvolutionKeys> for Evolution {
    type Error = String;

    fn try_from(keys: EvolutionKeys) -> Result<Self, String> {
        let (population, elitism) = (keys.population.get(), keys.elitism.get());
        if elitism >= population {
            return Err(format!(
                "elitism is {elitism}, expected less than the population of {population}"
            ));
        }
        Ok(Evolution {
            settings: Settings {
                population,
                crossover_rate: Probability::new(keys.crossover_rate.0),
                mutation_rate: Probability::new(keys.mutation_rate.0),
                creep_rate: keys.creep_rate.map(|rate| Probability::new(rate.0)),
                difference_rate: keys.difference_rate.map(|rate| Probability::new(rate.0)),
                ancestor_rate: keys.ancestor_rate.map(|rate| Probability::new(rate.0)),
                intermediate_rate: keys.intermediate_rate.map(|rate| Probability::new(rate.0)),
                elitism,
                selection: keys.selection.into(),
            },
            generations: keys.generations.0 as u32,
            fitness: keys.fitness,
        })
    }
}

/// The runs of a profile: one seed each.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "RunsKeys")]
#[schemars(with = "RunsKeys")]
pub struct Runs {
    /// Seed of each run, in order.
    pub seeds: Vec<u64>,
}

/// Largest seed: what TOML, JSON and every reader of either keep exact.
pub const MAX_SEED: u64 = (1 << SEED_BITS) - 1;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunsKeys {
    /// Runs, one after the other. Each begins with its own random numbers, drawn from `seed`.
    count: Option<Whole<1, 1000>>,
    /// Seed of all random numbers of the phase. Needs `count`. The same seed gives the same result.
    seed: Option<Whole<0, MAX_SEED>>,
    /// One seed for each run, 1 to 1000 of them, instead of `count` and `seed`.
    seeds: Option<Vec<Whole<0, MAX_SEED>>>,
}

impl TryFrom<RunsKeys> for Runs {
    type Error = String;

    fn try_from(keys: RunsKeys) -> Result<Self, String> {
        let seeds: Vec<u64> = match (keys.count, keys.seed, keys.seeds) {
            (Some(count), Some(seed), None) => run_seeds(seed.0, count.get()),
            (None, None, Some(seeds)) => seeds.into_iter().map(|seed| seed.0).collect(),
            _ => return Err("expected either count and seed, or seeds".into()),
        };
        if seeds.is_empty() || seeds.len() > 1000 {
            return Err(format!("has {} seeds, expected 1 to 1000", seeds.len()));
        }
        let twice = (1..seeds.len()).find(|&at| seeds[..at].contains(&seeds[at]));
        match twice {
            Some(at) => Err(format!("seed {} is there twice", seeds[at])),
            None => Ok(Runs { seeds }),
        }
    }
}
