//! From the method that a profile names to a population at its generation 0.

use crate::config::evolution::Method;
use crate::drive::population::{Encoded, Population};
use crate::drive::sampled::{Handover, Sampled};
use crate::encoding::{Encoding, Phenotype};
use crate::error::RunError;
use crate::evolution::algorithm::Algorithm;
use crate::evolution::cma_es::{CmaEs, Ranges, Variant};
use crate::evolution::compact::{Compact, CompactGa, Marginal, Outcome};
use crate::evolution::evolutionary_programming::EvolutionaryProgramming;
use crate::evolution::ga::Ga;
use crate::evolution::genome::Genome;
use engine::params::{Gene, ParamSet};

/// Parameters that evolve by a method.
pub type Evolving<'a> = Box<dyn Population<Candidate = Phenotype> + 'a>;

/// Bits as parameters.
fn bits<'a, A>(algorithm: A, encoding: &'a Encoding) -> Evolving<'a>
where
    A: Algorithm<Genome = Genome> + 'a,
{
    let decode = |genome: &Genome| encoding.phenotype(genome);
    Box::new(Encoded::new(algorithm, decode))
}

/// Whole numbers as parameters.
pub fn whole_numbers<'a>(algorithm: CompactGa, encoding: &'a Encoding) -> Evolving<'a> {
    let decode = |values: &Vec<i32>| {
        let mut params = encoding.base.clone();
        for (gene, &value) in encoding.genes.iter().zip(values) {
            params.set(gene, value);
        }
        encoding.values(&params)
    };
    Box::new(Encoded::new(algorithm, decode))
}

/// The numbers that a gene can have.
pub fn range(gene: &Gene) -> (i32, i32) {
    let widest = i32::try_from((1_i64 << gene.bits) - 1).unwrap_or(i32::MAX);
    (gene.low, gene.high.min(gene.low.saturating_add(widest)))
}

/// A random generation 0.
///
/// # Errors
/// See [`founded`].
pub fn random<'a>(
    method: &Method,
    encoding: &'a Encoding,
    seed: u64,
) -> Result<Evolving<'a>, RunError> {
    founded(method, encoding, &[], seed)
}

/// Generation 0 from these founders; without any a random one.
///
/// # Errors
/// None of the genes has any room.
pub fn founded<'a>(
    method: &Method,
    encoding: &'a Encoding,
    founders: &[ParamSet],
    seed: u64,
) -> Result<Evolving<'a>, RunError> {
    let genomes = || {
        founders
            .iter()
            .map(|params| encoding.genome(params))
            .collect()
    };
    Ok(match method {
        Method::Ga(settings) => {
            let ga = Ga::founded(settings.clone(), &encoding.shape, genomes(), seed);
            bits(ga, encoding)
        }
        Method::Plain {
            plain,
            population,
            elitism,
        } => {
            let (population, elitism) = (*population, *elitism);
            let plain = (plain.new)(&encoding.shape, genomes(), population, elitism, seed);
            bits(plain, encoding)
        }
        Method::CmaEs { population, spread } => {
            let least = *spread;
            let (mean, deviation) = mean_and_spread(encoding, founders, least);
            let ranges = Ranges::FromZero(encoding.most());
            let cma_es = CmaEs::new(mean, &deviation, ranges, seed, Variant::Standard);
            let first = founders.first().map(|first| encoding.values(first));
            // The best one until now and the mean are individuals too.
            let drawn = population.saturating_sub(2);
            Box::new(Sampled::new(encoding, cma_es, 0, drawn, first))
        }
        Method::EvolutionaryProgramming(settings) => {
            let ranges = encoding
                .most()
                .into_iter()
                .map(|most| (0.0, most))
                .collect();
            let numbers = |params: &ParamSet| -> Vec<f64> {
                let genes = encoding.genes.iter();
                genes
                    .map(|gene| f64::from(params.get(gene) - gene.low))
                    .collect()
            };
            let founders = founders.iter().map(numbers).collect();
            let players = EvolutionaryProgramming::new(*settings, ranges, founders, seed);
            let decode = |numbers: &Vec<f64>| {
                // Whole centipawns.
                let fractions = encoding.phenotype_of_fractions(numbers);
                encoding.values(&encoding.params(&fractions))
            };
            Box::new(Encoded::new(players, decode))
        }
        Method::Compact { population, duels } => {
            let marginals = encoding.genes.iter().map(|gene| match founders {
                [] => Marginal::uniform(range(gene)),
                _ => {
                    let numbers: Vec<i32> =
                        founders.iter().map(|params| params.get(gene)).collect();
                    Marginal::of(range(gene), &numbers, 0.0)
                }
            });
            let marginals: Vec<Marginal> = marginals.collect();
            if marginals.iter().all(|marginal| marginal.deviation() == 0.0) {
                return Err(RunError::NoSpread);
            }
            let population = Compact::new(marginals, *population, seed);
            let compact = CompactGa::new(population, *duels, Outcome::Sign, true);
            whole_numbers(compact, encoding)
        }
    })
}

/// The mean of founders and how far they lie apart, gene by gene above its least value, and at least such a part of
/// its range; without founders the middle of the range.
fn mean_and_spread(encoding: &Encoding, founders: &[ParamSet], least: f64) -> (Vec<f64>, Vec<f64>) {
    let genes = encoding.genes.iter().zip(encoding.most());
    let of_gene = |(gene, most): (&Gene, f64)| {
        let numbers = founders
            .iter()
            .map(|params| f64::from(params.get(gene) - gene.low));
        let count = founders.len() as f64;
        if founders.is_empty() {
            return (most / 2.0, least * most);
        }
        let mean = numbers.clone().sum::<f64>() / count;
        let squares = numbers.map(|number| (number - mean) * (number - mean));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        (mean.clamp(0.0, most), deviation.max(least * most))
    };
    genes.map(of_gene).unzip()
}

/// A genetic algorithm until generation `from`, and CMA-ES from there on, with as many individuals.
///
/// # Errors
/// As [`random`].
pub fn handover<'a>(
    method: &Method,
    encoding: &'a Encoding,
    seed: u64,
    from: u32,
) -> Result<Evolving<'a>, RunError> {
    let Some(settings) = method.ga() else {
        return random(method, encoding, seed);
    };
    let ga = Ga::new(settings.clone(), &encoding.shape, seed);
    // The middle of the distribution is one of the new individuals.
    let drawn = (settings.population - settings.elitism).saturating_sub(1);
    Ok(Box::new(Handover::new(encoding, ga, seed, from, drawn)))
}
