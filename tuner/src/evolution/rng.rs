//! Random draws: xoshiro256++ and a few lines on top of it, so that no library update can change
//! what a seed means.
//!
//! The master seed of a phase gives each of its runs a seed of its own ([`run_seeds`]), and that seed
//! alone decides the run.

use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// Seeds have this many bits, so that TOML, JSON and every reader of either keep them exact.
pub const SEED_BITS: u32 = 53;

/// The seeds of runs 1 to `count` under a master seed: the first outputs of SplitMix64, cut to
/// [`SEED_BITS`]. Master seeds 1 and 2 thus share no run, as `seed + run` would.
pub fn run_seeds(master: u64, count: usize) -> Vec<u64> {
    let mut stream = SplitMix64::seed_from_u64(master);
    let seeds = std::iter::repeat_with(|| stream.next_u64() >> (u64::BITS - SEED_BITS));
    seeds.take(count).collect()
}

/// A probability from 0 to 1, exact to 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    /// Number of the 2⁶⁴ outputs that count as a hit.
    hits: u128,
}

impl Probability {
    /// The probability nearest to a number; what lies outside 0 to 1 is clamped.
    pub fn new(value: f64) -> Probability {
        // Scaling by a power of two is exact, so every machine gets the same threshold.
        let scaled = value.clamp(0.0, 1.0) * (u64::MAX as f64);
        Probability {
            hits: scaled as u128,
        }
    }
}

/// A stream of random draws.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of a seed; SplitMix64 spreads it over the 256 bits of state.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream of one generation of a run, by the run's seed and the generation alone.
    pub fn of_generation(seed: u64, generation: u32) -> Random {
        /// The step of SplitMix64, so that generations have successive outputs of the stream of their run's seed.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let state = seed.wrapping_add(u64::from(generation).wrapping_mul(STEP));
        Random::new(run_seeds(state, 1).first().copied().unwrap_or(0))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        (self.bits() >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }

    /// Whether an event of this probability happens; one draw, whatever the probability.
    pub fn happens(&mut self, probability: Probability) -> bool {
        u128::from(self.bits()) < probability.hits
    }

    /// A number below `bound`, all equally likely; 0 if the bound is 0.
    pub fn below(&mut self, bound: u128) -> u128 {
        if bound <= 1 {
            return 0;
        }
        // Draws just enough bits, again while they are not below the bound: exact, and fewer than two
        // draws on average.
        let bits = u128::BITS - (bound - 1).leading_zeros();
        loop {
            let draw = if bits <= u64::BITS {
                u128::from(self.bits() >> (u64::BITS - bits))
            } else {
                (u128::from(self.bits()) << u64::BITS | u128::from(self.bits()))
                    >> (u128::BITS - bits)
            };
            if draw < bound {
                return draw;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_stream() {
        // xoshiro256++ seeded by SplitMix64 from 0: the reference implementations' outputs.
        let mut rng = Random::new(0);
        assert_eq!(rng.bits(), 0x53175d61490b23df);
        assert_eq!(rng.bits(), 0x61da6f3dc380d507);
    }

    #[test]
    fn seeds_of_runs() {
        // SplitMix64 from 0 starts with e220a8397b1dcdaf, 6e789e6aa1b965f4.
        let seeds = run_seeds(0, 2);
        assert_eq!(
            seeds,
            [0xe220a8397b1dcdaf_u64 >> 11, 0x6e789e6aa1b965f4_u64 >> 11]
        );
        assert_eq!(run_seeds(7, 3)[..2], run_seeds(7, 2));
        assert!(
            !run_seeds(1, 10)
                .iter()
                .any(|s| run_seeds(2, 10).contains(s))
        );
    }

    #[test]
    fn certain_and_impossible() {
        let mut rng = Random::new(1);
        assert!((0..1000).all(|_| rng.happens(Probability::new(1.0))));
        assert!(!(0..1000).any(|_| rng.happens(Probability::new(0.0))));
    }

    #[test]
    fn frequencies() {
        let mut rng = Random::new(2);
        let hits = (0..100_000).filter(|_| rng.happens(Probability::new(0.25)));
        // Five standard deviations.
        assert!((24_315..=25_685).contains(&hits.count()));
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_543..=10_457).contains(count)));
    }

    #[test]
    fn bounds() {
        let mut rng = Random::new(3);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
        let huge = (1 << 100) + 1;
        assert!((0..1000).all(|_| rng.below(huge) < huge));
        assert!((0..1000).any(|_| rng.below(huge) > huge / 2));
    }
}
