//! Coevolution as a phase of a run (2014 §III.C, 2009 §3.3): the individuals of a population play
//! each other, and their points are their fitness.
//!
//! | file | how the next generation comes about |
//! |---|---|
//! | `generational` | everybody plays everybody, the better ones are parents |
//! | `compact` | many duels of individuals drawn anew, each of which moves the population's mean |

mod compact;
mod generational;

use self::compact::CompactCourse;
use self::generational::Generational;
use super::RunError;
use super::desk::Desk;
use super::games::{BOOK, GamePlan, Match, first_opening};
use super::genotype::{Genotype, Phenotype, base};
use super::output::{BEST_NAME, CHAMPIONS_NAME};
use super::phase::{
    Phase, PhaseOutcome, PhaseResult, Provenance, Start, crowd_text, params_toml, with_evaluation,
};
use super::plan::Site;
use super::sample::{Checked, speed};
use crate::config::{Breeding, CoevolutionKeys, Initial, Kind};
use crate::fitness::coevolution::{Colours, half_points, pentanomial};
use crate::journal::DataFile;
use crate::play::adjudication::GameResult;
use crate::play::record::GameRecord;
use crate::progress::duration;
use crate::statistics::Pentanomial;
use engine::params::{Gene, ParamSet, Row, Table};
use serde::{Deserialize, Serialize};

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
    genotype: Genotype,
    origin: Provenance,
    files: Vec<DataFile>,
}

/// What there is to report of a coevolution.
#[derive(Clone, Debug, PartialEq)]
pub struct CoevolutionResult {
    /// Its generations until now.
    pub generations: Vec<Generation>,
    /// What evolves.
    pub rows: Vec<Row>,
    /// Whether its genes are the search's, or among them.
    pub searches_evolved: bool,
    /// The first champion of the phases before, from which the elite's Elo is counted.
    pub first: ParamSet,
    /// The elite.
    pub elite: ParamSet,
    /// The last generation.
    pub population: Vec<ParamSet>,
    /// How the games were played, in words.
    pub games: String,
    /// Folder of the games, relative to the phase's.
    pub folder: &'static str,
    /// Whether games of duels are among them, one file a generation.
    pub keeps_duels: bool,
    /// If nobody of the first population differs from anybody, how many they are.
    pub clones: Option<usize>,
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

/// A way from one generation to the next.
trait Course {
    /// One generation, coming after this one; `None` if the desk ends.
    fn generation(
        &mut self,
        desk: &mut Desk<'_>,
        before: Option<&Generation>,
    ) -> Result<Option<Generation>, RunError>;

    /// From whom the elite's Elo is counted.
    fn first(&self) -> &ParamSet;

    /// Whom the next phase begins with, after this last generation: the elite first.
    fn champions(&self, last: &Generation) -> Vec<ParamSet>;

    /// The population, or a part of it that shows its spread.
    fn population(&self) -> Vec<ParamSet>;

    /// How many individuals there are, if nobody differs from anybody.
    fn clones(&self) -> Option<usize>;

    /// About how many games a generation has, and of whom.
    fn games(&self) -> (u64, String);
}

/// Games with their tasks, for the PGN.
type Played<'a> = Vec<(Match<'a>, Vec<GameRecord>)>;

/// What is counted of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Points {
    /// Half points of the first player and of the second.
    halves: [u32; 2],
    /// Games that were played.
    games: u64,
    /// Those that somebody won.
    decisive: u64,
    /// Nodes that were searched.
    nodes: u64,
}

impl Points {
    fn of(games: &[GameRecord], colours: Colours) -> Points {
        let played = || games.iter().filter(|game| game.result().is_some());
        let decisive = |game: &&GameRecord| matches!(game.result(), Some(GameResult::Win(_)));
        Points {
            halves: half_points(games, colours),
            games: played().count() as u64,
            decisive: played().filter(decisive).count() as u64,
            nodes: played().map(GameRecord::nodes).sum(),
        }
    }

    /// Of all of them.
    fn of_all(played: &Played<'_>) -> Points {
        let mut all = Points::default();
        for (task, games) in played {
            all.add(&Points::of(games, task.colours));
        }
        all
    }

    fn add(&mut self, more: &Points) {
        for (points, more) in self.halves.iter_mut().zip(more.halves) {
            *points += more;
        }
        self.games += more.games;
        self.decisive += more.decisive;
        self.nodes += more.nodes;
    }

    /// By how much the first is ahead, from -1 to 1.
    fn outcome(&self) -> f64 {
        let [first, second] = self.halves.map(f64::from);
        (first - second) / (first + second).max(1.0)
    }
}

