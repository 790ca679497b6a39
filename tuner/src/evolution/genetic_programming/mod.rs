//! Strongly typed genetic programming: individuals of several trees that evolve by subtree crossover, mutation and
//! reproduction (D. J. Montana, "Strongly typed genetic programming", *Evolutionary Computation* 3(2), 1995; as
//! A. Hauptman and M. Sipper evolve chess endgame players, 2005 §3).
//!
//! | file | job |
//! |---|---|
//! | `mod` | the population |
//! | `signatures` | the language: kinds of values and how small trees can be |
//! | `tree` | trees as flat arrays, and their nodes |
//! | `grow` | new trees |
//! | `operators` | crossover and mutation |
//!
//! What the primitives mean is nowhere here: the language is a table of signatures. Every tree is feasible by
//! construction, complete, of the right kinds and within its bounds, so nothing is ever repaired or thrown away.
//!
//! Where the paper is silent, this is what happens here:
//!
//! - Generation 0 is ramped half-and-half; the root of a tree is a function where its bounds allow one.
//! - Parents win tournaments: so many are drawn with replacement, the fittest of them wins. Of equals the first drawn
//!   wins, or with `parsimony` the one with fewer nodes (lexicographic parsimony pressure, Luke and Panait 2002).
//! - Each place of the next generation is filled by one operator: crossover (one child), mutation or, for the rest of
//!   the probability, reproduction. An operator works on one of the trees, all equally likely, and leaves the others
//!   as the first parent has them; both parents give subtrees of the same tree.

pub mod grow;
pub mod operators;
pub mod signatures;
#[cfg(test)]
mod tests;
pub mod tree;

use super::algorithm::{Algorithm, Batch, Feedback, by_fitness};
use super::rng::{Probability, Random};
use grow::Method;
use signatures::Signatures;
use tree::{Bounds, Tree};

/// Where an individual comes from; numbers are places in the generation before, trees are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Generation 0.
    Random,
    /// A copy.
    Reproduced(usize),
    /// The first one, with a subtree of the second in this of its trees.
    Crossed(usize, usize, usize),
    /// The same with a new subtree in this of its trees.
    Mutated(usize, usize),
}

impl Origin {
    /// The parent that most of it comes from.
    pub fn parent(self) -> Option<usize> {
        match self {
            Origin::Random => None,
            Origin::Reproduced(parent) | Origin::Mutated(parent, _) => Some(parent),
            Origin::Crossed(mother, ..) => Some(mother),
        }
    }
}

/// An individual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Individual {
    /// Its trees.
    pub trees: Vec<Tree>,
    /// Where it comes from.
    pub origin: Origin,
}

impl Individual {
    /// Nodes of all its trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(Vec::len).sum()
    }
}

/// What makes one run differ from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Individuals in each generation.
    pub population: usize,
    /// Bounds of each tree of an individual.
    pub bounds: Vec<Bounds>,
    /// Least and greatest depth of the trees of generation 0; what mutation grows has no more levels than the latter.
    pub first_depths: (u32, u32),
    /// Probability that a place is filled by crossover.
    pub crossover: f64,
    /// Probability that it is filled by mutation; what is left is reproduction.
    pub mutation: f64,
    /// Individuals that are drawn for a tournament.
    pub tournament: usize,
    /// Individuals that go to the next generation unchanged, best first.
    pub elitism: usize,
    /// Whether of equally fit individuals the smaller one wins a tournament.
    pub parsimony: bool,
}

/// A population on its way.
#[derive(Clone, Debug)]
pub struct GeneticProgramming {
    signatures: Signatures,
    settings: Settings,
    rng: Random,
    generation: u32,
    individuals: Vec<Individual>,
}

