//! An algorithm together with an encoding: a population of candidates, whatever its genomes are.

use crate::evolution::algorithm::{Algorithm, Batch, Feedback, GeneStatistics};
use std::fmt;

/// A population as the driver sees it; as an [`Algorithm`], but of what is valued instead of genomes.
pub trait Population: fmt::Debug + Send {
    /// What is valued.
    type Candidate;

    /// Number of the generation, from 0.
    fn generation(&self) -> u32;

    /// The individuals of the generation.
    fn ask(&mut self) -> Batch<Self::Candidate>;

    /// Goes on to the next generation.
    fn tell(&mut self, feedback: Feedback<'_>);

    /// Who stands for the population if none of its individuals does.
    fn mean(&self) -> Option<Self::Candidate> {
        None
    }

    /// What the population is like, gene by gene, if nothing else is known of it.
    fn statistics(&self) -> Vec<GeneStatistics> {
        Vec::new()
    }
}

/// An algorithm whose genomes are decoded.
pub struct Encoded<A, D> {
    algorithm: A,
    decode: D,
}

impl<A, D> Encoded<A, D> {
    /// Of an algorithm and what its genomes mean.
    pub fn new(algorithm: A, decode: D) -> Encoded<A, D> {
        Encoded { algorithm, decode }
    }
}

impl<A: fmt::Debug, D> fmt::Debug for Encoded<A, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoded").field(&self.algorithm).finish()
    }
}

impl<A, C, D> Population for Encoded<A, D>
where
    A: Algorithm,
    D: Fn(&A::Genome) -> C + Send,
{
    type Candidate = C;

    fn generation(&self) -> u32 {
        self.algorithm.generation()
    }

    fn ask(&mut self) -> Batch<C> {
        self.algorithm.ask().map(&self.decode)
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        self.algorithm.tell(feedback);
    }

    fn mean(&self) -> Option<C> {
        self.algorithm.mean().as_ref().map(&self.decode)
    }

    fn statistics(&self) -> Vec<GeneStatistics> {
        self.algorithm.statistics()
    }
}
