//! The errors of a generation on the positions drawn for it, as an objective of the driver.

use crate::base::progress::{News, Step};
use crate::drive::{Generation, Objective, Place};
use crate::encoding::Phenotype;
use crate::error::RunError;
use crate::evolution::algorithm::Batch;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::task::Worker;
use crate::fitness::expert_2011::{POINTS, error_of, fitness};
use crate::fitness::positions::{Block, Count};
use crate::phases::positions::outcome::{Outcome, RunResult};
use crate::phases::positions::{Settings, SoFar, count_all, on_all, statistics};
use crate::report::GenerationStats;
use std::collections::HashMap;
use std::sync::Arc;

/// First line of the table of generations; errors are means over the positions drawn, in centipawns.
const HEADING: &str = "run,generation,best_error,mean_error,worst_error,distinct_phenotypes\n";

/// Mean error in centipawns that points on so many positions leave; `points` may be a mean itself.
pub fn error(points: f64, positions: usize) -> f64 {
    f64::from(POINTS) - points / positions.max(1) as f64
}

/// The generations of a run, with its seed; their numbers are points on the positions drawn.
pub type RunSoFar = (u64, Vec<GenerationStats>);

/// See the module.
pub struct Errors<'a, S> {
    settings: &'a Settings,
    /// Positions of a generation.
    sample: usize,
    spawn: &'a S,
    so_far: SoFar<'a>,
    /// Points of this generation's individuals.
    points: Vec<u32>,
    /// How many of them differ.
    fresh: usize,
    /// The best of the latest generation.
    champion: Phenotype,
    /// All generations of all runs until now.
    pub runs: Vec<RunSoFar>,
    /// The runs that have ended, with their champions' points on all training positions.
    pub outcome: Outcome,
}

impl<'a, S> Errors<'a, S> {
    /// Before the first run.
    pub fn new(
        settings: &'a Settings,
        sample: usize,
        spawn: &'a S,
        so_far: SoFar<'a>,
    ) -> Errors<'a, S> {
        Errors {
            settings,
            sample,
            spawn,
            so_far,
            points: Vec::new(),
            fresh: 0,
            champion: Vec::new(),
            runs: Vec::new(),
            outcome: Outcome::default(),
        }
    }
}

impl<W, S> Objective for Errors<'_, S>
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
        let (settings, sample) = (self.settings, self.sample);
        // The positions are others than before, so nobody's error is known.
        let (distinct, who) = distinct(&batch.individuals);
        let evaluations = distinct
            .iter()
            .map(|phenotype| settings.encoding.evaluation(phenotype));
        let evaluations = Arc::new(evaluations.collect());
        let train = |block| Block::Train {
            run: place.run.0 as u32,
            generation: place.generation.0,
            block,
        };
        let points = count_all(settings, sample, train, &evaluations, executor, self.spawn)?;
        let Some(points) = points else {
            return Ok(None);
        };
        let points = who.iter().map(|&who| points.get(who).copied().unwrap_or(0));
        self.points = points.collect();
        self.fresh = distinct.len();
        let worth = |&points: &u32| {
            let error = error_of(points, sample);
            settings.fitness.of(fitness(error, sample))
        };
        Ok(Some(self.points.iter().map(worth).collect()))
    }

    fn observe(
        &mut self,
        _: &mut Executor<'_>,
        generation: &Generation<'_, Phenotype>,
    ) -> Result<Option<News<'static>>, RunError> {
        let individuals = &generation.batch.individuals;
        let best = generation.elite;
        let stats = statistics(generation.number(), individuals, &self.points, best);
        self.champion = individuals.get(best).cloned().unwrap_or_default();
        let news = news(generation.place, &stats, (self.sample, self.fresh));
        if self.runs.len() < generation.place.run.0 {
            self.runs.push((generation.place.seed, Vec::new()));
        }
        if let Some((_, generations)) = self.runs.last_mut() {
            generations.push(stats);
        }
        Ok(Some(news))
    }

    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        finished: bool,
    ) -> Result<(), RunError> {
        let (true, Some((seed, generations))) = (finished, self.runs.last()) else {
            return Ok(());
        };
        let (settings, runs) = (self.settings, (place.run.1, place.run.0 - 1));
        let points = on_all(settings, runs, &self.champion, executor, self.spawn)?;
        // Without them the executor has ended, and so has the course.
        let Some(train_solved) = points else {
            return Ok(());
        };
        self.outcome.runs.push(RunResult {
            seed: *seed,
            generations: generations.clone(),
            // All distinct ones, every time: the positions are others.
            evaluated: generations
                .iter()
                .map(|stats| u64::from(stats.distinct))
                .collect(),
            champion: settings.encoding.params(&self.champion),
            train_solved,
            test_solved: None,
            finished,
        });
        (self.so_far)(executor, &self.outcome)
    }
}

/// Each phenotype once, and which of these each individual has.
fn distinct(individuals: &[Phenotype]) -> (Vec<&Phenotype>, Vec<usize>) {
    let (mut met, mut places) = (Vec::new(), HashMap::new());
    let place_of = |phenotype| {
        *places.entry(phenotype).or_insert_with(|| {
            met.push(phenotype);
            met.len() - 1
        })
    };
    let who = individuals.iter().map(place_of).collect();
    (met, who)
}

/// What is said of a generation, of which so many individuals were new, on so many positions.
fn news(place: Place, stats: &GenerationStats, (sample, fresh): (usize, usize)) -> News<'static> {
    let best = error(stats.best.into(), sample);
    let mean = error(stats.mean, sample);
    let worst = error(stats.worst.into(), sample);
    let (run, generation, distinct) = (place.run.0, stats.generation, stats.distinct);
    News {
        step: Step::Generation,
        run: place.run,
        generation: place.generation,
        row: format!("{run},{generation},{best:.3},{mean:.3},{worst:.3},{distinct}\n"),
        json: serde_json::json!({
            "best_error": thousandths(best),
            "mean_error": thousandths(mean),
            "worst_error": thousandths(worst),
            "distinct": distinct,
            "positions": sample,
        }),
        facts: vec![
            format!("best error {best:.1} cp"),
            format!("mean {mean:.1}"),
        ],
        work: (fresh as u64 * sample as u64, "positions"),
    }
}

/// A number with three digits behind the point.
fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_asked_once() {
        let individuals = [vec![1, 2], vec![3, 4], vec![1, 2], vec![5, 6]];
        let (once, who) = distinct(&individuals);
        assert_eq!(once, [&vec![1, 2], &vec![3, 4], &vec![5, 6]]);
        assert_eq!(who, [0, 1, 0, 2]);
    }

    /// 9,900 points are an error of 100 centipawns on one position, and of 50 on two beside 10,000.
    #[test]
    fn points_are_told_as_errors() {
        assert_eq!(error(9_900.0, 1), 100.0);
        assert_eq!(error(19_900.0, 2), 50.0);
        let stats = GenerationStats {
            generation: 4,
            best: 19_900,
            mean: 19_000.5,
            worst: 0,
            standard_deviation: 0.0,
            distinct: 3,
        };
        let place = Place {
            run: (2, 3),
            seed: 1,
            generation: (4, 9),
        };
        let news = news(place, &stats, (2, 3));
        assert_eq!(news.row, "2,4,50.000,499.750,10000.000,3\n");
        assert_eq!(news.facts[0], "best error 50.0 cp");
    }
}
