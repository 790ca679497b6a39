//! Tests that ask nothing of a distribution: the signed-rank test of pairs, Holm's correction of several
//! p-values, and how often one sample is above another. What the comparison of stochastic algorithms is
//! expected to show (J. Derrac et al., Swarm and Evolutionary Computation 1, 2011). Imports nothing but the
//! normal distribution.

use super::statistics::normal_below;

/// Pairs up to which the signed-rank test goes through all signs; as in scipy, whose `wilcoxon` is exact up
/// to fifty.
pub const EXACT_PAIRS: usize = 50;

/// What a signed-rank test has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// Pairs that differ; those that don't are left out.
    pub pairs: usize,
    /// The smaller of the sums of ranks of positive and of negative differences.
    pub statistic: f64,
    /// How probable a sum as small as this is, of either sign, if no sign is likelier than the other.
    pub p: f64,
    /// Whether the probability is exact.
    pub exact: bool,
}

/// The two-sided signed-rank test of paired differences (F. Wilcoxon, Biometrics Bulletin 1, 1945). Pairs
/// without a difference are left out; equal differences share the mean of their ranks. Up to
/// [`EXACT_PAIRS`] pairs all signs are gone through, with the ranks as they are, ties and all; for more the
/// sum is taken as normal, with the correction for ties and for continuity. In scipy's words:
/// `wilcoxon(d, zero_method="wilcox", method="exact")` (or `PermutationMethod(n_resamples=inf)` with ties),
/// else `wilcoxon(d, zero_method="wilcox", correction=True, method="asymptotic")`.
pub fn signed_rank(differences: &[f64]) -> SignedRank {
    let mut sorted: Vec<f64> = differences.to_vec();
    sorted.retain(|difference| *difference != 0.0 && difference.is_finite());
    sorted.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
    let pairs = sorted.len();
    // Twice the ranks, so that the mean of two is whole.
    let mut ranks: Vec<usize> = Vec::with_capacity(pairs);
    let mut ties = 0.0;
    for group in sorted.chunk_by(|one, other| one.abs() == other.abs()) {
        let (first, count) = (ranks.len() + 1, group.len());
        ranks.extend(std::iter::repeat_n(2 * first + count - 1, count));
        ties += (count.pow(3) - count) as f64;
    }
    let all: usize = ranks.iter().sum();
    let signed = ranks.iter().zip(&sorted);
    let above: usize = signed
        .filter(|(_, difference)| **difference > 0.0)
        .map(|(rank, _)| rank)
        .sum();
    let least = above.min(all - above);
    let exact = pairs <= EXACT_PAIRS;
    let p = match exact {
        _ if pairs == 0 => 1.0,
        true => 2.0 * share_of_sums(&ranks, least),
        false => {
            let n = pairs as f64;
            let mean = n * (n + 1.0) / 4.0;
            let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
            let distance = (least as f64 / 2.0 - mean + 0.5).min(0.0);
            2.0 * normal_below(distance / variance.sqrt())
        }
    };
    SignedRank {
        pairs,
        statistic: least as f64 / 2.0,
        p: p.min(1.0),
        exact,
    }
}

/// The share of all subsets of some numbers whose sum is no greater than this.
fn share_of_sums(numbers: &[usize], most: usize) -> f64 {
    // Shares of subsets by their sum; what is greater than `most` needs not be known.
    let mut shares = vec![0.0; most + 1];
    shares[0] = 1.0;
    for &number in numbers {
        for sum in (0..=most).rev() {
            let with = sum.checked_sub(number).map_or(0.0, |rest| shares[rest]);
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    shares.iter().sum()
}

/// Several p-values, each corrected for there being so many (S. Holm, Scandinavian Journal of Statistics 6,
/// 1979): the chance that any claim with a corrected value below 5 % is false is below 5 %.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let (mut corrected, mut least) = (vec![1.0; values.len()], 0.0_f64);
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max((values.len() - rank) as f64 * values[index]);
        corrected[index] = least.min(1.0);
    }
    corrected
}

/// How often one of the first sample is above one of the second, a tie counting a half (A. Vargha,
/// H. D. Delaney, Journal of Educational and Behavioral Statistics 25, 2000: A12); a half of no values.
pub fn a12(first: &[f64], second: &[f64]) -> f64 {
    let pairs = first.len() * second.len();
    if pairs == 0 {
        return 0.5;
    }
    let halves = first.iter().flat_map(|one| {
        second.iter().map(move |other| match one.total_cmp(other) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        })
    });
    halves.sum::<usize>() as f64 / (2 * pairs) as f64
}

