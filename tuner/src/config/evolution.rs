//! Keys that several kinds of phases have: the genetic algorithm, and the runs' seeds.

use super::values::{Rate, Whole};
use crate::evolution::ga::Settings;
use crate::evolution::rng::{Probability, SEED_BITS, run_seeds};
use crate::evolution::selection::Selection;
use serde::Deserialize;

/// Keys of `[evolution]`; see [`Settings`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "EvolutionKeys")]
pub struct Evolution {
    /// The genetic algorithm's settings.
    pub settings: Settings,
    /// Generations, the random one included.
    pub generations: u32,
    /// How solved positions become fitness.
    pub fitness: Fitness,
}

/// How solved positions become fitness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// Their number, squared (2014 §III.B).
    Squared,
    /// Their number.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvolutionKeys {
    pub population: Whole<2, 100_000>,
    pub generations: Whole<1, 1_000_000>,
    pub crossover_rate: Rate,
    pub mutation_rate: Rate,
    pub creep_rate: Option<Rate>,
    pub difference_rate: Option<Rate>,
    pub ancestor_rate: Option<Rate>,
    pub intermediate_rate: Option<Rate>,
    pub elitism: Whole<0, 100_000>,
    pub fitness: Fitness,
    pub selection: SelectionKey,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SelectionKey {
    Roulette,
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
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RunsKeys")]
pub struct Runs {
    /// Seed of each run, in order.
    pub seeds: Vec<u64>,
}

/// Largest seed: what TOML, JSON and every reader of either keep exact.
pub const MAX_SEED: u64 = (1 << SEED_BITS) - 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunsKeys {
    count: Option<Whole<1, 1000>>,
    seed: Option<Whole<0, MAX_SEED>>,
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
