//! Mutation: every bit flips with the same small probability, independently of the others; or, where
//! a profile asks for it, numbers creep (L. Davis, "Handbook of Genetic Algorithms", 1991), for half of
//! the bits of a number that is nearly right are best left alone.

use super::genome::{Genome, Shape};
use super::rng::{Probability, Random};

/// Flips each bit with probability `rate`.
pub fn flip_bits(genome: &mut Genome, rate: Probability, rng: &mut Random) {
    for bit in &mut genome.0 {
        *bit ^= rng.happens(rate);
    }
}

/// The largest step by which a number creeps is two to this power.
const CREEP_BITS: u32 = 4;

/// Changes each gene with probability `rate` by a small step up or down, at most 16 and mostly less; what would
/// leave a gene's range stays at its end.
pub fn creep(genome: &mut Genome, shape: &Shape, rate: Probability, rng: &mut Random) {
    let mut numbers = shape.decode(genome);
    for (number, most) in numbers.iter_mut().zip(shape.largest()) {
        if rng.happens(rate) {
            let longest = 1 << rng.below(u128::from(CREEP_BITS) + 1);
            let step = 1 + rng.below(longest) as i64;
            let up = rng.bits() & 1 == 1;
            let moved = i64::from(*number) + if up { step } else { -step };
            *number = moved.clamp(0, most.into()) as u32;
        }
    }
    *genome = shape.encode(&numbers);
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

    #[test]
    fn numbers_creep_by_small_steps_both_ways() {
        let shape = Shape::new([8; 10_000]);
        let mut genome = shape.encode(&[100; 10_000]);
        creep(
            &mut genome,
            &shape,
            Probability::new(0.5),
            &mut Random::new(6),
        );
        let moved = shape.decode(&genome);
        let steps = moved.iter().map(|&number| i64::from(number) - 100);
        let steps: Vec<i64> = steps.filter(|&step| step != 0).collect();
        // 5,000 are expected; five standard deviations are 250.
        assert!((4_750..=5_250).contains(&steps.len()), "{}", steps.len());
        assert!(steps.iter().all(|step| step.abs() <= 16));
        let up = steps.iter().filter(|&&step| step > 0).count();
        assert!((2_200..=2_800).contains(&up), "{up}");
        let small = steps.iter().filter(|step| step.abs() <= 2).count();
        assert!(small > steps.len() / 3, "{small}");
        assert!(steps.iter().any(|step| step.abs() == 16));
    }

    #[test]
    fn what_creeps_beyond_a_genes_range_stays_at_its_end() {
        let shape = Shape::new([2; 1_000]);
        for end in [0, 3] {
            let mut genome = shape.encode(&[end; 1_000]);
            creep(
                &mut genome,
                &shape,
                Probability::new(1.0),
                &mut Random::new(9),
            );
            let moved = shape.decode(&genome);
            assert!(moved.contains(&end) && moved.iter().any(|&number| number != end));
        }
    }
}
