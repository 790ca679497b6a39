//! Covariance: how genes vary together is learnt from those children that are fit, and the next ones are
//! drawn so: the covariance matrix adaptation of N. Hansen and A. Ostermeier, "Completely Derandomized
//! Self-Adaptation in Evolution Strategies" (Evolutionary Computation 9, 2001), in the form of H.-G. Beyer
//! and B. Sendhoff, "Simplify Your Covariance Matrix Adaptation Evolution Strategy" (IEEE Transactions on
//! Evolutionary Computation 21, 2017), which needs no decomposition of the matrix.
//!
//! Genes that make up for each other lie in a long narrow valley. A child that is moved gene by gene leaves
//! it; one that is drawn with the right covariance goes along.
//!
//! Only the order of the children counts, not how much fitter one is. Numbers are fractions until somebody
//! rounds them, and nobody leaves its range: what would do so is folded back, as if mirrored at the end.

use super::rng::Random;

/// How much faster the matrix learns than Hansen's defaults say, which allow for noise: here is none.
const HASTE: f64 = 3.0;
/// What a generation may change of the matrix by that, at most: with few genes the defaults are fast as it is.
const HASTE_LIMIT: f64 = 0.01;

/// The distribution that children are drawn from.
#[derive(Clone, Debug)]
pub struct Covariance {
    rng: Random,
    /// The largest number of each gene; the least is 0.
    most: Vec<f64>,
    /// The middle of the distribution; it may lie beyond a range, its fold never does.
    middle: Vec<f64>,
    /// How far children are drawn from there.
    step: f64,
    /// What makes a draw of independent numbers one that varies as it should, column by column.
    matrix: Vec<f64>,
    /// The way that the middle has gone of late, in independent numbers.
    path: Vec<f64>,
    /// The children that were drawn last.
    drawn: Vec<Draw>,
}

/// A child: independent numbers, and how it differs from the middle, in steps.
#[derive(Clone, Debug)]
struct Draw {
    independent: Vec<f64>,
    difference: Vec<f64>,
}

impl Covariance {
    /// Around `middle`, each gene by itself about as far as `spread` says; `most` is the largest number of each.
    pub fn new(middle: Vec<f64>, spread: &[f64], most: Vec<f64>, seed: u64) -> Covariance {
        let genes = middle.len();
        let mut matrix = vec![0.0; genes * genes];
        for (gene, &spread) in spread.iter().enumerate() {
            matrix[gene * genes + gene] = spread;
        }
        Covariance {
            rng: Random::new(seed),
            most,
            step: 1.0 / (genes.max(1) as f64).sqrt(),
            matrix,
            path: vec![0.0; genes],
            middle,
            drawn: Vec::new(),
        }
    }

    /// The middle of the distribution.
    pub fn middle(&self) -> Vec<f64> {
        self.folded(&vec![0.0; self.middle.len()])
    }

    /// Draws so many children.
    pub fn draw(&mut self, children: usize) -> Vec<Vec<f64>> {
        let genes = self.middle.len();
        self.drawn = (0..children)
            .map(|_| {
                let independent: Vec<f64> = (0..genes).map(|_| normal(&mut self.rng)).collect();
                let difference = times(&self.matrix, &independent);
                Draw {
                    independent,
                    difference,
                }
            })
            .collect();
        let children = self.drawn.iter();
        children
            .map(|child| self.folded(&child.difference))
            .collect()
    }

    /// Learns from the children that were drawn last; `order` has their indices, the fittest first.
    pub fn learn(&mut self, order: &[usize]) {
        let fittest: Vec<&Draw> = order[..order.len() / 2]
            .iter()
            .filter_map(|&child| self.drawn.get(child))
            .collect();
        if fittest.is_empty() {
            return;
        }
        // The first counts as often as there are fittest, the last once.
        let count = fittest.len();
        let all = (count * (count + 1) / 2) as f64;
        let weights: Vec<f64> = (0..count)
            .map(|place| (count - place) as f64 / all)
            .collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let genes = self.middle.len() as f64;
        let rate_of_path = (effective + 2.0) / (genes + effective + 5.0);
        let hastened = |rate: f64| (HASTE * rate).min(rate.max(HASTE_LIMIT));
        let rate_of_one = hastened(2.0 / ((genes + 1.3) * (genes + 1.3) + effective));
        let all = 2.0 * (effective - 2.0 + 1.0 / effective).max(0.0);
        let rate_of_all = hastened(all / ((genes + 2.0) * (genes + 2.0) + effective));
        let rate_of_one = rate_of_one.min(0.5);
        let rate_of_all = rate_of_all.min(1.0 - rate_of_one);

        let went = mean(fittest.iter().map(|draw| &draw.independent), &weights);
        let moved = mean(fittest.iter().map(|draw| &draw.difference), &weights);
        add(&mut self.middle, self.step, &moved);
        for gene in &mut self.path {
            *gene *= 1.0 - rate_of_path;
        }
        let kept = rate_of_path * (2.0 - rate_of_path) * effective;
        add(&mut self.path, kept.sqrt(), &went);

        let along = times(&self.matrix, &self.path);
        let (one, every) = (rate_of_one / 2.0, rate_of_all / 2.0);
        let width = self.middle.len().max(1);
        for (gene, column) in self.matrix.chunks_exact_mut(width).enumerate() {
            for value in column.iter_mut() {
                *value *= 1.0 - one - every;
            }
            add(column, one * self.path[gene], &along);
            for (draw, weight) in fittest.iter().zip(&weights) {
                add(
                    column,
                    every * weight * draw.independent[gene],
                    &draw.difference,
                );
            }
        }

        let length = self.path.iter().map(|way| way * way).sum::<f64>().sqrt();
        let usual = genes.sqrt() * (1.0 - 1.0 / (4.0 * genes) + 1.0 / (21.0 * genes * genes));
        let damping =
            1.0 + rate_of_path + 2.0 * (((effective - 1.0) / (genes + 1.0)).sqrt() - 1.0).max(0.0);
        let growth = (rate_of_path / damping * (length / usual - 1.0)).clamp(-1.0, 1.0);
        // As good as the exponential, and the same on every machine.
        self.step *= 1.0 + growth + growth * growth / 2.0;
    }

