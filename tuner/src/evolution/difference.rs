//! Difference: a child is moved along what sets two individuals apart, after R. Storn and K. Price,
//! "Differential evolution" (Journal of Global Optimization 11, 1997). Genes that make up for each
//! other, the worth of a knight and that of its mobility for example, have to change together; single
//! bits hardly ever do, and individuals that are good differ in just that way.

use super::genome::{Genome, Shape};
use super::rng::Random;

/// Parts of a whole difference.
const WHOLE: i64 = 256;

/// Adds to every gene of a child the same random part, from none to `most` times all, of the difference from
/// one individual to another. Fractions are rounded up or down by chance, and what leaves a gene's range stays
/// at its end.
pub fn add(
    child: &mut Genome,
    shape: &Shape,
    [from, to]: [&Genome; 2],
    most: u8,
    rng: &mut Random,
) {
    let part = rng.below(u128::from(most) * WHOLE as u128) as i64;
    let [from, to] = [from, to].map(|individual| shape.decode(individual));
    let mut numbers = shape.decode(child);
    for ((number, most), (from, to)) in numbers
        .iter_mut()
        .zip(shape.largest())
        .zip(from.into_iter().zip(to))
    {
        let difference = i64::from(to) - i64::from(from);
        if difference != 0 {
            let moved = (difference * part + rng.below(WHOLE as u128) as i64).div_euclid(WHOLE);
            *number = (i64::from(*number) + moved).clamp(0, most.into()) as u32;
        }
    }
    *child = shape.encode(&numbers);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn add_to(child: u32, [from, to]: [u32; 2], seed: u64) -> u32 {
        let shape = Shape::new([8]);
        let mut moved = shape.encode(&[child]);
        let [from, to] = [from, to].map(|number| shape.encode(&[number]));
        add(&mut moved, &shape, [&from, &to], 1, &mut Random::new(seed));
        shape.decode(&moved)[0]
    }

    #[test]
    fn half_of_the_difference_on_average() {
        let moved = (0..4_000).map(|seed| add_to(100, [10, 50], seed));
        let mean = f64::from(moved.sum::<u32>()) / 4_000.0;
        // A fifth of a step is the standard deviation of the mean.
        assert!((119.0..121.0).contains(&mean), "{mean}");
        let least = (0..4_000).map(|seed| add_to(100, [8, 7], seed));
        let mean = f64::from(least.sum::<u32>()) / 4_000.0;
        assert!((99.45..99.55).contains(&mean), "{mean}");
    }

    #[test]
    fn all_genes_move_by_the_same_part() {
        let shape = Shape::new([10, 10, 10]);
        let genome = |numbers: [u32; 3]| shape.encode(&numbers);
        for seed in 0..200 {
            let mut child = genome([500, 500, 500]);
            let [from, to] = [genome([100, 300, 7]), genome([500, 100, 7])];
            add(&mut child, &shape, [&from, &to], 1, &mut Random::new(seed));
            let moved = shape.decode(&child);
            assert_eq!(moved[2], 500);
            let (up, down) = (f64::from(moved[0]) - 500.0, 500.0 - f64::from(moved[1]));
            assert!((up - 2.0 * down).abs() <= 3.0, "{moved:?}");
        }
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn who_are_alike_move_nobody(child in 0..256u32, both in 0..256u32, seed: u64) {
            prop_assert_eq!(add_to(child, [both; 2], seed), child);
        }

        #[test]
        fn genes_keep_their_range(child in 0..256u32, from in 0..256u32, to in 0..256u32, seed: u64) {
            let moved = i64::from(add_to(child, [from, to], seed)) - i64::from(child);
            let difference = i64::from(to) - i64::from(from);
            prop_assert!(moved == 0 || moved.signum() == difference.signum());
            prop_assert!(moved.abs() <= difference.abs());
        }
    }
}
