//! What every algorithm of this folder is to who uses it: it is asked for individuals and told what they are
//! worth (*ask and tell*, as nevergrad, pycma and optuna have it). It never calls anybody.

use std::fmt;

/// The individuals of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<G> {
    /// All of them.
    pub individuals: Vec<G>,
    /// How many of them, from the first, may be a champion; the others only say which way to go.
    pub candidates: usize,
}

impl<G> Batch<G> {
    /// Individuals that all may be champions.
    pub fn of_candidates(individuals: Vec<G>) -> Batch<G> {
        Batch {
            candidates: individuals.len(),
            individuals,
        }
    }

    /// The same individuals in another form.
    pub fn map<C>(self, decode: impl Fn(&G) -> C) -> Batch<C> {
        Batch {
            individuals: self.individuals.iter().map(decode).collect(),
            candidates: self.candidates,
        }
    }
}

/// What a generation's individuals are worth.
#[derive(Clone, Copy, Debug)]
pub struct Feedback<'a> {
    /// Fitness of each individual in the order of the batch; higher is better.
    pub fitness: &'a [u64],
    /// The one that is to survive, if it was chosen by something else than fitness, as where that is noisy.
    pub elite: Option<usize>,
}

impl Feedback<'_> {
    /// The one that is to survive, of so many that may: the fittest, if nobody else was chosen.
    pub fn survivor(&self, candidates: usize) -> usize {
        self.elite
            .unwrap_or_else(|| fittest(self.fitness, candidates))
    }
}

/// What is known of a gene of a population that is known by its distribution alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneStatistics {
    /// Mean of the population.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// By how many standard errors greater numbers have done better, or smaller ones if negative.
    pub evidence: f64,
}

/// A population on its way.
pub trait Algorithm: fmt::Debug + Send {
    /// What an individual is to the algorithm.
    type Genome;

    /// Number of the generation, from 0.
    fn generation(&self) -> u32;

    /// The individuals of the generation. To be asked once a generation: some algorithms draw them here.
    fn ask(&mut self) -> Batch<Self::Genome>;

    /// Goes on to the next generation.
    fn tell(&mut self, feedback: Feedback<'_>);

    /// Who stands for the population if none of its individuals does.
    fn mean(&self) -> Option<Self::Genome> {
        None
    }

    /// What the population is like, gene by gene, if nothing else is known of it.
    fn statistics(&self) -> Vec<GeneStatistics> {
        Vec::new()
    }
}

impl<A: Algorithm + ?Sized> Algorithm for Box<A> {
    type Genome = A::Genome;

    fn generation(&self) -> u32 {
        (**self).generation()
    }

    fn ask(&mut self) -> Batch<A::Genome> {
        (**self).ask()
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        (**self).tell(feedback);
    }

    fn mean(&self) -> Option<A::Genome> {
        (**self).mean()
    }

    fn statistics(&self) -> Vec<GeneStatistics> {
        (**self).statistics()
    }
}

/// Indices from the best individual to the worst, equals in order of their index.
pub fn by_fitness(fitness: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(fitness[index]));
    order
}

/// The fittest of the first so many individuals.
pub fn fittest(fitness: &[u64], candidates: usize) -> usize {
    let candidates = &fitness[..candidates.min(fitness.len())];
    by_fitness(candidates).first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lowest_index() {
        assert_eq!(by_fitness(&[3, 9, 3, 9]), [1, 3, 0, 2]);
    }

    /// Whoever is no candidate may be fitter, and whoever is chosen elsewhere may be less fit.
    #[test]
    fn the_survivor_is_a_candidate_or_was_chosen() {
        let fitness = [1, 5, 9];
        let survivor = |elite, candidates| {
            Feedback {
                fitness: &fitness,
                elite,
            }
            .survivor(candidates)
        };
        assert_eq!(survivor(None, 3), 2);
        assert_eq!(survivor(None, 2), 1);
        assert_eq!(survivor(Some(0), 3), 0);
    }
}
