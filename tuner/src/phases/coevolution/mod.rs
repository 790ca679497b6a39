//! The kind `coevolution`: individuals play each other, and their points are their fitness (2014 §III.C, 2009
//! §3.3).
//!
//! | file | job |
//! |---|---|
//! | `mod` | the phase: its data, what evolves, what it begins with |
//! | `objective` | everybody plays everybody, and who is the elite |
//! | `duels` | many duels of individuals drawn anew, each of which moves the population's mean |
//! | `news` | what is told of a generation |
//! | `summary` | what there is to report |

mod duels;
mod news;
mod objective;
mod summary;

pub use summary::CoevolutionResult;

use super::context::{PhaseContext, provenance_of};
use super::games::{BOOK, GamePlan};
use super::kind::Kind;
use super::methods::{self, Evolving};
use super::phase::{Keys, Outline, Phase, PhaseOutcome};
use super::sample::{Checked, speed};
use super::start::{Start, crowd_text, with_evaluation};
use crate::base::progress::duration;
use crate::base::statistics::{Pentanomial, counted};
use crate::config::coevolution::{Breeding, CoevolutionKeys, Elite, Initial};
use crate::config::values::Whole;
use crate::drive::{Schedule, drive};
use crate::encoding::files::{Provenance, params_toml};
use crate::encoding::{Encoding, Phenotype, base};
use crate::error::RunError;
use crate::evolution::compact::{Compact, CompactGa, Marginal, Outcome};
use crate::exec::answers::Answers;
use crate::exec::executor::Executor;
use crate::exec::journal::DataFile;
use crate::fitness::games::{Duel, Match, Points};
use crate::play::record::GameRecord;
use duels::{Duels, SHOWN};
use engine::params::{Gene, ParamSet, Table};
use objective::{Course, Round, Tournament};

/// The registry's line.
pub const KIND: Kind = Kind::of::<CoevolutionKeys>(
    "coevolution",
    "Evolves evaluation or search by games of the individuals against each other (2014 §III.C).",
);

impl Keys for CoevolutionKeys {
    fn check(&self) -> Result<(), String> {
        self.games.check()
    }

    fn genes_mut(&mut self) -> Option<&mut Vec<Gene>> {
        Some(&mut self.layout.genes)
    }

    fn open(&self, context: &PhaseContext<'_>, data: bool) -> Result<Box<dyn Phase>, RunError> {
        Ok(Box::new(Coevolution::open(self.clone(), context, data)?))
    }
}

/// The phase.
#[derive(Debug)]
pub struct Coevolution {
    keys: CoevolutionKeys,
    games: GamePlan,
    /// Individuals of the profile's own files.
    population: Vec<ParamSet>,
    /// What doesn't evolve, if the profile names files for it.
    fixed: Option<ParamSet>,
    /// For the header alone: what evolves from it depends on the phases before.
    encoding: Encoding,
    origin: Provenance,
    files: Vec<DataFile>,
}

/// One generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// Games played, and those that somebody won.
    pub games: [u64; 2],
    /// Whether another individual than before is the elite now, and has been measured.
    pub new_elite: bool,
    /// Whether there is a file of its games.
    pub has_games: bool,
    /// The elite's games with the first champion; none if it is that one.
    pub gauge: Pentanomial,
    /// The elite's values.
    pub elite: Phenotype,
    /// Nodes that were searched.
    pub nodes: u64,
}

/// Games with their tasks, for the PGN.
type Played = Vec<(Match, Vec<GameRecord>)>;

/// Name of the folder of games.
const GAMES_NAME: &str = "games";

