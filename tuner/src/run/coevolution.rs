//! Coevolution as a phase of a run (2014 §III.C, 2009 §3.3): the individuals of a population play
//! each other, and their points are their fitness.
//!
//! Every two individuals play `each` games a generation. An individual's fitness is its points;
//! parents are drawn by rank, the elite survives unchanged at the head of the next generation.
//! Identical individuals draw every pair of games with each other by definition (both games are
//! the same one, see [`crate::fitness::coevolution`]), so with paired openings and fixed nodes these
//! games are counted and not played.
//!
//! # The elite
//!
//! With `elite = "best"` the best score of the generation is the elite, as in the paper. It is the
//! best of a noisy sample: with 36 games an individual's score has a standard error of about 7 %,
//! or 50 Elo, and the best of ten equals looks 75 Elo better than it is. With `"re-evaluated"` the
//! best scorer, if it is not the elite itself and has more points, is a challenger: it plays the
//! elite `confirmation_pairs` pairs of games from openings that nobody has played yet, and takes its
//! place only if its score in these games is above one half by more than their standard error.
//! The games that made it a challenger don't count, so what selected it can't help it; an equal one
//! gets through once in six times, and what it gains or loses then is next to nothing.

use super::RunError;
use super::desk::Desk;
use super::games::{GamePlan, Match};
use super::genotype::{Genotype, Phenotype, base};
use super::output::{BEST_NAME, CHAMPIONS_NAME, PROGRAM};
use super::phase::{News, Phase, PhaseOutcome, PhaseResult, Provenance, Start, params_toml};
use super::plan::Site;
use crate::config::{CoevolutionKeys, Elite, Initial};
use crate::evolution::ga::{Ga, by_fitness};
use crate::fitness::coevolution::{Colours, half_points, pentanomial};
use crate::journal::DataFile;
use crate::play::adjudication::GameResult;
use crate::play::record::GameRecord;
use crate::progress::clock;
use crate::statistics::{Pentanomial, mean_and_deviation};
use engine::params::{ParamSet, Table};
use std::collections::HashSet;
use std::time::Instant;

/// Openings of games that confirm a challenger begin with this number.
const CONFIRMATION: u64 = 1 << 40;
/// Openings of games against the first elite begin with this number.
const GAUGE: u64 = 2 << 40;
/// A challenger's score must be above one half by so many standard errors.
const PROVEN: f64 = 1.0;

/// First line of the table of generations.
const HEADING: &str = "run,generation,best_percent,elite_percent,worst_percent,\
     standard_deviation,games,decisive,distinct_phenotypes,challenge,challenge_percent,new_elite,\
     gauge_pairs,gauge_percent,nodes\n";

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
    pub layout: String,
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
}

/// One generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// Points of each individual in half points.
    pub points: Vec<u32>,
    /// Points that an individual could have.
    pub possible: u32,
    /// Games played, and those that somebody won.
    pub games: [u64; 2],
    /// Different phenotypes.
    pub distinct: usize,
    /// The challenger's games with the elite, if there was one.
    pub challenge: Option<Pentanomial>,
    /// Whether another individual than before is the elite now.
    pub new_elite: bool,
    /// The elite's games with the first champion; none if it is that one.
    pub gauge: Pentanomial,
    /// The elite's values.
    pub elite: Phenotype,
    /// Nodes that were searched.
    pub nodes: u64,
}

