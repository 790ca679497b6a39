//! Hill climbing: the best individual, and neighbours of it in one bit each.

use super::algorithm::{Algorithm, Batch, Feedback};
use super::genome::{Genome, Shape};
use super::rng::Random;

/// The best individual until now, and its neighbours.
#[derive(Debug)]
pub struct HillClimber {
    rng: Random,
    generation: u32,
    individuals: Vec<Genome>,
}

impl HillClimber {
    /// Generation 0: the first founder, or a random individual, and its neighbours.
    pub fn new(shape: &Shape, founders: &[Genome], population: usize, seed: u64) -> HillClimber {
        let mut rng = Random::new(seed);
        let first = founders.first().cloned();
        let first = first.unwrap_or_else(|| Genome::random(shape.bits(), &mut rng));
        let mut climber = HillClimber {
            rng,
            generation: 0,
            individuals: vec![first; population],
        };
        climber.look_around();
        climber
    }

    /// Flips a bit in each individual but the first.
    fn look_around(&mut self) {
        for Genome(bits) in self.individuals.iter_mut().skip(1) {
            let bit = self.rng.below(bits.len() as u128) as usize;
            bits[bit] = !bits[bit];
        }
    }
}

impl Algorithm for HillClimber {
    type Genome = Genome;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Genome> {
        Batch::of_candidates(self.individuals.clone())
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        let best = feedback.survivor(self.individuals.len());
        self.individuals = vec![self.individuals[best].clone(); self.individuals.len()];
        self.look_around();
        self.generation += 1;
    }
}