impl Coevolution {
    /// With its data, or (`data` being false) without.
    ///
    /// # Errors
    /// A parameter file or the opening book is refused.
    pub fn open(
        keys: CoevolutionKeys,
        context: &PhaseContext<'_>,
        data: bool,
    ) -> Result<Coevolution, RunError> {
        let seed = keys.seed.get() as u64;
        let mut files = Vec::new();
        let games = match data {
            true => {
                let (games, book) = GamePlan::open(&keys.games, seed, context)?;
                let repeats = games.repeats(keys.breeding.most_pairs());
                files.extend(book.map(|book| {
                    let notes: Vec<String> = book.note.into_iter().chain(repeats).collect();
                    DataFile {
                        note: Some(notes.join(", ")).filter(|note| !note.is_empty()),
                        ..book
                    }
                }));
                games
            }
            false => {
                let recorded = context.recorded_files().into_iter();
                files.extend(recorded.filter(|file| file.role == BOOK));
                GamePlan::closed(&keys.games, seed)?
            }
        };
        let mut population = Vec::new();
        for (number, path) in (1..).zip(&keys.population) {
            let role = format!("parameters {number}");
            let (params, file) = match keys.layout.tables().contains(&Table::Eval) {
                true => context.player(&role, &[path])?,
                false => context.params(&role, &[path])?,
            };
            population.push(params);
            files.extend(file);
        }
        let mut fixed = None;
        if !keys.fixed.is_empty() {
            let paths: Vec<_> = keys.fixed.iter().collect();
            let (params, of_fixed) = context.params("parameters fixed", &paths)?;
            fixed = Some(params);
            files.extend(of_fixed);
        }
        Ok(Coevolution {
            encoding: Encoding::new(
                keys.layout.genes.clone(),
                fixed.clone().unwrap_or_else(base),
            ),
            games,
            population,
            fixed,
            origin: context.origin(KIND.name),
            files,
            keys,
        })
    }

    fn searches_evolve(&self) -> bool {
        self.keys.layout.tables().contains(&Table::Search)
    }

    /// Whom generation 0 comes from.
    fn founders<'a>(&'a self, start: &'a Start) -> &'a [ParamSet] {
        match self.population.is_empty() {
            true => &start.champions,
            false => &self.population,
        }
    }

    /// What evolves, beginning with these champions. Everything that is no gene is the first
    /// champion's in a table of which something evolves (the profile's without a champion, and always
    /// if `fixed` has a search), and the profile's in the other, where a search is off if the
    /// profile has none.
    fn encoding_from(&self, founders: &[ParamSet]) -> Result<Encoding, RunError> {
        let evolves = self.keys.layout.tables();
        let mut params = ParamSet::missing();
        let champion = founders.first();
        let fixed = self.fixed.as_ref();
        let evaluation = fixed.filter(|fixed| fixed.has_evaluation()).or(champion);
        params.eval = match (evolves.contains(&Table::Eval), evaluation) {
            (true, Some(fixed)) => champion.unwrap_or(fixed).eval.clone(),
            (true, None) if !self.keys.layout.is_part => base().eval,
            (false, Some(known)) => known.eval.clone(),
            (_, None) => return Err(RunError::NoStart),
        };
        with_evaluation(&params)?;
        let is_on = |known: &&ParamSet| known.search != ParamSet::missing().search;
        let search = fixed.filter(is_on);
        let search = search.or(champion.filter(|_| evolves.contains(&Table::Search)));
        if let Some(known) = search {
            params.search = known.search.clone();
        }
        Ok(Encoding::new(self.keys.layout.genes.clone(), params))
    }

    /// Seed of the algorithm and of the openings.
    fn seed(&self) -> u64 {
        self.keys.seed.get() as u64
    }

    /// The tables of its parameter files: an evolved search is nothing without its evaluation.
    fn tables(&self) -> Vec<Table> {
        match self.searches_evolve() {
            true => vec![Table::Eval, Table::Search],
            false => vec![Table::Eval],
        }
    }

