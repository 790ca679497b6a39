//! The generational loop as a state machine without input or output: look at the population,
//! find its fitness elsewhere, [`Ga::advance`].
//!
//! 2014 §III.B gives population size, rates, number of generations, fitness-proportional
//! selection, uniform crossover and elitism ("the best organism is copied to the next
//! generation"). Where it is silent, this is what happens here:
//!
//! - Generation 0 is random bits, and it is counted: 200 generations are 0 to 199.
//! - Parents are drawn in pairs, with replacement, so both may be the same individual. With the
//!   crossover rate a pair has two crossed children, otherwise its two children are copies.
//! - Where it is asked for, a child that is not crossed begins in the middle of the fittest instead of as
//!   a copy (not in the papers; see [`super::intermediate`]).
//! - Where it is asked for, a child is then moved along the difference of two individuals, drawn
//!   from all with replacement, or along the way from an ancestor to the best of today (neither is in
//!   the papers; see [`super::difference`] and [`super::ancestors`]).
//! - Mutation then touches every child; only the elite stays as it is.
//! - Of individuals of equal fitness the one with the lowest index counts as the better; the
//!   elite comes first in the next generation.
//! - A last child for which there is no place is dropped.
//!
//! 2011 §3.4 crosses at a single point and says "we replicate the best organism and delete the worst
//! organism". Children take the place of all others anyhow, so *deleted* can only mean that nothing comes
//! of it: where it is asked for, the least fit, the last of equals, is no parent.

use super::algorithm::{Algorithm, Batch, Feedback, by_fitness};
use super::ancestors::Ancestors;
use super::crossover::Crossover;
use super::difference;
use super::genome::{Genome, Shape};
use super::intermediate;
use super::mutation;
use super::rng::{Probability, Random};
use super::selection::{Selection, Wheel};

/// What makes one genetic algorithm differ from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Individuals in each generation.
    pub population: usize,
    /// Probability that a pair of parents is crossed.
    pub crossover_rate: Probability,
    /// Probability that a bit of a child flips.
    pub mutation_rate: Probability,
    /// Probability that a gene of a child is moved by a small step.
    pub creep_rate: Option<Probability>,
    /// Probability that a child is moved along the difference of two individuals.
    pub difference_rate: Option<Probability>,
    /// Probability that a child is moved along the way from an ancestor to the best individual
    /// instead.
    pub ancestor_rate: Option<Probability>,
    /// Probability that a child that is not crossed begins as the mean of the fittest.
    pub intermediate_rate: Option<Probability>,
    /// Individuals that are copied unchanged, best first.
    pub elitism: usize,
    /// How parents are drawn.
    pub selection: Selection,
    /// How two parents are crossed.
    pub crossover: Crossover,
    /// Whether the least fit individual is no parent.
    pub exclude_worst: bool,
}

/// A population on its way.
#[derive(Clone, Debug)]
pub struct Ga {
    settings: Settings,
    shape: Shape,
    rng: Random,
    generation: u32,
    population: Vec<Genome>,
    ancestors: Ancestors,
}

impl Ga {
    /// Generation 0: random genomes of this shape.
    pub fn new(settings: Settings, shape: &Shape, seed: u64) -> Ga {
        let mut rng = Random::new(seed);
        let random = std::iter::repeat_with(|| Genome::random(shape.bits(), &mut rng));
        let population = random.take(settings.population).collect();
        Ga {
            settings,
            shape: shape.clone(),
            rng,
            generation: 0,
            population,
            ancestors: Ancestors::default(),
        }
    }

    /// Generation 0: these genomes, cut or filled up to the size of the population. Whoever is
    /// missing is bred from the founders, all of them equally likely parents; without founders it
    /// is random.
    pub fn founded(settings: Settings, shape: &Shape, founders: Vec<Genome>, seed: u64) -> Ga {
        if founders.is_empty() {
            return Ga::new(settings, shape, seed);
        }
        let equal = vec![0; founders.len()];
        let mut ga = Ga {
            rng: Random::new(seed),
            shape: shape.clone(),
            generation: 0,
            population: founders,
            ancestors: Ancestors::default(),
            settings,
        };
        let kept: Vec<usize> = (0..ga.population.len()).collect();
        let wheel = Wheel::new(ga.settings.selection, &equal);
        ga.breed(&equal, &kept, &wheel);
        ga
    }

