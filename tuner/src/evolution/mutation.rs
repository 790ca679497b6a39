//! Mutation: every bit flips with the same small probability, independently of the others.

use super::genome::Genome;
use super::rng::{Probability, Random};

/// Flips each bit with probability `rate`.
pub fn flip_bits(genome: &mut Genome, rate: Probability, rng: &mut Random) {
    for bit in &mut genome.0 {
        *bit ^= rng.happens(rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flipped(rate: f64) -> usize {
        let mut genome = Genome(vec![false; 100_000]);
        flip_bits(&mut genome, Probability::new(rate), &mut Random::new(4));
        genome.0.iter().filter(|bit| **bit).count()
    }

    #[test]
    fn rates() {
        assert_eq!(flipped(0.0), 0);
        assert_eq!(flipped(1.0), 100_000);
        // 500 are expected; five standard deviations are 112.
        assert!((388..=612).contains(&flipped(0.005)));
    }
}