    /// Generation 0, from these founders.
    fn population<'a>(
        &self,
        encoding: &'a Encoding,
        founders: &[ParamSet],
    ) -> Result<Evolving<'a>, RunError> {
        let founded = |initial| match initial {
            Initial::Champions if founders.is_empty() => Err(RunError::NoStart),
            Initial::Champions => Ok(founders),
            Initial::Random => Ok(&[][..]),
        };
        match &self.keys.breeding {
            Breeding::Generational(keys) => {
                let count = keys.population.map(Whole::get);
                let method = keys.method(count.unwrap_or(founders.len().max(2)));
                let method = method.map_err(RunError::Games)?;
                methods::founded(&method, encoding, founded(keys.initial)?, self.seed())
            }
            Breeding::Compact(keys) => {
                let marginal = |gene: &Gene| match keys.initial {
                    Initial::Random => Marginal::uniform(methods::range(gene)),
                    Initial::Champions => {
                        let numbers = founders.iter().map(|params| params.get(gene));
                        let numbers: Vec<i32> = numbers.collect();
                        Marginal::of(methods::range(gene), &numbers, keys.spread())
                    }
                };
                let marginals: Vec<Marginal> = encoding.genes.iter().map(marginal).collect();
                if marginals.iter().all(|gene| gene.deviation() == 0.0) {
                    return Err(RunError::NoSpread);
                }
                founded(keys.initial)?;
                let compact = Compact::new(marginals, keys.population(), self.seed());
                let duels = keys.duels() as usize;
                let compact = CompactGa::new(compact, duels, Outcome::Share, false);
                Ok(methods::whole_numbers(compact, encoding))
            }
        }
    }

    /// How many of so many individuals show what a population is like.
    fn shown(&self, individuals: usize) -> usize {
        match &self.keys.breeding {
            Breeding::Generational(_) => individuals,
            Breeding::Compact(_) => individuals.min(SHOWN),
        }
    }

    /// About how many games a generation of so many individuals has, and of whom.
    fn games_of_generation(&self, individuals: usize) -> (u64, String) {
        let each = self.games.games(self.keys.games.each());
        match &self.keys.breeding {
            Breeding::Generational(keys) => {
                let count = individuals as u64;
                let mut games = each * keys.meetings(count);
                if keys.elite == Elite::ReEvaluated {
                    games += 2 * keys.confirmation_pairs();
                }
                (games, format!("{count} individuals"))
            }
            Breeding::Compact(keys) => {
                let gauges = keys.games_of_gauges() / u64::from(keys.generations());
                (
                    each * keys.duels() + gauges,
                    format!("{} duels", keys.duels()),
                )
            }
        }
    }

    pub(super) fn params_toml(&self, params: &ParamSet, generations: usize) -> String {
        let provenance = [&self.origin[..], &self.provenance(generations)].concat();
        params_toml(params, &self.outline().layouts, &provenance)
    }

    /// Where champions come from.
    fn provenance(&self, generations: usize) -> Provenance {
        let mut provenance: Provenance = vec![
            ("seed".into(), (self.keys.seed.get() as i64).into()),
            ("generations".into(), (generations as i64).into()),
            ("games".into(), self.keys.games.text().into()),
        ];
        let part = self.keys.layout.names_of_part();
        provenance.extend(part.map(|names| ("rows".into(), names.into())));
        for file in &self.files {
            provenance.extend(provenance_of(&file.role.replace(' ', "_"), file));
        }
        provenance
    }
}

