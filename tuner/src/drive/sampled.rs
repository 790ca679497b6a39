//! Individuals that are drawn from a distribution of real numbers ([CMA-ES](crate::evolution::cma_es)) and
//! rounded to parameters: from the first generation on, or after a genetic algorithm has found the region.
//!
//! Beside those that are drawn, each generation has the best individual until now and the mean of the
//! distribution, both of whole centipawns. Where the others have fractions of a centipawn ([`Encoding::unit`]),
//! only these two may be champions.

use super::population::Population;
use crate::encoding::{Encoding, Phenotype};
use crate::evolution::algorithm::{Algorithm, Batch, Feedback, by_fitness};
use crate::evolution::cma_es::{CmaEs, Ranges, Variant};
use crate::evolution::ga::Ga;

/// A population that is drawn.
#[derive(Debug)]
pub struct Sampled<'a> {
    encoding: &'a Encoding,
    cma_es: CmaEs,
    generation: u32,
    /// Individuals that are drawn in each generation.
    drawn: usize,
    /// The best of whole centipawns until now.
    champion: Option<Phenotype>,
    /// Individuals of whole centipawns at the front of this generation.
    whole: usize,
    individuals: Vec<Phenotype>,
}

impl<'a> Sampled<'a> {
    /// The first generation that is drawn. `champion` is the best of those before, if there were some.
    pub fn new(
        encoding: &'a Encoding,
        cma_es: CmaEs,
        generation: u32,
        drawn: usize,
        champion: Option<Phenotype>,
    ) -> Sampled<'a> {
        let mut sampled = Sampled {
            encoding,
            cma_es,
            generation,
            drawn,
            champion,
            whole: 0,
            individuals: Vec::new(),
        };
        sampled.draw();
        sampled
    }

    fn draw(&mut self) {
        let children = self.cma_es.ask(self.drawn);
        let encoding = self.encoding;
        let mean = encoding.phenotype_of_fractions(&self.cma_es.mean());
        let mean = encoding.values(&encoding.params(&mean));
        self.individuals = self.champion.iter().cloned().chain([mean]).collect();
        self.whole = self.individuals.len();
        let children = children.iter();
        self.individuals
            .extend(children.map(|child| encoding.phenotype_of_fractions(child)));
    }

    fn candidates(&self) -> usize {
        match self.encoding.unit {
            1 => self.individuals.len(),
            _ => self.whole,
        }
    }
}

impl Population for Sampled<'_> {
    type Candidate = Phenotype;

    fn generation(&self) -> u32 {
        self.generation
    }

    fn ask(&mut self) -> Batch<Phenotype> {
        Batch {
            individuals: self.individuals.clone(),
            candidates: self.candidates(),
        }
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        let of_drawn = feedback.fitness.get(self.whole..).unwrap_or_default();
        self.cma_es.tell(&by_fitness(of_drawn));
        let survivor = feedback.survivor(self.candidates());
        self.champion = self.individuals.get(survivor).cloned();
        self.generation += 1;
        self.draw();
    }
}

/// A genetic algorithm until a generation, and from there on a distribution that begins with its best
/// individual and as far around it as this one has wandered of late.
#[derive(Debug)]
pub struct Handover<'a> {
    encoding: &'a Encoding,
    seed: u64,
    /// The first generation that is drawn.
    from: u32,
    drawn: usize,
    now: Now<'a>,
}

#[derive(Debug)]
enum Now<'a> {
    Bred(Box<Ga>),
    Drawn(Box<Sampled<'a>>),
}

impl<'a> Handover<'a> {
    /// Of an algorithm at its generation 0, with its seed. From generation `from` on so many individuals are
    /// drawn.
    pub fn new(encoding: &'a Encoding, ga: Ga, seed: u64, from: u32, drawn: usize) -> Handover<'a> {
        Handover {
            encoding,
            seed,
            from,
            drawn,
            now: Now::Bred(Box::new(ga)),
        }
    }
}

impl Population for Handover<'_> {
    type Candidate = Phenotype;

    fn generation(&self) -> u32 {
        match &self.now {
            Now::Bred(ga) => ga.generation(),
            Now::Drawn(drawn) => drawn.generation(),
        }
    }

    fn ask(&mut self) -> Batch<Phenotype> {
        match &mut self.now {
            Now::Bred(ga) => ga.ask().map(|genome| self.encoding.phenotype(genome)),
            Now::Drawn(drawn) => drawn.ask(),
        }
    }

    fn tell(&mut self, feedback: Feedback<'_>) {
        match &mut self.now {
            Now::Bred(ga) if ga.generation() + 1 == self.from => {
                let genomes = ga.population();
                let Some(best) = genomes.get(feedback.survivor(genomes.len())) else {
                    return;
                };
                let numbers = self.encoding.shape.decode(best).into_iter();
                let mean = numbers.map(f64::from).collect();
                let ranges = Ranges::FromZero(self.encoding.most());
                // A seed of no other run: those have fewer bits. The variant is that of the first runs.
                let seed = !self.seed;
                let cma_es = CmaEs::new(mean, &ga.spread(), ranges, seed, Variant::Hastened);
                let best = self.encoding.phenotype(best);
                let (from, drawn) = (self.from, self.drawn);
                let drawn = Sampled::new(self.encoding, cma_es, from, drawn, Some(best));
                self.now = Now::Drawn(Box::new(drawn));
            }
            Now::Bred(ga) => ga.tell(feedback),
            Now::Drawn(drawn) => drawn.tell(feedback),
        }
    }
}
