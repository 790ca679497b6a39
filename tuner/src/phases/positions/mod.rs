//! What phases that learn from positions have in common: [`super::grandmaster`], [`super::expert`] and, with an
//! objective of its own, [`super::expert_2011`].
//!
//! | file | job |
//! |---|---|
//! | `mod` | their settings; all runs, the mean of their champions, held-out positions |
//! | `objective` | a generation's points |
//! | `outcome` | what the runs have come to |
//! | `basis` | what such a phase has beside its keys and its data |
//! | `data` | the data files |
//! | `ahead` | runs side by side |
//! | `draw` | which training positions a generation is valued on |
//! | `champions` | the files of champions |
//! | `imitation` | what phases that imitate an expert have in common |

pub mod ahead;
pub mod basis;
pub mod champions;
pub mod data;
pub mod draw;
pub mod imitation;
mod objective;
pub mod outcome;
#[cfg(test)]
mod tests;

use super::methods;
use crate::base::statistics::counted;
use crate::config::evolution::{Evolution, Fitness, Method, Runs};
use crate::drive::population::Population;
use crate::drive::{Schedule, drive};
use crate::encoding::{Encoding, Phenotype, base};
use crate::error::RunError;
use crate::exec::error::WorkError;
use crate::exec::executor::Executor;
use crate::exec::task::Worker;
use crate::fitness::positions::{BLOCK, Block, Count, blocks};
use draw::Draw;
use engine::eval::params::EvalParams;
use engine::params::Gene;
use objective::Points;
pub use objective::statistics;
use outcome::{Mean, Outcome, RunResult};
use std::sync::Arc;

/// Everything that decides the course of evolution but the positions themselves. It follows from the profile
/// and the journal's header, so a finished run can be read again long after its data files are gone.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What evolves.
    pub encoding: Encoding,
    /// How.
    pub method: Method,
    /// Seeds and generations.
    pub schedule: Schedule,
    /// The first generation that is drawn by a covariance matrix, after a genetic algorithm.
    pub covariance_from: Option<u32>,
    /// How points become fitness.
    pub fitness: Fitness,
    /// Points of a position at most.
    pub points: u32,
    /// Number of training positions.
    pub train_positions: usize,
    /// Number of held-out positions.
    pub test_positions: Option<usize>,
    /// Positions of a task at most.
    pub block: usize,
    /// Whether the points of two parts of a block are those of both together.
    pub is_additive: bool,
    /// What the size of its weights costs an individual before selection, beside what its tasks
    /// have answered; see [`crate::fitness::grandmaster::decay`].
    pub decay: f64,
    /// Whether the champion is the mean of the runs' champions, and not the best of these.
    pub mean: bool,
    /// Which training positions a generation is valued on.
    pub draw: Draw,
}

impl Settings {
    /// The settings for these genes, where a position is worth at most so many points, with so many
    /// training and held-out positions.
    pub fn new(
        genes: &[Gene],
        (evolution, runs): (&Evolution, &Runs),
        points: u32,
        (train, test): (usize, Option<usize>),
    ) -> Settings {
        Settings {
            encoding: Encoding::new(genes.to_vec(), base()),
            method: evolution.method.clone(),
            schedule: Schedule {
                seeds: runs.seeds.clone(),
                generations: evolution.generations,
            },
            covariance_from: None,
            fitness: evolution.fitness,
            points,
            train_positions: train,
            test_positions: test,
            block: BLOCK,
            is_additive: true,
            decay: 0.0,
            mean: false,
            draw: Draw::All,
        }
    }

    /// How many training positions a generation is valued on.
    pub fn positions_of(&self, generation: u32) -> usize {
        let of = (generation, self.schedule.generations);
        self.draw.count(of, self.train_positions)
    }

    /// How much of what evolves, in words.
    pub fn text(&self, layout: &str) -> String {
        format!(
            "  layout {layout}: {} genes, {} bits\n  {} of {} generations of {} individuals",
            self.encoding.genes.len(),
            self.encoding.shape.bits(),
            counted(self.schedule.seeds.len(), "run"),
            self.schedule.generations,
            self.method.individuals()
        )
    }

    /// The first individuals of the first run, so many at most.
    ///
    /// # Errors
    /// The method has nothing to begin with.
    pub fn first_individuals(&self, most: usize) -> Result<Vec<EvalParams>, RunError> {
        let seed = self.schedule.seeds.first().copied().unwrap_or(0);
        let first = self.population(seed)?.ask().individuals;
        let first = first.iter().take(most);
        Ok(first.map(|one| self.encoding.params(one).eval).collect())
    }

    /// Generation 0 of a run.
    ///
    /// # Errors
    /// The method has nothing to begin with.
    pub fn population(
        &self,
        seed: u64,
    ) -> Result<Box<dyn Population<Candidate = Phenotype> + '_>, RunError> {
        match self.covariance_from {
            Some(from) => methods::handover(&self.method, &self.encoding, seed, from),
            None => methods::random(&self.method, &self.encoding, seed),
        }
    }
}

