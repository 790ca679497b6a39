//! Uniform crossover (Syswerda 1989): every bit of a child comes from either parent with equal
//! probability.

use super::genome::Genome;
use super::rng::Random;

/// Two children of two parents. Where the first child has a bit of one parent, the second has
/// the other's, so the pair of children holds exactly the bits of the pair of parents.
pub fn uniform(mother: &Genome, father: &Genome, rng: &mut Random) -> (Genome, Genome) {
    let mask = Genome::random(mother.0.len(), rng);
    let cross = |from_mother: bool| {
        let bits = mother.0.iter().zip(&father.0).zip(&mask.0);
        Genome(
            bits.map(|((&mother, &father), &bit)| if bit == from_mother { mother } else { father })
                .collect(),
        )
    };
    (cross(true), cross(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_the_bits_come_from_each_parent() {
        let (mother, father) = (Genome(vec![true; 100_000]), Genome(vec![false; 100_000]));
        let (first, second) = uniform(&mother, &father, &mut Random::new(8));
        let ones = |genome: &Genome| genome.0.iter().filter(|bit| **bit).count();
        assert!((49_209..=50_791).contains(&ones(&first)));
        assert_eq!(ones(&first) + ones(&second), 100_000);
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn bits_are_never_invented(bits in 0..300usize, seed: u64) {
            let mut rng = Random::new(seed);
            let mother = Genome::random(bits, &mut rng);
            let father = Genome::random(bits, &mut rng);
            let (first, second) = uniform(&mother, &father, &mut rng);
            prop_assert_eq!(first.0.len(), bits);
            for at in 0..bits {
                let mut parents = [mother.0[at], father.0[at]];
                let mut children = [first.0[at], second.0[at]];
                parents.sort_unstable();
                children.sort_unstable();
                prop_assert_eq!(parents, children);
            }
        }
    }
}
