//! Keys of a phase of kind `coevolution`.

use super::evolution::{
    EvolutionKeys, HISTORY_SIZE, MAX_SEED, MUTATION_SHAPE, Method, RecallKey,
    SPREAD as SPREAD_OF_METHOD, SelectionKey,
};
use super::games::GamesKeys;
use super::method::MethodKey;
use super::values::{AnyLayout, CLOCK, FilePath, Rate, Whole, usual};
use crate::play::in_process::Effort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Keys of a phase of kind `coevolution`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, try_from = "Written")]
#[schemars(with = "Written")]
pub struct CoevolutionKeys {
    /// The genome layout of the engine's parameter table; any of them.
    pub layout: AnyLayout,
    /// Parameter files whose individuals make up generation 0; the champions of the phase before
    /// if absent.
    pub population: Vec<PathBuf>,
    /// Parameter files for what doesn't evolve: the search with an evaluation layout (everything
    /// selective is off if absent), the evaluation with a search layout (that of the first
    /// champion if absent), and rows of the search that are not in that layout (off if absent).
    pub fixed: Vec<PathBuf>,
    /// Seed of the genetic algorithm and of the openings.
    pub seed: Whole<0, MAX_SEED>,
    /// The genetic algorithm.
    pub breeding: Breeding,
    /// The games.
    pub games: GamesKeys,
}

/// How one generation comes from another.
#[derive(Clone, Debug)]
pub enum Breeding {
    /// `[phase.evolution]`: individuals that play each other (2014 §III.C).
    Generational(Coevolve),
    /// `[phase.compact]`: see [`crate::evolution::compact`].
    Compact(Compact),
}

impl Breeding {
    /// Generations, the initial one included.
    pub fn generations(&self) -> u32 {
        match self {
            Breeding::Generational(keys) => keys.generations(),
            Breeding::Compact(keys) => keys.generations(),
        }
    }

    /// Pairs of games of a new elite against the first one.
    pub fn gauge_pairs(&self) -> u64 {
        match self {
            Breeding::Generational(keys) => keys.gauge_pairs.0,
            Breeding::Compact(keys) => keys.gauge_pairs.0,
        }
    }

    /// Whether games of duels are kept.
    pub fn keeps_duels(&self) -> bool {
        match self {
            Breeding::Generational(_) => false,
            Breeding::Compact(keys) => keys.keep_games,
        }
    }