/// What is said of a population in which nobody differs from anybody.
pub fn clones_text(count: usize) -> String {
    format!(
        "all {count} individuals of the initial population are equal, so only mutation can tell them apart"
    )
}

/// Name of the folder of games.
const GAMES_NAME: &str = "games";

impl Coevolution {
    /// With its data, or (`data` being false) without.
    ///
    /// # Errors
    /// A parameter file or the opening book is refused.
    pub fn open(
        keys: CoevolutionKeys,
        site: &Site<'_>,
        data: bool,
    ) -> Result<Coevolution, RunError> {
        let seed = keys.seed.get() as u64;
        let mut files = Vec::new();
        let games = match data {
            true => {
                let (games, book) = GamePlan::open(&keys.games, seed, site)?;
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
                files.extend(
                    site.recorded_files()
                        .into_iter()
                        .filter(|file| file.role == BOOK),
                );
                GamePlan::closed(&keys.games, seed)?
            }
        };
        let mut population = Vec::new();
        for (number, path) in (1..).zip(&keys.population) {
            let role = format!("parameters {number}");
            let (params, file) = match keys.layout.tables().contains(&Table::Eval) {
                true => site.player(&role, &[path])?,
                false => site.params(&role, &[path])?,
            };
            population.push(params);
            files.extend(file);
        }
        let mut fixed = None;
        if !keys.fixed.is_empty() {
            let paths: Vec<_> = keys.fixed.iter().collect();
            let (params, of_fixed) = site.params("parameters fixed", &paths)?;
            fixed = Some(params);
            files.extend(of_fixed);
        }
        Ok(Coevolution {
            genotype: Genotype::new(
                keys.layout.genes.clone(),
                fixed.clone().unwrap_or_else(base),
            ),
            games,
            population,
            fixed,
            origin: site.origin(Kind::Coevolution),
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
    fn genotype_from(&self, founders: &[ParamSet]) -> Result<Genotype, RunError> {
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
        Ok(Genotype::new(self.keys.layout.genes.clone(), params))
    }

    /// Seed of the genetic algorithm and of the openings.
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

    /// The course, from its beginning.
    fn begin(&self, founders: &[ParamSet]) -> Result<Box<dyn Course + '_>, RunError> {
        let genotype = self.genotype_from(founders)?;
        Ok(match &self.keys.breeding {
            Breeding::Generational(keys) => {
                Box::new(Generational::new(self, keys, genotype, founders)?)
            }
            Breeding::Compact(keys) => {
                Box::new(CompactCourse::new(self, keys, genotype, founders)?)
            }
        })
    }

    /// So many pairs of games of two players, the first opening having this number.
    fn pairs<'p>(
        &self,
        desk: &mut Desk<'_>,
        (generation, name): (u32, &str),
        [first, second]: [(&'p ParamSet, String); 2],
        (pairs, opening): (u64, u64),
        played: &mut Played<'p>,
    ) -> Result<Option<Pentanomial>, RunError> {
        let one = |pair: u64| Match {
            key: format!("generation {generation}: {name} opening {}", pair + 1),
            players: [first.0, second.0],
            names: [first.1.clone(), second.1.clone()],
            opening: opening + pair,
            colours: Colours::Both,
            is_repeatable: self.games.is_repeatable(),
        };
        let tasks: Vec<Match<'p>> = (0..pairs).map(one).collect();
        let Some(answers) = desk.ask(&tasks, || self.games.hire())? else {
            return Ok(None);
        };
        let results = pentanomial(&answers);
        played.extend(tasks.into_iter().zip(answers));
        Ok(Some(results))
    }

    /// The elite against whom its Elo is counted from. The openings are the same every time: what
    /// differs is the elite's doing alone.
    fn gauge<'p>(
        &self,
        desk: &mut Desk<'_>,
        generation: u32,
        [elite, first]: [(&'p ParamSet, &str); 2],
        played: &mut Played<'p>,
    ) -> Result<Option<Pentanomial>, RunError> {
        let pairs = self.keys.breeding.gauge_pairs();
        let players = [
            (elite.0, format!("{} of generation {generation}", elite.1)),
            (first.0, first.1.to_string()),
        ];
        let gauge = (generation, "gauge");
        self.pairs(desk, gauge, players, (pairs, first_opening::GAUGE), played)
    }

    fn write_games(
        &self,
        desk: &mut Desk<'_>,
        kind: &str,
        generation: u32,
        played: &Played<'_>,
    ) -> Result<(), RunError> {
        let name = format!("{GAMES_NAME}/{kind}-{generation:03}.pgn");
        let event = format!("Coevolution, generation {generation}");
        desk.write_once(&name, || self.games.pgn(&event, 0, played))
    }

    fn params_toml(&self, params: &ParamSet, generations: usize) -> String {
        let provenance = [&self.origin[..], &self.provenance(generations)].concat();
        params_toml(params, &self.layouts(), &provenance)
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
            let role = file.role.replace(' ', "_");
            provenance.push((format!("{role}_file"), file.name().into()));
            provenance.push((format!("{role}_sha256"), file.sha256.clone().into()));
        }
        provenance
    }
}

impl Phase for Coevolution {
    fn course(&self, start: &Start, desk: &mut Desk<'_>) -> Result<PhaseOutcome, RunError> {
        desk.seeded(self.keys.seed.get() as u64);
        let mut course = self.begin(self.founders(start))?;
        let room = match &self.keys.breeding {
            Breeding::Generational(keys) if keys.initial == Initial::Champions => keys.population,
            _ => None,
        };
        let crowd = room.and_then(|room| crowd_text(self.founders(start).len(), room.get()));
        if let Some(text) = crowd {
            desk.warn(&text);
        }
        let clones = course.clones();
        if let Some(count) = clones {
            desk.warn(&clones_text(count));
        }
        let mut generations: Vec<Generation> = Vec::new();
        let (mut complete, mut champions) = (false, Vec::new());
        while !complete {
            let Some(done) = course.generation(desk, generations.last())? else {
                break;
            };
            champions = course.champions(&done);
            let number = done.generation;
            generations.push(done);
            if let Some(elite) = champions.first() {
                let text = self.params_toml(elite, generations.len());
                desk.write(BEST_NAME, text)?;
            }
            complete = generations.len() as u64 >= self.generations()
                || desk.time_is_up(&format!("generation {number}"))?;
        }
        if complete {
            for (number, champion) in (1..).zip(&champions) {
                let name = match number {
                    1 => "elite".to_string(),
                    _ => format!("individual-{number:02}"),
                };
                let text = self.params_toml(champion, generations.len());
                desk.write(&format!("{CHAMPIONS_NAME}/{name}.toml"), text)?;
            }
        }
        let provenance = self.provenance(generations.len());
        let result = CoevolutionResult {
            rows: self.keys.layout.genes.iter().map(Gene::row).collect(),
            searches_evolved: self.searches_evolve(),
            elite: champions.first().unwrap_or(course.first()).clone(),
            first: course.first().clone(),
            population: course.population(),
            games: self.keys.games.text(),
            folder: GAMES_NAME,
            keeps_duels: self.keys.breeding.keeps_duels(),
            clones,
            generations,
        };
        Ok(PhaseOutcome {
            complete,
            champions,
            provenance,
            result: PhaseResult::Coevolution(Box::new(result)),
        })
    }

    fn files(&self) -> &[DataFile] {
        &self.files
    }

    fn genotype(&self) -> Option<&Genotype> {
        Some(&self.genotype)
    }

    fn generations(&self) -> u64 {
        self.keys.breeding.generations().into()
    }

    fn leaves(&self, start: &Start) -> usize {
        match &self.keys.breeding {
            Breeding::Generational(keys) => keys
                .population
                .map_or(self.founders(start).len(), |count| count.get()),
            Breeding::Compact(_) => 1,
        }
    }

    fn layouts(&self) -> (Vec<&str>, Vec<Table>) {
        (vec![self.keys.layout.name.as_str()], self.tables())
    }

    /// Plays some pairs of games of the first individuals.
    fn check(&self, start: &Start, threads: usize) -> Result<Checked, RunError> {
        let course = self.begin(self.founders(start))?;
        let players = course.population();
        if players.len() < 2 {
            return Ok(Checked::nothing());
        }
        let speed = speed(&self.games, &players, threads)?;
        let (a_generation, whose) = course.games();
        let generations = self.keys.breeding.generations();
        let seconds = speed.time_of_games(a_generation as f64 * f64::from(generations));
        let mut text = format!(
            "  layout {}: {} genes, {} bits\n  {generations} generations of {whose}, \
             about {a_generation} games each\n  {}\n  {} games took {:.2} s each, {threads} at a time: \
             about {} for all on {threads} thread(s)",
            self.keys.layout.name,
            self.genotype.genes.len(),
            self.genotype.shape.bits(),
            self.keys.games.text(),
            speed.played,
            threads as f64 * speed.time_of_games(1.0),
            duration(seconds),
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
