//! CMA-ES: how genes vary together is learnt from those children that are fit, and the next ones are drawn so.
//! The covariance matrix adaptation of N. Hansen and A. Ostermeier, "Completely Derandomized Self-Adaptation in
//! Evolution Strategies" (Evolutionary Computation 9, 2001), with the defaults of N. Hansen, "The CMA Evolution
//! Strategy: A Tutorial" (arXiv:1604.00772), in the form of H.-G. Beyer and B. Sendhoff, "Simplify Your
//! Covariance Matrix Adaptation Evolution Strategy" (IEEE Transactions on Evolutionary Computation 21, 2017),
//! which needs no decomposition of the matrix.
//!
//! Genes that make up for each other lie in a long narrow valley. A child that is moved gene by gene leaves
//! it; one that is drawn with the right covariance goes along.
//!
//! Ask for children, find out elsewhere which are the fitter, and tell: only their order counts, not how much
//! fitter one is. Numbers are fractions until somebody rounds them, and nobody leaves its range: what would do
//! so is folded back, as if mirrored at the end.
//!
//! A child costs time in proportion to the square of the genes, and telling the same for each of the fitter half:
//! a generation of 100 children of 347 genes takes about 4 ms.
//!
//! Where [`Variant::Standard`] differs from the tutorial's algorithm (its appendix A):
//!
//! - What is kept of the covariance matrix C is a factor M, C = M Mᵀ. It is multiplied by half the update,
//!   I + ΔC / 2, whose square is the update but for terms of second order (Beyer and Sendhoff).
//! - Both evolution paths are of independent numbers (M⁻¹ times the tutorial's), so that the one of the
//!   covariance matrix turns with M.
//! - There are no negative weights (the tutorial's "active" update).

mod rates;
#[cfg(test)]
mod tests;

use self::rates::Rates;
use super::rng::Random;
use super::series::{exp, ln};

/// Which weights, rates and draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// For fitness that is exact, late in a run: the matrix is learnt faster than by default, by linear weights
    /// and one evolution path, and draws are sums of uniform ones. The step begins as spread over the genes, by
    /// the square root of their number: a child is as far off as if one gene had changed.
    Hastened,
    /// The tutorial's defaults, from normal draws, with cumulative step-size adaptation. The step begins at 1,
    /// so the spread given is the standard deviation of the first children.
    Standard,
}

/// The ranges of genes.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranges {
    /// From 0 to a number for each gene.
    FromZero(Vec<f64>),
    /// All numbers.
    Unbounded,
}

/// The distribution that children are drawn from.
#[derive(Clone, Debug)]
pub struct CmaEs {
    variant: Variant,
    rng: Random,
    ranges: Ranges,
    /// The mean of the distribution; it may lie beyond a range, its fold never does.
    mean: Vec<f64>,
    /// The step size σ: how far children are drawn from there.
    step: f64,
    /// The factor M of the covariance matrix: what makes a draw of independent numbers one that varies as it
    /// should, column by column.
    factor: Vec<f64>,
    /// The evolution path of the step size: the way that the mean has gone of late, in independent numbers.
    step_path: Vec<f64>,
    /// The one of the covariance matrix, if that is another.
    matrix_path: Vec<f64>,
    /// (1 - c_σ) to the power of twice the generations: how much of nothing is still in the path.
    unsettled: f64,
    /// The children that were drawn last.
    drawn: Vec<Draw>,
}

/// A child: independent numbers (z of the tutorial), and how it differs from the mean, in steps (y).
#[derive(Clone, Debug)]
struct Draw {
    independent: Vec<f64>,
    difference: Vec<f64>,
}

/// The tutorial's default for the number of children, λ = 4 + ⌊3 ln n⌋ (its table 1).
pub fn default_population(genes: usize) -> usize {
    4 + (3.0 * ln(genes.max(1) as f64)) as usize
}

