//! Keys that several kinds of phases have: the algorithm that evolves, and the runs' seeds.

use super::method::MethodKey;
use super::values::{Rate, Whole};
use crate::evolution::Plain;
use crate::evolution::crossover::Crossover;
use crate::evolution::evolutionary_programming as ep;
use crate::evolution::ga::Settings;
use crate::evolution::rng::{Probability, SEED_BITS, run_seeds};
use crate::evolution::selection::Selection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keys of `[evolution]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, try_from = "EvolutionKeys")]
#[schemars(with = "EvolutionKeys")]
pub struct Evolution {
    /// The algorithm.
    pub method: Method,
    /// Generations, the random one included.
    pub generations: u32,
    /// How solved positions become fitness.
    pub fitness: Fitness,
}

/// How solved positions become fitness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// The number, squared (2014 §III.B).
    #[default]
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

/// The keys of all methods as a profile has them, where each needs some and knows nothing of others.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct EvolutionKeys {
    /// The algorithm.
    #[serde(default)]
    pub method: MethodKey,
    /// Individuals in each generation. With `method = "compact"`: individuals that the population stands
    /// for; after a duel the mean moves by one part in so many from the loser to the winner.
    pub population: Whole<2, 100_000>,
    /// Generations, the random one included.
    pub generations: Whole<1, 1_000_000>,
    /// Probability that two parents are crossed. Otherwise the child is a copy of
    /// one parent. Required with `method = "ga"`.
    pub crossover_rate: Option<Rate>,
    /// Probability that a bit of a child is flipped, for each bit. Required with `method = "ga"`.
    pub mutation_rate: Option<Rate>,
    /// Probability that a gene of a child is moved by a small step, for each gene (creep mutation,
    /// Davis 1991). If absent, none is. Only with `method = "ga"`.
    pub creep_rate: Option<Rate>,
    /// Probability that a child is moved along the difference of two individuals (the difference vector
    /// of differential evolution, Storn and Price 1997). If absent, none is. Only with `method = "ga"`.
    pub difference_rate: Option<Rate>,
    /// Probability that a child is moved along the way from the best individual of an earlier
    /// generation to the best of today, instead of along a difference. If absent, none is. Only with
    /// `method = "ga"`.
    pub ancestor_rate: Option<Rate>,
    /// Probability that a child that is not crossed begins as the mean of the fittest individuals
    /// (intermediate recombination). If absent, none does. Only with `method = "ga"`.
    pub intermediate_rate: Option<Rate>,
    /// Individuals that go to the next generation unchanged, best first. Fewer than `population`. Required
    /// with `method = "ga"`; 1 with `"random-search"`; `"cma-es"` always keeps the best one beside those
    /// that it draws.
    pub elitism: Option<Whole<0, 100_000>>,
    /// How the number of solved positions becomes fitness. An `expert` phase counts points in place of
    /// positions, an `expert-2011` phase the reciprocal of the mean error. `"cma-es"`, `"compact"` and `"random-search"` ask only who is better, so it changes
    /// nothing there.
    pub fitness: Fitness,
    /// How parents are drawn. Required with `method = "ga"`.
    pub selection: Option<SelectionKey>,
    /// How two parents are crossed. Only with `method = "ga"`.
    #[schemars(extend("default" = "uniform"))]
    pub crossover: Option<CrossoverKey>,
    /// Whether the least fit individual is no parent. Only with `method = "ga"`.
    #[schemars(extend("default" = false))]
    pub exclude_worst: Option<bool>,
    /// Standard deviation of each gene at the start, as a part of its range. Only with
    /// `method = "cma-es"`.
    #[schemars(extend("default" = SPREAD))]
    pub spread: Option<Rate>,
    /// Duels in a generation, between two individuals each. Required with `method = "compact"`.
    pub duels: Option<Whole<1, 100_000>>,
    /// Probability that a child is not a mutant but one of the best who have left (2013 §4: P_r, in per cent
    /// there). If absent, nobody comes back. Only with `method = "evolutionary-programming"`.
    pub history: Option<Rate>,
    /// How many of the best who have left are remembered. Only with `history`.
    #[schemars(extend("default" = HISTORY_SIZE))]
    pub history_size: Option<Whole<1, 100_000>>,
    /// Who of them comes back. Only with `history`.
    pub recall: Option<RecallKey>,
    /// How much sooner the steps of mutation become small (2013 equation 3: b). Only with
    /// `method = "evolutionary-programming"`.
    #[schemars(extend("default" = MUTATION_SHAPE))]
    pub mutation_shape: Option<Whole<0, 20>>,
}

/// How many of those who have left are remembered, where a profile doesn't say: as many as the paper's players.
pub(super) const HISTORY_SIZE: usize = 20;
/// The paper's b.
pub(super) const MUTATION_SHAPE: u32 = 5;

/// Who of those who have left comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RecallKey {
    /// Anybody, all equally likely.
    #[default]
    Any,
    /// The best.
    Best,
}

/// Standard deviation of a gene at the start of CMA-ES, as a part of its range, where a profile doesn't say: a
/// third of a range is reached by two standard deviations to either side of its middle, and more.
pub(super) const SPREAD: f64 = 0.3;

/// An algorithm with its settings.
#[derive(Clone, Debug)]
pub enum Method {
    /// The genetic algorithm.
    Ga(Settings),
    /// CMA-ES.
    CmaEs {
        /// Individuals of a generation, the best one until now included.
        population: usize,
        /// Standard deviation at the start, as a part of a gene's range.
        spread: f64,
    },
    /// The compact genetic algorithm.
    Compact {
        /// Individuals that the population stands for.
        population: u64,
        /// Duels in a generation.
        duels: usize,
    },
    /// Evolutionary programming.
    EvolutionaryProgramming(ep::Settings),
    /// One that needs no keys of its own.
    Plain {
        /// Which.
        plain: &'static Plain,
        /// Individuals of a generation.
        population: usize,
        /// Those that are kept, best first.
        elitism: usize,
    },
}

impl Method {
    /// Individuals that are valued in each generation.
    pub fn individuals(&self) -> usize {
        match self {
            Method::Ga(settings) => settings.population,
            Method::CmaEs { population, .. } | Method::Plain { population, .. } => *population,
            Method::Compact { duels, .. } => 2 * duels + 1,
            Method::EvolutionaryProgramming(settings) => settings.population,
        }
    }

    /// The genetic algorithm's settings.
    pub fn ga(&self) -> Option<&Settings> {
        match self {
            Method::Ga(settings) => Some(settings),
            _ => None,
        }
    }
}

/// CMA-ES learns from the better half of those that it draws.
const LEAST_DRAWN: usize = 4;

impl EvolutionKeys {
    /// The method, if it has all keys that it needs and none that would change nothing.
    pub fn checked(&self) -> Result<Method, String> {
        let method = self.method;
        let has = [
            ("crossover_rate", self.crossover_rate.is_some()),
            ("mutation_rate", self.mutation_rate.is_some()),
            ("selection", self.selection.is_some()),
            ("crossover", self.crossover.is_some()),
            ("exclude_worst", self.exclude_worst.is_some()),
            ("creep_rate", self.creep_rate.is_some()),
            ("difference_rate", self.difference_rate.is_some()),
            ("ancestor_rate", self.ancestor_rate.is_some()),
            ("intermediate_rate", self.intermediate_rate.is_some()),
            ("elitism", self.elitism.is_some()),
            ("spread", self.spread.is_some()),
            ("duels", self.duels.is_some()),
            ("history", self.history.is_some()),
            ("history_size", self.history_size.is_some()),
            ("recall", self.recall.is_some()),
            ("mutation_shape", self.mutation_shape.is_some()),
        ];
        let of_history = ["history", "history_size", "recall", "mutation_shape"];
        let of_others = [&["spread", "duels"][..], &of_history].concat();
        let uses = |key: &str| match method {
            MethodKey::Ga => !of_others.contains(&key),
            MethodKey::CmaEs => key == "spread",
            MethodKey::Compact => key == "duels",
            MethodKey::EvolutionaryProgramming => of_history.contains(&key),
            MethodKey::Plain(_) => key == "elitism",
        };
        if let Some((key, _)) = has.iter().find(|(key, given)| *given && !uses(key)) {
            return Err(format!(
                "`{key}` changes nothing with method = {:?}, expected it to be left out, or another method",
                method.name()
            ));
        }
        let population = self.population.get();
        let elitism = self.elitism.map(Whole::get);
        if let Some(elitism) = elitism.filter(|&elitism| elitism >= population) {
            return Err(format!(
                "elitism is {elitism}, expected less than the population of {population}"
            ));
        }
        let rate = |rate: Option<Rate>, key: &str| {
            rate.map(|rate| Probability::new(rate.0))
                .ok_or_else(|| missing(key))
        };
        let optional = |rate: Option<Rate>| rate.map(|rate| Probability::new(rate.0));
        Ok(match method {
            MethodKey::Ga => Method::Ga(Settings {
                population,
                crossover_rate: rate(self.crossover_rate, "crossover_rate")?,
                mutation_rate: rate(self.mutation_rate, "mutation_rate")?,
                creep_rate: optional(self.creep_rate),
                difference_rate: optional(self.difference_rate),
                ancestor_rate: optional(self.ancestor_rate),
                intermediate_rate: optional(self.intermediate_rate),
                elitism: elitism.ok_or_else(|| missing("elitism"))?,
                selection: self.selection.ok_or_else(|| missing("selection"))?.into(),
                crossover: self.crossover.unwrap_or_default().into(),
                exclude_worst: self.exclude_worst.unwrap_or(false),
            }),
            MethodKey::CmaEs if population < LEAST_DRAWN + 2 => {
                return Err(format!(
                    "population is {population}, expected {} or more with method = \"cma-es\", which learns \
                     from all but two of them",
                    LEAST_DRAWN + 2
                ));
            }
            MethodKey::CmaEs => Method::CmaEs {
                population,
                spread: self.spread.map_or(SPREAD, |spread| spread.0),
            },
            MethodKey::Compact => Method::Compact {
                population: population as u64,
                duels: self.duels.ok_or_else(|| missing("duels"))?.get(),
            },
            MethodKey::EvolutionaryProgramming => {
                let needs_history = self.history_size.is_some() || self.recall.is_some();
                if self.history.is_none() && needs_history {
                    return Err(
                        "history_size and recall are of the memory, expected `history` beside them"
                            .into(),
                    );
                }
                Method::EvolutionaryProgramming(ep::Settings {
                    population,
                    generations: self.generations.0 as u32,
                    shape: self
                        .mutation_shape
                        .map_or(MUTATION_SHAPE, |shape| shape.0 as u32),
                    history: self.history.map(|rate| ep::History {
                        probability: Probability::new(rate.0),
                        size: self.history_size.map_or(HISTORY_SIZE, Whole::get),
                        recall: match self.recall.unwrap_or_default() {
                            RecallKey::Any => ep::Recall::Any,
                            RecallKey::Best => ep::Recall::Best,
                        },
                    }),
                })
            }
            MethodKey::Plain(plain) => Method::Plain {
                plain,
                population,
                elitism: elitism.unwrap_or(1),
            },
        })
    }
}

fn missing(key: &str) -> String {
    format!("missing field `{key}`")
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

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CrossoverKey {
    /// Each bit of a child is one parent's or the other's, with equal probability (2014 §III.B).
    #[default]
    Uniform,
    /// A child has one parent's bits before a random point, and the other's behind it (2011 §3.4).
    SinglePoint,
}

impl From<CrossoverKey> for Crossover {
    fn from(key: CrossoverKey) -> Crossover {
        match key {
            CrossoverKey::Uniform => Crossover::Uniform,
            CrossoverKey::SinglePoint => Crossover::SinglePoint,
        }
    }
}

impl TryFrom<EvolutionKeys> for Evolution {
    type Error = String;

    fn try_from(keys: EvolutionKeys) -> Result<Self, String> {
        Ok(Evolution {
            method: keys.checked()?,
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
#[serde(deny_unknown_fields, expecting = "a table")]
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

#[cfg(test)]
mod tests;