impl GeneticProgramming {
    /// Generation 0, ramped half-and-half: the depths take turns, and of each depth one is full, the next is grown.
    pub fn new(signatures: Signatures, settings: Settings, seed: u64) -> GeneticProgramming {
        let mut rng = Random::new(seed);
        let (low, high) = settings.first_depths;
        let depths = high.saturating_sub(low) + 1;
        let individual = |number: usize| {
            let depth = low + (number / 2) as u32 % depths;
            let method = match number % 2 {
                0 => Method::Full,
                _ => Method::Grow,
            };
            let tree = |bounds: &Bounds| {
                // A bound or a language may leave no room for something so flat, or so deep.
                let least = signatures.least_depth(signatures.root());
                let room = Bounds {
                    depth: depth.max(least).min(bounds.depth),
                    ..*bounds
                };
                grow::tree(
                    &signatures,
                    signatures.root(),
                    room,
                    (method, true),
                    &mut rng,
                )
            };
            Individual {
                trees: settings.bounds.iter().map(tree).collect(),
                origin: Origin::Random,
            }
        };
        GeneticProgramming {
            individuals: (0..settings.population).map(individual).collect(),
            signatures,
            settings,
            rng,
            generation: 0,
        }
    }

    /// The individuals of the current generation.
    pub fn individuals(&self) -> &[Individual] {
        &self.individuals
    }

    /// The winner of a tournament.
    fn winner(&mut self, fitness: &[u64]) -> usize {
        let count = self.individuals.len() as u128;
        let draws = 0..self.settings.tournament.max(1);
        let drawn: Vec<usize> = draws.map(|_| self.rng.below(count) as usize).collect();
        let size = |at: usize| match self.settings.parsimony {
            true => self.individuals[at].nodes(),
            false => 0,
        };
        let worth = |at: &usize| {
            let fitness = fitness.get(*at).copied().unwrap_or(0);
            (std::cmp::Reverse(fitness), size(*at))
        };
        drawn.into_iter().min_by_key(worth).unwrap_or(0)
    }

    /// A child for a place of the next generation.
    fn child(&mut self, fitness: &[u64]) -> Individual {
        let Settings {
            crossover,
            mutation,
            ..
        } = self.settings;
        let crosses = self.rng.happens(Probability::new(crossover));
        let mutates = self.rng.happens(Probability::new(match crossover < 1.0 {
            true => mutation / (1.0 - crossover),
            false => 0.0,
        }));
        let parent = self.winner(fitness);
        let mut trees = self.individuals[parent].trees.clone();
        let at = self.rng.below(trees.len() as u128) as usize;
        let (Some(tree), Some(&bounds)) = (trees.get_mut(at), self.settings.bounds.get(at)) else {
            return self.individuals[parent].clone();
        };
        let origin = match (crosses, mutates) {
            (true, _) => {
                let father = self.winner(fitness);
                let parents = (&*tree, &self.individuals[father].trees[at]);
                *tree = operators::crossover(&self.signatures, parents, bounds, &mut self.rng);
                Origin::Crossed(parent, father, at)
            }
            (false, true) => {
                let depth = self.settings.first_depths.1;
                *tree = operators::mutation(&self.signatures, tree, bounds, depth, &mut self.rng);
                Origin::Mutated(parent, at)
            }
            (false, false) => Origin::Reproduced(parent),
        };
        Individual { trees, origin }
    }
}

impl Algorithm for GeneticProgramming {
    type Genome = Individual;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Individual> {
        Batch::of_candidates(self.individuals.clone())
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        let elite = match feedback.elite {
            Some(elite) => vec![elite],
            None => by_fitness(feedback.fitness),
        };
        let kept = elite.into_iter().take(self.settings.elitism);
        let kept = kept.filter_map(|at| {
            let trees = self.individuals.get(at)?.trees.clone();
            let origin = Origin::Reproduced(at);
            Some(Individual { trees, origin })
        });
        let mut next: Vec<Individual> = kept.collect();
        let size = self.individuals.len();
        next.truncate(size);
        while next.len() < size {
            let child = self.child(feedback.fitness);
            next.push(child);
        }
        self.individuals = next;
        self.generation += 1;
    }
}