/// What its authors call an effect of this size, whichever sample is above: small from 0.56, medium from
/// 0.64, large from 0.71.
pub fn effect_word(a12: f64) -> &'static str {
    // In millionths: 0.56 − 0.5 is a hair less than 0.06.
    match ((a12 - 0.5).abs() * 1e6).round() as u32 {
        0..60_000 => "negligible",
        60_000..140_000 => "small",
        140_000..210_000 => "medium",
        _ => "large",
    }
}

/// The value below which this share of some sorted values lies, between two of them in proportion (type 7
/// of R. J. Hyndman and Y. Fan, The American Statistician 50, 1996, as numpy has it); 0 of none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let at = |index: f64| sorted.get(index as usize).copied().unwrap_or(0.0);
    let (low, high) = (at(place.floor()), at(place.ceil()));
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of scipy 1.17.1 (`from scipy.stats import wilcoxon, PermutationMethod`).
    #[test]
    fn signed_ranks_agree_with_scipy() {
        let near = |found: SignedRank, statistic: f64, p: f64, exact: bool| {
            assert_eq!((found.statistic, found.exact), (statistic, exact));
            let tolerance = if exact { 1e-14 } else { 1e-7 * p };
            assert!((found.p - p).abs() < tolerance, "{found:?}, expected {p}");
        };
        // Darwin's maize: wilcoxon(d, method="exact").
        let darwin = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];
        near(
            signed_rank(&darwin.map(f64::from)),
            24.0,
            0.041_259_765_625,
            true,
        );
        // With ties: wilcoxon(d, method=PermutationMethod(n_resamples=np.inf)).
        let tied = [15, -7, 5, 20, -1, -9, 17, -12, 5, -10].map(f64::from);
        near(signed_rank(&tied), 23.0, 0.677_734_375, true);
        // And with zeros, which scipy was given without them.
        let zeros = [0, 0, 3, 3, -1, 2, 2, -2, 5].map(f64::from);
        near(signed_rank(&zeros), 4.0, 0.125, true);
        // As many as the paper's runs: wilcoxon(d, method="exact").
        let runs = |i: i32| f64::from((7 * i * i) % 101 - 40) + f64::from(i) / 64.0;
        let runs: Vec<f64> = (0..31).map(runs).collect();
        near(signed_rank(&runs), 154.0, 0.066_421_100_869_774_82, true);
        // wilcoxon(d, method="asymptotic", correction=True).
        let many: Vec<f64> = (0..60).map(|i| f64::from((37 * i) % 83 - 35)).collect();
        near(signed_rank(&many), 699.0, 0.112_616_033_214_557_64, false);
    }

    #[test]
    fn signed_ranks_by_hand() {
        // One of 32 choices of signs is all positive, one all negative.
        let five = signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((five.pairs, five.statistic, five.p), (5, 0.0, 2.0 / 32.0));
        // Ranks 1.5, 1.5, 3: sums of 1.5 or less are none, 1.5 and 1.5, of eight.
        let tied = signed_rank(&[1.0, -1.0, 2.0]);
        assert_eq!((tied.statistic, tied.p), (1.5, 6.0 / 8.0));
        assert_eq!(signed_rank(&[0.0, 0.0]).p, 1.0);
        assert_eq!(signed_rank(&[]).pairs, 0);
    }

    #[test]
    fn holm_by_hand() {
        // Ordered 0.01, 0.02, 0.03, 0.04: 0.04, 0.06, 0.06, 0.06.
        let corrected = holm(&[0.03, 0.01, 0.04, 0.02]);
        for (found, expected) in corrected.iter().zip([0.06, 0.04, 0.06, 0.06]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn effects_by_hand() {
        assert_eq!(a12(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), 0.5);
        // 3 is above two and level with one, 2 above one and level with one.
        assert_eq!(a12(&[3.0, 2.0], &[1.0, 2.0, 3.0]), (2.5 + 1.5) / 6.0);
        assert_eq!(a12(&[2.0], &[1.0]), 1.0);
        assert_eq!(a12(&[], &[1.0]), 0.5);
        let words = [0.5, 0.559, 0.56, 0.44, 0.64, 0.36, 0.71, 0.0].map(effect_word);
        let expected = [
            "negligible",
            "negligible",
            "small",
            "small",
            "medium",
            "medium",
            "large",
            "large",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn quantiles_by_hand() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&values, share));
        assert_eq!(quartiles, [1.0, 1.75, 3.0, 5.0, 8.0]);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
