//! Which training positions a generation is valued on.

use crate::config::grandmaster::DrawKey;
use crate::evolution::rng::Random;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// All, every time.
    All,
    /// So many of all, drawn anew for each generation.
    Fresh(usize),
    /// The first, from a tenth of all in generation 0 to all in the last.
    Growing,
}

impl Draw {
    /// As a profile has it, with so many positions of a generation, if it says how many.
    pub fn of(key: DrawKey, sample: Option<usize>) -> Draw {
        match (key, sample) {
            (DrawKey::Fresh, Some(sample)) => Draw::Fresh(sample),
            (DrawKey::Growing, _) => Draw::Growing,
            (DrawKey::Fixed | DrawKey::Fresh, _) => Draw::All,
        }
    }

    /// How many positions a generation has: its number, generations of a run, training positions.
    pub fn count(self, (generation, generations): (u32, u32), all: usize) -> usize {
        match self {
            Draw::All => all,
            Draw::Fresh(sample) => sample.min(all),
            Draw::Growing if generations < 2 => all,
            Draw::Growing => {
                let least = all.div_ceil(10);
                let grown = (all - least) as u64 * u64::from(generation);
                (least + (grown / u64::from(generations - 1)) as usize).min(all)
            }
        }
    }

    /// The places of these positions in a run of this seed, if they are not simply all.
    pub fn places(self, seed: u64, of: (u32, u32), all: usize) -> Option<Vec<usize>> {
        match self {
            Draw::All => None,
            Draw::Fresh(sample) => Some(draw(seed, of.0, sample, all)),
            Draw::Growing => Some((0..self.count(of, all)).collect()),
        }
    }
}

/// So many of all training positions for a generation, in their order, without replacement, by chance from the run's
/// seed and the generation alone.
pub fn draw(seed: u64, generation: u32, sample: usize, all: usize) -> Vec<usize> {
    let mut rng = Random::of_generation(seed, generation);
    let mut places: Vec<usize> = (0..all).collect();
    let sample = sample.min(all);
    for at in 0..sample {
        let drawn = at + rng.below((all - at) as u128) as usize;
        places.swap(at, drawn);
    }
    places.truncate(sample);
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// 100 of 1,000 at first, 1,000 at the end, and half way between after half of the steps.
    #[test]
    fn a_growing_set_grows_by_even_steps() {
        let count = |generation| Draw::Growing.count((generation, 201), 1_000);
        assert_eq!((count(0), count(100), count(200)), (100, 550, 1_000));
        assert!((0..200).all(|generation| count(generation) <= count(generation + 1)));
        assert_eq!(Draw::Growing.count((0, 1), 7), 7);
        let places = Draw::Growing.places(1, (0, 201), 1_000);
        assert_eq!(places, Some((0..100).collect()));
        assert_eq!(Draw::All.places(1, (0, 201), 1_000), None);
        let fresh = Draw::Fresh(30);
        assert_eq!(fresh.count((5, 9), 1_000), 30);
        assert_eq!(fresh.places(7, (5, 9), 1_000), Some(draw(7, 5, 30, 1_000)));
    }

    /// 1,000 of 5,000, each at most once, of which another draw shares a fifth; the same seed and generation
    /// have the same ones, whatever was drawn before.
    #[test]
    fn the_sample_is_without_replacement_and_another_each_generation() {
        let first = draw(7, 0, 1_000, 5_000);
        let places: HashSet<&usize> = first.iter().collect();
        assert_eq!((first.len(), places.len()), (1_000, 1_000));
        assert!(first.is_sorted() && first.iter().all(|&place| place < 5_000));
        for (seed, generation) in [(7, 1), (7, 299), (8, 0)] {
            let other = draw(seed, generation, 1_000, 5_000);
            assert_eq!(other, draw(seed, generation, 1_000, 5_000));
            let shared = other.iter().filter(|place| places.contains(place)).count();
            // Five standard deviations of a hypergeometric draw.
            assert!((143..=257).contains(&shared), "{shared}");
        }
        let all: Vec<usize> = (0..40).collect();
        assert_eq!(draw(7, 3, 40, 40), all);
        assert_eq!(draw(7, 3, 100, 40), all);
    }

    /// Over many generations every position is drawn about equally often.
    #[test]
    fn all_positions_are_equally_likely() {
        let mut counts = [0; 20];
        for generation in 0..10_000 {
            draw(3, generation, 5, 20)
                .iter()
                .for_each(|&place| counts[place] += 1);
        }
        // 2,500 and five standard deviations.
        assert!(
            counts.iter().all(|count| (2_284..=2_716).contains(count)),
            "{counts:?}"
        );
    }
}
