//! Run profiles: what to evolve, from which positions, how. TOML in which every key is checked
//! and an unknown one is an error, so that a mistyped option can't be ignored for a night.
//!
//! Parsing is in two steps: [`Profile`] is what the file says, each value within its range;
//! [`crate::run::plan`] makes of it what a run needs.

pub mod ecm;
pub mod expert;
pub mod validation;

use crate::evolution::ga::Settings;
use crate::evolution::rng::{Probability, SEED_BITS, run_seeds};
use crate::evolution::selection::Selection;
use crate::files::{FileError, read_text};
use crate::play::adjudication::{DrawRule, MateRule, OrOff, ResignRule, Rules};
use crate::play::game::OpeningRule;
use crate::play::machine::Effort;
use engine::eval::params::CORE;
use engine::one_ply::{MAX_PLIES, Moves, Quiescence};
use engine::params::{Gene, LAYOUTS, Table, layout};
use serde::de::{Error as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// A profile as its file has it: one phase, whose keys stand at the top beside `phase = "…"`, or
/// several, each a `[[phase]]` with its `kind`.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The phases, in the order in which they run.
    pub phases: Vec<PhaseEntry>,
    /// Whether the one phase stands at the top of the file; its files then lie in the run's folder
    /// itself, those of a `[[phase]]` in a folder of its name.
    pub flat: bool,
    /// Hours for everything, shared out by the phases' `share`; no limit if absent.
    pub hours: Option<f64>,
    /// Threads; all cores if absent. Results don't depend on it.
    pub threads: Option<Whole<1, 1024>>,
}

/// One phase of a profile.
#[derive(Clone, Debug)]
pub struct PhaseEntry {
    /// Its name, the kind's unless the file gives another.
    pub name: String,
    /// Its part of the hours, in proportion to the others' parts.
    pub share: f64,
    /// What it does.
    pub keys: PhaseKeys,
}

/// What a phase does, by its kind.
#[derive(Clone, Debug)]
pub enum PhaseKeys {
    /// Agreement of 1-ply searches with the moves of a database (2014 §III.B).
    Grandmaster(GrandmasterKeys),
    /// Agreement with an expert's evaluation (2011 §3.3).
    Expert(expert::ExpertKeys),
    /// Games of the individuals against each other (2014 §III.C).
    Coevolution(CoevolutionKeys),
    /// Search parameters, by the nodes that a suite costs (2014 §IV).
    Ecm(ecm::EcmKeys),
    /// Whether what has evolved is better than what was there before.
    Validation(validation::ValidationKeys),
}

/// The kinds of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// See [`PhaseKeys::Grandmaster`].
    Grandmaster,
    /// See [`PhaseKeys::Expert`].
    Expert,
    /// See [`PhaseKeys::Coevolution`].
    Coevolution,
    /// See [`PhaseKeys::Ecm`].
    Ecm,
    /// See [`PhaseKeys::Validation`].
    Validation,
}

impl Kind {
    /// The name in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Grandmaster => "grandmaster",
            Kind::Expert => "expert",
            Kind::Coevolution => "coevolution",
            Kind::Ecm => "ecm",
            Kind::Validation => "validation",
        }
    }

    /// The keys of a phase of this kind.
    fn keys(self, table: Spanned<DeTable<'_>>) -> Result<PhaseKeys, toml::de::Error> {
        let table = toml::Deserializer::from(table);
        match self {
            Kind::Grandmaster => GrandmasterKeys::deserialize(table).map(PhaseKeys::Grandmaster),
            Kind::Expert => {
                let keys = expert::ExpertKeys::deserialize(table)?.validated();
                keys.map(PhaseKeys::Expert).map_err(toml::de::Error::custom)
            }
            Kind::Coevolution => {
                let keys = CoevolutionKeys::deserialize(table)?;
                keys.games.effort().map_err(toml::de::Error::custom)?;
                Ok(PhaseKeys::Coevolution(keys))
            }
            Kind::Ecm => ecm::EcmKeys::deserialize(table).map(PhaseKeys::Ecm),
            Kind::Validation => {
                let keys = validation::ValidationKeys::deserialize(table)?;
                keys.games.effort().map_err(toml::de::Error::custom)?;
                Ok(PhaseKeys::Validation(keys))
            }
        }
    }
}