    /// Genes that lie so many steps from the middle, within their ranges.
    fn folded(&self, difference: &[f64]) -> Vec<f64> {
        let genes = self.middle.iter().zip(difference).zip(&self.most);
        genes
            .map(|((middle, difference), &most)| {
                let there_and_back = 2.0 * most.max(f64::MIN_POSITIVE);
                let at = (middle + self.step * difference).rem_euclid(there_and_back);
                at.min(there_and_back - at).clamp(0.0, most)
            })
            .collect()
    }
}

/// A random number with mean 0 and variance 1, nearly normal: four numbers of sixteen bits added up, which
/// is the same on every machine, as a logarithm is not.
fn normal(rng: &mut Random) -> f64 {
    const PARTS: f64 = 4.0;
    let bits = rng.bits();
    let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
    let uniform = (sum as f64 + PARTS / 2.0) / 65_536.0;
    // Each part has a variance of a twelfth.
    (uniform - PARTS / 2.0) * (12.0_f64 / PARTS).sqrt()
}

/// A matrix, column by column, times numbers.
fn times(matrix: &[f64], numbers: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; numbers.len()];
    let columns = matrix.chunks_exact(numbers.len().max(1));
    for (column, &number) in columns.zip(numbers) {
        add(&mut product, number, column);
    }
    product
}

/// Adds some numbers so many times.
fn add(sums: &mut [f64], times: f64, numbers: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += times * number;
    }
}

/// The mean of rows of numbers, each with its weight.
fn mean<'a>(rows: impl Iterator<Item = &'a Vec<f64>>, weights: &[f64]) -> Vec<f64> {
    let mut mean = Vec::new();
    for (row, &weight) in rows.zip(weights) {
        mean.resize(row.len(), 0.0);
        add(&mut mean, weight, row);
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::super::algorithm::by_fitness;
    use super::*;
    use proptest::prelude::*;

    const GENES: usize = 12;

    fn adapting(seed: u64) -> Covariance {
        Covariance::new(
            vec![100.0; GENES],
            &[20.0; GENES],
            vec![1_023.0; GENES],
            seed,
        )
    }

    /// How far a child is from having 500 everywhere, where sums of neighbours matter a thousand
    /// times more than their differences.
    fn off(child: &[f64]) -> f64 {
        let pairs = child.chunks_exact(2);
        pairs
            .map(|pair| {
                let (sum, difference) = (pair[0] + pair[1] - 1_000.0, pair[0] - pair[1]);
                1_000.0 * sum * sum + difference * difference
            })
            .sum()
    }

    fn after(generations: usize, seed: u64) -> Vec<f64> {
        let mut covariance = adapting(seed);
        for _ in 0..generations {
            let children = covariance.draw(15);
            let fitness: Vec<u64> = children
                .iter()
                .map(|child| (1 << 50) - off(child) as u64)
                .collect();
            covariance.learn(&by_fitness(&fitness));
        }
        covariance.middle()
    }

    #[test]
    fn goes_along_a_valley() {
        for seed in 0..5 {
            let middle = after(600, seed);
            let far = middle.iter().map(|gene| (gene - 500.0).abs());
            let farthest = far.fold(0.0, f64::max);
            assert!(farthest < 2.0, "{farthest} from seed {seed}");
        }
    }

    #[test]
    fn one_seed_one_history() {
        assert_eq!(after(30, 7), after(30, 7));
        assert_ne!(after(30, 7), after(30, 8));
    }

    #[test]
    fn draws_have_mean_0_and_variance_1() {
        let mut rng = Random::new(4);
        let draws: Vec<f64> = (0..40_000).map(|_| normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 40_000.0;
        let variance = draws.iter().map(|draw| draw * draw).sum::<f64>() / 40_000.0;
        // Five standard deviations are 0.025 and 0.033.
        assert!(mean.abs() < 0.025, "{mean}");
        assert!((variance - 1.0).abs() < 0.033, "{variance}");
    }

    #[test]
    fn nobody_to_learn_from_and_no_genes_are_no_panic() {
        let mut covariance = adapting(1);
        covariance.learn(&[]);
        covariance.learn(&[3, 2, 1, 0]);
        assert_eq!(covariance.middle(), vec![100.0; GENES]);
        let mut empty = Covariance::new(Vec::new(), &[], Vec::new(), 1);
        assert_eq!(empty.draw(3), vec![Vec::<f64>::new(); 3]);
        empty.learn(&[0, 1, 2]);
    }

    proptest! {
        #![proptest_config(::tests::cases(256))]

        #[test]
        fn nobody_leaves_its_range(middle in -1e6..1e6_f64, spread in 0.0..1e6_f64, most in 0..4_096u32, seed: u64) {
            let most = f64::from(most);
            let mut covariance = Covariance::new(vec![middle; 3], &[spread; 3], vec![most; 3], seed);
            for _ in 0..20 {
                let children = covariance.draw(6);
                for gene in children.concat().into_iter().chain(covariance.middle()) {
                    prop_assert!((0.0..=most).contains(&gene), "{}", gene);
                }
                covariance.learn(&[5, 4, 3, 2, 1, 0]);
            }
        }
    }
}
