//! The points of a generation on the training positions, as an objective of the driver.

use super::outcome::{Outcome, RunResult};
use super::{Settings, SoFar, count_all};
use crate::base::progress::{News, Step};
use crate::base::statistics::{mean_and_deviation, thousands};
use crate::drive::{Generation, Objective, Place};
use crate::encoding::{Phenotype, PhenotypeKey, key_of};
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::task::Worker;
use crate::fitness::grandmaster::decay;
use crate::fitness::positions::{Block, Count};
use crate::report::GenerationStats;
use engine::params::ParamSet;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// First line of the table of generations.
const HEADING: &str = "run,generation,best,mean,worst,standard_deviation,distinct_phenotypes\n";

/// See the module.
pub struct Points<'a, S> {
    settings: &'a Settings,
    spawn: &'a S,
    so_far: SoFar<'a>,
    /// The same phenotype solves the same positions, so none is evaluated twice in a run.
    known: HashMap<PhenotypeKey, u32>,
    /// How many individuals of this generation were new.
    fresh: usize,
    /// The best of this generation, until its files are written.
    latest: Option<(GenerationStats, ParamSet)>,
    /// All runs until now.
    pub outcome: Outcome,
}

impl<'a, S> Points<'a, S> {
    /// Before the first run.
    pub fn new(settings: &'a Settings, spawn: &'a S, so_far: SoFar<'a>) -> Points<'a, S> {
        Points {
            settings,
            spawn,
            so_far,
            known: HashMap::new(),
            fresh: 0,
            latest: None,
            outcome: Outcome {
                runs: Vec::new(),
                mean: None,
                complete: false,
            },
        }
    }

    fn points(&self, phenotypes: &[Phenotype]) -> Vec<u32> {
        let points = |phenotype: &Phenotype| self.known.get(&key_of(phenotype)).copied();
        phenotypes
            .iter()
            .map(|phenotype| points(phenotype).unwrap_or(0))
            .collect()
    }

    /// What an individual with so many points is worth to selection. The journal and all that is told
    /// have the points as they were counted: they are to be compared between profiles.
    fn fitness(&self, phenotype: &[i32], points: u32) -> u64 {
        let settings = self.settings;
        if settings.decay == 0.0 {
            return settings.fitness.of(points);
        }
        let weights = settings.encoding.params(phenotype).eval;
        let lost = decay(&weights, settings.decay, settings.train_positions);
        settings.fitness.of(points.saturating_sub(lost))
    }
}

impl<W, S> Objective for Points<'_, S>
where
    W: Worker<Count>,
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
        let (settings, generation) = (self.settings, place.generation.0);
        if generation == 0 {
            self.known.clear();
        }
        let (mut fresh, mut met) = (Vec::new(), HashSet::new());
        for phenotype in &batch.individuals {
            if !self.known.contains_key(&key_of(phenotype)) && met.insert(phenotype) {
                fresh.push(phenotype);
            }
        }
        self.fresh = fresh.len();
        if !fresh.is_empty() {
            let individuals = fresh.iter();
            let individuals = individuals.map(|new| settings.encoding.evaluation(new));
            let individuals = Arc::new(individuals.collect());
            let train = |block| Block::Train {
                run: place.run.0 as u32,
                generation,
                block,
            };
            let positions = settings.train_positions;
            let totals = count_all(
                settings,
                positions,
                train,
                &individuals,
                executor,
                self.spawn,
            )?;
            let Some(totals) = totals else {
                return Ok(None);
            };
            let keys = fresh.into_iter().map(|new| key_of(new));
            self.known.extend(keys.zip(totals));
        }
        let solved = self.points(&batch.individuals).into_iter();
        let fitness = batch.individuals.iter().zip(solved);
        let fitness = fitness.map(|(phenotype, points)| self.fitness(phenotype, points));
        Ok(Some(fitness.collect()))
    }

    fn observe(
        &mut self,
        _: &mut Executor<'_>,
        generation: &Generation<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let individuals = &generation.batch.individuals;
        let solved = self.points(individuals);
        let best = generation.elite;
        let stats = statistics(generation.number(), individuals, &solved, best);
        let news = news(self.settings, generation.place, &stats, self.fresh);
        let champion = self.settings.encoding.params(&individuals[best]);
        self.latest = Some((stats, champion));
        Ok(Some(news))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        let Some((stats, champion)) = self.latest.take() else {
            return Ok(());
        };
        let runs = &mut self.outcome.runs;
        let before = match runs.len() == place.run.0 {
            true => runs.pop(),
            false => None,
        };
        let before = before.map(|before| (before.generations, before.evaluated));
        let (mut generations, mut evaluated) = before.unwrap_or_default();
        let train_solved = stats.best;
        generations.push(stats);
        evaluated.push(self.fresh as u64);
        runs.push(RunResult {
            seed: place.seed,
            generations,
            evaluated,
            champion,
            train_solved,
            test_solved: None,
            finished,
        });
        (self.so_far)(executor, &self.outcome)
    }
}

/// A line of the table of generations; runs count from 1.
fn history_row(run: usize, stats: &GenerationStats) -> String {
    format!(
        "{run},{},{},{:.4},{},{:.4},{}\n",
        stats.generation,
        stats.best,
        stats.mean,
        stats.worst,
        stats.standard_deviation,
        stats.distinct
    )
}

/// What is said of a generation.
fn news(settings: &Settings, place: Place, stats: &GenerationStats, fresh: usize) -> News<'static> {
    let positions = settings.train_positions;
    News {
        step: Step::Generation,
        run: place.run,
        generation: place.generation,
        row: history_row(place.run.0, stats),
        json: serde_json::json!({
            "best": stats.best,
            "mean": stats.mean,
            "worst": stats.worst,
            "standard_deviation": stats.standard_deviation,
            "distinct": stats.distinct,
            "positions": positions,
        }),
        facts: vec![
            format!(
                "best {} ({:.1} %)",
                thousands(u64::from(stats.best)),
                100.0 * f64::from(stats.best)
                    / (positions as f64 * f64::from(settings.points)).max(1.0),
            ),
            format!("mean {:.1}", stats.mean),
        ],
        work: (fresh as u64 * positions as u64, "positions"),
    }
}

/// The numbers of a generation whose best individual is the one with this index.
pub fn statistics(
    generation: u32,
    phenotypes: &[Phenotype],
    solved: &[u32],
    best: usize,
) -> GenerationStats {
    let (mean, standard_deviation) = mean_and_deviation(solved);
    let distinct: HashSet<&Phenotype> = phenotypes.iter().collect();
    GenerationStats {
        generation,
        best: solved.get(best).copied().unwrap_or(0),
        mean,
        worst: solved.iter().copied().min().unwrap_or(0),
        standard_deviation,
        distinct: distinct.len() as u32,
    }
}