impl PhaseKeys {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            PhaseKeys::Grandmaster(_) => Kind::Grandmaster,
            PhaseKeys::Expert(_) => Kind::Expert,
            PhaseKeys::Coevolution(_) => Kind::Coevolution,
            PhaseKeys::Ecm(_) => Kind::Ecm,
            PhaseKeys::Validation(_) => Kind::Validation,
        }
    }
}

/// Keys of a phase of kind `grandmaster`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrandmasterKeys {
    /// The genome layout of the engine's parameter table.
    pub layout: Layout,
    /// The data.
    pub positions: Positions,
    /// The quiescence at the leaves of the 1-ply search; the engine's own if absent.
    #[serde(default)]
    pub quiescence: QuiescenceKeys,
    /// The genetic algorithm.
    pub evolution: Evolution,
    /// How many runs, from which seeds.
    pub runs: Runs,
}

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

/// What generation 0 of a coevolution is made of.
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

/// Keys of `[phase.games]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of games")]
pub struct GamesKeys {
    /// Nodes a move; games can be repeated.
    nodes: Option<Whole<1, 1_000_000_000>>,
    /// Seconds a side for a whole game instead; they can't.
    seconds: Option<Positive>,
    /// Games of every two individuals in a generation.
    #[serde(default = "games_a_pair")]
    each: Whole<1, 1000>,
    /// How openings are given to games.
    #[serde(default)]
    pub openings: OpeningsKey,
    /// Opening book (EPD, PGN or Polyglot); random moves if absent.
    pub book: Option<PathBuf>,
    /// Random half moves, or half moves taken from a book of games.
    #[serde(default = "opening_plies")]
    plies: Whole<0, 200>,
    /// Random openings beyond this are refused, in centipawns.
    #[serde(default = "opening_balance")]
    balance: Whole<0, 10_000>,
    /// Table of each player in megabytes.
    #[serde(default = "small_table")]
    hash: Whole<1, 4096>,
    /// `"CP,MOVES"` or `"off"`; see [`Rules`].
    #[serde(default = "resign_rule")]
    resign: OrOff<ResignRule>,
    /// Let the loser's score alone decide.
    #[serde(default)]
    resign_alone: bool,
    /// Moves in a row at which a side announces mate, or `"off"`.
    #[serde(default = "mate_rule")]
    mate: OrOff<MateRule>,
    /// `"MOVENUMBER,CP,MOVES"` or `"off"`.
    #[serde(default = "draw_rule")]
    draw: OrOff<DrawRule>,
    /// A draw after so many moves.
    #[serde(default = "longest_game")]
    max_moves: Whole<1, 5000>,
}

fn games_a_pair() -> Whole<1, 1000> {
    Whole(4)
}

fn opening_plies() -> Whole<0, 200> {
    Whole(8)
}

fn opening_balance() -> Whole<0, 10_000> {
    Whole(80)
}

fn small_table() -> Whole<1, 4096> {
    Whole(1)
}

fn longest_game() -> Whole<1, 5000> {
    Whole(200)
}

fn resign_rule() -> OrOff<ResignRule> {
    OrOff(Some(ResignRule { cp: 900, moves: 4 }))
}

fn mate_rule() -> OrOff<MateRule> {
    OrOff(Some(MateRule(2)))
}

fn draw_rule() -> OrOff<DrawRule> {
    OrOff(Some(DrawRule {
        from_move: 40,
        cp: 10,
        moves: 8,
    }))
}

/// How openings are given to games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningsKey {
    /// Each opening is played with both colours: what an opening is worth cancels out.
    #[default]
    Paired,
    /// Each game has its own opening (2014 §III.C), the colours take turns.
    Paper,
}

