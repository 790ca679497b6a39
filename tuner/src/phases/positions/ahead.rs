//! Runs side by side: what the next runs of a phase will ask is answered together with what this one asks.
//!
//! A generation of evolutionary programming has some ten new individuals, which leave most lanes of the batched
//! minimax empty and walk every tree for themselves alone. Runs know nothing of each other, so while the first of
//! them goes through its generations, those behind it do the same here, without a journal; their answers wait until
//! they are asked for. Tasks, their order and their answers are the same, and so is the journal. What a kill loses
//! is what waits.

use super::Settings;
use super::draw::Draw;
use super::objective::Known;
use crate::drive::population::Population;
use crate::encoding::Phenotype;
use crate::encoding::rows::digest_of_evaluations;
use crate::evolution::algorithm::{Batch, Feedback};
use crate::exec::error::WorkError;
use crate::exec::task::Task as _;
use crate::fitness::grandmaster::LANES;
use crate::fitness::positions::{Block, Count};
use engine::eval::params::EvalParams;
use std::collections::HashMap;

/// Runs that go side by side at most, the one that asks included.
const ABREAST: usize = 32;

/// The runs behind the one that asks.
pub struct Ahead<'a> {
    settings: &'a Settings,
    runs: Vec<Run<'a>>,
    /// What is known already, by run and generation: of whom, and how many points each of them has.
    answers: HashMap<(u32, u32), (String, Vec<u32>)>,
}

/// A run on its way.
struct Run<'a> {
    /// From 1.
    number: u32,
    population: Box<dyn Population<Candidate = Phenotype> + 'a>,
    batch: Batch<Phenotype>,
    known: Known,
}

impl<'a> Ahead<'a> {
    /// Before the first task; `None` if there is nothing to be gained: one run alone, generations that fill the lanes
    /// by themselves, or positions that each run draws for itself.
    pub fn new(settings: &'a Settings) -> Option<Ahead<'a>> {
        let is_of_use = settings.schedule.seeds.len() > 1
            && settings.method.individuals() <= LANES
            && settings.draw == Draw::All
            && settings.train_positions <= settings.block;
        is_of_use.then(|| Ahead {
            settings,
            runs: Vec::new(),
            answers: HashMap::new(),
        })
    }

    /// The answer to a task, by counting it together with what the runs behind ask next, or because that has
    /// been done before.
    ///
    /// # Errors
    /// That of `count`, which says how many points each individual gets on the positions of the task.
    pub fn answer(
        &mut self,
        task: &Count,
        count: impl FnOnce(&[EvalParams]) -> Result<Vec<u32>, WorkError>,
    ) -> Result<Vec<u32>, WorkError> {
        let Block::Train {
            run, generation, ..
        } = task.of
        else {
            return count(&task.individuals);
        };
        // Of a part of the positions nothing is known ahead, and nothing is kept.
        if task.positions != (0..self.settings.train_positions) {
            return count(&task.individuals);
        }
        if let Some((of, points)) = self.answers.remove(&(run, generation))
            && of == task.digest()
        {
            return Ok(points);
        }
        self.begin_behind(run);
        let mut all = task.individuals.to_vec();
        let mut asked = Vec::new();
        for run in &self.runs {
            let fresh = self.settings.evaluations(&run.fresh());
            asked.push((digest_of_evaluations(&fresh), fresh.len()));
            all.extend(fresh);
        }
        let points = count(&all)?;
        let (own, mut rest) = points.split_at(task.individuals.len().min(points.len()));
        for (run, (of, count)) in self.runs.iter_mut().zip(asked) {
            let (points, others) = rest.split_at(count.min(rest.len()));
            rest = others;
            if !points.is_empty() {
                let key = (run.number, run.population.generation());
                self.answers.insert(key, (of, points.to_vec()));
                run.learn(points, self.settings);
            }
        }
        Ok(own.to_vec())
    }

    /// Takes those out that are not behind this run, and begins with others.
    fn begin_behind(&mut self, asking: u32) {
        self.runs.retain(|run| run.number > asking);
        self.answers.retain(|(number, _), _| *number > asking);
        let last = self.runs.last().map_or(asking, |run| run.number);
        let seeds = &self.settings.schedule.seeds;
        let behind = (1..).zip(seeds).filter(|(number, _)| *number > last);
        let room = (ABREAST - 1).saturating_sub(self.runs.len());
        for (number, &seed) in behind.take(room) {
            // Who can't begin says so when it is his turn.
            if let Ok(mut population) = self.settings.population(seed) {
                self.runs.push(Run {
                    number,
                    batch: population.ask(),
                    population,
                    known: Known::default(),
                });
            }
        }
    }
}

impl Run<'_> {
    /// Individuals whose points it does not know.
    fn fresh(&self) -> Vec<&Phenotype> {
        self.known.fresh(&self.batch.individuals)
    }

    /// Goes on to the next generation that has somebody new, or to the end.
    fn learn(&mut self, points: &[u32], settings: &Settings) {
        let fresh = self.known.fresh(&self.batch.individuals);
        let fresh = fresh.into_iter().cloned().collect::<Vec<_>>();
        self.known.learn(&fresh, points);
        while self.fresh().is_empty() {
            let individuals = &self.batch.individuals;
            let fitness = settings.fitness_of(individuals, &self.known, settings.train_positions);
            if self.population.generation() + 1 >= settings.schedule.generations {
                // Nobody in it is new any more.
                return;
            }
            self.population.tell(Feedback {
                fitness: &fitness,
                elite: None,
            });
            self.batch = self.population.ask();
        }
    }
}
