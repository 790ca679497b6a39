//! Crossover: two children of two parents, uniform (2014 §III.B) or with a single point (2011 §3.4).

use super::genome::Genome;
use super::rng::Random;

/// Which bits of its parents a child has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossover {
    /// Each bit of either parent, with equal probability (Syswerda 1989).
    Uniform,
    /// All bits of one parent before a point, and all of the other behind it (Holland 1975).
    SinglePoint,
}

impl Crossover {
    /// Two children of two parents. Where the first child has a bit of one parent, the second has
    /// the other's, so the pair of children holds exactly the bits of the pair of parents.
    pub fn cross(self, mother: &Genome, father: &Genome, rng: &mut Random) -> (Genome, Genome) {
        match self {
            Crossover::Uniform => uniform(mother, father, rng),
            Crossover::SinglePoint => single_point(mother, father, rng),
        }
    }
}

/// The point is one of those between two bits, all equally likely: each child has something of both.
fn single_point(mother: &Genome, father: &Genome, rng: &mut Random) -> (Genome, Genome) {
    let inner = mother.0.len().saturating_sub(1);
    let point = (1 + rng.below(inner as u128) as usize).min(mother.0.len());
    cut_at(point, mother, father)
}

/// The first child begins with so many bits of the mother, the second with as many of the father.
fn cut_at(point: usize, mother: &Genome, father: &Genome) -> (Genome, Genome) {
    let join = |one: &Genome, other: &Genome| Genome([&one.0[..point], &other.0[point..]].concat());
    (join(mother, father), join(father, mother))
}

/// Every bit of the first child from either parent.
fn uniform(mother: &Genome, father: &Genome, rng: &mut Random) -> (Genome, Genome) {
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

    /// Eight bits cut behind the third: 10110010 and 01101101 give 10101101 and 01110010.
    #[test]
    fn children_swap_what_is_behind_the_point() {
        let genome = |bits: &str| Genome(bits.chars().map(|bit| bit == '1').collect());
        let (mother, father) = (genome("10110010"), genome("01101101"));
        let children = cut_at(3, &mother, &father);
        assert_eq!(children, (genome("10101101"), genome("01110010")));
    }

    #[test]
    fn all_points_between_two_bits_are_equally_likely() {
        let (mother, father) = (Genome(vec![true; 5]), Genome(vec![false; 5]));
        let mut rng = Random::new(4);
        let mut counts = [0; 6];
        for _ in 0..40_000 {
            let (first, second) = single_point(&mother, &father, &mut rng);
            let point = first.0.iter().take_while(|bit| **bit).count();
            assert_eq!((first, second), cut_at(point, &mother, &father));
            counts[point] += 1;
        }
        assert_eq!((counts[0], counts[5]), (0, 0));
        // Five standard deviations.
        let inner = &counts[1..5];
        assert!(inner.iter().all(|count| (9_567..=10_433).contains(count)));
        // One bit has no point inside, and no bits have none.
        for bits in [0, 1] {
            let genome = Genome(vec![true; bits]);
            let children = single_point(&genome, &genome, &mut rng);
            assert_eq!(children, (genome.clone(), genome));
        }
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn bits_are_never_invented(bits in 0..300usize, seed: u64, is_uniform: bool) {
            let mut rng = Random::new(seed);
            let mother = Genome::random(bits, &mut rng);
            let father = Genome::random(bits, &mut rng);
            let crossover = if is_uniform { Crossover::Uniform } else { Crossover::SinglePoint };
            let (first, second) = crossover.cross(&mother, &father, &mut rng);
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