    /// The individuals of the current generation.
    pub fn population(&self) -> &[Genome] {
        &self.population
    }

    /// How far each gene of the best has wandered of late, if ancestors are remembered.
    pub fn spread(&self) -> Vec<f64> {
        self.ancestors.spread(&self.shape)
    }

    /// Breeds the next generation; `fitness[i]` is that of individual `i`, higher is better.
    pub fn advance(&mut self, fitness: &[u64]) {
        let mut elite = by_fitness(fitness);
        elite.truncate(self.settings.elitism);
        self.advance_keeping(fitness, &elite);
    }

    /// The same with an elite that was chosen elsewhere, best first, for where fitness is a noisy
    /// measure.
    pub fn advance_keeping(&mut self, fitness: &[u64], elite: &[usize]) {
        if self.settings.ancestor_rate.is_some() {
            let best = self.best(fitness, elite).cloned();
            self.ancestors.remember(self.generation, best);
        }
        let selection = self.settings.selection;
        let wheel = match self.settings.exclude_worst {
            true => Wheel::without_worst(selection, fitness),
            false => Wheel::new(selection, fitness),
        };
        self.breed(fitness, elite, &wheel);
        self.generation += 1;
    }

    /// The first of the elite; without one, the fittest.
    fn best(&self, fitness: &[u64], elite: &[usize]) -> Option<&Genome> {
        let fittest = || by_fitness(fitness).first().copied();
        let best = elite.first().copied().or_else(fittest)?;
        self.population.get(best)
    }

    /// What a child that is not crossed begins as: the mean of the fittest, or its parent.
    fn in_the_middle(&mut self, parent: Genome, fittest: &[usize]) -> Genome {
        match self.settings.intermediate_rate {
            Some(rate) if self.rng.happens(rate) => {
                let population = &self.population;
                let fittest = fittest.iter().filter_map(|&index| population.get(index));
                intermediate::mean(&fittest.collect::<Vec<_>>(), &self.shape, &mut self.rng)
            }
            _ => parent,
        }
    }

    /// Moves a child along the way from an ancestor, along the difference of two individuals, or not at
    /// all. Who asks for neither has the draws that there were before there were any.
    fn step(&mut self, child: &mut Genome, best: Option<&Genome>) {
        let rng = &mut self.rng;
        if let (Some(rate), Some(best)) = (self.settings.ancestor_rate, best)
            && rng.happens(rate)
        {
            // Up to twice as far as the best has come: it is rarely there yet.
            if let Some(ancestor) = self.ancestors.draw(rng) {
                difference::add(child, &self.shape, [ancestor, best], 2, rng);
            }
            return;
        }
        if let Some(rate) = self.settings.difference_rate
            && rng.happens(rate)
        {
            let mut drawn = || {
                let index = rng.below(self.population.len() as u128);
                &self.population[index as usize]
            };
            let two = [drawn(), drawn()];
            difference::add(child, &self.shape, two, 1, rng);
        }
    }

    /// Puts the elite and its contemporaries' children in the population's place.
    fn breed(&mut self, fitness: &[u64], elite: &[usize], wheel: &Wheel) {
        let best = self.best(fitness, elite).cloned();
        let mut fittest = by_fitness(fitness);
        fittest.truncate((self.population.len() * 2 / 5).max(1));
        let mut next: Vec<Genome> = elite
            .iter()
            .filter_map(|&index| self.population.get(index).cloned())
            .collect();
        while next.len() < self.settings.population {
            let mother = wheel.spin(&mut self.rng);
            let father = wheel.spin(&mut self.rng);
            let (Some(mother), Some(father)) =
                (self.population.get(mother), self.population.get(father))
            else {
                // Fewer genomes than fitness values, or none: nothing can be bred.
                break;
            };
            let (mut first, mut second) = if self.rng.happens(self.settings.crossover_rate) {
                self.settings.crossover.cross(mother, father, &mut self.rng)
            } else {
                let (mother, father) = (mother.clone(), father.clone());
                (
                    self.in_the_middle(mother, &fittest),
                    self.in_the_middle(father, &fittest),
                )
            };
            for child in [&mut first, &mut second] {
                self.step(child, best.as_ref());
                if let Some(rate) = self.settings.creep_rate {
                    mutation::creep(child, &self.shape, rate, &mut self.rng);
                }
                mutation::flip_bits(child, self.settings.mutation_rate, &mut self.rng);
            }
            next.extend([first, second]);
        }
        next.truncate(self.settings.population);
        self.population = next;
    }
}

