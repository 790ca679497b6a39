//! The strategy parameters of CMA-ES: recombination weights and learning rates, from the number of genes and
//! of children alone. Symbols and equations are those of N. Hansen, "The CMA Evolution Strategy: A Tutorial"
//! (arXiv:1604.00772), table 1 with α_cov = 2.

use super::super::series::ln;
use super::Variant;

/// How much faster than by Hansen's defaults the matrix learns if hastened: those allow for noise.
const HASTE: f64 = 3.0;
/// What a hastened generation may change of the matrix by that, at most: with few genes the defaults are
/// fast as it is.
const HASTE_LIMIT: f64 = 0.01;

/// Weights and rates of a generation; a rate is the part of what was known that is forgotten.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// w_i: what the fittest count, the first the most; their sum is 1.
    pub weights: Vec<f64>,
    /// μ_eff: with equal weights, so many fittest would say as much.
    pub effective: f64,
    /// c_σ: of the evolution path of the step size.
    pub step_path: f64,
    /// d_σ: the damping of the step size, about 1.
    pub damping: f64,
    /// c_c: of the evolution path of the covariance matrix.
    pub matrix_path: f64,
    /// c_1: of the rank-one update.
    pub rank_one: f64,
    /// c_μ: of the rank-μ update.
    pub rank_mu: f64,
}

impl Rates {
    /// For so many genes (1 or more) and children, `selected` of which (1 or more) are learnt from.
    pub fn new(variant: Variant, genes: usize, children: usize, selected: usize) -> Rates {
        let weights = match variant {
            Variant::Hastened => linear_weights(selected),
            Variant::Standard => log_weights(children, selected),
        };
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let genes = genes as f64;
        let step_path = (effective + 2.0) / (genes + effective + 5.0);
        let damping =
            1.0 + step_path + 2.0 * (((effective - 1.0) / (genes + 1.0)).sqrt() - 1.0).max(0.0);
        let rank_one = 2.0 / ((genes + 1.3) * (genes + 1.3) + effective);
        let rank_mu = |surplus: f64| 2.0 * surplus / ((genes + 2.0) * (genes + 2.0) + effective);
        let (matrix_path, rank_one, rank_mu) = match variant {
            Variant::Hastened => {
                let surplus = (effective - 2.0 + 1.0 / effective).max(0.0);
                let rank_one = hastened(rank_one).min(0.5);
                (step_path, rank_one, hastened(rank_mu(surplus)))
            }
            Variant::Standard => {
                let shift = effective / genes;
                let matrix_path = (4.0 + shift) / (genes + 4.0 + 2.0 * shift);
                let surplus = 0.25 + effective + 1.0 / effective - 2.0;
                (matrix_path, rank_one, rank_mu(surplus))
            }
        };
        Rates {
            weights,
            effective,
            step_path,
            damping,
            matrix_path,
            rank_one,
            rank_mu: rank_mu.min(1.0 - rank_one),
        }
    }
}

/// A rate of Hansen's, faster.
fn hastened(rate: f64) -> f64 {
    (HASTE * rate).min(rate.max(HASTE_LIMIT))
}

/// The first counts as often as there are, the last once.
fn linear_weights(selected: usize) -> Vec<f64> {
    let all = (selected * (selected + 1) / 2) as f64;
    (0..selected)
        .map(|place| (selected - place) as f64 / all)
        .collect()
}

/// ln((λ + 1) / 2) - ln i, divided by their sum; those of the less fit half would be negative,
/// and are left out.
fn log_weights(children: usize, selected: usize) -> Vec<f64> {
    let last = ln((children as f64 + 1.0) / 2.0);
    let weights = (1..=selected).map(|place| last - ln(place as f64));
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hansen's table for 10 genes and 10 children, worked out apart from this code: a wrong rate would still
    /// find minima, only later.
    #[test]
    fn the_tutorials_defaults() {
        let rates = Rates::new(Variant::Standard, 10, 10, 5);
        let known = [
            (rates.weights[0], 0.4562726469),
            (rates.weights[4], 0.0255095918),
            (rates.effective, 3.1672992814),
            (rates.step_path, 0.2844285879),
            (rates.damping, 1.2844285879),
            (rates.matrix_path, 0.2949903830),
            (rates.rank_one, 0.0152838245),
            (rates.rank_mu, 0.0235517767),
        ];
        for (ours, known) in known {
            assert!((ours - known).abs() < 1e-9, "{ours}, not {known}");
        }
    }

    /// More would turn a variance negative.
    #[test]
    fn nothing_forgets_more_than_there_is() {
        for variant in [Variant::Hastened, Variant::Standard] {
            for (genes, children) in [(1, 2), (1, 3), (1, 10_000), (2, 50), (347, 100), (347, 4)] {
                let rates = Rates::new(variant, genes, children, children / 2);
                let sum: f64 = rates.weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "{sum}");
                assert!(rates.weights.iter().all(|weight| *weight > 0.0));
                for rate in [rates.step_path, rates.matrix_path] {
                    assert!(rate > 0.0 && rate < 1.0, "{rates:?}");
                }
                assert!(rates.rank_one > 0.0 && rates.rank_mu >= 0.0);
                assert!(rates.rank_one + rates.rank_mu <= 1.0, "{rates:?}");
            }
        }
    }
}