impl Generation {
    fn fitness(&self) -> Vec<u64> {
        self.points.iter().map(|&half| half.into()).collect()
    }
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
                files.extend(book);
                games
            }
            false => GamePlan::closed(&keys.games, seed)?,
        };
        let mut population = Vec::new();
        for (number, path) in (1..).zip(&keys.population) {
            let (params, file) = site.params(&format!("parameters {number}"), &[path])?;
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
            origin: site.origin(),
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

    /// What evolves, beginning with these champions: everything that is no gene is the profile's
    /// or the first champion's; a search that doesn't evolve is off unless the profile has one.
    fn genotype_from(&self, founders: &[ParamSet]) -> Result<Genotype, RunError> {
        let no_start = || RunError::NoStart {
            phase: "coevolution".to_string(),
        };
        let evolves = self.keys.layout.tables();
        let mut params = ParamSet::missing();
        let champion = founders.first();
        let evaluation = self.fixed.as_ref().or(champion);
        params.eval = match (evolves.contains(&Table::Eval), evaluation) {
            (true, _) => champion.map_or_else(|| base().eval, |first| first.eval.clone()),
            (false, Some(known)) => known.eval.clone(),
            (false, None) => return Err(no_start()),
        };
        if let (false, Some(fixed)) = (self.searches_evolve(), &self.fixed) {
            params.search = fixed.search.clone();
        }
        Ok(Genotype::new(self.keys.layout.genes.clone(), params))
    }

    /// Generation 0.
    fn first_generation(&self, genotype: &Genotype, founders: &[ParamSet]) -> Result<Ga, RunError> {
        let genomes = match self.keys.evolution.initial {
            Initial::Random => Vec::new(),
            Initial::Champions if founders.is_empty() => {
                return Err(RunError::NoStart {
                    phase: "coevolution".to_string(),
                });
            }
            Initial::Champions => founders
                .iter()
                .map(|params| genotype.genome(params))
                .collect(),
        };
        let count = self.keys.evolution.population.map(|count| count.get());
        let count = count.unwrap_or(founders.len().max(2));
        let settings = self.keys.evolution.settings(count);
        let seed = self.keys.seed.get() as u64;
        Ok(Ga::founded(settings, &genotype.shape, genomes, seed))
    }

    /// The tables of its parameter files: an evolved search is nothing without its evaluation.
    fn tables(&self) -> Vec<Table> {
        match self.searches_evolve() {
            true => vec![Table::Eval, Table::Search],
            false => vec![Table::Eval],
        }
    }

    fn params_toml(&self, params: &ParamSet, generations: usize) -> String {
        let mut provenance: Provenance = vec![
            ("program".into(), PROGRAM.into()),
            ("phase".into(), "coevolution".into()),
        ];
        provenance.extend(self.origin.iter().cloned());
        provenance.extend([
            ("seed".into(), (self.keys.seed.get() as i64).into()),
            ("generations".into(), (generations as i64).into()),
            ("games".into(), self.keys.games.text().into()),
        ]);
        params_toml(params, &self.layouts(), &provenance)
    }
}

/// Games with their tasks, for the PGN.
type Played<'a> = Vec<(Match<'a>, Vec<GameRecord>)>;

/// The state of a coevolution between generations.
struct Course<'a> {
    phase: &'a Coevolution,
    genotype: Genotype,
    ga: Ga,
    /// From whom the elite's Elo is counted: the best of the champions to begin with, or of a
    /// random generation 0.
    first: ParamSet,
    generations: Vec<Generation>,
}