impl Phase for Coevolution {
    fn course(&self, start: &Start, executor: &mut Executor<'_>) -> Result<PhaseOutcome, RunError> {
        executor.seeded(self.seed());
        let founders = self.founders(start);
        let encoding = self.encoding_from(founders)?;
        let mut population = self.population(&encoding, founders)?;
        let statistics = population.statistics();
        let mean = population.mean();
        let individuals = population.ask().individuals;
        // Of a compact population that begins like champions, the first of these is measured against.
        let first = match (&self.keys.breeding, founders, mean) {
            (Breeding::Compact(keys), [first, ..], Some(_))
                if keys.initial == Initial::Champions =>
            {
                encoding.phenotype(&encoding.genome(first))
            }
            (_, _, Some(mean)) => mean,
            _ => individuals.first().cloned().unwrap_or_default(),
        };
        let room = match &self.keys.breeding {
            Breeding::Generational(keys) if keys.initial == Initial::Champions => keys.population,
            _ => None,
        };
        let crowd = room.and_then(|room| crowd_text(founders.len(), room.get()));
        if let Some(text) = crowd {
            executor.warn(&text);
        }
        let all_alike = |all: &[Phenotype]| all.iter().all(|one| Some(one) == all.first());
        let is_of_clones =
            statistics.is_empty() && individuals.len() > 1 && all_alike(&individuals);
        let clones = is_of_clones.then_some(individuals.len());
        if let Some(count) = clones {
            executor.warn(&summary::clones_text(count));
        }
        let shown = individuals.iter().take(self.shown(individuals.len()));
        let shown = shown.map(|values| encoding.params(values)).collect();
        let course = Course {
            first: encoding.params(&first),
            generations: Vec::new(),
            champions: Vec::new(),
            population: shown,
        };
        let schedule = Schedule {
            seeds: vec![self.seed()],
            generations: self.keys.breeding.generations(),
        };
        let begin = &mut |_| self.population(&encoding, founders);
        let (complete, course) = match &self.keys.breeding {
            Breeding::Generational(keys) => {
                let mut games = Tournament {
                    phase: self,
                    keys,
                    encoding: &encoding,
                    round: Round::default(),
                    course,
                };
                let all = drive(&schedule, &mut games, executor, begin)?;
                (all, games.course)
            }
            Breeding::Compact(keys) => {
                let mut games = Duels {
                    phase: self,
                    keys,
                    encoding: &encoding,
                    before: statistics,
                    all: Points::default(),
                    course,
                };
                let all = drive(&schedule, &mut games, executor, begin)?;
                (all, games.course)
            }
        };
        let provenance = self.provenance(course.generations.len());
        let result = CoevolutionResult {
            rows: self.keys.layout.genes.iter().map(Gene::row).collect(),
            searches_evolved: self.searches_evolve(),
            elite: course.champions.first().unwrap_or(&course.first).clone(),
            first: course.first,
            population: course.population,
            games: self.keys.games.text(),
            folder: GAMES_NAME,
            keeps_duels: self.keys.breeding.keeps_duels(),
            clones,
            generations: course.generations,
        };
        Ok(PhaseOutcome {
            complete,
            champions: course.champions,
            provenance,
            summary: Box::new(result),
        })
    }

    fn answers(&self) -> Answers<'_> {
        Answers::none()
            .with::<Match, _>(|| self.games.player())
            .with::<Duel, _>(|| self.games.player())
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            files: &self.files,
            encoding: Some(&self.encoding),
            layouts: (vec![&self.keys.layout.name], self.tables()),
            generations: self.keys.breeding.generations().into(),
        }
    }

    fn leaves(&self, start: &Start) -> usize {
        match &self.keys.breeding {
            Breeding::Generational(keys) => keys
                .population
                .map_or(self.founders(start).len(), |count| count.get()),
            Breeding::Compact(_) => 1,
        }
    }

    /// Plays some pairs of games of the first individuals.
    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError> {
        let founders = self.founders(start);
        let encoding = self.encoding_from(founders)?;
        let first = self.population(&encoding, founders)?.ask().individuals;
        let players: Vec<ParamSet> = (first.iter().take(self.shown(first.len())))
            .map(|values| encoding.params(values))
            .collect();
        if players.len() < 2 {
            return Ok(Checked::nothing());
        }
        let speed = speed(&self.games, &players, threads)?;
        let (a_generation, whose) = self.games_of_generation(first.len());
        let generations = self.keys.breeding.generations();
        let seconds = speed.time_of_games(a_generation as f64 * f64::from(generations));
        let mut text = format!(
            "  layout {}: {} genes, {} bits\n  {generations} generations of {whose}, \
             about {a_generation} games each\n  {}\n  {} games took {:.2} s each, {threads} at a time: \
             about {} for all on {}",
            self.keys.layout.name,
            self.encoding.genes.len(),
            self.encoding.shape.bits(),
            self.keys.games.text(),
            speed.played,
            threads as f64 * speed.time_of_games(1.0),
            duration(seconds),
            counted(threads, "thread"),
        );
        if !self.games.is_repeatable() {
            text += "\n  NOTE: games by the clock are not the same twice; a resumed run goes on, \
                     but not as it would have";
        }
        Ok(Checked { text, seconds })
    }

    fn warning(&self) -> Option<String> {
        let repeats = self.games.repeats(self.keys.breeding.most_pairs());
        let said: Vec<String> = self.games.warning().into_iter().chain(repeats).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}
