//! From a genome to parameters: the genes of a layout, and the rows that are no genes.
//!
//! | file | job |
//! |---|---|
//! | `rows` | rows of the parameter tables as journals have them |
//! | `by_place` | parameters as one process hands them to another |
//! | `files` | parameter files that say where they come from |
//! | `programs` | trees of genetic programming as programs that play endgames |

pub mod by_place;
pub mod files;
pub mod programs;
pub mod rows;

use crate::evolution::genome::{Genome, Shape};
use engine::eval::params::EvalParams;
use engine::params::{Gene, ParamSet, ParamTable as _, Row, Table};
use rows::{EVAL, SEARCH, gene_line};
use sha2::{Digest as _, Sha256};

/// The values of the genes of one layout, as played, in parts of a [`Encoding`]'s unit: an individual's
/// phenotype.
pub type Phenotype = Vec<i32>;

/// What tells phenotypes apart: 128 bits of a digest, since a long run has seen millions of them.
pub type PhenotypeKey = [u8; 16];

/// The key of a phenotype.
pub fn key_of(phenotype: &[i32]) -> PhenotypeKey {
    let mut digest = Sha256::new();
    for value in phenotype {
        digest.update(value.to_le_bytes());
    }
    let digest = digest.finalize();
    std::array::from_fn(|at| digest[at])
}

/// Worth of a pawn in layouts where it is no gene, in centipawns (2014 §III.A).
const PAWN_UNIT: i32 = 100;

/// Which parameters evolve, and what the others are.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The genes in order.
    pub genes: Vec<Gene>,
    /// Their widths.
    pub shape: Shape,
    /// The parameters that are no gene.
    pub base: ParamSet,
    /// Parts of a centipawn that phenotypes are told in: 1 but where fractions evolve.
    pub unit: i32,
}

impl Encoding {
    /// These genes, with `base` for all that is none.
    pub fn new(genes: Vec<Gene>, base: ParamSet) -> Encoding {
        Encoding {
            shape: Shape::new(genes.iter().map(|gene| gene.bits)),
            genes,
            base,
            unit: 1,
        }
    }

    /// The phenotype of a genome; different genomes may have the same.
    pub fn phenotype(&self, genome: &Genome) -> Phenotype {
        let numbers = self.shape.decode(genome);
        let value = |(gene, &number): (&Gene, &u32)| {
            let offset = i32::try_from(number).unwrap_or(i32::MAX);
            gene.low.saturating_add(offset) * self.unit
        };
        self.genes.iter().zip(&numbers).map(value).collect()
    }

    /// The values of the genes in a parameter set.
    pub fn values(&self, params: &ParamSet) -> Phenotype {
        let value = |gene: &Gene| params.get(gene) * self.unit;
        self.genes.iter().map(value).collect()
    }

    /// The phenotype of numbers that may have fractions, to the nearest part of the unit.
    pub fn phenotype_of_fractions(&self, numbers: &[f64]) -> Phenotype {
        let value = |(gene, number): (&Gene, &f64)| {
            let parts = (number * f64::from(self.unit)).round() as i32;
            (gene.low * self.unit).saturating_add(parts)
        };
        self.genes.iter().zip(numbers).map(value).collect()
    }

    /// The largest number of each gene that its range has room for.
    pub fn most(&self) -> Vec<f64> {
        let most = |gene: &Gene| {
            let room = i64::from(gene.high) - i64::from(gene.low);
            room.min((1 << gene.bits) - 1) as f64
        };
        self.genes.iter().map(most).collect()
    }

    /// The genome that has these parameters, each as near as its gene's width allows.
    pub fn genome(&self, params: &ParamSet) -> Genome {
        let number = |gene: &Gene| {
            let offset = params.get(gene).saturating_sub(gene.low);
            let most = (1_i64 << gene.bits) - 1;
            i64::from(offset).clamp(0, most) as u32
        };
        let numbers: Vec<u32> = self.genes.iter().map(number).collect();
        self.shape.encode(&numbers)
    }