impl GamesKeys {
    /// The defaults with this much thinking and this book.
    pub fn of(nodes: u64, seconds: Option<f64>, book: Option<PathBuf>) -> GamesKeys {
        GamesKeys {
            nodes: seconds.is_none().then_some(Whole(nodes)),
            seconds: seconds.map(Positive),
            each: games_a_pair(),
            openings: OpeningsKey::default(),
            book,
            plies: opening_plies(),
            balance: opening_balance(),
            hash: small_table(),
            resign: resign_rule(),
            resign_alone: false,
            mate: mate_rule(),
            draw: draw_rule(),
            max_moves: longest_game(),
        }
    }

    /// Whether the games can be repeated.
    pub fn effort(&self) -> Result<Effort, String> {
        match (self.nodes, self.seconds) {
            (Some(nodes), None) => Ok(Effort::Nodes(nodes.0)),
            (None, Some(Positive(seconds))) => Ok(Effort::Clock((seconds * 1000.0) as u64)),
            _ => Err("[games] has both or neither of nodes and seconds, expected one".into()),
        }
    }

    /// Games of every two individuals in a generation.
    pub fn each(&self) -> u64 {
        self.each.0
    }

    /// How games end.
    pub fn rules(&self) -> Rules {
        Rules {
            resign: self.resign.0,
            resign_needs_both: !self.resign_alone,
            mate_moves: self.mate.0.map(|rule| rule.0),
            draw: self.draw.0,
            max_moves: self.max_moves.0 as u32,
        }
    }

    /// Random openings.
    pub fn opening_rule(&self) -> OpeningRule {
        OpeningRule {
            plies: self.plies.0 as u32,
            balance: Some(self.balance.0 as i32),
        }
    }

    /// Table of each player in megabytes.
    pub fn hash(&self) -> usize {
        self.hash.get()
    }

    /// All settings in words, for games and reports.
    pub fn text(&self) -> String {
        let effort = match (self.nodes, self.seconds) {
            (Some(nodes), _) => format!("{} nodes a move", nodes.0),
            (None, Some(Positive(seconds))) => format!("{seconds} s a side, not repeatable"),
            (None, None) => String::new(),
        };
        let openings = match self.openings {
            OpeningsKey::Paired => "each opening with both colours",
            OpeningsKey::Paper => "each game its own opening",
        };
        let source = match &self.book {
            Some(book) => book
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            None => format!("{} random plies within {} cp", self.plies.0, self.balance.0),
        };
        let alone = if self.resign_alone { " alone" } else { "" };
        format!(
            "{effort}; {openings}: {source}; hash {} MB; resign {}{alone}; mate {}; draw {}; at \
             most {} moves",
            self.hash.0, self.resign, self.mate, self.draw, self.max_moves.0
        )
    }
}

/// The data of a run. Paths are relative to the profile's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    /// EPD file of the positions that fitness is counted on.
    pub train: PathBuf,
    /// EPD file of held-out positions, on which only the champions are scored.
    pub test: Option<PathBuf>,
    /// Use the first so many training positions; all if absent.
    pub count: Option<Whole<1, 100_000_000>>,
    /// Use the first so many held-out positions; all if absent.
    pub test_count: Option<Whole<1, 100_000_000>>,
}

/// Keys of `[quiescence]`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuiescenceKeys {
    moves: QuiescenceMoves,
    max_plies: Whole<0, { MAX_PLIES as u64 }>,
}

/// Which moves the quiescence looks at, as written in profiles and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum QuiescenceMoves {
    /// Captures and queen promotions that don't lose material.
    See,
    /// All captures and queen promotions.
    All,
    /// None: leaves are evaluated as they stand.
    None,
}

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
struct EvolutionKeys {
    population: Whole<2, 100_000>,
    generations: Whole<1, 1_000_000>,
    crossover_rate: Rate,
    mutation_rate: Rate,
    elitism: Whole<0, 100_000>,
    fitness: Fitness,
    selection: SelectionKey,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SelectionKey {
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
const MAX_SEED: u64 = (1 << SEED_BITS) - 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunsKeys {
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

/// A whole number within a range; anything else is refused with the range named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    /// The number.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Within<const MIN: u64, const MAX: u64>;
        impl<const MIN: u64, const MAX: u64> Visitor<'_> for Within<MIN, MAX> {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match MIN == MAX {
                    true => write!(f, "{MIN}"),
                    false => write!(f, "a whole number from {MIN} to {MAX}"),
                }
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<u64, E> {
                let inside = u64::try_from(number).ok();
                inside
                    .filter(|number| (MIN..=MAX).contains(number))
                    .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
            }
        }
        deserializer.deserialize_i64(Within::<MIN, MAX>).map(Whole)
    }
}

