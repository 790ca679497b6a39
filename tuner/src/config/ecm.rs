//! Keys of a phase of kind `ecm`: search parameters, by the nodes that a suite costs.

use super::evolution::{EvolutionKeys, SelectionKey};
use super::values::{AnyLayout, CLOCK, Rate};
use super::{Evolution, Fitness, Initial, Runs, Whole};
use crate::evolution::ga::Settings;
use crate::fitness::search_cost::{Found, Rule, hash_for};
use engine::params::{Gene, LAYOUTS, Table, layout};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// Keys of a phase of kind `ecm`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct EcmKeys {
    /// The genome layout of the engine's search table, or the rows of it that evolve.
    pub layout: AnyLayout,
    /// Parameter file with the evaluation to search with, and where some rows alone evolve with
    /// the other rows of the search; if absent, the best champion of the phase before has them.
    pub evaluation: Option<PathBuf>,
    /// The data.
    pub suite: SuiteKeys,
    /// What a search is given.
    pub search: SearchKeys,
    /// The genetic algorithm.
    pub evolution: Breeding,
    /// How many runs, from which seeds.
    pub runs: Runs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    layout: SearchLayout,
    /// The rows of the layout that evolve, all if absent; see [`AnyLayout::part`].
    rows: Option<Vec<String>>,
    evaluation: Option<PathBuf>,
    suite: SuiteKeys,
    search: SearchKeys,
    evolution: Breeding,
    runs: Runs,
}

impl TryFrom<Written> for EcmKeys {
    type Error = String;

    fn try_from(keys: Written) -> Result<Self, String> {
        let SearchLayout(layout) = keys.layout;
        Ok(EcmKeys {
            layout: layout.part(keys.rows.as_deref())?,
            evaluation: keys.evaluation,
            suite: keys.suite,
            search: keys.search,
            evolution: keys.evolution,
            runs: keys.runs,
        })
    }
}

/// The data of a phase. Paths are relative to the profile's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "RawSuiteKeys")]
pub struct SuiteKeys {
    /// EPD file of the positions that costs are counted on.
    pub train: PathBuf,
    /// Use the first so many positions; all if absent.
    pub count: Option<usize>,
    /// How many of the training positions each generation but the last is searched on, others
    /// every time; all if absent. It takes that much less time, and nobody can learn a few
    /// positions by heart.
    pub sample: Option<usize>,
    /// Which of these positions train; the others, if any, are the held-out ones.
    pub part: SuitePart,
    /// EPD file of held-out positions, on which only the champions are scored.
    pub test: Option<PathBuf>,
    /// Names (`id`) of positions whose solution is in doubt: they count like all others, and what
    /// is solved without them is reported too.
    pub without: Vec<String>,
}

/// A part of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuitePart {
    /// All positions.
    #[default]
    All,
    /// The first, the third and so on.
    Odd,
    /// The second, the fourth and so on.
    Even,
}

impl SuitePart {
    /// Whether the position in this place, from 0, belongs to the part.
    pub fn has(self, place: usize) -> bool {
        match self {
            SuitePart::All => true,
            SuitePart::Odd => place.is_multiple_of(2),
            SuitePart::Even => !place.is_multiple_of(2),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuiteKeys {
    train: PathBuf,
    count: Option<Whole<1, 100_000_000>>,
    sample: Option<Whole<1, 100_000_000>>,
    #[serde(default)]
    part: SuitePart,
    test: Option<PathBuf>,
    #[serde(default)]
    without: Vec<String>,
}

impl TryFrom<RawSuiteKeys> for SuiteKeys {
    type Error = String;

    fn try_from(keys: RawSuiteKeys) -> Result<Self, String> {
        if keys.part != SuitePart::All && keys.test.is_some() {
            return Err("expected either part, whose rest is held out, or test".into());
        }
        if let (Some(sample), Some(count)) = (keys.sample, keys.count)
            && sample.get() >= count.get()
        {
            return Err(format!(
                "sample {} is no part of count {}, expected fewer",
                sample.get(),
                count.get()
            ));
        }
        Ok(SuiteKeys {
            train: keys.train,
            count: keys.count.map(Whole::get),
            sample: keys.sample.map(Whole::get),
            part: keys.part,
            test: keys.test,
            without: keys.without,
        })
    }
}

/// Keys of `[search]`; see [`Rule`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchKeys {
    cap: Whole<1, 1_000_000_000>,
    #[serde(default)]
    found: Found,
    hash: Option<Whole<1, 4096>>,
}

impl From<SearchKeys> for Rule {
    fn from(keys: SearchKeys) -> Rule {
        Rule {
            cap: keys.cap.0,
            found: keys.found,
            hash: keys.hash.map_or_else(|| hash_for(keys.cap.0), Whole::get),
        }
    }
}

/// Keys of `[evolution]` where fitness is no choice; see [`Settings`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "BreedingKeys")]
pub struct Breeding {
    /// The genetic algorithm's settings.
    pub settings: Settings,
    /// Generations, the initial one included.
    pub generations: u32,
    /// What generation 0 is made of.
    pub initial: Initial,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BreedingKeys {
    population: Whole<2, 100_000>,
    #[serde(default = "random")]
    initial: Initial,
    generations: Whole<1, 1_000_000>,
    crossover_rate: Rate,
    mutation_rate: Rate,
    creep_rate: Option<Rate>,
    difference_rate: Option<Rate>,
    ancestor_rate: Option<Rate>,
    intermediate_rate: Option<Rate>,
    elitism: Whole<0, 100_000>,
    selection: SelectionKey,
}

fn random() -> Initial {
    Initial::Random
}

impl TryFrom<BreedingKeys> for Breeding {
    type Error = String;

    fn try_from(keys: BreedingKeys) -> Result<Self, String> {
        let Evolution {
            settings,
            generations,
            ..
        } = Evolution::try_from(EvolutionKeys {
            population: keys.population,
            generations: keys.generations,
            crossover_rate: keys.crossover_rate,
            mutation_rate: keys.mutation_rate,
            creep_rate: keys.creep_rate,
            difference_rate: keys.difference_rate,
            ancestor_rate: keys.ancestor_rate,
            intermediate_rate: keys.intermediate_rate,
            elitism: keys.elitism,
            fitness: Fitness::Linear,
            selection: keys.selection,
        })?;
        Ok(Breeding {
            settings,
            generations,
            initial: keys.initial,
        })
    }
}

/// A layout of the engine's table with genes of the search alone.
struct SearchLayout(AnyLayout);

fn genes_of_search(name: &str) -> Option<Vec<Gene>> {
    // Searches by nodes don't look at the clock's rows.
    let genes = layout(name).filter(|_| name != CLOCK)?;
    let search = genes.iter().all(|gene| gene.table == Table::Search);
    (search && !genes.is_empty()).then_some(genes)
}

impl<'de> Deserialize<'de> for SearchLayout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if let Some(genes) = genes_of_search(&name) {
            return Ok(SearchLayout(AnyLayout {
                name,
                genes,
                is_part: false,
            }));
        }
        let known = LAYOUTS.iter().copied();
        let known: Vec<_> = known
            .filter(|name| genes_of_search(name).is_some())
            .collect();
        Err(D::Error::custom(format!(
            "layout {name:?} is not of the search, expected one of {}",
            known.join(", ")
        )))
    }
}
