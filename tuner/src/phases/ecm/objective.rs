//! What a suite costs the individuals of a generation, as an objective of the driver. A pure function of the
//! settings and of what the tasks answer.

use super::setting::{Begin, Setting};
use crate::base::progress::{News, Step};
use crate::base::statistics::thousands;
use crate::config::coevolution::Initial;
use crate::config::ecm::EcmKeys;
use crate::config::evolution::Method;
use crate::data::openings::shuffled;
use crate::drive::{Generation, Objective, Place, Schedule, drive};
use crate::encoding::by_place::Shared;
use crate::encoding::rows::digest_of;
use crate::encoding::{Encoding, Phenotype};
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::task::Worker;
use crate::fitness::search_cost::Rule;
use crate::fitness::suite::{Solve, Solved};
use crate::phases::methods;
use crate::phases::start::crowd_text;
use crate::report::ecm::{EARLY, EcmOutcome, EcmRun, EcmStats, Tally};
use engine::params::{Gene, ParamSet, ParamTable as _};
use engine::search::params::SearchParams;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Number of the training suite among the phase's, for its tasks.
pub const TRAINING: usize = 0;
/// The same of the held-out one.
pub const HELD_OUT: usize = 1;

/// What decides the course, but for the positions themselves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What evolves.
    pub genes: Vec<Gene>,
    /// How.
    pub method: Method,
    /// Seeds and generations.
    pub schedule: Schedule,
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

impl Settings {
    /// The settings of these keys with so many positions.
    pub fn new(keys: &EcmKeys, train: usize, test: usize) -> Settings {
        Settings {
            genes: keys.layout.genes.clone(),
            method: keys.evolution.method.clone(),
            schedule: Schedule {
                seeds: keys.runs.seeds.clone(),
                generations: keys.evolution.generations,
            },
            train,
            sample: keys
                .suite
                .sample
                .map_or(train, |sample| sample.get().min(train)),
            initial: keys.evolution.initial,
            test,
            cap: Rule::from(keys.search).cap,
        }
    }

    /// The training positions that a generation of a run is searched on: all in the last one, and
    /// before it as many as a sample has, one sample after the other in an order that the run's seed
    /// shuffles, so that all positions have been used before one is used again.
    fn positions(&self, place: Place) -> Vec<usize> {
        let (generation, generations) = place.generation;
        if generation + 1 == generations {
            return (0..self.train).collect();
        }
        let (sample, train) = (self.sample as u64, self.train as u64);
        let first = u64::from(generation) * sample;
        let places = (first..first + sample).map(|at| shuffled(at % train, train, place.seed));
        let mut positions: Vec<usize> = places.map(|at| at as usize).collect();
        positions.sort_unstable();
        positions
    }
}

/// First line of the table of generations.
const HEADING: &str = "run,generation,best_nodes,mean_nodes,worst_nodes,best_solved,\
                                   best_solved_surely,mean_solved,distinct_phenotypes\n";