impl CmaEs {
    /// Around `mean`, each gene by itself about as far as `spread` says, a standard deviation in the gene's
    /// unit; genes without a spread stay where they are.
    pub fn new(
        mean: Vec<f64>,
        spread: &[f64],
        ranges: Ranges,
        seed: u64,
        variant: Variant,
    ) -> CmaEs {
        let genes = mean.len();
        let mut factor = vec![0.0; genes * genes];
        for (gene, &spread) in spread.iter().enumerate().take(genes) {
            factor[gene * genes + gene] = spread;
        }
        CmaEs {
            variant,
            rng: Random::new(seed),
            ranges,
            step: match variant {
                Variant::Hastened => 1.0 / (genes.max(1) as f64).sqrt(),
                Variant::Standard => 1.0,
            },
            factor,
            step_path: vec![0.0; genes],
            matrix_path: vec![0.0; genes],
            unsettled: 1.0,
            mean,
            drawn: Vec::new(),
        }
    }

    /// The mean of the distribution, within the ranges.
    pub fn mean(&self) -> Vec<f64> {
        self.folded(&vec![0.0; self.mean.len()])
    }

    /// The step size: standard deviations are so many times what the covariance matrix says.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Draws so many children; see [`default_population`]. Fewer than 2 teach nothing.
    pub fn ask(&mut self, children: usize) -> Vec<Vec<f64>> {
        let genes = self.mean.len();
        self.drawn = (0..children)
            .map(|_| {
                let independent = match self.variant {
                    Variant::Hastened => (0..genes).map(|_| nearly_normal(&mut self.rng)).collect(),
                    Variant::Standard => normals(genes, &mut self.rng),
                };
                let difference = times(&self.factor, &independent);
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

    /// Learns from the children that were drawn last; `order` has their indices, the fittest first. What is
    /// no index of theirs is left out.
    pub fn tell(&mut self, order: &[usize]) {
        let fittest: Vec<&Draw> = order[..order.len() / 2]
            .iter()
            .filter_map(|&child| self.drawn.get(child))
            .collect();
        let width = self.mean.len();
        if fittest.is_empty() || width == 0 {
            return;
        }
        let rates = Rates::new(self.variant, width, order.len(), fittest.len());
        let genes = width as f64;

        let went = weighted_mean(fittest.iter().map(|draw| &draw.independent), &rates.weights);
        let moved = weighted_mean(fittest.iter().map(|draw| &draw.difference), &rates.weights);
        add(&mut self.mean, self.step, &moved);
        go_on(&mut self.step_path, rates.step_path, &rates, Some(&went));
        let length = length(&self.step_path);
        // How long the path is if nothing but chance decides who is fit: the mean length of a normal draw.
        let usual = genes.sqrt() * (1.0 - 1.0 / (4.0 * genes) + 1.0 / (21.0 * genes * genes));

        // The part of the path that stood still, so that the matrix doesn't shrink for it.
        let mut stalled = 0.0;
        let path = match self.variant {
            Variant::Hastened => &self.step_path,
            Variant::Standard => {
                self.unsettled *= (1.0 - rates.step_path) * (1.0 - rates.step_path);
                let settled = length / (1.0 - self.unsettled).sqrt();
                // h_σ: a step that has yet to grow is no reason to stretch the matrix.
                let goes = settled < (1.4 + 2.0 / (genes + 1.0)) * usual;
                if !goes {
                    stalled = rates.matrix_path * (2.0 - rates.matrix_path);
                }
                let went = goes.then_some(&went);
                go_on(&mut self.matrix_path, rates.matrix_path, &rates, went);
                &self.matrix_path
            }
        };
        let along = times(&self.factor, path);
        let (one, every) = (rates.rank_one / 2.0, rates.rank_mu / 2.0);
        for (gene, column) in self.factor.chunks_exact_mut(width).enumerate() {
            for value in column.iter_mut() {
                *value *= 1.0 - one * (1.0 - stalled) - every;
            }
            add(column, one * path[gene], &along);
            for (draw, weight) in fittest.iter().zip(&rates.weights) {
                add(
                    column,
                    every * weight * draw.independent[gene],
                    &draw.difference,
                );
            }
        }

        let growth = rates.step_path / rates.damping * (length / usual - 1.0);
        self.step = grown(self.variant, self.step, growth);
    }

    /// Genes that lie so many steps from the mean, within their ranges.
    fn folded(&self, difference: &[f64]) -> Vec<f64> {
        let genes = self.mean.iter().zip(difference);
        let genes = genes.map(|(mean, difference)| mean + self.step * difference);
        match &self.ranges {
            Ranges::Unbounded => genes.collect(),
            Ranges::FromZero(most) => genes.zip(most).map(|(at, &most)| fold(at, most)).collect(),
        }
    }
}

/// A number within 0 to `most`, mirrored at the ends.
fn fold(number: f64, most: f64) -> f64 {
    let there_and_back = 2.0 * most.max(f64::MIN_POSITIVE);
    let at = number.rem_euclid(there_and_back);
    at.min(there_and_back - at).clamp(0.0, most)
}

/// An evolution path goes on: it forgets a part at this rate and, unless it stalls, goes where the mean went, so
/// far that its variance stays 1.
fn go_on(path: &mut [f64], rate: f64, rates: &Rates, went: Option<&Vec<f64>>) {
    for gene in path.iter_mut() {
        *gene *= 1.0 - rate;
    }
    let kept = rate * (2.0 - rate) * rates.effective;
    if let Some(went) = went {
        add(path, kept.sqrt(), went);
    }
}

/// A step size whose logarithm has grown, by 1 at most.
fn grown(variant: Variant, step: f64, growth: f64) -> f64 {
    /// Beyond, nothing is measured any more; it keeps what is added up finite.
    const STEPS: (f64, f64) = (1e-100, 1e100);
    match variant {
        Variant::Hastened => {
            let growth = growth.clamp(-1.0, 1.0);
            // As good as the exponential.
            step * (1.0 + growth + growth * growth / 2.0)
        }
        Variant::Standard => (step * exp(growth.min(1.0))).clamp(STEPS.0, STEPS.1),
    }
}

/// A random number with mean 0 and variance 1, nearly normal: four numbers of sixteen bits added up.
fn nearly_normal(rng: &mut Random) -> f64 {
    const PARTS: f64 = 4.0;
    let bits = rng.bits();
    let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
    let uniform = (sum as f64 + PARTS / 2.0) / 65_536.0;
    // Each part has a variance of a twelfth.
    (uniform - PARTS / 2.0) * (12.0_f64 / PARTS).sqrt()
}

/// So many independent numbers from the normal distribution with mean 0 and variance 1: G. Marsaglia and T. A.
/// Bray, "A Convenient Method for Generating Normal Variables" (SIAM Review 6, 1964), two at a time.
fn normals(count: usize, rng: &mut Random) -> Vec<f64> {
    let mut normals = Vec::with_capacity(count + 1);
    while normals.len() < count {
        let (x, y) = (within_1(rng), within_1(rng));
        let square = x * x + y * y;
        if square < 1.0 {
            let factor = (-2.0 * ln(square) / square).sqrt();
            normals.extend([x * factor, y * factor]);
        }
    }
    normals.truncate(count);
    normals
}

/// A number from -1 to 1, all equally likely, never 0.
fn within_1(rng: &mut Random) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let half_steps = ((rng.bits() >> (u64::BITS - BITS)) << 1 | 1) as f64;
    half_steps / (1_u64 << BITS) as f64 - 1.0
}

/// How long a way is.
fn length(way: &[f64]) -> f64 {
    way.iter().map(|part| part * part).sum::<f64>().sqrt()
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
fn weighted_mean<'a>(rows: impl Iterator<Item = &'a Vec<f64>>, weights: &[f64]) -> Vec<f64> {
    let mut mean = Vec::new();
    for (row, &weight) in rows.zip(weights) {
        mean.resize(row.len(), 0.0);
        add(&mut mean, weight, row);
    }
    mean
}
