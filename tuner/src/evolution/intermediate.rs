//! Intermediate recombination: a child that lies in the middle of the fittest, as in the evolution
//! strategies of I. Rechenberg and H.-P. Schwefel. What single steps have got right adds up there and what
//! they have got wrong cancels out (H.-G. Beyer, "Toward a Theory of Evolution Strategies: On the Benefits of
//! Sex", Evolutionary Computation 3, 1995: genetic repair).

use super::genome::{Genome, Shape};
use super::rng::Random;

/// The mean of some individuals, each gene rounded up or down by chance. Of nobody it is all zeros.
pub fn mean(individuals: &[&Genome], shape: &Shape, rng: &mut Random) -> Genome {
    let count = individuals.len().max(1) as u64;
    let mut sums = vec![0; shape.genes()];
    for individual in individuals {
        for (sum, number) in sums.iter_mut().zip(shape.decode(individual)) {
            *sum += u64::from(number);
        }
    }
    let round = |sum: u64| ((sum + rng.below(count.into()) as u64) / count) as u32;
    let numbers: Vec<u32> = sums.into_iter().map(round).collect();
    shape.encode(&numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounded_by_chance() {
        let shape = Shape::new([8, 8]);
        let individuals = [[10, 7], [11, 7], [10, 7], [10, 7]].map(|genes| shape.encode(&genes));
        let individuals = individuals.each_ref();
        let mut rng = Random::new(2);
        let means: Vec<_> = (0..1_000)
            .map(|_| shape.decode(&mean(&individuals, &shape, &mut rng)))
            .collect();
        assert!(means.iter().all(|genes| genes[1] == 7));
        // 250 are expected; five standard deviations are 69.
        let up = means.iter().filter(|genes| genes[0] == 11).count();
        assert!((181..=319).contains(&up), "{up}");
        assert!(means.iter().all(|genes| (10..=11).contains(&genes[0])));
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn between_the_least_and_the_greatest(
            genes in prop::collection::vec(0..1u32 << 11, 1..9),
            seed: u64,
        ) {
            let shape = Shape::new([11]);
            let individuals: Vec<Genome> = genes.iter().map(|&gene| shape.encode(&[gene])).collect();
            let individuals: Vec<&Genome> = individuals.iter().collect();
            let mean = shape.decode(&mean(&individuals, &shape, &mut Random::new(seed)))[0];
            prop_assert!(genes.iter().min() <= Some(&mean) && Some(&mean) <= genes.iter().max());
        }
    }
}
