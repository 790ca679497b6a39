//! Random search, the baseline: each generation is drawn at random, only the best so far are kept. Whatever
//! breeds has to do better than this with as many evaluations, or it has learnt nothing (J. Bergstra and Y. Bengio,
//! "Random Search for Hyper-Parameter Optimization", Journal of Machine Learning Research 13, 2012).

use super::algorithm::{Algorithm, Batch, Feedback, by_fitness};
use super::genome::{Genome, Shape};
use super::rng::Random;

/// A population that is drawn anew.
#[derive(Clone, Debug)]
pub struct RandomSearch {
    rng: Random,
    /// Bits of a genome.
    bits: usize,
    elitism: usize,
    generation: u32,
    population: Vec<Genome>,
}

impl RandomSearch {
    /// Generation 0: so many random genomes of this shape. `elitism` is how many are kept from one generation to
    /// the next, at most.
    pub fn new(shape: &Shape, population: usize, elitism: usize, seed: u64) -> RandomSearch {
        RandomSearch::founded(shape, Vec::new(), population, elitism, seed)
    }

    /// The same with these genomes at its front, as far as there is room.
    pub fn founded(
        shape: &Shape,
        founders: Vec<Genome>,
        population: usize,
        elitism: usize,
        seed: u64,
    ) -> RandomSearch {
        let mut rng = Random::new(seed);
        let bits = shape.bits();
        let mut genomes = founders;
        genomes.resize_with(population, || Genome::random(bits, &mut rng));
        RandomSearch {
            population: genomes,
            rng,
            bits,
            elitism,
            generation: 0,
        }
    }

    /// The individuals of the current generation, those that were kept first.
    pub fn population(&self) -> &[Genome] {
        &self.population
    }

    /// Draws the next generation; `elite` has the indices of those that are kept, the best first. What is no
    /// index, or beyond the elitism, is left out.
    pub fn advance(&mut self, elite: &[usize]) {
        let size = self.population.len();
        let kept = elite.iter().filter_map(|&index| self.population.get(index));
        let mut next: Vec<Genome> = kept.take(self.elitism.min(size)).cloned().collect();
        next.resize_with(size, || Genome::random(self.bits, &mut self.rng));
        self.population = next;
        self.generation += 1;
    }
}

impl Algorithm for RandomSearch {
    type Genome = Genome;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Genome> {
        Batch::of_candidates(self.population.clone())
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        match feedback.elite {
            Some(elite) => self.advance(&[elite]),
            None => self.advance(&by_fitness(feedback.fitness)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn founders_come_first_and_the_rest_is_random() {
        let shape = Shape::new([4, 3, 1]);
        let founder = shape.encode(&[5, 2, 1]);
        let of = |size| RandomSearch::founded(&shape, vec![founder.clone(); 2], size, 1, 9);
        assert_eq!(of(4).population()[..2], [founder.clone(), founder.clone()]);
        let random = RandomSearch::new(&shape, 2, 1, 9);
        assert_eq!(of(4).population()[2..], *random.population());
        assert_eq!(of(1).population().len(), 1);
    }

    fn search(elitism: usize, seed: u64) -> RandomSearch {
        RandomSearch::new(&Shape::new([4, 3, 1]), 20, elitism, seed)
    }

    /// The sum of the genes.
    fn fitness(search: &RandomSearch) -> Vec<u64> {
        let shape = Shape::new([4, 3, 1]);
        let genomes = search.population().iter();
        let sum = |genome| shape.decode(genome).into_iter().map(u64::from).sum();
        genomes.map(sum).collect()
    }

    /// What a run has found is its best, so that may not be lost again; without an elite it is.
    #[test]
    fn the_best_never_gets_worse_if_it_is_kept() {
        let history = |elitism| {
            let mut search = search(elitism, 3);
            let best = (0..50).map(|_| {
                let fitness = fitness(&search);
                search.advance(&by_fitness(&fitness));
                fitness.into_iter().max()
            });
            best.collect::<Vec<_>>()
        };
        assert!(history(1).is_sorted());
        assert!(!history(0).is_sorted());
    }

    /// Whoever measures an individual again looks for it there.
    #[test]
    fn the_elite_comes_first_and_the_population_keeps_its_size() {
        let mut search = search(3, 1);
        let before = search.population().to_vec();
        // More than are kept, and one that is none.
        search.advance(&[7, 99, 2, 11, 5]);
        let kept = [7, 2, 11].map(|index: usize| before[index].clone());
        assert_eq!(search.population()[..3], kept);
        assert_eq!((search.population().len(), search.generation()), (20, 1));
        // An elite as large as everybody, and nobody at all.
        let mut all = RandomSearch::new(&Shape::new([4]), 2, 5, 1);
        let before = all.population().to_vec();
        all.advance(&[0, 1, 0]);
        assert_eq!(all.population(), before);
        let mut nobody = RandomSearch::new(&Shape::new([4]), 0, 1, 1);
        nobody.advance(&[]);
        assert!(nobody.population().is_empty());
    }

    /// A baseline that prefers some numbers would be good or bad by that.
    #[test]
    fn every_number_is_as_likely_in_every_generation() {
        let mut search = RandomSearch::new(&Shape::new([4]), 101, 1, 9);
        let shape = Shape::new([4]);
        let mut counts = [0.0_f64; 16];
        for _ in 0..160 {
            search.advance(&[0]);
            for genome in &search.population()[1..] {
                counts[shape.decode(genome)[0] as usize] += 1.0;
            }
        }
        // 16,000 draws of 16 numbers: 1,000 each. Chi-square with 15 degrees of freedom has mean 15 and a
        // standard deviation of √30; five of them more are 42.4, and five fewer are none. That a correct one
        // is beyond has a probability of 2 in 10,000, and the seed is always the same.
        let chi_square = counts.map(|count| (count - 1_000.0) * (count - 1_000.0) / 1_000.0);
        let chi_square = chi_square.iter().sum::<f64>();
        assert!((1.0..42.4).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn one_seed_one_history() {
        let after = |seed| {
            let mut search = search(2, seed);
            for _ in 0..5 {
                search.advance(&[4, 1]);
            }
            search.population().to_vec()
        };
        assert_eq!(after(7), after(7));
        assert_ne!(after(7), after(8));
    }
}
