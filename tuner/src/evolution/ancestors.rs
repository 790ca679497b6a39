//! Ancestors: what the best individuals of earlier generations were, so that a child can go on along
//! the way from there to the best of today. Weights that make up for each other lie in a long narrow
//! valley, and a step along it is rarely found by chance twice; evolution strategies remember their
//! way for the same reason (the evolution path of N. Hansen and A. Ostermeier, "Completely
//! Derandomized Self-Adaptation in Evolution Strategies", Evolutionary Computation 9, 2001).

use super::genome::{Genome, Shape};
use super::rng::Random;

/// Generations from one ancestor to the next.
const EVERY: u32 = 25;
/// Ancestors that are remembered at most.
const MOST: usize = 400;

/// The best individual of every so many generations, the older the fewer.
#[derive(Clone, Debug, Default)]
pub struct Ancestors(Vec<Genome>);

impl Ancestors {
    /// Remembers the best of a generation, if it is one of those that are remembered.
    pub fn remember(&mut self, generation: u32, best: Option<Genome>) {
        if !generation.is_multiple_of(EVERY) {
            return;
        }
        if self.0.len() == MOST {
            // Every second one goes, so what happened long ago is remembered ever more roughly.
            let mut place = 0;
            self.0.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        self.0.extend(best);
    }

    /// One of them, rather a recent one than one of long ago: all distances of the same number of
    /// binary digits together are as likely as those of any other number.
    pub fn draw(&self, rng: &mut Random) -> Option<&Genome> {
        let last = self.0.len().checked_sub(1)?;
        let digits = last.checked_ilog2().map_or(1, |highest| highest + 1);
        let nearest = 1_usize << rng.below(digits.into());
        let back = nearest + rng.below(nearest as u128) as usize;
        self.0.get(last - back.min(last))
    }

    /// How far each gene has wandered of late: its standard deviation among the later half of the
    /// ancestors, and half a step more, for nothing has stood still for ever.
    pub fn spread(&self, shape: &Shape) -> Vec<f64> {
        let later = &self.0[self.0.len() / 2..];
        let count = later.len().max(1) as f64;
        let (mut sums, mut squares) = (vec![0.0; shape.genes()], vec![0.0; shape.genes()]);
        for ancestor in later {
            for (gene, number) in shape.decode(ancestor).into_iter().enumerate() {
                let number = f64::from(number);
                sums[gene] += number;
                squares[gene] += number * number;
            }
        }
        let spread = |(sum, square): (&f64, &f64)| {
            let mean = sum / count;
            (square / count - mean * mean).max(0.0).sqrt() + 0.5
        };
        sums.iter().zip(&squares).map(spread).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(generation: u32) -> Genome {
        Genome((0..20).map(|bit| generation >> bit & 1 == 1).collect())
    }

    fn number(genome: &Genome) -> u32 {
        let bits = genome.0.iter().enumerate();
        bits.map(|(bit, set)| u32::from(*set) << bit).sum()
    }

    #[test]
    fn nobody_is_drawn_before_there_is_one() {
        let mut ancestors = Ancestors::default();
        assert_eq!(ancestors.draw(&mut Random::new(1)), None);
        ancestors.remember(0, Some(named(7)));
        assert_eq!(ancestors.draw(&mut Random::new(1)), Some(&named(7)));
    }

    #[test]
    fn spread_of_the_later_half() {
        let shape = Shape::new([8, 8]);
        let mut ancestors = Ancestors::default();
        assert_eq!(ancestors.spread(&shape), [0.5, 0.5]);
        for (generation, genes) in (0..).zip([[0, 0], [255, 0], [12, 7], [16, 7]]) {
            ancestors.remember(generation * EVERY, Some(shape.encode(&genes)));
        }
        assert_eq!(ancestors.spread(&shape), [2.5, 0.5]);
    }

    /// After 100,000 generations a few hundred are left, from first to last, the recent ones closer
    /// together, and near ones and far ones are both drawn.
    #[test]
    fn the_older_the_fewer() {
        let mut ancestors = Ancestors::default();
        for generation in 0..=100_000 {
            ancestors.remember(generation, Some(named(generation)));
        }
        let kept: Vec<u32> = ancestors.0.iter().map(number).collect();
        assert!((MOST / 2..=MOST).contains(&kept.len()), "{}", kept.len());
        assert!(kept.is_sorted());
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 100_000));
        let gaps: Vec<u32> = kept.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(gaps[gaps.len() - 1] <= 2 * EVERY);
        assert!(gaps[0] >= 32 * EVERY, "{}", gaps[0]);

        let mut rng = Random::new(3);
        let drawn = (0..2_000).filter_map(|_| ancestors.draw(&mut rng).map(number));
        let drawn: Vec<u32> = drawn.collect();
        let near = drawn
            .iter()
            .filter(|&&age| age >= 100_000 - 8 * EVERY)
            .count();
        let far = drawn.iter().filter(|&&age| age < 50_000).count();
        assert!((500..1_500).contains(&near), "{near}");
        assert!(far > 100, "{far}");
    }
}
