//! What a run does, without its data: everything that decides the course of evolution but the
//! positions themselves. It follows from the profile and the journal's header, so a finished run
//! can be read again long after its data files are gone.

use crate::config::{Fitness, Profile};
use crate::evolution::ga::Settings;
use crate::evolution::genome::{Genome, Shape};
use crate::files::sha256;
use crate::journal::Header;
use engine::eval::params::EvalParams;
use engine::params::{Gene, ParamSet, ParamTable};
use std::fmt::Write as _;
use std::ops::Range;

/// Positions of a task at most: what is lost when a run is killed is one such block's work for
/// one generation.
pub const BLOCK: usize = 100_000;

/// The values of the genes of one layout, as played: an individual's phenotype.
pub type Phenotype = Vec<i32>;

/// What a run does.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The genes in order.
    pub genes: Vec<Gene>,
    /// Their widths.
    pub shape: Shape,
    /// The parameters that are no gene.
    pub base: ParamSet,
    /// The genetic algorithm.
    pub settings: Settings,
    /// Generations of each run, the random one included.
    pub generations: u32,
    /// How solved positions become fitness.
    pub fitness: Fitness,
    /// Seed of each run.
    pub seeds: Vec<u64>,
    /// Number of training positions.
    pub train_positions: usize,
    /// Number of held-out positions.
    pub test_positions: Option<usize>,
    /// Positions of a task at most.
    pub block: usize,
}

impl Recipe {
    /// The recipe of a run that was started with this profile and header.
    pub fn new(profile: &Profile, header: &Header) -> Recipe {
        let genes = profile.layout.genes.clone();
        Recipe {
            shape: Shape::new(genes.iter().map(|gene| gene.bits)),
            base: base(),
            settings: profile.evolution.settings.clone(),
            generations: profile.evolution.generations,
            fitness: profile.evolution.fitness,
            seeds: header.seeds.clone(),
            train_positions: header.train.positions,
            test_positions: header.test.as_ref().map(|file| file.positions),
            block: BLOCK,
            genes,
        }
    }

    /// The phenotype of a genome; different genomes may have the same.
    pub fn phenotype(&self, genome: &Genome) -> Phenotype {
        let mut params = self.base.clone();
        let numbers = self.shape.decode(genome);
        for (gene, &number) in self.genes.iter().zip(&numbers) {
            let offset = i32::try_from(number).unwrap_or(i32::MAX);
            params.set(gene, gene.spec().range.start().saturating_add(offset));
        }
        self.genes.iter().map(|gene| params.get(gene)).collect()
    }

    /// The parameters of a phenotype.
    pub fn params(&self, phenotype: &[i32]) -> ParamSet {
        let mut params = self.base.clone();
        for (gene, &value) in self.genes.iter().zip(phenotype) {
            params.set(gene, value);
        }
        params
    }
}

/// Worth of a pawn in layouts where it is no gene, in centipawns (2014 §III.A).
const PAWN_UNIT: i32 = 100;

/// Rows that a layout leaves out count nothing, but for the pawn, which is the unit unless it is a
/// gene itself.
pub fn base() -> ParamSet {
    let mut params = ParamSet::missing();
    params.eval.pawn_value = PAWN_UNIT;
    params
}

/// The declaration that a layout's phenotypes depend on, a line a row, for the journal's header.
pub fn table(genes: &[Gene]) -> Vec<String> {
    let gene = |gene: &Gene| {
        let spec = gene.spec();
        let (low, high) = (spec.range.start(), spec.range.end());
        format!("{} {low}..={high} {} bits", spec.name, gene.bits)
    };
    let fixed = EvalParams::SPECS
        .iter()
        .enumerate()
        .filter_map(|(row, spec)| {
            let is_gene = genes.iter().any(|gene| gene.spec().name == spec.name);
            let value = base().eval.get(row);
            (!is_gene && value != spec.missing).then(|| format!("{} = {value}", spec.name))
        });
    genes.iter().map(gene).chain(fixed).collect()
}

/// Cuts positions into blocks of at most `block`.
pub fn blocks(positions: usize, block: usize) -> impl Iterator<Item = Range<usize>> {
    let block = block.max(1);
    (0..positions)
        .step_by(block)
        .map(move |start| start..positions.min(start + block))
}

/// Digest of the individuals of a task, in order.
pub fn digest<'a>(individuals: impl IntoIterator<Item = &'a EvalParams>) -> String {
    let mut text = String::new();
    for params in individuals {
        for row in 0..EvalParams::SPECS.len() {
            let _ = write!(text, "{} ", params.get(row));
        }
        text.push('\n');
    }
    let mut digest = sha256(text.as_bytes());
    digest.truncate(16);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_positions_once() {
        let cut = |positions, block| blocks(positions, block).collect::<Vec<_>>();
        assert_eq!(cut(10, 4), [0..4, 4..8, 8..10]);
        assert_eq!(cut(8, 4), [0..4, 4..8]);
        assert_eq!(cut(3, 100), vec![0..3; 1]);
        assert!(cut(0, 4).is_empty());
    }

    #[test]
    fn the_table_names_genes_and_fixed_rows() {
        let genes = engine::params::layout("eval-2014").unwrap();
        let table = table(&genes);
        assert_eq!(table.len(), genes.len() + 1);
        assert!(table.contains(&"knight_value 0..=2047 11 bits".to_string()));
        assert!(table.contains(&"pawn_value = 100".to_string()));
    }
}
