//! Selection of parents: a roulette wheel on which every individual has a sector.
//!
//! Fitness-proportional (2014 §III.B) or by rank (2014 §III.C). All sums are integers, so the
//! probability of each individual is exact.

use super::algorithm::by_fitness;
use super::rng::Random;

/// How the sectors of the wheel are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// An individual's sector is its fitness.
    Roulette,
    /// An individual's sector is its rank, 1 for the worst; equals share the mean of their ranks.
    Rank,
}

/// A roulette wheel.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// Where each individual's sector ends.
    ends: Vec<u128>,
}

impl Wheel {
    /// The wheel of a population. If every sector were empty, all get the same.
    pub fn new(selection: Selection, fitness: &[u64]) -> Wheel {
        let sectors: Vec<u64> = match selection {
            Selection::Roulette if fitness.iter().all(|&value| value == 0) => {
                vec![1; fitness.len()]
            }
            Selection::Roulette => fitness.to_vec(),
            Selection::Rank => doubled_ranks(fitness),
        };
        let ends = sectors.iter().scan(0, |end, &sector| {
            *end += u128::from(sector);
            Some(*end)
        });
        Wheel {
            ends: ends.collect(),
        }
    }

    /// The wheel without the sector of the least fit, the last of equals, who is thereby no parent; alone it
    /// keeps its own.
    pub fn without_worst(selection: Selection, fitness: &[u64]) -> Wheel {
        let mut wheel = Wheel::new(selection, fitness);
        if let (Some(&worst), 2..) = (by_fitness(fitness).last(), fitness.len()) {
            let before = worst.checked_sub(1).map_or(0, |before| wheel.ends[before]);
            let sector = wheel.ends[worst] - before;
            wheel.ends[worst..]
                .iter_mut()
                .for_each(|end| *end -= sector);
        }
        wheel
    }

    /// Number of places on the wheel.
    pub fn places(&self) -> u128 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The individual at a place from 0 to `places() - 1`.
    pub fn at(&self, place: u128) -> usize {
        self.ends.partition_point(|&end| end <= place)
    }

    /// Turns the wheel.
    pub fn spin(&self, rng: &mut Random) -> usize {
        self.at(rng.below(self.places()))
    }
}

/// Twice the rank of each, so that the mean rank of equals is whole.
fn doubled_ranks(fitness: &[u64]) -> Vec<u64> {
    let mut sorted = fitness.to_vec();
    sorted.sort_unstable();
    let rank = |value: &u64| {
        let worse = sorted.partition_point(|other| other < value);
        let not_better = sorted.partition_point(|other| other <= value);
        (worse + not_better + 1) as u64
    };
    fitness.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many places of the wheel each individual has.
    fn sectors(wheel: &Wheel, individuals: usize) -> Vec<u64> {
        let mut counts = vec![0; individuals];
        for place in 0..wheel.places() {
            counts[wheel.at(place)] += 1;
        }
        counts
    }

    #[test]
    fn roulette_is_exact() {
        let wheel = Wheel::new(Selection::Roulette, &[3, 0, 5, 2]);
        assert_eq!(sectors(&wheel, 4), [3, 0, 5, 2]);
    }

    #[test]
    fn no_fitness_at_all_is_uniform() {
        assert_eq!(
            sectors(&Wheel::new(Selection::Roulette, &[0, 0, 0]), 3),
            [1, 1, 1]
        );
    }

    #[test]
    fn ranks_share_ties() {
        // Ranks 1, 3.5, 2, 3.5.
        assert_eq!(
            sectors(&Wheel::new(Selection::Rank, &[10, 40, 20, 40]), 4),
            [2, 7, 4, 7]
        );
        assert_eq!(
            sectors(&Wheel::new(Selection::Rank, &[0, 0, 0]), 3),
            [4, 4, 4]
        );
    }

    /// Of the two with the least fitness the last one is out, and without fitness the last of all.
    #[test]
    fn the_worst_has_no_sector() {
        let of = |selection, fitness: &[u64]| {
            sectors(&Wheel::without_worst(selection, fitness), fitness.len())
        };
        assert_eq!(of(Selection::Roulette, &[3, 1, 5, 1, 2]), [3, 1, 5, 0, 2]);
        assert_eq!(of(Selection::Roulette, &[0, 0, 0]), [1, 1, 0]);
        assert_eq!(of(Selection::Rank, &[10, 5, 20]), [4, 0, 6]);
        assert_eq!(of(Selection::Roulette, &[7]), [7]);
    }

    #[test]
    fn sums_beyond_64_bits() {
        let wheel = Wheel::new(Selection::Roulette, &[u64::MAX; 4]);
        assert_eq!(wheel.places(), 4 * u128::from(u64::MAX));
        assert_eq!(wheel.at(wheel.places() - 1), 3);
        assert!(wheel.spin(&mut Random::new(9)) < 4);
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn sectors_equal_fitness(fitness in prop::collection::vec(0..30u64, 1..20)) {
            let wheel = Wheel::new(Selection::Roulette, &fitness);
            let total: u64 = fitness.iter().sum();
            let expected = if total == 0 { vec![1; fitness.len()] } else { fitness.clone() };
            prop_assert_eq!(sectors(&wheel, fitness.len()), expected);
        }

        #[test]
        fn ranks_add_up(fitness in prop::collection::vec(0..9u64, 1..20)) {
            let n = fitness.len() as u128;
            prop_assert_eq!(Wheel::new(Selection::Rank, &fitness).places(), n * (n + 1));
        }
    }
}
