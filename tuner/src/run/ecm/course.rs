//! The course of a phase of kind `ecm`: evolution asks what a suite costs, position by position,
//! and the [`Desk`] finds out. A pure function of the recipe and of what the tasks answer.

use crate::config::Initial;
use crate::config::ecm::EcmKeys;
use crate::data::openings::shuffled;
use crate::evolution::ga::{Ga, Settings, by_fitness};
use crate::evolution::genome::Genome;
use crate::fitness::search_cost::Cost;
use crate::progress::{News, Step};
use crate::report::ecm::{EARLY, EcmOutcome, EcmRun, EcmStats, Tally};
use crate::run::RunError;
use crate::run::desk::Desk;
use crate::run::genotype::{Genotype, Phenotype, digest_of};
use crate::run::phase::{Task, Worker, crowd_text, params_toml};
use crate::run::rows::{EVAL, SEARCH, set_later};
use crate::statistics::thousands;
use engine::params::{Gene, ParamSet, ParamTable as _, Table};
use engine::search::params::SearchParams;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What decides the course, but for the positions themselves.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// What evolves.
    pub genes: Vec<Gene>,
    /// The genetic algorithm.
    pub settings: Settings,
    /// Generations of each run, the random one included.
    pub generations: u32,
    /// Seed of each run.
    pub seeds: Vec<u64>,
    /// Number of training positions.
    pub train: usize,
    /// How many of them each generation but the last is searched on, others every time.
    pub sample: usize,
    /// What generation 0 is made of.
    pub initial: Initial,
    /// Number of held-out positions; 0 if there are none.
    pub test: usize,
    /// Nodes that a position costs at most.
    pub cap: u64,
}

impl Recipe {
    /// The recipe of these keys with so many positions.
    pub fn new(keys: &EcmKeys, train: usize, test: usize) -> Recipe {
        Recipe {
            genes: keys.layout.genes.clone(),
            settings: keys.evolution.settings.clone(),
            generations: keys.evolution.generations,
            seeds: keys.runs.seeds.clone(),
            train,
            sample: keys.suite.sample.map_or(train, |sample| sample.min(train)),
            initial: keys.evolution.initial,
            test,
            cap: crate::fitness::search_cost::Rule::from(keys.search).cap,
        }
    }

    /// The training positions that a generation of a run is searched on: all in the last one, and
    /// before it as many as a sample has, one sample after the other in an order that the run's seed
    /// shuffles, so that all positions have been used before one is used again.
    fn positions(&self, seed: u64, generation: u32) -> Vec<usize> {
        if generation + 1 == self.generations {
            return (0..self.train).collect();
        }
        let (sample, train) = (self.sample as u64, self.train as u64);
        let first = u64::from(generation) * sample;
        let places = (first..first + sample).map(|place| shuffled(place % train, train, seed));
        let mut positions: Vec<usize> = places.map(|place| place as usize).collect();
        positions.sort_unstable();
        positions
    }
}

/// What a phase begins with: journaled, so that a run can be read again without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The evaluation's frozen rows: see `run::rows`.
    pub evaluation: Vec<i32>,
    /// The search's frozen rows, if there are some that don't evolve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search: Vec<i32>,
    /// Later rows of both.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub later: BTreeMap<String, i32>,
    /// Places of the training positions whose solution is in doubt.
    pub in_doubt: BTreeSet<usize>,
    /// The same of the held-out positions.
    pub in_doubt_held_out: BTreeSet<usize>,
}

impl Setting {
    /// The parameters that don't evolve.
    pub fn params(&self) -> ParamSet {
        let mut params = ParamSet::missing();
        EVAL.set(&mut params.eval, &self.evaluation);
        SEARCH.set(&mut params.search, &self.search);
        // An answer with others does not fit.
        let _ = set_later(&mut params, &self.later);
        params
    }
}

/// Asks for the [`Setting`].
#[derive(Clone, Copy, Debug)]
pub struct Begin<'a> {
    /// What doesn't evolve, if it is the champion's of the phase before.
    pub champion: Option<&'a ParamSet>,
}

impl Task for Begin<'_> {
    type Answer = Setting;

    fn key(&self) -> String {
        "setting".to_string()
    }

    fn digest(&self) -> String {
        digest_of(self.champion)
    }

    fn fits(&self, answer: &Setting) -> bool {
        let later = set_later(&mut ParamSet::missing(), &answer.later);
        EVAL.fits(&answer.evaluation)
            && (answer.search.is_empty() || SEARCH.fits(&answer.search))
            && later.is_ok()
    }

    fn worst(&self) -> Setting {
        Setting {
            evaluation: Vec::new(),
            search: Vec::new(),
            later: BTreeMap::new(),
            in_doubt: BTreeSet::new(),
            in_doubt_held_out: BTreeSet::new(),
        }
    }

    fn describe(&self) -> String {
        "the evaluation and the names of positions".to_string()
    }
}