/// A line of the table of generations; runs count from 1.
fn history_row(run: usize, stats: &EcmStats) -> String {
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

/// Told of every generation.
pub type SoFar<'a> = &'a mut dyn FnMut(&mut Executor<'_>, &EcmOutcome) -> Result<(), RunError>;

/// Goes through all runs, as far as the executor answers. What
/// doesn't evolve is the best champion's, if there is no other; generation 0 comes from all of them, if
/// the settings say so.
///
/// # Errors
/// The first error of a task, of the executor or of `so_far`.
pub fn evolve<W, S>(
    settings: &Settings,
    (champion, founders): (Option<&ParamSet>, &[ParamSet]),
    executor: &mut Executor<'_>,
    spawn: &S,
    so_far: SoFar<'_>,
) -> Result<EcmOutcome, RunError>
where
    W: Worker<Begin> + Worker<Solve>,
    S: Fn() -> Result<W, WorkError> + Sync,
{
    let champion = champion.map(|champion| Shared(Arc::new(champion.clone())));
    let begun = executor.ask(&[Begin { champion }], spawn)?;
    let Some(setting) = begun.and_then(|mut answers| answers.pop()) else {
        return Ok(EcmOutcome::default());
    };
    let base = setting.params();
    let encoding = Encoding::new(settings.genes.clone(), base.clone());
    let plain = Arc::new(ParamSet {
        search: SearchParams::missing(),
        ..base
    });
    let founders = match settings.initial {
        Initial::Random => &[],
        Initial::Champions => founders,
    };
    if let Some(text) = crowd_text(founders.len(), settings.method.individuals()) {
        executor.warn(&text);
    }
    let mut costs = Costs {
        settings,
        encoding: &encoding,
        outcome: EcmOutcome {
            in_doubt: (setting.in_doubt.len(), setting.in_doubt_held_out.len()),
            ..EcmOutcome::default()
        },
        setting,
        spawn,
        so_far,
        known: HashMap::new(),
        searched: 0,
        tallies: Vec::new(),
        generations: Vec::new(),
        latest: None,
    };
    let whom = [("plain search".to_string(), Arc::clone(&plain))];
    let all: Vec<usize> = (0..settings.train).collect();
    let Some(tallies) = costs.tally(executor, &whom, TRAINING, &all)? else {
        return Ok(costs.outcome);
    };
    costs.outcome.plain = tallies.first().copied();
    let begin = &mut |seed| methods::founded(&settings.method, &encoding, founders, seed);
    if !drive(&settings.schedule, &mut costs, executor, begin)? {
        return Ok(costs.outcome);
    }
    let runs = (1..).zip(&costs.outcome.runs).map(|(number, run)| {
        let champion = Arc::new(run.champion.clone());
        (format!("champion of run {number}"), champion)
    });
    let whom: Vec<_> = whom.into_iter().chain(runs).collect();
    let all: Vec<usize> = (0..settings.test).collect();
    let Some(tallies) = costs.tally(executor, &whom, HELD_OUT, &all)? else {
        return Ok(costs.outcome);
    };
    let mut outcome = costs.outcome;
    if settings.test > 0 {
        outcome.plain_test = tallies.first().copied();
        for (run, tally) in outcome.runs.iter_mut().zip(tallies.into_iter().skip(1)) {
            run.test = Some(tally);
        }
    }
    outcome.complete = true;
    Ok(outcome)
}

/// See the module.
struct Costs<'a, S> {
    settings: &'a Settings,
    encoding: &'a Encoding,
    setting: Setting,
    spawn: &'a S,
    so_far: SoFar<'a>,
    /// The same phenotype costs the same, so none is searched twice, whichever run it is in.
    known: HashMap<Phenotype, Tally>,
    /// Nodes that this generation took.
    searched: u64,
    /// What its individuals cost.
    tallies: Vec<Tally>,
    /// Those of this run.
    generations: Vec<EcmStats>,
    /// The best of this generation, until its files are written.
    latest: Option<(ParamSet, Tally)>,
    outcome: EcmOutcome,
}

impl<W, S> Costs<'_, S>
where
    W: Worker<Begin> + Worker<Solve>,
    S: Fn() -> Result<W, WorkError> + Sync,
{
    /// What each of them, with its name in the journal, makes of these positions of a suite; `None` if the
    /// executor ends.
    fn tally(
        &self,
        executor: &mut Executor<'_>,
        whom: &[(String, Arc<ParamSet>)],
        suite: usize,
        positions: &[usize],
    ) -> Result<Option<Vec<Tally>>, RunError> {
        let (in_doubt, which) = match suite {
            TRAINING => (&self.setting.in_doubt, "position"),
            _ => (&self.setting.in_doubt_held_out, "held-out position"),
        };
        let cap = self.settings.cap;
        let mut tasks = Vec::with_capacity(whom.len() * positions.len());
        for (who, params) in whom {
            let digest = digest_of([&**params]);
            let solve = |&place: &usize| Solve {
                key: format!("{who} {which} {}", place + 1),
                suite,
                place,
                params: Arc::clone(params),
                digest: digest.clone(),
                cap,
                tells_searched: true,
            };
            tasks.extend(positions.iter().map(solve));
        }
        if tasks.is_empty() {
            return Ok(Some(vec![Tally::default(); whom.len()]));
        }
        let Some(answers) = executor.ask(&tasks, self.spawn)? else {
            return Ok(None);
        };
        let tally = |answers: &[Solved]| {
            let mut tally = Tally {
                positions: answers.len(),
                ..Tally::default()
            };
            for (place, answer) in positions.iter().zip(answers) {
                let (nodes, solved) = (answer.nodes(), answer.is_solved());
                tally.nodes += nodes;
                tally.searched += answer.searched();
                tally.solved += u32::from(solved);
                tally.solved_surely += u32::from(solved && !in_doubt.contains(place));
                for (early, part) in tally.solved_early.iter_mut().zip(EARLY) {
                    *early += u32::from(solved && nodes <= cap / part);
                }
            }
            tally
        };
        Ok(Some(answers.chunks(positions.len()).map(tally).collect()))
    }
}

impl<W, S> Objective for Costs<'_, S>
where
    W: Worker<Begin> + Worker<Solve>,
    S: Fn() -> Result<W, WorkError> + Sync,
{
    type Candidate = Phenotype;
    type Error = RunError;

    fn heading(&self) -> &'static str {
        HEADING
    }

    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Phenotype>,
    ) -> Result<Option<Vec<u64>>, RunError> {
        let positions = self.settings.positions(place);
        if self.settings.sample < self.settings.train {
            // What was said of other positions says nothing of these.
            self.known.clear();
        }
        let (mut fresh, mut met) = (Vec::new(), HashSet::new());
        for (individual, phenotype) in (1..).zip(&batch.individuals) {
            if !self.known.contains_key(phenotype) && met.insert(phenotype) {
                fresh.push((individual, phenotype));
            }
        }
        let (run, generation) = (place.run.0, place.generation.0);
        let name = |individual: usize| {
            format!("run {run} generation {generation} individual {individual}")
        };
        let whom: Vec<_> = (fresh.iter())
            .map(|&(individual, each)| (name(individual), Arc::new(self.encoding.params(each))))
            .collect();
        let Some(tallies) = self.tally(executor, &whom, TRAINING, &positions)? else {
            return Ok(None);
        };
        self.searched = tallies.iter().map(|tally| tally.searched).sum();
        let fresh = fresh.into_iter().map(|(_, each)| each.clone());
        self.known.extend(fresh.zip(tallies));
        let tallies = batch.individuals.iter();
        let tallies = tallies.map(|each| self.known.get(each).copied().unwrap_or_default());
        self.tallies = tallies.collect();
        let most = positions.len() as u64 * self.settings.cap;
        let fitness = self.tallies.iter();
        Ok(Some(
            fitness
                .map(|tally| most.saturating_sub(tally.nodes))
                .collect(),
        ))
    }

    fn observe(
        &mut self,
        _: &mut Executor<'_>,
        generation: &Generation<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let (number, phenotypes) = (generation.number(), &generation.batch.individuals);
        let best = self.tallies[generation.elite];
        let stats = statistics(number, phenotypes, &self.tallies, best);
        let news = news(generation.place, &stats, self.searched);
        if number == 0 {
            self.generations.clear();
        }
        self.generations.push(stats);
        self.latest = Some((self.encoding.params(&phenotypes[generation.elite]), best));
        Ok(Some(news))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        let Some((champion, train)) = self.latest.take() else {
            return Ok(());
        };
        self.outcome.runs.truncate(place.run.0 - 1);
        self.outcome.runs.push(EcmRun {
            seed: place.seed,
            generations: self.generations.clone(),
            champion,
            train,
            test: None,
            finished,
        });
        (self.so_far)(executor, &self.outcome)
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
fn news(place: Place, stats: &EcmStats, searched: u64) -> News<'static> {
    News {
        step: Step::Generation,
        run: place.run,
        generation: place.generation,
        row: history_row(place.run.0, stats),
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