    /// Pairs of games that two players play at most before somebody reckons what they are worth.
    pub fn most_pairs(&self) -> u64 {
        match self {
            Breeding::Generational(keys) if keys.elite == Elite::ReEvaluated => {
                keys.confirmation_pairs().max(self.gauge_pairs())
            }
            _ => self.gauge_pairs(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Written {
    /// The parameters that evolve: a genome layout of the evaluation, of the search, or of the clock
    /// (`time`).
    layout: AnyLayout,
    /// Evolves only these parameters of the layout: names, or beginnings of names followed by `*`. The
    /// others are those of the first champion, or of `fixed`. If absent, all of them.
    rows: Option<Vec<String>>,
    /// Parameter files, one for each individual of generation 0. If absent, generation 0 consists of
    /// the champions of the phase before.
    #[serde(default)]
    #[schemars(with = "Vec<FilePath>")]
    population: Vec<PathBuf>,
    /// Parameter files for what does not evolve. Beside an evaluation layout: the search; if absent,
    /// plain alpha-beta. Beside a search layout: the evaluation, that of the first champion if absent,
    /// and the search parameters outside the layout, off if absent.
    #[serde(default)]
    #[schemars(with = "Vec<FilePath>")]
    fixed: Vec<PathBuf>,
    /// Seed of all random numbers and of the openings. The same seed gives the same result.
    seed: Whole<0, MAX_SEED>,
    /// The genetic algorithm: individuals that all play each other (2014 §III.C). Either this or
    /// `[compact]`.
    evolution: Option<Coevolve>,
    /// A compact genetic algorithm: the population is a mean and a standard deviation for each gene. Two
    /// individuals drawn from it play a duel, and the mean moves towards the winner. Either this or
    /// `[evolution]`.
    compact: Option<Compact>,
    /// The games that decide.
    games: GamesKeys,
}

impl TryFrom<Written> for CoevolutionKeys {
    type Error = String;

    fn try_from(keys: Written) -> Result<Self, String> {
        let breeding = match (keys.evolution, keys.compact) {
            (Some(keys), None) => Breeding::Generational(keys.checked()?),
            (None, Some(keys)) => Breeding::Compact(keys.checked()?),
            _ => {
                return Err(
                    "has both or neither of [evolution] and [compact], expected one".into(),
                );
            }
        };
        if let Breeding::Generational(evolution) = &breeding
            && let Some(room) = evolution.population.map(|room| room.get())
            && room < keys.population.len()
        {
            return Err(format!(
                "`population` lists {} files, and [evolution] has room for {room}",
                keys.population.len()
            ));
        }
        if keys.layout.name == CLOCK
            && let Some(no_clock) = match keys.games.effort() {
                Ok(Effort::Nodes(_)) => Some("nodes"),
                Ok(Effort::Depth(_)) => Some("depth"),
                _ => None,
            }
        {
            return Err(format!(
                "layout {CLOCK:?} is that of the clock, at which games by {no_clock} don't look, expected \
                 seconds in [games] instead of {no_clock}"
            ));
        }
        Ok(CoevolutionKeys {
            layout: keys.layout.part(keys.rows.as_deref())?,
            population: keys.population,
            fixed: keys.fixed,
            seed: keys.seed,
            breeding,
            games: keys.games,
        })
    }
}

/// Keys of `[phase.evolution]` of a coevolution.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Coevolve {
    /// Individuals in each generation. Those beyond the champions are bred from them. If absent, as many
    /// as there are champions, but at least 2.
    pub population: Option<Whole<2, 1000>>,
    /// What generation 0 consists of.
    #[serde(default)]
    pub initial: Initial,
    /// The algorithm. The table `[compact]`, instead of this one, is `method = "compact"`.
    #[serde(default)]
    method: MethodKey,
    /// Generations, the initial one included.
    generations: Whole<1, 1_000_000>,
    /// Probability that two parents are crossed (uniform crossover). Otherwise the child is a copy of
    /// one parent. Required with `method = "ga"`.
    crossover_rate: Option<Rate>,
    /// Probability that a bit of a child is flipped, for each bit. Required with `method = "ga"`.
    mutation_rate: Option<Rate>,
    /// How parents are drawn. Required with `method = "ga"`.
    selection: Option<SelectionKey>,
    /// Standard deviation of each gene at the start, as a part of its range; it is larger where the
    /// champions differ by more. Only with `method = "cma-es"`.
    #[schemars(extend("default" = SPREAD_OF_METHOD))]
    spread: Option<Rate>,
    /// Probability that a child is not a mutant but one of the best who have left (2013 §4). If absent,
    /// nobody comes back. Only with `method = "evolutionary-programming"`.
    history: Option<Rate>,
    /// How many of the best who have left are remembered. Only with `history`.
    #[schemars(extend("default" = HISTORY_SIZE))]
    history_size: Option<Whole<1, 100_000>>,
    /// Who of them comes back. Only with `history`.
    recall: Option<RecallKey>,
    /// How much sooner the steps of mutation become small (2013 equation 3: b). Only with
    /// `method = "evolutionary-programming"`.
    #[schemars(extend("default" = MUTATION_SHAPE))]
    mutation_shape: Option<Whole<0, 20>>,
    /// Rounds in a generation: in each of them everybody plays one opponent, all drawn at random, instead
    /// of everybody playing everybody (2013 §5.4: half as many as there are players). Needs `population`, an even
    /// number.
    rounds: Option<Whole<1, 1000>>,
    /// How an individual becomes the elite, which goes to the next generation unchanged.
    #[serde(default)]
    pub elite: Elite,
    /// Pairs of games in which a challenger has to beat the elite. Not with `elite = "best"`.
    #[schemars(extend("default" = CONFIRMATION_PAIRS))]
    confirmation_pairs: Option<Whole<1, 10_000>>,
    /// Pairs of games of every new elite against the first one, for the report. They change nothing in
    /// the evolution.
    #[serde(default = "usual::<GAUGE_PAIRS, 0, 10_000>")]
    gauge_pairs: Whole<0, 10_000>,
}

/// Pairs of games of a challenger, where a profile doesn't say.
const CONFIRMATION_PAIRS: u64 = 32;

/// Pairs of games of the report's graph, where a profile doesn't say.
const GAUGE_PAIRS: u64 = 16;

impl Coevolve {
    /// The algorithm for a population of this size.
    ///
    /// # Errors
    /// A key is missing, is of no use, or the population too small.
    pub fn method(&self, population: usize) -> Result<Method, String> {
        if self.method == MethodKey::Compact {
            return Err(
                "method = \"compact\" has a table of its own in a coevolution, expected [compact] \
                 instead of [evolution]"
                    .into(),
            );
        }
        let is_ga = self.method == MethodKey::Ga;
        let given = EvolutionKeys {
            method: self.method,
            population: Whole(population as u64),
            crossover_rate: self.crossover_rate,
            mutation_rate: self.mutation_rate,
            elitism: is_ga.then_some(Whole(1)),
            selection: self.selection,
            spread: self.spread,
            history: self.history,
            history_size: self.history_size,
            recall: self.recall,
            mutation_shape: self.mutation_shape,
            generations: self.generations,
            ..EvolutionKeys::default()
        };
        given.checked()
    }

    /// Generations, the initial one included.
    pub fn generations(&self) -> u32 {
        self.generations.0 as u32
    }

    /// Rounds of a generation with opponents drawn at random, if not everybody plays everybody.
    pub fn rounds(&self) -> Option<u32> {
        self.rounds.map(|rounds| rounds.0 as u32)
    }

    /// Meetings of two individuals in a generation of so many.
    pub fn meetings(&self, individuals: u64) -> u64 {
        match self.rounds {
            Some(rounds) => rounds.0 * (individuals / 2),
            None => individuals * individuals.saturating_sub(1) / 2,
        }
    }

    /// See the field.
    pub fn confirmation_pairs(&self) -> u64 {
        self.confirmation_pairs
            .map_or(CONFIRMATION_PAIRS, |pairs| pairs.0)
    }

    /// These keys, if none of them is without effect.
    fn checked(self) -> Result<Coevolve, String> {
        // Where the size is that of the champions, it is checked once they are known.
        self.method(self.population.map_or(1000, Whole::get))?;
        if let (Some(_), population) = (self.rounds, self.population.map(|count| count.0))
            && population.is_none_or(|count| count % 2 == 1)
        {
            let found = population.map_or("none".into(), |count| count.to_string());
            return Err(format!(
                "has rounds, in each of which everybody plays one opponent, and a population of {found}, expected \
                 `population` with an even number"
            ));
        }
        match (self.elite, self.confirmation_pairs) {
            (Elite::Best, Some(_)) => Err(
                "has confirmation_pairs, but with elite = \"best\" nobody has to prove itself; \
                 expected one of the two"
                    .into(),
            ),
            _ => Ok(self),
        }
    }
}

/// Keys of `[phase.compact]` of a coevolution; see [`crate::evolution::compact`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Compact {
    /// Individuals that the population stands for. After a duel the mean moves by one part in so many
    /// from the loser to the winner. The fewer, the faster it goes, and the more it drifts by chance.
    population: Whole<2, 1_000_000>,
    /// What the population is at the start.
    #[serde(default)]
    pub initial: Initial,
    /// Least standard deviation of a gene at the start, as a part of the gene's range. It is larger where
    /// the champions differ by more. Not with `initial = "random"`.
    #[schemars(extend("default" = SPREAD))]
    spread: Option<Rate>,
    /// Generations, the initial one included.
    generations: Whole<1, 1_000_000>,
    /// Duels in a generation. All of their individuals are drawn before the first duel is over.
    duels: Whole<1, 1_000_000>,
    /// Plays the mean against the first champion every so many generations, for the report.
    #[serde(default = "usual::<10, 1, 1_000_000>")]
    gauge_every: Whole<1, 1_000_000>,
    /// Pairs of games of the mean against the first champion, each time. They change nothing in the
    /// evolution.
    #[serde(default = "usual::<GAUGE_PAIRS, 0, 10_000>")]
    gauge_pairs: Whole<0, 10_000>,
    /// Whether the games of the duels are kept. A game takes about 5 kB: half in the journal, half as PGN.
    #[serde(default)]
    pub keep_games: bool,
}

/// Standard deviation of a gene at the start, where a profile doesn't say.
const SPREAD: f64 = 0.05;

impl Compact {
    /// See the field.
    pub fn population(&self) -> u64 {
        self.population.0
    }

    /// See the field.
    pub fn spread(&self) -> f64 {
        self.spread.map_or(SPREAD, |spread| spread.0)
    }

    /// These keys, if none of them is without effect.
    fn checked(self) -> Result<Compact, String> {
        match (self.initial, self.spread) {
            (Initial::Random, Some(_)) => Err(
                "has spread, but with initial = \"random\" each gene is spread over its whole range; \
                 expected one of the two"
                    .into(),
            ),
            _ => Ok(self),
        }
    }

    /// Generations, the initial one included.
    pub fn generations(&self) -> u32 {
        self.generations.0 as u32
    }

    /// See the field.
    pub fn duels(&self) -> u64 {
        self.duels.0
    }

    /// Whether the mean after this generation plays the first champion.
    pub fn is_gauged(&self, generation: u32) -> bool {
        u64::from(generation).is_multiple_of(self.gauge_every.0)
            || generation + 1 == self.generations()
    }

    /// Games of the mean with the first champion in all generations.
    pub fn games_of_gauges(&self) -> u64 {
        let gauges = (0..self.generations()).filter(|&generation| self.is_gauged(generation));
        2 * self.gauge_pairs.0 * gauges.count() as u64
    }
}

/// What generation 0 is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Initial {
    /// The champions of the phase before, or the parameter files that the phase names.
    #[default]
    Champions,
    /// Random bits.
    Random,
}

/// How an individual becomes the elite, which survives unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Elite {
    /// By the best score in the generation's games (2014 §III.C). One lucky generation is enough.
    Best,
    /// The best score makes a challenger, who must then beat the elite in `confirmation_pairs`.
    #[default]
    ReEvaluated,
}