/// Who is asked to solve a position, and on which occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// One of those individuals of a generation whose parameters have not occurred before.
    Generation {
        /// The run, from 1.
        run: usize,
        /// The generation, from 0.
        generation: u32,
        /// The individual, from 1.
        individual: usize,
    },
    /// The search with everything off, for comparison.
    Plain,
    /// The champion of a run, from 1.
    Champion(usize),
}

/// Asks for the cost of a position.
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a> {
    /// On which occasion.
    pub occasion: Occasion,
    /// Whether the position is one of the held-out ones.
    pub held_out: bool,
    /// The position's place among these or among the training positions, from 0.
    pub position: usize,
    /// Who.
    pub params: &'a ParamSet,
    /// Digest of the same.
    pub digest: &'a str,
    /// Nodes that it costs at most.
    pub cap: u64,
}

impl Task for Solve<'_> {
    /// Nodes until the move was found, whether it was, nodes searched.
    type Answer = (u64, bool, u64);

    fn key(&self) -> String {
        let who = match self.occasion {
            Occasion::Generation {
                run,
                generation,
                individual,
            } => format!("run {run} generation {generation} individual {individual}"),
            Occasion::Plain => "plain search".to_string(),
            Occasion::Champion(run) => format!("champion of run {run}"),
        };
        let which = if self.held_out {
            "held-out position"
        } else {
            "position"
        };
        format!("{who} {which} {}", self.position + 1)
    }

    fn digest(&self) -> String {
        self.digest.to_string()
    }

    fn fits(&self, &(nodes, ..): &Self::Answer) -> bool {
        nodes <= self.cap
    }

    fn worst(&self) -> Self::Answer {
        (self.cap, false, 0)
    }

    fn describe(&self) -> String {
        let tables = (Vec::new(), vec![Table::Eval, Table::Search]);
        params_toml(self.params, &tables, &Vec::new())
    }
}

impl Cost {
    /// As it goes to the journal.
    pub fn to_answer(self) -> (u64, bool, u64) {
        (self.nodes, self.solved, self.searched)
    }
}

/// First line of the table of generations.
pub const HISTORY_HEADING: &str = "run,generation,best_nodes,mean_nodes,worst_nodes,best_solved,\
                                   best_solved_surely,mean_solved,distinct_phenotypes\n";

/// A line of the table of generations; runs count from 1.
pub fn history_row(run: usize, stats: &EcmStats) -> String {
    let Tally {
        nodes,
        solved,
        solved_surely,
        ..
    } = stats.best;
    format!(
        "{run},{},{nodes},{:.1},{},{solved},{solved_surely},{:.2},{}\n",
        stats.generation, stats.mean_nodes, stats.worst_nodes, stats.mean_solved, stats.distinct
    )
}

/// One course under way.
struct Course<'c, 'd, H> {
    recipe: &'c Recipe,
    setting: Setting,
    desk: &'c mut Desk<'d>,
    hire: &'c H,
}