impl Course<'_> {
    /// One generation; `false` if the desk ends.
    fn generation(&mut self, desk: &mut Desk<'_>) -> Result<bool, RunError> {
        let genomes = self.ga.population().iter();
        let phenotypes: Vec<Phenotype> = genomes
            .map(|genome| self.genotype.phenotype(genome))
            .collect();
        let values = phenotypes.iter();
        let players: Vec<ParamSet> = values.map(|values| self.genotype.params(values)).collect();
        let generation = self.ga.generation();
        let mut played = Vec::new();
        let Some(points) = self.round_robin(desk, &phenotypes, &players, &mut played)? else {
            return Ok(false);
        };
        let named = (&phenotypes[..], &players[..], &points[..]);
        let Some((elite, challenge)) = self.elite(desk, named, &mut played)? else {
            return Ok(false);
        };
        if generation == 0 && self.phase.keys.evolution.initial == Initial::Random {
            self.first = players[elite].clone();
        }
        let before = self.generations.last();
        let new_elite = match before {
            Some(before) => before.elite != phenotypes[elite],
            None => elite != 0,
        };
        let first = self.first.clone();
        let gauge = match before {
            Some(before) if !new_elite => Some(before.gauge),
            _ if players[elite] == first => Some(Pentanomial::default()),
            _ => {
                let pairs = self.phase.keys.evolution.gauge_pairs();
                let players = [
                    (&players[elite], format!("elite of generation {generation}")),
                    (&first, "first champion".to_string()),
                ];
                // The same openings every time: what differs is the elite's doing alone.
                self.pairs(desk, "gauge", players, (pairs, GAUGE), &mut played)?
            }
        };
        let Some(gauge) = gauge else {
            return Ok(false);
        };

        let name = format!("{GAMES_NAME}/generation-{generation:03}.pgn");
        let event = format!("Coevolution, generation {generation}");
        desk.write_once(&name, || self.phase.games.pgn(&event, &played))?;
        let games = || {
            let games = played.iter().flat_map(|(_, games)| games);
            games.filter(|game| game.result().is_some())
        };
        let decisive = |game: &&GameRecord| matches!(game.result(), Some(GameResult::Win(_)));
        let opponents = players.len().saturating_sub(1) as u32;
        let per_pair = self.phase.games.games(self.phase.keys.games.each()) as u32;
        let done = Generation {
            generation,
            possible: 2 * per_pair * opponents,
            games: [
                games().count() as u64,
                games().filter(decisive).count() as u64,
            ],
            distinct: phenotypes.iter().collect::<HashSet<_>>().len(),
            challenge,
            new_elite,
            gauge,
            elite: phenotypes[elite].clone(),
            nodes: games().map(GameRecord::nodes).sum(),
            points,
        };
        desk.generation_done(HEADING, &self.news(&done, elite))?;
        let fitness = done.fitness();
        self.generations.push(done);
        let text = (self.phase).params_toml(&players[elite], self.generations.len());
        desk.write(BEST_NAME, text)?;
        if self.generations.len() < self.phase.keys.evolution.generations() as usize {
            self.ga.advance_keeping(&fitness, &[elite]);
        }
        Ok(true)
    }

    /// Every two individuals play each other; the points of each in halves.
    fn round_robin<'p>(
        &self,
        desk: &mut Desk<'_>,
        phenotypes: &[Phenotype],
        players: &'p [ParamSet],
        played: &mut Played<'p>,
    ) -> Result<Option<Vec<u32>>, RunError> {
        let (generation, count) = (self.ga.generation(), players.len());
        let plan = &self.phase.games;
        let each = self.phase.keys.games.each();
        let openings = plan.openings(each, 0).len() as u64;
        let mut next = u64::from(generation) * openings * (count * (count - 1) / 2) as u64;
        let mut points = vec![0; count];
        let (mut tasks, mut who) = (Vec::new(), Vec::new());
        for first in 0..count {
            for second in first + 1..count {
                let openings = plan.openings(each, next);
                next += openings.len() as u64;
                if phenotypes[first] == phenotypes[second] && plan.clones_draw() {
                    for player in [first, second] {
                        points[player] += plan.games(each) as u32;
                    }
                    continue;
                }
                let name = |player: usize| format!("generation {generation} no. {}", player + 1);
                for (number, (opening, colours)) in (1..).zip(openings) {
                    tasks.push(Match {
                        key: format!(
                            "generation {generation}: {} against {} opening {number}",
                            first + 1,
                            second + 1
                        ),
                        players: [&players[first], &players[second]],
                        names: [name(first), name(second)],
                        opening,
                        colours,
                        is_repeatable: plan.is_repeatable(),
                    });
                    who.push([first, second]);
                }
            }
        }
        let Some(answers) = desk.ask(&tasks, || plan.hire())? else {
            return Ok(None);
        };
        for ((who, task), games) in who.iter().zip(&tasks).zip(&answers) {
            for (player, halves) in who.iter().zip(half_points(games, task.colours)) {
                points[*player] += halves;
            }
        }
        played.extend(tasks.into_iter().zip(answers));
        Ok(Some(points))
    }

    /// Who is the elite after a round, and the results of the challenger, if there was one. The
    /// elite until now is the first individual. `None` if the desk ends.
    fn elite<'p>(
        &self,
        desk: &mut Desk<'_>,
        (phenotypes, players, points): (&[Phenotype], &'p [ParamSet], &[u32]),
        played: &mut Played<'p>,
    ) -> Result<Option<(usize, Option<Pentanomial>)>, RunError> {
        let fitness: Vec<u64> = points.iter().map(|&points| points.into()).collect();
        let best = by_fitness(&fitness).first().copied().unwrap_or(0);
        let settings = &self.phase.keys.evolution;
        if settings.elite == Elite::Best {
            return Ok(Some((best, None)));
        }
        if points[best] <= points[0] || phenotypes[best] == phenotypes[0] {
            return Ok(Some((0, None)));
        }
        let generation = self.ga.generation();
        let pairs = settings.confirmation_pairs();
        let players = [
            (
                &players[best],
                format!("generation {generation} no. {}", best + 1),
            ),
            (&players[0], "elite".to_string()),
        ];
        let first = CONFIRMATION + u64::from(generation) * pairs;
        let results = self.pairs(desk, "challenge", players, (pairs, first), played)?;
        Ok(results.map(|results| {
            let proven = results.score() - 0.5 > PROVEN * results.error();
            (if proven { best } else { 0 }, Some(results))
        }))
    }

    /// So many pairs of games of two players, the first opening having this number.
    fn pairs<'p>(
        &self,
        desk: &mut Desk<'_>,
        name: &str,
        [first, second]: [(&'p ParamSet, String); 2],
        (pairs, opening): (u64, u64),
        played: &mut Vec<(Match<'p>, Vec<GameRecord>)>,
    ) -> Result<Option<Pentanomial>, RunError> {
        let generation = self.ga.generation();
        let one = |pair: u64| Match {
            key: format!("generation {generation}: {name} opening {}", pair + 1),
            players: [first.0, second.0],
            names: [first.1.clone(), second.1.clone()],
            opening: opening + pair,
            colours: Colours::Both,
            is_repeatable: self.phase.games.is_repeatable(),
        };
        let tasks: Vec<Match<'p>> = (0..pairs).map(one).collect();
        let Some(answers) = desk.ask(&tasks, || self.phase.games.hire())? else {
            return Ok(None);
        };
        let results = pentanomial(&answers);
        played.extend(tasks.into_iter().zip(answers));
        Ok(Some(results))
    }

    /// What is said of a generation.
    fn news(&self, done: &Generation, elite: usize) -> News<'static> {
        let percent = |points: u32| 100.0 * f64::from(points) / f64::from(done.possible.max(1));
        let best = done.points.iter().copied().max().unwrap_or(0);
        let worst = done.points.iter().copied().min().unwrap_or(0);
        let of_elite = done.points.get(elite).copied().unwrap_or(0);
        let (_, deviation) = mean_and_deviation(&done.points);
        let deviation = 100.0 * deviation / f64::from(done.possible.max(1));
        let score = |results: &Pentanomial| format!("{:.2}", 100.0 * results.score());
        let row = format!(
            "1,{},{:.2},{:.2},{:.2},{deviation:.2},{},{},{},{},{},{},{},{},{}\n",
            done.generation,
            percent(best),
            percent(of_elite),
            percent(worst),
            done.games[0],
            done.games[1],
            done.distinct,
            done.challenge.map_or(0, |results| results.pairs()),
            done.challenge.as_ref().map_or(String::new(), score),
            u8::from(done.new_elite),
            done.gauge.pairs(),
            if done.gauge.pairs() > 0 {
                score(&done.gauge)
            } else {
                String::new()
            },
            done.nodes,
        );
        let elo = done.gauge.elo().map_or(String::new(), |(elo, low, high)| {
            format!(", elite {elo:+.0} ± {:.0} Elo", (high - low) / 2.0)
        });
        News {
            run: (1, 1),
            generation: (done.generation, self.phase.keys.evolution.generations()),
            row,
            json: serde_json::json!({
                "best": percent(best),
                "elite": percent(of_elite),
                "distinct": done.distinct,
                "games": done.games[0],
                "decisive": done.games[1],
                "new_elite": done.new_elite,
                "gauge": done.gauge.counts,
            }),
            text: format!("{} games, best {:.0} %{elo}", done.games[0], percent(best)),
            work: (done.nodes, "nodes"),
        }
    }
}