impl Algorithm for Ga {
    type Genome = Genome;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Genome> {
        Batch::of_candidates(self.population.clone())
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        match feedback.elite {
            Some(elite) => self.advance_keeping(feedback.fitness, &[elite]),
            None => self.advance(feedback.fitness),
        }
    }
}

/// Tests, whose settings the tests of phases have too.
#[cfg(test)]
pub mod tests {
    use super::*;

    /// The paper's, for twenty individuals.
    pub fn settings(elitism: usize) -> Settings {
        Settings {
            population: 20,
            crossover_rate: Probability::new(0.75),
            mutation_rate: Probability::new(0.005),
            creep_rate: None,
            difference_rate: None,
            ancestor_rate: None,
            intermediate_rate: None,
            elitism,
            selection: Selection::Roulette,
            crossover: Crossover::Uniform,
            exclude_worst: false,
        }
    }

    /// Squared number of ones.
    fn ones(population: &[Genome]) -> Vec<u64> {
        let count = |genome: &Genome| genome.0.iter().filter(|bit| **bit).count() as u64;
        population
            .iter()
            .map(|genome| count(genome).pow(2))
            .collect()
    }

    /// How fit the fittest is after so many generations.
    fn best(
        settings: Settings,
        shape: &Shape,
        fitness: impl Fn(&Genome) -> u64,
        (generations, seed): (u32, u64),
    ) -> u64 {
        let mut ga = Ga::new(settings, shape, seed);
        let all = |ga: &Ga| -> Vec<u64> { ga.population().iter().map(&fitness).collect() };
        for _ in 0..generations {
            ga.advance(&all(&ga));
        }
        all(&ga).into_iter().max().unwrap_or(0)
    }

    #[test]
    fn the_best_organism_is_copied_unchanged() {
        let mut ga = Ga::new(settings(1), &Shape::new([6; 10]), 1);
        for generation in 0..50 {
            assert_eq!(ga.generation(), generation);
            let fitness = ones(ga.population());
            let best = ga.population()[by_fitness(&fitness)[0]].clone();
            ga.advance(&fitness);
            assert_eq!(ga.population()[0], best);
            assert_eq!(ga.population().len(), 20);
        }
    }

    #[test]
    fn selection_drives_the_population() {
        let mut ga = Ga::new(settings(1), &Shape::new([6; 10]), 3);
        let mean = |ga: &Ga| ones(ga.population()).iter().sum::<u64>() / 20;
        let before = mean(&ga);
        for _ in 0..60 {
            ga.advance(&ones(ga.population()));
        }
        assert!(mean(&ga) > before * 3 / 2, "{before} -> {}", mean(&ga));
    }

    #[test]
    fn one_seed_one_history() {
        let run = |seed| {
            let mut ga = Ga::new(settings(2), &Shape::new([5, 7]), seed);
            for _ in 0..10 {
                ga.advance(&ones(ga.population()));
            }
            ga.population().to_vec()
        };
        assert_eq!(run(11), run(11));
        assert_ne!(run(11), run(12));
    }

    #[test]
    fn without_variation_children_are_copies_of_the_fit() {
        let mut ga = Ga::new(
            Settings {
                crossover_rate: Probability::new(0.0),
                mutation_rate: Probability::new(0.0),
                ..settings(0)
            },
            &Shape::new([31]),
            5,
        );
        let chosen = ga.population()[7].clone();
        let mut fitness = vec![0; 20];
        fitness[7] = 1;
        ga.advance(&fitness);
        assert!(ga.population().iter().all(|genome| *genome == chosen));
    }