/// Told of every generation, with all runs until then.
pub type SoFar<'a> = &'a mut dyn FnMut(&mut Executor<'_>, &Outcome) -> Result<(), RunError>;

/// Goes through all runs, as far as the executor answers.
///
/// # Errors
/// The first error of a task, of the executor or of `so_far`.
pub fn evolve<W: Worker<Count>>(
    settings: &Settings,
    executor: &mut Executor<'_>,
    spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
    so_far: SoFar<'_>,
) -> Result<Outcome, RunError> {
    let mut points = Points::new(settings, spawn, so_far);
    let begin = &mut |seed| settings.population(seed);
    let all = drive(&settings.schedule, &mut points, executor, begin)?;
    let mut outcome = points.outcome;
    if !all {
        return Ok(outcome);
    }
    if settings.mean {
        outcome.mean = mean(settings, &outcome.runs, executor, spawn)?.map(Box::new);
        if outcome.mean.is_none() {
            return Ok(outcome);
        }
    }
    outcome.complete = score_held_out(settings, &mut outcome, executor, spawn)?;
    Ok(outcome)
}

/// The mean of the runs' champions, every weight rounded to the nearest, a half upwards; `None` if the
/// executor ends before its points are known.
fn mean<W: Worker<Count>>(
    settings: &Settings,
    runs: &[RunResult],
    executor: &mut Executor<'_>,
    spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
) -> Result<Option<Mean>, RunError> {
    let encoding = &settings.encoding;
    let count = runs.len() as i32;
    let weights = encoding.genes.iter().map(|gene| {
        let sum: i32 = runs.iter().map(|run| run.champion.get(gene)).sum();
        (2 * sum + count).div_euclid(2 * count) * encoding.unit
    });
    let phenotype: Phenotype = weights.collect();
    let champion = encoding.params(&phenotype);
    // Behind those of the champions, where these are valued on all positions.
    let number = match settings.draw {
        Draw::Fresh(_) => runs.len(),
        _ => 0,
    };
    let points = on_all(settings, (runs.len(), number), &phenotype, executor, spawn)?;
    Ok(points.map(|train_solved| Mean {
        champion,
        train_solved,
        test_solved: None,
    }))
}

/// How many points each individual gets on all positions, block by block; `None` if the executor ends.
///
/// # Errors
/// The executor's.
pub fn count_all<W: Worker<Count>>(
    settings: &Settings,
    positions: usize,
    of: impl Fn(u32) -> Block,
    individuals: &Arc<Vec<EvalParams>>,
    executor: &mut Executor<'_>,
    spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
) -> Result<Option<Vec<u32>>, RunError> {
    let mut totals = vec![0; individuals.len()];
    for (block, positions) in (0..).zip(blocks(positions, settings.block)) {
        let task = Count {
            of: of(block),
            positions,
            is_additive: settings.is_additive,
            individuals: Arc::clone(individuals),
        };
        let Some(solved) = executor.ask(&[task], spawn)? else {
            return Ok(None);
        };
        for (total, count) in totals.iter_mut().zip(solved.into_iter().flatten()) {
            *total = u32::saturating_add(*total, count);
        }
    }
    Ok(Some(totals))
}

/// The points of somebody on all training positions, whose tasks come behind those of so many runs as number so and
/// so; `None` if the executor ends.
///
/// # Errors
/// The executor's.
pub fn on_all<W: Worker<Count>>(
    settings: &Settings,
    (runs, number): (usize, usize),
    phenotype: &[i32],
    executor: &mut Executor<'_>,
    spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
) -> Result<Option<u32>, RunError> {
    let alone = Arc::new(vec![settings.encoding.evaluation(phenotype)]);
    let train = |block| Block::Train {
        run: runs as u32 + 1,
        generation: number as u32,
        block,
    };
    let all = settings.train_positions;
    let points = count_all(settings, all, train, &alone, executor, spawn)?;
    Ok(points.and_then(|points| points.first().copied()))
}

/// Scores all champions on the held-out positions, which evolution never sees. `false` if the
/// executor ends before.
///
/// # Errors
/// The executor's.
pub fn score_held_out<W: Worker<Count>>(
    settings: &Settings,
    outcome: &mut Outcome,
    executor: &mut Executor<'_>,
    spawn: &(impl Fn() -> Result<W, WorkError> + Sync),
) -> Result<bool, RunError> {
    let Some(positions) = settings.test_positions else {
        return Ok(true);
    };
    let runs = outcome.runs.iter().map(|run| &run.champion);
    let mean = outcome.mean.iter().map(|mean| &mean.champion);
    let encoding = &settings.encoding;
    let champions = runs.chain(mean);
    let champions = champions.map(|champion| encoding.evaluation(&encoding.values(champion)));
    let champions = Arc::new(champions.collect());
    let held_out = |block| Block::HeldOut { block };
    let totals = count_all(settings, positions, held_out, &champions, executor, spawn)?;
    let Some(totals) = totals else {
        return Ok(false);
    };
    let runs = outcome.runs.iter_mut().map(|run| &mut run.test_solved);
    let mean = outcome.mean.iter_mut().map(|mean| &mut mean.test_solved);
    for (solved, total) in runs.chain(mean).zip(totals) {
        *solved = Some(total);
    }
    Ok(true)
}
