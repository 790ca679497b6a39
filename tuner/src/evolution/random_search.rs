//! placeholder until the branch with CMA-ES is merged
use super::algorithm::{Algorithm, Batch, Feedback};
use super::genome::{Genome, Shape};
#[derive(Clone, Debug)]
pub struct RandomSearch {
    population: Vec<Genome>,
}
impl RandomSearch {
    pub fn founded(_: &Shape, population: Vec<Genome>, _: usize, _: usize, _: u64) -> RandomSearch {
        RandomSearch { population }
    }
}
impl Algorithm for RandomSearch {
    type Genome = Genome;
    fn generation(&self) -> u32 {
        0
    }
    fn ask(&mut self) -> Batch<Genome> {
        Batch::of_candidates(self.population.clone())
    }
    fn tell(&mut self, _: Feedback<'_>) {}
}