    /// Two individuals, of which the worse has nearly all of the wheel's other half: it has children unless it
    /// is excluded.
    #[test]
    fn the_worst_has_no_children_where_it_is_excluded() {
        let children_of_the_worst = |exclude_worst| {
            let quiet = Settings {
                crossover_rate: Probability::new(0.0),
                mutation_rate: Probability::new(0.0),
                population: 2,
                exclude_worst,
                ..settings(0)
            };
            let shape = Shape::new([31]);
            let founders = [3, 9].map(|number| shape.encode(&[number]));
            let breeds = (0..50).map(|seed| {
                let mut ga = Ga::founded(quiet.clone(), &shape, founders.to_vec(), seed);
                ga.advance(&[100, 99]);
                let children = ga.population().iter();
                children.filter(|child| **child == founders[1]).count()
            });
            breeds.sum::<usize>()
        };
        assert!(children_of_the_worst(false) > 30);
        assert_eq!(children_of_the_worst(true), 0);
    }

    #[test]
    fn founders_come_first_and_the_rest_is_bred_from_them() {
        let shape = Shape::new([31]);
        let founders = [3, 9].map(|number| shape.encode(&[number]));
        let quiet = Settings {
            crossover_rate: Probability::new(0.0),
            mutation_rate: Probability::new(0.0),
            ..settings(1)
        };
        let ga = Ga::founded(quiet.clone(), &shape, founders.to_vec(), 4);
        assert_eq!(ga.generation(), 0);
        assert_eq!(ga.population()[..2], founders);
        assert_eq!(ga.population().len(), 20);
        assert!(
            ga.population()
                .iter()
                .all(|genome| founders.contains(genome))
        );
        let many = vec![founders[0].clone(); 30];
        assert_eq!(
            Ga::founded(quiet.clone(), &shape, many, 4)
                .population()
                .len(),
            20
        );
        let random = Ga::founded(quiet.clone(), &shape, Vec::new(), 4);
        assert_eq!(random.population(), Ga::new(quiet, &shape, 4).population());
    }

    #[test]
    fn an_elite_chosen_elsewhere_is_kept() {
        let mut ga = Ga::new(settings(1), &Shape::new([6; 10]), 1);
        let kept = ga.population()[13].clone();
        ga.advance_keeping(&ones(ga.population()), &[13]);
        assert_eq!(ga.population()[0], kept);
        assert_eq!((ga.population().len(), ga.generation()), (20, 1));
    }

    /// Two genes that make up for each other: their sum matters a thousand times more than their
    /// difference, and the way to the best is long. Whoever goes on along the ancestors' way is there
    /// long before the others are.
    #[test]
    fn the_ancestors_show_the_way_along_a_valley() {
        let shape = Shape::new([12, 12]);
        let worth = |genome: &Genome| {
            let genes = shape.decode(genome);
            let (first, second) = (i64::from(genes[0]), i64::from(genes[1]));
            let off = 1_000 * (first + second - 4_095).pow(2) + (second - first - 3_801).pow(2);
            (1 << 50) - off.unsigned_abs()
        };
        let best = |ancestor_rate: Option<f64>, seed| {
            let with = Settings {
                ancestor_rate: ancestor_rate.map(Probability::new),
                selection: Selection::Rank,
                mutation_rate: Probability::new(0.02),
                ..settings(4)
            };
            best(with, &shape, worth, (400, seed))
        };
        let ahead = (0..20).filter(|&seed| best(Some(0.4), seed) > best(None, seed));
        let ahead = ahead.count();
        assert!(ahead >= 15, "{ahead} of 20");
    }

    /// Many genes that each should be in the middle of their range: single individuals have some of
    /// them right, their mean nearly all.
    #[test]
    fn children_in_the_middle_of_the_fittest_get_there_sooner() {
        let shape = Shape::new([8; 60]);
        let worth = |genome: &Genome| -> u64 {
            let genes = shape.decode(genome).into_iter();
            let off = genes.map(|gene| u64::from(gene.abs_diff(100)).pow(2));
            (1 << 30) - off.sum::<u64>()
        };
        let best = |intermediate_rate: Option<f64>, seed| {
            let with = Settings {
                crossover_rate: Probability::new(0.3),
                intermediate_rate: intermediate_rate.map(Probability::new),
                selection: Selection::Rank,
                ..settings(4)
            };
            best(with, &shape, worth, (100, seed))
        };
        let sooner = (0..20).filter(|&seed| best(Some(0.8), seed) > best(None, seed));
        let sooner = sooner.count();
        assert!(sooner >= 18, "{sooner} of 20");
    }
}
