//! Keys of a phase of kind `coevolution`.

use super::evolution::{MAX_SEED, SelectionKey};
use super::games::GamesKeys;
use super::values::{AnyLayout, CLOCK, Rate, Whole};
use crate::evolution::ga::Settings;
use crate::evolution::rng::Probability;
use crate::play::machine::Effort;
use serde::Deserialize;
use std::path::PathBuf;

/// Keys of a phase of kind `coevolution`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "Written")]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    layout: AnyLayout,
    /// The rows of the layout that evolve, all if absent; see [`AnyLayout::part`]. The others are
    /// the first champion's, or those of `fixed`.
    rows: Option<Vec<String>>,
    #[serde(default)]
    population: Vec<PathBuf>,
    #[serde(default)]
    fixed: Vec<PathBuf>,
    seed: Whole<0, MAX_SEED>,
    evolution: Option<Coevolve>,
    compact: Option<Compact>,
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
        if keys.layout.name == CLOCK && matches!(keys.games.effort(), Ok(Effort::Nodes(_))) {
            return Err(format!(
                "layout {CLOCK:?} is that of the clock, at which games by nodes don't look, expected \
                 seconds in [games] instead of nodes"
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
    /// Pairs of games in which a challenger has to prove itself; 32 if absent.
    confirmation_pairs: Option<Whole<1, 10_000>>,
    /// Pairs of games of every new elite against the first one; they change nothing, and are
    /// there for the report.
    #[serde(default = "gauge_pairs")]
    gauge_pairs: Whole<0, 10_000>,
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
            creep_rate: None,
            difference_rate: None,
            ancestor_rate: None,
            intermediate_rate: None,
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
        self.confirmation_pairs.map_or(32, |pairs| pairs.0)
    }

    /// These keys, if none of them is without effect.
    fn checked(self) -> Result<Coevolve, String> {
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compact {
    /// Individuals that the population stands for: after one duel the mean has gone so small a part
    /// of the way from the loser to the winner.
    population: Whole<2, 1_000_000>,
    /// What the population is to begin with.
    #[serde(default)]
    pub initial: Initial,
    /// Standard deviation of a gene to begin with, as a part of its range, 0.05 if absent; more if
    /// champions differ by more.
    spread: Option<Rate>,
    generations: Whole<1, 1_000_000>,
    /// Duels of a generation, all of them between individuals that are drawn before the first is
    /// over.
    duels: Whole<1, 1_000_000>,
    /// Generations from one to the next whose mean plays the first champion, for the report.
    #[serde(default = "gauge_every")]
    gauge_every: Whole<1, 1_000_000>,
    /// Pairs of games that it plays then.
    #[serde(default = "gauge_pairs")]
    gauge_pairs: Whole<0, 10_000>,
    /// Whether the duels' games are kept: some five kilobytes each, half in the journal, half as PGN.
    #[serde(default)]
    pub keep_games: bool,
}

fn gauge_every() -> Whole<1, 1_000_000> {
    Whole(10)
}

impl Compact {
    /// See the field.
    pub fn population(&self) -> u64 {
        self.population.0
    }

    /// See the field.
    pub fn spread(&self) -> f64 {
        self.spread.map_or(0.05, |spread| spread.0)
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
