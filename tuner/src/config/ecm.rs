//! Keys of a phase of kind `ecm`: search parameters, by the nodes that a suite costs.

use super::coevolution::Initial;
use super::evolution::Runs;
use super::evolution::{CrossoverKey, EvolutionKeys, Method, SPREAD, SelectionKey};
use super::method::MethodKey;
use super::values::Whole;
use super::values::{AnyLayout, CLOCK, FilePath, Rate};
use crate::fitness::search_cost::{Found, Rule, hash_for};
use engine::params::{Gene, LAYOUTS, Table, layout};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;

/// Keys of a phase of kind `ecm`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Written")]
#[schemars(with = "Written")]
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

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Written {
    /// The parameters that evolve: a genome layout of the search.
    layout: SearchLayout,
    /// Evolves only these parameters of the layout: names, or beginnings of names followed by `*`. If
    /// absent, all of them.
    rows: Option<Vec<String>>,
    /// Parameter file with the evaluation to search with, and with the search parameters that don't
    /// evolve. If absent, they are those of the best champion of the phase before.
    #[schemars(with = "Option<FilePath>")]
    evaluation: Option<PathBuf>,
    /// The tactical positions.
    #[serde(deserialize_with = "suite")]
    suite: SuiteKeys,
    /// How each position is searched.
    search: SearchKeys,
    /// The genetic algorithm.
    evolution: Breeding,
    /// How many runs, from which seeds. The best champion of them counts.
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
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SuiteKeys {
    /// Positions on which the nodes are counted (EPD with `bm` or `am`).
    #[schemars(with = "FilePath")]
    pub train: PathBuf,
    /// Uses only the first so many positions. If absent, all.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Searches only so many positions in each generation, others every time; the last generation
    /// searches all. It saves time, and no individual can learn a few positions by heart. If absent, all.
    pub sample: Option<Whole<1, 100_000_000>>,
    /// Which positions train. The others are held out: the champions alone are measured on them.
    #[serde(default)]
    pub part: SuitePart,
    /// Held-out positions, on which the champions alone are measured (EPD). Not together with `part`.
    #[schemars(with = "Option<FilePath>")]
    pub test: Option<PathBuf>,
    /// Names (EPD field `id`) of positions whose solution is in doubt. They count like all others; the
    /// report also says what is solved without them.
    #[serde(default)]
    pub without: Vec<String>,
}

/// A part of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
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

/// The data, if its keys go together.
fn suite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SuiteKeys, D::Error> {
    let keys = SuiteKeys::deserialize(deserializer)?;
    if keys.part != SuitePart::All && keys.test.is_some() {
        return Err(D::Error::custom(
            "expected either part, whose rest is held out, or test",
        ));
    }
    match (keys.sample.map(Whole::get), keys.count.map(Whole::get)) {
        (Some(sample), Some(count)) if sample >= count => Err(D::Error::custom(format!(
            "sample {sample} is no part of count {count}, expected fewer"
        ))),
        _ => Ok(keys),
    }
}

/// Keys of `[search]`; see [`Rule`].
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SearchKeys {
    /// Nodes after which a position is given up; it then costs so many.
    cap: Whole<1, 1_000_000_000>,
    /// When a move counts as found: `"first"`, the first time that it is the best move at the root; a
    /// number k, when it has been the best move at the end of k iterations in a row; `"last"`, when it is
    /// the best move from there to `cap`. A higher number costs more nodes and rewards luck less.
    /// `"worth"` does not look for one move: each node from half of `cap` on costs what the best move of
    /// that moment loses by an expert's scores of all moves (EPD of `tuner label --moves`).
    #[serde(default)]
    found: Found,
    /// Size of the transposition table in megabytes. It is emptied for each position. If absent, 8 bytes
    /// for each node of `cap`, from 1 to 64 MB.
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

/// Keys of `[evolution]` where fitness is no choice.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, try_from = "BreedingKeys")]
#[schemars(with = "BreedingKeys")]
pub struct Breeding {
    /// The algorithm.
    pub method: Method,
    /// Generations, the initial one included.
    pub generations: u32,
    /// What generation 0 is made of.
    pub initial: Initial,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct BreedingKeys {
    /// The algorithm; not `"compact"`, which is for fitness that is mostly noise.
    #[serde(default)]
    method: MethodKey,
    /// Individuals in each generation.
    population: Whole<2, 100_000>,
    /// What generation 0 consists of.
    #[serde(default = "random")]
    initial: Initial,
    /// Generations, the initial one included.
    generations: Whole<1, 1_000_000>,
    /// Probability that two parents are crossed. Otherwise the child is a copy of
    /// one parent. Required with `method = "ga"`.
    crossover_rate: Option<Rate>,
    /// Probability that a bit of a child is flipped, for each bit. Required with `method = "ga"`.
    mutation_rate: Option<Rate>,
    /// Probability that a gene of a child is moved by a small step, for each gene (creep mutation,
    /// Davis 1991). If absent, none is. Only with `method = "ga"`.
    creep_rate: Option<Rate>,
    /// Probability that a child is moved along the difference of two individuals (the difference vector
    /// of differential evolution, Storn and Price 1997). If absent, none is. Only with `method = "ga"`.
    difference_rate: Option<Rate>,
    /// Probability that a child is moved along the way from the best individual of an earlier
    /// generation to the best of today, instead of along a difference. If absent, none is. Only with
    /// `method = "ga"`.
    ancestor_rate: Option<Rate>,
    /// Probability that a child that is not crossed begins as the mean of the fittest individuals
    /// (intermediate recombination). If absent, none does. Only with `method = "ga"`.
    intermediate_rate: Option<Rate>,
    /// Individuals that go to the next generation unchanged, best first. Fewer than `population`. Required
    /// with `method = "ga"`; 1 with `"random-search"`; `"cma-es"` always keeps the best one beside those
    /// that it draws.
    elitism: Option<Whole<0, 100_000>>,
    /// How parents are drawn. Required with `method = "ga"`.
    selection: Option<SelectionKey>,
    /// How two parents are crossed. Only with `method = "ga"`.
    #[schemars(extend("default" = "uniform"))]
    crossover: Option<CrossoverKey>,
    /// Whether the least fit individual is no parent. Only with `method = "ga"`.
    #[schemars(extend("default" = false))]
    exclude_worst: Option<bool>,
    /// Standard deviation of each gene at the start, as a part of its range. Only with
    /// `method = "cma-es"`.
    #[schemars(extend("default" = SPREAD))]
    spread: Option<Rate>,
}

fn random() -> Initial {
    Initial::Random
}

impl TryFrom<BreedingKeys> for Breeding {
    type Error = String;

    fn try_from(keys: BreedingKeys) -> Result<Self, String> {
        if keys.method == MethodKey::EvolutionaryProgramming {
            return Err(
                "method = \"evolutionary-programming\" is for weights, not for switches; expected \
                 \"ga\", \"cma-es\" or \"random-search\""
                    .into(),
            );
        }
        if keys.method == MethodKey::Compact {
            return Err(
                "method = \"compact\" is for fitness that is mostly noise, which nodes are not; \
                        expected \"ga\", \"cma-es\" or \"random-search\""
                    .into(),
            );
        }
        let given = EvolutionKeys {
            method: keys.method,
            population: keys.population,
            crossover_rate: keys.crossover_rate,
            mutation_rate: keys.mutation_rate,
            creep_rate: keys.creep_rate,
            difference_rate: keys.difference_rate,
            ancestor_rate: keys.ancestor_rate,
            intermediate_rate: keys.intermediate_rate,
            elitism: keys.elitism,
            selection: keys.selection,
            crossover: keys.crossover,
            exclude_worst: keys.exclude_worst,
            spread: keys.spread,
            ..EvolutionKeys::default()
        };
        Ok(Breeding {
            method: given.checked()?,
            generations: keys.generations.0 as u32,
            initial: keys.initial,
        })
    }
}

/// A layout of the engine's table with genes of the search alone.
pub(super) struct SearchLayout(AnyLayout);

/// The layouts of the search.
pub(super) fn search_layouts() -> Vec<&'static str> {
    let known = LAYOUTS.iter().copied();
    known
        .filter(|name| genes_of_search(name).is_some())
        .collect()
}

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
        Err(D::Error::custom(format!(
            "layout {name:?} is not of the search, expected one of {}",
            search_layouts().join(", ")
        )))
    }
}