impl Phase for Coevolution {
    fn course(&self, start: &Start, desk: &mut Desk<'_>) -> Result<PhaseOutcome, RunError> {
        desk.seeded(self.keys.seed.get() as u64);
        let founders = self.founders(start);
        let genotype = self.genotype_from(founders)?;
        let ga = self.first_generation(&genotype, founders)?;
        let first = ga.population().first();
        let first = first.map(|genome| genotype.params(&genotype.phenotype(genome)));
        let mut course = Course {
            phase: self,
            genotype,
            ga,
            first: first.unwrap_or_else(base),
            generations: Vec::new(),
        };
        let mut complete = false;
        while !complete && course.generation(desk)? {
            let done = course.generations.len();
            complete = done >= self.keys.evolution.generations() as usize
                || desk.time_is_up(&format!("generation {}", done - 1))?;
        }
        let Some(last) = course.generations.last() else {
            return Ok(PhaseOutcome {
                complete: false,
                champions: Vec::new(),
                result: PhaseResult::Coevolution(Box::new(course.result(None))),
            });
        };
        let elite = course.genotype.params(&last.elite);
        let champions = course.champions(last);
        if complete {
            for (number, champion) in (1..).zip(&champions) {
                let name = match number {
                    1 => "elite".to_string(),
                    _ => format!("individual-{number:02}"),
                };
                let text = self.params_toml(champion, course.generations.len());
                desk.write(&format!("{CHAMPIONS_NAME}/{name}.toml"), text)?;
            }
        }
        Ok(PhaseOutcome {
            complete,
            champions,
            result: PhaseResult::Coevolution(Box::new(course.result(Some(elite)))),
        })
    }

