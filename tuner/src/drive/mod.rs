//! The one way from a random generation to champions, for every objective and every algorithm.
//!
//! | file | job |
//! |---|---|
//! | `mod` | the generational loop |
//! | `population` | an algorithm and an encoding, as the loop sees them |
//! | `sampled` | real numbers that are drawn: CMA-ES, from the start or after a genetic algorithm |
//!
//! [`drive`] asks a [`Population`] for individuals and an [`Objective`] for their fitness. It knows neither
//! chess nor what individuals are, and keeps no state of its own: going through it again with the answers
//! of the journal comes to the same (architecture invariant 5).

pub mod population;
pub mod sampled;

use crate::base::progress::News;
use crate::evolution::algorithm::{Batch, Feedback};
use crate::exec::error::ExecError;
use crate::exec::executor::Executor;
use population::Population;

/// How many runs of how many generations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Seed of each run.
    pub seeds: Vec<u64>,
    /// Generations of each run, the first one included.
    pub generations: u32,
}

impl Schedule {
    /// Generations of all runs, if nothing ends one before.
    pub fn all_generations(&self) -> u64 {
        self.seeds.len() as u64 * u64::from(self.generations)
    }
}

/// Where in the schedule a generation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The run, from 1, and how many there are.
    pub run: (usize, usize),
    /// Its seed.
    pub seed: u64,
    /// The generation, from 0, and how many a run has.
    pub generation: (u32, u32),
}

/// A generation whose fitness is known.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a, C> {
    /// Its place.
    pub place: Place,
    /// Its individuals.
    pub batch: &'a Batch<C>,
    /// Their fitness.
    pub fitness: &'a [u64],
    /// Index of the individual that survives.
    pub elite: usize,
    /// What the algorithm has become by it.
    pub population: &'a dyn Population<Candidate = C>,
}

impl<C> Generation<'_, C> {
    /// Number of the generation, from 0.
    pub fn number(&self) -> u32 {
        self.place.generation.0
    }
}

/// Who is the elite of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elite {
    /// The fittest.
    Fittest,
    /// The individual with this index, chosen by something else.
    Chosen(usize),
}

/// What is good: finds out by tasks what individuals are worth, and tells what has come of it.
///
/// Whatever gives `None` has asked an executor that has ended: the run ends there.
pub trait Objective {
    /// What it values.
    type Candidate;
    /// What can go wrong.
    type Error: From<ExecError>;

    /// First line of the table of generations.
    fn heading(&self) -> &'static str;

    /// Fitness of each individual; higher is better.
    ///
    /// # Errors
    /// The executor's.
    fn measure(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Self::Candidate>,
    ) -> Result<Option<Vec<u64>>, Self::Error>;

    /// Who is the elite, where fitness alone does not say.
    ///
    /// # Errors
    /// The executor's.
    fn elite(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        batch: &Batch<Self::Candidate>,
        fitness: &[u64],
    ) -> Result<Option<Elite>, Self::Error> {
        let _ = (executor, place, batch, fitness);
        Ok(Some(Elite::Fittest))
    }

    /// Takes note of a generation, and says what is told of it.
    ///
    /// # Errors
    /// The executor's.
    fn observe(
        &mut self,
        executor: &mut Executor<'_>,
        generation: &Generation<'_, Self::Candidate>,
    ) -> Result<Option<News<'static>>, Self::Error>;

    /// Writes the files of a generation that has been told of; `finished` says whether it is its run's last.
    ///
    /// # Errors
    /// A file can't be written.
    fn generation_done(
        &mut self,
        executor: &mut Executor<'_>,
        place: Place,
        finished: bool,
    ) -> Result<(), Self::Error>;

    /// What the journal says a run has come to, where its time is up.
    fn at(&self, place: Place) -> String {
        format!("run {} generation {}", place.run.0, place.generation.0)
    }
}

/// Makes generation 0 of a run from its seed.
pub type Begin<'a, 'p, C, E> =
    &'a mut dyn FnMut(u64) -> Result<Box<dyn Population<Candidate = C> + 'p>, E>;

/// Goes through all runs, as far as the executor answers, and says whether that was to the end.
///
/// # Errors
/// The first error of the objective, of the executor or of `begin`.
pub fn drive<'p, O: Objective>(
    schedule: &Schedule,
    objective: &mut O,
    executor: &mut Executor<'_>,
    begin: Begin<'_, 'p, O::Candidate, O::Error>,
) -> Result<bool, O::Error> {
    let runs = schedule.seeds.len();
    for (run, &seed) in (1..).zip(&schedule.seeds) {
        executor.begin_part(runs + 1 - run);
        executor.seeded(seed);
        let mut population = begin(seed)?;
        loop {
            let place = Place {
                run: (run, runs),
                seed,
                generation: (population.generation(), schedule.generations),
            };
            let batch = population.ask();
            let Some(fitness) = objective.measure(executor, place, &batch)? else {
                return Ok(false);
            };
            let Some(elite) = objective.elite(executor, place, &batch, &fitness)? else {
                return Ok(false);
            };
            let feedback = Feedback {
                fitness: &fitness,
                elite: match elite {
                    Elite::Fittest => None,
                    Elite::Chosen(index) => Some(index),
                },
            };
            let survivor = feedback.survivor(batch.candidates);
            population.tell(feedback);
            let generation = Generation {
                place,
                batch: &batch,
                fitness: &fitness,
                elite: survivor,
                population: population.as_ref(),
            };
            let Some(news) = objective.observe(executor, &generation)? else {
                return Ok(false);
            };
            executor.generation_done(objective.heading(), &news)?;
            let finished = place.generation.0 + 1 >= schedule.generations
                || executor.time_is_up(&objective.at(place))?;
            objective.generation_done(executor, place, finished)?;
            if finished {
                break;
            }
        }
    }
    Ok(true)
}