/// Goes through all runs, as far as the desk answers. `so_far` is told of every generation. What
/// doesn't evolve is the best champion's, if there is no other; generation 0 comes from all of them, if
/// the recipe says so.
///
/// # Errors
/// The first error of a task, of the desk or of `so_far`.
pub fn evolve<W, H>(
    recipe: &Recipe,
    (champion, founders): (Option<&ParamSet>, &[ParamSet]),
    desk: &mut Desk<'_>,
    hire: &H,
    so_far: &mut dyn FnMut(&mut Desk<'_>, &EcmOutcome) -> Result<(), RunError>,
) -> Result<EcmOutcome, RunError>
where
    W: for<'t> Worker<Begin<'t>> + for<'t> Worker<Solve<'t>>,
    H: Fn() -> Result<W, RunError> + Sync,
{
    let mut outcome = EcmOutcome::default();
    let begun = desk.ask(&[Begin { champion }], hire)?;
    let Some(setting) = begun.and_then(|mut answers| answers.pop()) else {
        return Ok(outcome);
    };
    outcome.in_doubt = (setting.in_doubt.len(), setting.in_doubt_held_out.len());
    let base = setting.params();
    let genotype = Genotype::new(recipe.genes.clone(), base.clone());
    let plain = ParamSet {
        search: SearchParams::missing(),
        ..base
    };
    let founders = match recipe.initial {
        Initial::Random => &[],
        Initial::Champions => founders,
    };
    let founders: Vec<Genome> = (founders.iter())
        .map(|params| genotype.genome(params))
        .collect();
    if let Some(text) = crowd_text(founders.len(), recipe.settings.population) {
        desk.warn(&text);
    }
    let mut course = Course {
        recipe,
        setting,
        desk,
        hire,
    };
    let plain = [(Occasion::Plain, &plain)];
    let all: Vec<usize> = (0..recipe.train).collect();
    let Some(tallies) = course.tallies(&plain, false, &all)? else {
        return Ok(outcome);
    };
    outcome.plain = tallies.first().copied();
    // The same phenotype costs the same, so none is searched twice, whichever run it is in.
    let mut known = HashMap::new();
    for (run, &seed) in (1..).zip(&recipe.seeds) {
        course.desk.begin_part(recipe.seeds.len() + 1 - run);
        course.desk.seeded(seed);
        let begin = Ga::founded(
            recipe.settings.clone(),
            &genotype.shape,
            founders.clone(),
            seed,
        );
        course.run(
            &genotype,
            (run, seed),
            begin,
            &mut known,
            so_far,
            &mut outcome,
        )?;
        if outcome.runs.len() < run || !outcome.runs.iter().all(|result| result.finished) {
            return Ok(outcome);
        }
    }
    let champions: Vec<ParamSet> = outcome
        .runs
        .iter()
        .map(|run| run.champion.clone())
        .collect();
    let occasions = (1..).map(Occasion::Champion).zip(&champions);
    let whom: Vec<_> = plain.into_iter().chain(occasions).collect();
    let all: Vec<usize> = (0..recipe.test).collect();
    let Some(tallies) = course.tallies(&whom, true, &all)? else {
        return Ok(outcome);
    };
    if recipe.test > 0 {
        outcome.plain_test = tallies.first().copied();
        for (run, tally) in outcome.runs.iter_mut().zip(tallies.into_iter().skip(1)) {
            run.test = Some(tally);
        }
    }
    outcome.complete = true;
    Ok(outcome)
}

impl<W, H> Course<'_, '_, H>
where
    W: for<'t> Worker<Begin<'t>> + for<'t> Worker<Solve<'t>>,
    H: Fn() -> Result<W, RunError> + Sync,
{
    /// What each of them makes of these training or held-out positions; `None` if the desk ends.
    fn tallies(
        &mut self,
        whom: &[(Occasion, &ParamSet)],
        held_out: bool,
        positions: &[usize],
    ) -> Result<Option<Vec<Tally>>, RunError> {
        let in_doubt = match held_out {
            false => &self.setting.in_doubt,
            true => &self.setting.in_doubt_held_out,
        };
        let digests: Vec<String> = whom
            .iter()
            .map(|&(_, params)| digest_of([params]))
            .collect();
        let mut tasks = Vec::with_capacity(whom.len() * positions.len());
        for (&(occasion, params), digest) in whom.iter().zip(&digests) {
            let solve = |&position| Solve {
                occasion,
                held_out,
                position,
                params,
                digest,
                cap: self.recipe.cap,
            };
            tasks.extend(positions.iter().map(solve));
        }
        if tasks.is_empty() {
            return Ok(Some(vec![Tally::default(); whom.len()]));
        }
        let Some(answers) = self.desk.ask(&tasks, self.hire)? else {
            return Ok(None);
        };
        let tally = |answers: &[(u64, bool, u64)]| {
            let mut tally = Tally {
                positions: answers.len(),
                ..Tally::default()
            };
            for (place, &(nodes, solved, searched)) in positions.iter().zip(answers) {
                tally.nodes += nodes;
                tally.searched += searched;
                tally.solved += u32::from(solved);
                tally.solved_surely += u32::from(solved && !in_doubt.contains(place));
                for (early, part) in tally.solved_early.iter_mut().zip(EARLY) {
                    *early += u32::from(solved && nodes <= self.recipe.cap / part);
                }
            }
            tally
        };
        Ok(Some(answers.chunks(positions.len()).map(tally).collect()))
    }

    /// One run, which becomes the outcome's last as soon as its first generation is known.
    fn run(
        &mut self,
        genotype: &Genotype,
        (run, seed): (usize, u64),
        mut ga: Ga,
        known: &mut HashMap<Phenotype, Tally>,
        so_far: &mut dyn FnMut(&mut Desk<'_>, &EcmOutcome) -> Result<(), RunError>,
        outcome: &mut EcmOutcome,
    ) -> Result<(), RunError> {
        let recipe = self.recipe;
        let mut generations = Vec::new();
        loop {
            let genomes = ga.population().iter();
            let phenotypes: Vec<_> = genomes.map(|genome| genotype.phenotype(genome)).collect();
            let place = (run, ga.generation());
            let positions = recipe.positions(seed, ga.generation());
            if recipe.sample < recipe.train {
                // What was said of other positions says nothing of these.
                known.clear();
            }
            let learnt = self.learn(genotype, place, (&phenotypes, &positions), known)?;
            let Some(searched) = learnt else {
                return Ok(());
            };
            let tallies: Vec<Tally> = phenotypes
                .iter()
                .map(|phenotype| known[phenotype])
                .collect();
            let most = positions.len() as u64 * recipe.cap;
            let fitness: Vec<u64> = tallies
                .iter()
                .map(|tally| most.saturating_sub(tally.nodes))
                .collect();
            let best = by_fitness(&fitness).first().copied().unwrap_or(0);
            let stats = statistics(ga.generation(), &phenotypes, &tallies, tallies[best]);
            let news = news(recipe, run, &stats, searched);
            self.desk.generation_done(HISTORY_HEADING, &news)?;
            generations.push(stats);
            let at = format!("run {run} generation {}", ga.generation());
            let finished = generations.len() as u64 >= u64::from(recipe.generations)
                || self.desk.time_is_up(&at)?;
            outcome.runs.truncate(run - 1);
            outcome.runs.push(EcmRun {
                seed,
                generations: generations.clone(),
                champion: genotype.params(&phenotypes[best]),
                train: tallies[best],
                test: None,
                finished,
            });
            so_far(self.desk, outcome)?;
            if finished {
                return Ok(());
            }
            ga.advance(&fitness);
        }
    }

    /// Finds out about all phenotypes that are not known yet, and says how many nodes that took;
    /// `None` if the desk ends.
    fn learn(
        &mut self,
        genotype: &Genotype,
        (run, generation): (usize, u32),
        (phenotypes, positions): (&[Phenotype], &[usize]),
        known: &mut HashMap<Phenotype, Tally>,
    ) -> Result<Option<u64>, RunError> {
        let (mut fresh, mut met) = (Vec::new(), HashSet::new());
        for (individual, phenotype) in (1..).zip(phenotypes) {
            if !known.contains_key(phenotype) && met.insert(phenotype) {
                fresh.push((individual, phenotype));
            }
        }
        let params: Vec<ParamSet> = fresh
            .iter()
            .map(|(_, each)| genotype.params(each))
            .collect();
        let occasions = fresh.iter().map(|&(individual, _)| Occasion::Generation {
            run,
            generation,
            individual,
        });
        let whom: Vec<_> = occasions.zip(&params).collect();
        let Some(tallies) = self.tallies(&whom, false, positions)? else {
            return Ok(None);
        };
        let searched = tallies.iter().map(|tally| tally.searched).sum();
        known.extend(fresh.into_iter().map(|(_, each)| each.clone()).zip(tallies));
        Ok(Some(searched))
    }
}

fn statistics(
    generation: u32,
    phenotypes: &[Phenotype],
    tallies: &[Tally],
    best: Tally,
) -> EcmStats {
    let count = tallies.len().max(1) as f64;
    let nodes: u64 = tallies.iter().map(|tally| tally.nodes).sum();
    let solved: u64 = tallies.iter().map(|tally| u64::from(tally.solved)).sum();
    let distinct: HashSet<&Phenotype> = phenotypes.iter().collect();
    EcmStats {
        generation,
        best,
        mean_nodes: nodes as f64 / count,
        worst_nodes: tallies.iter().map(|tally| tally.nodes).max().unwrap_or(0),
        mean_solved: solved as f64 / count,
        distinct: distinct.len() as u32,
    }
}

/// What is said of a generation.
fn news<'a>(recipe: &Recipe, run: usize, stats: &EcmStats, searched: u64) -> News<'a> {
    News {
        step: Step::Generation,
        run: (run, recipe.seeds.len()),
        generation: (stats.generation, recipe.generations),
        row: history_row(run, stats),
        json: serde_json::json!({
            "best_nodes": stats.best.nodes,
            "mean_nodes": stats.mean_nodes,
            "worst_nodes": stats.worst_nodes,
            "best_solved": stats.best.solved,
            "best_solved_surely": stats.best.solved_surely,
            "mean_solved": stats.mean_solved,
            "distinct": stats.distinct,
            "positions": stats.best.positions,
        }),
        facts: vec![
            format!("best {} nodes", thousands(stats.best.nodes)),
            format!("mean {}", thousands(stats.mean_nodes.round() as u64)),
            format!("{} of {} solved", stats.best.solved, stats.best.positions),
        ],
        work: (searched, "nodes"),
    }
}