/// A probability from 0 to 1.
#[derive(Clone, Copy, Debug)]
struct Rate(f64);

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Within;
        impl Visitor<'_> for Within {
            type Value = f64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a probability from 0.0 to 1.0")
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<f64, E> {
                // A NaN, which TOML has, is in no range.
                match (0.0..=1.0).contains(&number) {
                    true => Ok(number),
                    false => Err(E::invalid_value(Unexpected::Float(number), &self)),
                }
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<f64, E> {
                self.visit_f64(number as f64)
            }
        }
        deserializer.deserialize_any(Within).map(Rate)
    }
}

/// A layout of the engine's table that phase 1 can evolve: one with genes of the papers' 35
/// evaluation terms alone, for these are what its trees count.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Its name.
    pub name: String,
    /// Its genes in order.
    pub genes: Vec<Gene>,
}

impl Layout {
    fn of_evaluation(name: &str) -> Option<Vec<Gene>> {
        let genes = layout(name)?;
        let evaluation = genes
            .iter()
            .all(|gene| gene.table == Table::Eval && gene.index < CORE);
        (evaluation && !genes.is_empty()).then_some(genes)
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match Layout::of_evaluation(&name) {
            Some(genes) => Ok(Layout { name, genes }),
            None => {
                let known = LAYOUTS.iter().copied();
                let known: Vec<_> = known
                    .filter(|name| Layout::of_evaluation(name).is_some())
                    .collect();
                Err(D::Error::custom(format!(
                    "layout {name:?} can't be evolved from positions, expected one of {}",
                    known.join(", ")
                )))
            }
        }
    }
}

/// Any layout of the engine's table.
#[derive(Clone, Debug)]
pub struct AnyLayout {
    /// Its name.
    pub name: String,
    /// Its genes in order.
    pub genes: Vec<Gene>,
}

impl AnyLayout {
    /// The tables that its genes are in.
    pub fn tables(&self) -> Vec<Table> {
        let has = |table: &Table| self.genes.iter().any(|gene| gene.table == *table);
        [Table::Eval, Table::Search]
            .into_iter()
            .filter(has)
            .collect()
    }
}

impl<'de> Deserialize<'de> for AnyLayout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match layout(&name).filter(|genes| !genes.is_empty()) {
            Some(genes) => Ok(AnyLayout { name, genes }),
            None => Err(D::Error::custom(format!(
                "there is no layout {name:?}, expected one of {}",
                LAYOUTS.join(", ")
            ))),
        }
    }
}

impl<'de, T: FromStr<Err = String>> Deserialize<'de> for OrOff<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Default for QuiescenceKeys {
    fn default() -> Self {
        let Quiescence { moves, max_plies } = Quiescence::default();
        QuiescenceKeys {
            moves: moves.into(),
            max_plies: Whole(u64::from(max_plies)),
        }
    }
}