    fn files(&self) -> &[DataFile] {
        &self.files
    }

    fn genotype(&self) -> Option<&Genotype> {
        Some(&self.genotype)
    }

    fn generations(&self) -> u64 {
        self.keys.evolution.generations().into()
    }

    fn layouts(&self) -> (Vec<&str>, Vec<Table>) {
        (vec![self.keys.layout.name.as_str()], self.tables())
    }

    /// Plays one pair of games of the first individuals.
    fn check(&self, start: &Start) -> Result<String, RunError> {
        let founders = self.founders(start);
        let genotype = self.genotype_from(founders)?;
        let ga = self.first_generation(&genotype, founders)?;
        let genomes = ga.population().iter().take(2);
        let players: Vec<ParamSet> = genomes
            .map(|genome| genotype.params(&genotype.phenotype(genome)))
            .collect();
        let [first, second] = &players[..] else {
            return Ok(String::new());
        };
        let begun = Instant::now();
        let games = self.games.hire()?.play([first, second], 0, Colours::Both)?;
        let seconds = begun.elapsed().as_secs_f64() / games.len().max(1) as f64;
        let count = ga.population().len() as u64;
        let per_pair = self.games.games(self.keys.games.each());
        let mut a_generation = per_pair * count * (count - 1) / 2;
        if self.keys.evolution.elite == Elite::ReEvaluated {
            a_generation += 2 * self.keys.evolution.confirmation_pairs();
        }
        let generations = self.keys.evolution.generations();
        let all = a_generation as f64 * f64::from(generations) * seconds;
        let mut text = format!(
            "  layout {}: {} genes, {} bits\n  {generations} generations of {count} individuals, \
             about {a_generation} games each\n  {}\n  the first pair of games took {seconds:.2} s \
             a game: about {} for all on one thread",
            self.keys.layout.name,
            genotype.genes.len(),
            genotype.shape.bits(),
            self.keys.games.text(),
            clock(all),
        );
        if !self.games.is_repeatable() {
            text += "\n  NOTE: games by the clock are not the same twice; a resumed run goes on, \
                     but not as it would have";
        }
        Ok(text)
    }

    fn warning(&self) -> Option<String> {
        self.games.warning()
    }
}

impl Course<'_> {
    /// Whom the next phase begins with: the elite, then everybody else who is not the same, by
    /// points. Another coevolution goes on from all of them; with the elite alone it would have
    /// nothing to cross.
    fn champions(&self, last: &Generation) -> Vec<ParamSet> {
        let genomes = self.ga.population().iter();
        let phenotypes: Vec<Phenotype> = genomes
            .map(|genome| self.genotype.phenotype(genome))
            .collect();
        // Where time was up, the next generation has been bred and has no points yet.
        let played = last.generation == self.ga.generation();
        let order = match played {
            true => by_fitness(&last.fitness()),
            false => (0..phenotypes.len()).collect(),
        };
        let mut chosen = vec![&last.elite];
        for phenotype in order.iter().map(|&index| &phenotypes[index]) {
            if !chosen.contains(&phenotype) {
                chosen.push(phenotype);
            }
        }
        let values = chosen.into_iter();
        values.map(|values| self.genotype.params(values)).collect()
    }

    /// What there is to report.
    fn result(self, elite: Option<ParamSet>) -> CoevolutionResult {
        let genomes = self.ga.population().iter();
        let population =
            genomes.map(|genome| self.genotype.params(&self.genotype.phenotype(genome)));
        CoevolutionResult {
            population: population.collect(),
            layout: self.phase.keys.layout.name.clone(),
            elite: elite.unwrap_or_else(|| self.first.clone()),
            first: self.first,
            generations: self.generations,
            games: self.phase.keys.games.text(),
            folder: GAMES_NAME,
        }
    }
}