    /// The parameters of a phenotype, whole ones; a half is rounded upwards.
    pub fn params(&self, phenotype: &[i32]) -> ParamSet {
        let mut params = self.base.clone();
        for (gene, &value) in self.genes.iter().zip(phenotype) {
            params.set(gene, (2 * value + self.unit).div_euclid(2 * self.unit));
        }
        params
    }

    /// The evaluation of a phenotype with its fractions: every row in parts of the unit.
    pub fn evaluation(&self, phenotype: &[i32]) -> EvalParams {
        let mut eval = self.base.eval.clone();
        if self.unit != 1 {
            for row in 0..EvalParams::SPECS.len() {
                eval.set(row, eval.get(row) * self.unit);
            }
        }
        for (gene, &value) in self.genes.iter().zip(phenotype) {
            if gene.table == Table::Eval {
                eval.set(gene.index, value);
            }
        }
        eval
    }

    /// The declaration that phenotypes depend on, a line a row, for the journal's header.
    pub fn table(&self) -> Vec<String> {
        let is_gene = |table, index| {
            let row = Row { table, index };
            self.genes.iter().any(|gene| gene.row() == row)
        };
        let genes = self.genes.iter().map(gene_line).collect();
        let eval = EVAL.fixed(&self.base.eval, |row| is_gene(Table::Eval, row));
        let search = SEARCH.fixed(&self.base.search, |row| is_gene(Table::Search, row));
        [genes, eval, search].concat()
    }
}

/// Rows that a layout leaves out count nothing and are off, but for the pawn, which is the unit
/// unless it is a gene itself.
pub fn base() -> ParamSet {
    let mut params = ParamSet::missing();
    params.eval.pawn_value = PAWN_UNIT;
    params
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::rng::Random;
    use engine::params::{LAYOUTS, layout};

    #[test]
    fn the_table_names_genes_and_fixed_rows() {
        let genes = layout("eval-2014").unwrap();
        let table = Encoding::new(genes.clone(), base()).table();
        assert_eq!(table.len(), genes.len() + 1);
        assert!(table.contains(&"knight_value 0..=2047 11 bits".to_string()));
        assert!(table.contains(&"pawn_value = 100".to_string()));
        let mut searching = base();
        searching.search.null_move_reduction = 3;
        let table = Encoding::new(genes, searching).table();
        assert!(table.contains(&"null_move_reduction = 3".to_string()));
    }

    #[test]
    fn parameters_come_back_from_their_genome() {
        for name in LAYOUTS {
            let encoding = Encoding::new(layout(name).unwrap(), base());
            let mut rng = Random::new(7);
            for _ in 0..20 {
                let genome = Genome::random(encoding.shape.bits(), &mut rng);
                let params = encoding.params(&encoding.phenotype(&genome));
                let again = encoding.params(&encoding.phenotype(&encoding.genome(&params)));
                assert_eq!(params, again, "{name}");
            }
        }
    }

    /// 20.5 centipawns above the least worth of a knight are 328 sixteenths, and 21 once they are whole.
    #[test]
    fn fractions_are_weighed_as_they_are_and_rounded_for_a_champion() {
        let mut encoding = Encoding::new(layout("eval-2014").unwrap(), base());
        encoding.unit = 16;
        let mut numbers = vec![0.0; encoding.genes.len()];
        let mut genes = encoding.genes.iter();
        let knight = genes.position(|gene| gene.spec().name == "knight_value");
        let knight = knight.unwrap();
        numbers[knight] = 20.5;
        let fractions = encoding.phenotype_of_fractions(&numbers);
        let weighed = encoding.evaluation(&fractions);
        assert_eq!((weighed.knight_value, weighed.pawn_value), (328, 16 * 100));
        let whole = encoding.params(&fractions).eval;
        assert_eq!((whole.knight_value, whole.pawn_value), (21, 100));
        let as_whole = encoding.evaluation(&encoding.values(&encoding.params(&fractions)));
        assert_eq!(as_whole.knight_value, 21 * 16);
        assert_eq!(encoding.most()[knight], 2_047.0);
    }
}
