//! A genome is a string of bits; a [`Shape`] cuts it into genes and reads each as a Gray-coded
//! number, most significant bit first.

use super::gray;
use super::rng::Random;

/// A string of bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genome(pub Vec<bool>);

impl Genome {
    /// Random bits, each 0 or 1 with equal probability.
    pub fn random(bits: usize, rng: &mut Random) -> Genome {
        let mut genome = Vec::with_capacity(bits);
        while genome.len() < bits {
            let word = rng.bits();
            let wanted = (bits - genome.len()).min(64);
            genome.extend((0..wanted).map(|at| word >> at & 1 == 1));
        }
        Genome(genome)
    }
}

/// Widths of the genes of a genome, in order, in bits (1 to 31 each).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape(Vec<u32>);

impl Shape {
    /// Widths outside 1 to 31 are clamped.
    pub fn new(widths: impl IntoIterator<Item = u32>) -> Shape {
        Shape(widths.into_iter().map(|bits| bits.clamp(1, 31)).collect())
    }

    /// Bits of a genome.
    pub fn bits(&self) -> usize {
        self.0.iter().map(|&bits| bits as usize).sum()
    }

    /// Genes of a genome.
    pub fn genes(&self) -> usize {
        self.0.len()
    }

    /// The largest number of each gene.
    pub fn largest(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|&bits| (1 << bits) - 1)
    }

    /// The number in each gene.
    pub fn decode(&self, genome: &Genome) -> Vec<u32> {
        let mut bits = genome.0.iter();
        let read = |width: &u32| {
            let gene = bits.by_ref().take(*width as usize);
            gray::decode(gene.fold(0, |code, &bit| code << 1 | u32::from(bit)))
        };
        self.0.iter().map(read).collect()
    }

    /// The genome with these numbers in its genes; each keeps the bits that its gene has.
    pub fn encode(&self, numbers: &[u32]) -> Genome {
        let mut bits = Vec::with_capacity(self.bits());
        for (&width, &number) in self.0.iter().zip(numbers) {
            let code = gray::encode(number & ((1 << width) - 1));
            bits.extend((0..width).rev().map(|at| code >> at & 1 == 1));
        }
        bits.resize(self.bits(), false);
        Genome(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn genes_are_read_most_significant_bit_first() {
        let shape = Shape::new([3, 2, 1]);
        let genome = Genome([1, 1, 0, 0, 1, 1].map(|bit| bit == 1).to_vec());
        // Gray 110 = 4, 01 = 1, 1 = 1.
        assert_eq!(shape.decode(&genome), [4, 1, 1]);
        assert_eq!(shape.encode(&[4, 1, 1]), genome);
    }

    #[test]
    fn random_bits_are_balanced() {
        let genome = Genome::random(100_000, &mut Random::new(5));
        let ones = genome.0.iter().filter(|bit| **bit).count();
        assert_eq!(genome.0.len(), 100_000);
        assert!((49_209..=50_791).contains(&ones));
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn round_trip(widths in prop::collection::vec(1..=31u32, 0..40), seed: u64) {
            let shape = Shape::new(widths);
            let genome = Genome::random(shape.bits(), &mut Random::new(seed));
            prop_assert_eq!(shape.encode(&shape.decode(&genome)), genome);
        }
    }
}
