//! The points of a generation on the training positions, as an objective of the driver.

use super::draw::Draw;
use super::outcome::{Outcome, RunResult};
use super::{Settings, SoFar, count_all, on_all};
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
use engine::eval::params::EvalParams;
use engine::params::ParamSet;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// First line of the table of generations.
const HEADING: &str = "run,generation,best,mean,worst,standard_deviation,distinct_phenotypes\n";

/// What the individuals of a run are worth, as far as it has been asked.
#[derive(Debug, Default)]
pub struct Known(HashMap<PhenotypeKey, u32>);

impl Known {
    /// Those of a generation of whom nothing is known, each once.
    pub fn fresh<'b>(&self, individuals: &'b [Phenotype]) -> Vec<&'b Phenotype> {
        let mut met = HashSet::new();
        let individuals = individuals.iter();
        individuals
            .filter(|one| !self.0.contains_key(&key_of(one)) && met.insert(*one))
            .collect()
    }

    /// Takes note of the points of individuals.
    pub fn learn(&mut self, individuals: &[Phenotype], points: &[u32]) {
        let keys = individuals.iter().map(|one| key_of(one));
        self.0.extend(keys.zip(points.iter().copied()));
    }

    /// The points of individuals.
    pub fn points(&self, individuals: &[Phenotype]) -> Vec<u32> {
        let points = |one: &Phenotype| self.0.get(&key_of(one)).copied();
        individuals
            .iter()
            .map(|one| points(one).unwrap_or(0))
            .collect()
    }
}

/// See the module.
pub struct Points<'a, S> {
    settings: &'a Settings,
    spawn: &'a S,
    so_far: SoFar<'a>,
    /// The same phenotype solves the same positions, so none is evaluated twice in a run.
    known: Known,
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
            known: Known::default(),
            fresh: 0,
            latest: None,
            outcome: Outcome::default(),
        }
    }
}

impl Settings {
    /// What individuals are worth to selection. The journal and all that is told have the points as they
    /// were counted: they are to be compared between profiles.
    pub(super) fn fitness_of(
        &self,
        individuals: &[Phenotype],
        known: &Known,
        positions: usize,
    ) -> Vec<u64> {
        let fitness = |(one, points): (&Phenotype, u32)| {
            if self.decay == 0.0 {
                return self.fitness.of(points);
            }
            let lost = decay(&self.encoding.params(one).eval, self.decay, positions);
            self.fitness.of(points.saturating_sub(lost))
        };
        let points = known.points(individuals);
        individuals.iter().zip(points).map(fitness).collect()
    }

    /// Individuals as they are valued.
    pub(super) fn evaluations(&self, individuals: &[&Phenotype]) -> Vec<EvalParams> {
        let individuals = individuals.iter();
        individuals
            .map(|one| self.encoding.evaluation(one))
            .collect()
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
        // On other positions nobody's points are known.
        if generation == 0 || settings.draw != Draw::All {
            self.known = Known::default();
        }
        let positions = settings.positions_of(generation);
        let fresh = self.known.fresh(&batch.individuals);
        self.fresh = fresh.len();
        if !fresh.is_empty() {
            let individuals = Arc::new(settings.evaluations(&fresh));
            let train = |block| Block::Train {
                run: place.run.0 as u32,
                generation,
                block,
            };
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
            let fresh: Vec<Phenotype> = fresh.into_iter().cloned().collect();
            self.known.learn(&fresh, &totals);
        }
        Ok(Some(settings.fitness_of(
            &batch.individuals,
            &self.known,
            positions,
        )))
    }

    fn observe(
        &mut self,
        _: &mut Executor<'_>,
        generation: &Generation<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let individuals = &generation.batch.individuals;
        let solved = self.known.points(individuals);
        let best = generation.elite;
        let stats = statistics(generation.number(), individuals, &solved, best);
        let news = news(self.settings, generation.place, &stats, self.fresh);
        let champion = self.settings.encoding.params(&individuals[best]);
        let positions = self.settings.positions_of(stats.generation);
        let stats = of_all(stats, positions, self.settings.train_positions);
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
        let before = match self.outcome.runs.len() == place.run.0 {
            true => self.outcome.runs.pop(),
            false => None,
        };
        let before = before.map(|before| (before.generations, before.evaluated));
        let (mut generations, mut evaluated) = before.unwrap_or_default();
        let (mut train_solved, mut is_over) = (stats.best, finished);
        if finished && matches!(self.settings.draw, Draw::Fresh(_)) {
            // Without the points the executor has ended, and the run isn't over.
            let runs = (place.run.1, place.run.0 - 1);
            let phenotype = self.settings.encoding.values(&champion);
            let points = on_all(self.settings, runs, &phenotype, executor, self.spawn)?;
            is_over = points.is_some();
            train_solved = points.unwrap_or(train_solved);
        }
        generations.push(stats);
        evaluated.push(self.fresh as u64);
        self.outcome.runs.push(RunResult {
            seed: place.seed,
            generations,
            evaluated,
            champion,
            train_solved,
            test_solved: None,
            finished: is_over,
        });
        (self.so_far)(executor, &self.outcome)
    }
}

/// What would be counted on all training positions, if these of a generation are like the others: so all
/// generations can be compared, however many positions they had.
fn of_all(stats: GenerationStats, positions: usize, all: usize) -> GenerationStats {
    if positions == all {
        return stats;
    }
    let times = all as f64 / positions.max(1) as f64;
    let whole = |points: u32| (f64::from(points) * times).round() as u32;
    GenerationStats {
        best: whole(stats.best),
        mean: stats.mean * times,
        worst: whole(stats.worst),
        standard_deviation: stats.standard_deviation * times,
        ..stats
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
    let positions = settings.positions_of(stats.generation);
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
