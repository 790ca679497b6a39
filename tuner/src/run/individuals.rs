//! The individuals of a run that learns from positions, generation by generation: bred as genomes, and
//! from the generation on that the recipe names, drawn by CMA-ES.

use super::genotype::{Genotype, Phenotype};
use super::recipe::Recipe;
use crate::evolution::cma_es::{CmaEs, Ranges, Variant};
use crate::evolution::ga::{Ga, by_fitness};

/// A generation on its way.
pub struct Individuals<'a> {
    recipe: &'a Recipe,
    seed: u64,
    source: Source,
}

/// Where individuals come from.
enum Source {
    Genomes(Box<Ga>),
    CmaEs(Box<Drawn>),
}

/// Individuals that were drawn.
struct Drawn {
    strategy: CmaEs,
    generation: u32,
    /// The best of whole centipawns until now, the mean of all that may be drawn, in whole centipawns
    /// too, and then those that were drawn, with fractions.
    phenotypes: Vec<Phenotype>,
}

/// Individuals of whole centipawns among those that were drawn: the first ones.
const WHOLE: usize = 2;

impl<'a> Individuals<'a> {
    /// Generation 0.
    pub fn new(recipe: &'a Recipe, seed: u64) -> Individuals<'a> {
        let ga = Ga::new(recipe.settings.clone(), &recipe.genotype.shape, seed);
        Individuals {
            recipe,
            seed,
            source: Source::Genomes(Box::new(ga)),
        }
    }

    /// Number of the generation, from 0.
    pub fn generation(&self) -> u32 {
        match &self.source {
            Source::Genomes(ga) => ga.generation(),
            Source::CmaEs(drawn) => drawn.generation,
        }
    }

    /// What its individuals are.
    pub fn phenotypes(&self) -> Vec<Phenotype> {
        match &self.source {
            Source::Genomes(ga) => {
                let genomes = ga.population().iter();
                let phenotype = |genome| self.recipe.genotype.phenotype(genome);
                genomes.map(phenotype).collect()
            }
            Source::CmaEs(drawn) => drawn.phenotypes.clone(),
        }
    }

    /// The fittest that may be a champion: fractions never are one.
    pub fn best(&self, fitness: &[u64]) -> usize {
        let candidates = match &self.source {
            Source::Genomes(_) => fitness,
            Source::CmaEs(_) => &fitness[..WHOLE.min(fitness.len())],
        };
        by_fitness(candidates).first().copied().unwrap_or(0)
    }

    /// Goes on to the next generation; `fitness[i]` is that of individual `i`.
    pub fn advance(&mut self, fitness: &[u64]) {
        let best = self.best(fitness);
        let genotype = &self.recipe.genotype;
        match &mut self.source {
            Source::Genomes(ga) if self.recipe.covariance_from == Some(ga.generation() + 1) => {
                let best = &ga.population()[best];
                let numbers = genotype.shape.decode(best).into_iter().map(f64::from);
                let (mean, ranges) = (numbers.collect(), Ranges::FromZero(genotype.most()));
                // A seed of no other run: those have fewer bits.
                let seed = !self.seed;
                let variant = Variant::Hastened;
                let mut drawn = Drawn {
                    strategy: CmaEs::new(mean, &ga.spread(), ranges, seed, variant),
                    generation: ga.generation() + 1,
                    phenotypes: Vec::new(),
                };
                drawn.draw(genotype.phenotype(best), self.recipe);
                self.source = Source::CmaEs(Box::new(drawn));
            }
            Source::Genomes(ga) => ga.advance(fitness),
            Source::CmaEs(drawn) => {
                let drawn_fitness = fitness.get(WHOLE..).unwrap_or_default();
                drawn.strategy.tell(&by_fitness(drawn_fitness));
                let champion = drawn.phenotypes.swap_remove(best);
                drawn.generation += 1;
                drawn.draw(champion, self.recipe);
            }
        }
    }
}

impl Drawn {
    /// Draws a generation: as many new ones as the genetic algorithm has, the mean included.
    fn draw(&mut self, champion: Phenotype, recipe: &Recipe) {
        let genotype = &recipe.genotype;
        let new = recipe.settings.population - recipe.settings.elitism;
        let children = self.strategy.ask(new.saturating_sub(1));
        let mean = whole(genotype, &self.strategy.mean());
        self.phenotypes = vec![champion, mean];
        let children = children.iter();
        self.phenotypes
            .extend(children.map(|child| genotype.phenotype_of_fractions(child)));
    }
}

/// The phenotype of whole centipawns that is nearest to numbers with fractions.
fn whole(genotype: &Genotype, numbers: &[f64]) -> Phenotype {
    let fractions = genotype.phenotype_of_fractions(numbers);
    genotype.values(&genotype.params(&fractions))
}