impl From<QuiescenceKeys> for Quiescence {
    fn from(keys: QuiescenceKeys) -> Self {
        Quiescence {
            moves: keys.moves.into(),
            max_plies: keys.max_plies.get() as u32,
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

/// Why a profile is refused.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The file can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key is unknown, missing, of the wrong type or out of range.
    #[error("{}: {message}", path.display())]
    Content {
        /// The profile.
        path: PathBuf,
        /// Line, column, the line itself, the key and what was expected.
        message: String,
    },
}

impl Profile {
    /// Reads a profile; its text comes along, for the run's copy and digest.
    ///
    /// # Errors
    /// The file can't be read, or the first key that is not as expected.
    pub fn load(path: &Path) -> Result<(Profile, String), ProfileError> {
        let text = read_text(path)?;
        Ok((Profile::parse(path, &text)?, text))
    }

    /// Reads a profile from its text; `path` is for error messages.
    ///
    /// # Errors
    /// The first key that is not as expected.
    pub fn parse(path: &Path, text: &str) -> Result<Profile, ProfileError> {
        parse(text).map_err(|mut error| {
            error.set_input(Some(text));
            ProfileError::Content {
                path: path.to_path_buf(),
                message: error.to_string().trim_end().to_string(),
            }
        })
    }
}

/// Most phases of a profile.
const MOST_PHASES: usize = 20;

fn parse(text: &str) -> Result<Profile, toml::de::Error> {
    let mut root = DeTable::parse(text)?;
    take::<Whole<1, 1>>(&mut root, "format")?.ok_or_else(|| missing("format"))?;
    let threads = take(&mut root, "threads")?;
    let hours = take::<Positive>(&mut root, "hours")?.map(|hours| hours.0);
    let listed = root.get_ref().get("phase");
    let listed = listed.is_some_and(|phase| phase.get_ref().is_array());
    let (phases, flat) = if listed {
        let tables: Vec<Spanned<DeValue<'_>>> = match root.get_mut().remove("phase") {
            Some(value) => match value.into_inner() {
                DeValue::Array(array) => array.into_iter().collect(),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        if let Some(key) = root.get_ref().keys().next() {
            let key = key.get_ref();
            return Err(toml::de::Error::custom(format!(
                "unknown key `{key}` beside [[phase]], expected format, threads or hours"
            )));
        }
        let phases = tables.into_iter().map(listed_phase);
        (phases.collect::<Result<Vec<_>, _>>()?, false)
    } else {
        let kind: Kind = take(&mut root, "phase")?.ok_or_else(|| missing("phase"))?;
        let keys = kind.keys(root)?;
        let name = kind.name().to_string();
        let share = 1.0;
        (vec![PhaseEntry { name, share, keys }], true)
    };
    let twice = (1..phases.len()).find(|&at| {
        let mut before = phases[..at].iter();
        before.any(|phase| phase.name == phases[at].name)
    });
    if let Some(at) = twice {
        let name = &phases[at].name;
        return Err(toml::de::Error::custom(format!(
            "two phases are called {name:?}: give one of them another `name`"
        )));
    }
    if phases.is_empty() || phases.len() > MOST_PHASES {
        let found = phases.len();
        let message = format!("has {found} phases, expected 1 to {MOST_PHASES}");
        return Err(toml::de::Error::custom(message));
    }
    Ok(Profile {
        phases,
        flat,
        hours,
        threads,
    })
}

/// One `[[phase]]`.
fn listed_phase(value: Spanned<DeValue<'_>>) -> Result<PhaseEntry, toml::de::Error> {
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        let message = "a phase is a table: [[phase]]";
        return Err(toml::de::Error::custom(message));
    };
    let mut table = Spanned::new(span, table);
    let kind: Kind = take(&mut table, "kind")?.ok_or_else(|| missing("kind"))?;
    let name = take::<PhaseName>(&mut table, "name")?.map(|name| name.0);
    let share = take::<Positive>(&mut table, "share")?.map_or(1.0, |share| share.0);
    Ok(PhaseEntry {
        name: name.unwrap_or_else(|| kind.name().to_string()),
        share,
        keys: kind.keys(table)?,
    })
}

fn missing(key: &str) -> toml::de::Error {
    toml::de::Error::custom(format!("missing field `{key}`"))
}

/// Takes a key out of a table.
fn take<'i, T: Deserialize<'i>>(
    table: &mut Spanned<DeTable<'i>>,
    key: &str,
) -> Result<Option<T>, toml::de::Error> {
    let value = table.get_mut().remove(key);
    let value = value.map(|value| T::deserialize(ValueDeserializer::from(value)));
    value.transpose()
}

/// The name of a phase, which is a folder's name too.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct PhaseName(String);

impl TryFrom<String> for PhaseName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let tame = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        // These are names of other folders of a run.
        let taken = ["champions", "figures", "start", "faults"].contains(&name.as_str());
        match (1..=40).contains(&name.len()) && name.chars().all(tame) && !taken {
            true => Ok(PhaseName(name)),
            false => Err(format!(
                "{name:?} can't be a phase's name, expected 1 to 40 of a-z, 0-9 and -"
            )),
        }
    }
}

/// A number above 0.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Number")]
pub struct Positive(pub f64);

/// Any number, a whole one too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Fraction(f64),
}

impl TryFrom<Number> for Positive {
    type Error = String;

    fn try_from(number: Number) -> Result<Self, String> {
        let number = match number {
            Number::Whole(number) => number as f64,
            Number::Fraction(number) => number,
        };
        match number > 0.0 && number.is_finite() {
            true => Ok(Positive(number)),
            false => Err(format!("{number} is not above 0")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A profile of one phase.
    const SMOKE: &str = include_str!("../profiles/smoke.toml");
    const PAPER: &str = include_str!("../profiles/paper-2014.toml");

    fn parse(text: &str) -> Result<Profile, String> {
        Profile::parse(Path::new("p.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_papers_profile_has_the_papers_sizes() {
        let profile = parse(PAPER).unwrap();
        let PhaseKeys::Grandmaster(phase) = &profile.phases[0].keys else {
            panic!("the first phase is another");
        };
        let evolution = &phase.evolution;
        assert_eq!(evolution.settings.population, 100);
        assert_eq!(evolution.generations, 200);
        assert_eq!(evolution.settings.elitism, 1);
        assert_eq!(evolution.settings.crossover_rate, Probability::new(0.75));
        assert_eq!(evolution.settings.mutation_rate, Probability::new(0.005));
        assert_eq!(evolution.settings.selection, Selection::Roulette);
        assert_eq!(evolution.fitness, Fitness::Squared);
        assert_eq!(phase.runs.seeds.len(), 10);
        assert_eq!(phase.positions.count.map(Whole::get), Some(5000));
        assert_eq!(phase.positions.test_count.map(Whole::get), Some(5000));
        let bits: u32 = phase.layout.genes.iter().map(|gene| gene.bits).sum();
        assert_eq!(bits, 224);
        assert_eq!(Quiescence::from(phase.quiescence), Quiescence::default());
    }

    #[test]
    fn the_papers_coevolution_has_the_papers_sizes() {
        let profile = parse(PAPER).unwrap();
        let kinds: Vec<Kind> = profile
            .phases
            .iter()
            .map(|phase| phase.keys.kind())
            .collect();
        let all = [
            Kind::Grandmaster,
            Kind::Coevolution,
            Kind::Ecm,
            Kind::Validation,
        ];
        assert_eq!(kinds, all);
        let PhaseKeys::Coevolution(phase) = &profile.phases[1].keys else {
            panic!("the second phase is another");
        };
        let evolution = &phase.evolution;
        assert_eq!(evolution.population.map(Whole::get), Some(10));
        assert_eq!(evolution.generations(), 50);
        assert_eq!(evolution.elite, Elite::Best);
        let settings = evolution.settings(10);
        assert_eq!(settings.selection, Selection::Rank);
        assert_eq!(settings.crossover_rate, Probability::new(0.75));
        assert_eq!(settings.mutation_rate, Probability::new(0.005));
        assert_eq!(phase.games.each(), 4);
        assert_eq!(phase.games.openings, OpeningsKey::Paper);
        // Nothing selective.
        assert!(phase.fixed.is_empty());
        parse(include_str!("../profiles/night.toml")).unwrap();
    }

    #[test]
    fn the_papers_search_phase_has_the_papers_sizes() {
        let alone = include_str!("../profiles/ecm-2014.toml");
        for (text, number) in [(alone, 0), (PAPER, 2)] {
            let profile = parse(text).unwrap();
            let PhaseKeys::Ecm(phase) = &profile.phases[number].keys else {
                panic!("the phase is another");
            };
            let settings = &phase.evolution.settings;
            assert_eq!((settings.population, phase.evolution.generations), (10, 50));
            assert_eq!(settings.elitism, 1);
            assert_eq!(settings.crossover_rate, Probability::new(0.75));
            assert_eq!(settings.mutation_rate, Probability::new(0.05));
            assert_eq!(settings.selection, Selection::Roulette);
            let bits: u32 = phase.layout.genes.iter().map(|gene| gene.bits).sum();
            assert_eq!(bits, 70);
            let rule = crate::fitness::search_cost::Rule::from(phase.search);
            assert_eq!(rule, crate::fitness::search_cost::Rule::default());
        }
    }

    #[test]
    fn all_shipped_profiles_are_read() {
        for path in ::tests::files("tuner/profiles", "toml") {
            Profile::load(&path).unwrap();
        }
    }

    /// Replaces a line of the smoke profile and returns the error.
    fn error(line: &str, by: &str) -> String {
        assert!(SMOKE.contains(line), "{line}");
        parse(&SMOKE.replacen(line, by, 1)).unwrap_err()
    }

    /// The error names the file, the line in question and each of these words.
    fn names(error: &str, words: &[&str]) {
        assert!(
            error.starts_with("p.toml: TOML parse error at line "),
            "{error}"
        );
        for word in words {
            assert!(error.contains(word), "{word:?} is not in:\n{error}");
        }
    }

    #[test]
    fn bad_values_are_named_with_line_and_range() {
        parse(SMOKE).unwrap();
        let unknown = error("elitism = 1", "elitsm = 1");
        names(&unknown, &["elitsm", "unknown field", "elitism"]);
        let range = error("elitism = 1", "elitism = -1");
        names(&range, &["elitism = -1", "`-1`", "from 0 to 100000"]);
        let fraction = error("elitism = 1", "elitism = 1.5");
        names(&fraction, &["1.5", "a whole number"]);
        let kind = error("elitism = 1", "elitism = \"one\"");
        names(&kind, &["string \"one\"", "a whole number"]);
        let rate = error("crossover_rate = 0.75", "crossover_rate = 75");
        names(&rate, &["crossover_rate = 75", "from 0.0 to 1.0"]);
        let nan = error("crossover_rate = 0.75", "crossover_rate = nan");
        names(&nan, &["from 0.0 to 1.0"]);
        let missing = error("elitism = 1", "");
        names(&missing, &["[evolution]", "missing field `elitism`"]);
        let format = error("format = 1", "format = 2");
        names(&format, &["format = 2", "expected 1"]);
        let plies = error("max_plies = 6", "max_plies = 31");
        names(&plies, &["max_plies = 31", "from 0 to 30"]);
        let layout = error("eval-2014", "search-2014");
        names(&layout, &["\"search-2014\"", "eval-2014, eval-2011"]);
        let phase = error("\"grandmaster\"", "\"grandmother\"");
        names(&phase, &["grandmother", "`grandmaster`"]);
        let elite = error("elitism = 1", "elitism = 5000");
        names(&elite, &["elitism is 5000", "less than the population"]);
    }

    #[test]
    fn seeds() {
        let runs = |keys: &str| toml::from_str::<RunsKeys>(keys).map_err(|e| e.to_string());
        let seeds = |keys: &str| runs(keys).and_then(Runs::try_from).map(|runs| runs.seeds);
        assert_eq!(seeds("seeds = [5, 3]").unwrap(), [5, 3]);
        assert_eq!(seeds("count = 3\nseed = 1").unwrap(), run_seeds(1, 3));
        assert!(seeds("count = 3").unwrap_err().contains("either"));
        assert!(seeds("seeds = []").unwrap_err().contains("0 seeds"));
        assert!(
            seeds("seeds = [1, 2, 1]")
                .unwrap_err()
                .contains("seed 1 is there twice")
        );
        assert!(
            seeds("seeds = [9007199254740992]")
                .unwrap_err()
                .contains("to 9007199254740991")
        );
    }

    proptest! {
        #![proptest_config(::tests::cases(1000))]

        #[test]
        fn no_change_of_a_profile_panics(
            at in any::<prop::sample::Index>(),
            length in 0..8_usize,
            text in ".{0,8}",
        ) {
            let mut letters: Vec<char> = SMOKE.chars().collect();
            let start = at.index(letters.len());
            let end = letters.len().min(start + length);
            letters.splice(start..end, text.chars());
            if let Err(error) = parse(&letters.into_iter().collect::<String>()) {
                prop_assert!(error.starts_with("p.toml: "), "{}", error);
            }
        }
    }
}
