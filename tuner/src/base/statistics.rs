//! Means, spreads, intervals and Elo, and how numbers are written. Formulas are from the sources
//! named; all are tested against known values. Imports nothing of ours.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Mean and standard deviation of a whole population (divided by n, not n − 1), from exact
/// integer sums; 0 and 0 for no values.
pub fn mean_and_deviation(values: &[u32]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let count = values.len() as u128;
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    let squares: u128 = values.iter().map(|&value| u128::from(value).pow(2)).sum();
    // n · Σx² − (Σx)² is never negative and exact; one division and one root follow.
    let variance = (count * squares - sum * sum) as f64 / (count * count) as f64;
    (sum as f64 / count as f64, variance.sqrt())
}

/// Wilson's 95 % score interval of a proportion (E. B. Wilson, JASA 22, 1927), as two fractions
/// of 1; the whole range for no trials.
pub fn wilson(successes: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z2 = Z95 * Z95;
    let centre = p + z2 / (2.0 * n);
    let margin = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    (
        ((centre - margin) / scale).max(0.0),
        ((centre + margin) / scale).min(1.0),
    )
}

/// A proportion with its 95 % interval (Wilson), in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The rate.
    pub percent: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Rate {
    /// So many of so many; of none, nothing is known.
    pub fn new(successes: u64, trials: u64) -> Rate {
        let successes = successes.min(trials);
        let (low, high) = wilson(successes, trials);
        Rate {
            percent: 100.0 * successes as f64 / trials.max(1) as f64,
            low: 100.0 * low,
            high: 100.0 * high,
        }
    }
}

/// Elo difference that makes a player expect this score, from 0 (minus infinity) to 1 (plus infinity;
/// logistic curve).
pub fn elo(score: f64) -> f64 {
    // From nothing, for a half is 0 and not -0.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// Elo difference of a match of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference.
    pub elo: f64,
    /// Its 95 % interval, of which an end is infinite where the results set no bound; `None` if all
    /// pairs have the same score, which says nothing of how much chance there is in them.
    pub interval: Option<(f64, f64)>,
}

impl Difference {
    /// `+12 ± 30 Elo`, `+430 Elo (+210 to +inf)` if an end of the interval is infinite, or `+12 Elo`
    /// if there is no interval.
    pub fn short_text(&self) -> String {
        let elo = self.elo;
        match self.interval {
            Some((low, high)) if low.is_infinite() || high.is_infinite() => {
                format!("{elo:+.0} Elo ({low:+.0} to {high:+.0})")
            }
            Some((low, high)) => format!("{elo:+.0} ± {:.0} Elo", (high - low) / 2.0),
            None => format!("{elo:+.0} Elo"),
        }
    }
}

/// Score that a player expects who is better by this much Elo (logistic curve).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Probability that a normal variable is below this many standard deviations (the complementary
/// error function by W. J. Cody's rational form as in Numerical Recipes, §6.2; error below 1.2e-7).
pub fn normal_below(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    let coefficients = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let series = coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let above = 0.5 * t * (series - x * x).exp();
    if deviations < 0.0 { above } else { 1.0 - above }
}

/// Results of pairs of games, each from one opening with both colours: how many gave the first
/// player 0, ½, 1, 1½ and 2 points. The games of a pair are not independent, the pairs are, so
/// intervals that count pairs are right where those that count games are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Number of pairs by half points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Counts a pair that gave so many half points.
    pub fn add(&mut self, half_points: u32) {
        if let Some(count) = self.counts.get_mut(half_points as usize) {
            *count += 1;
        }
    }

    /// Counts all pairs of another match.
    pub fn extend(&mut self, other: Pentanomial) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Mean score of a game, from 0 to 1; ½ of no games.
    pub fn score(&self) -> f64 {
        let points = (0..)
            .zip(self.counts)
            .map(|(halves, count): (u64, u64)| halves * count);
        match self.pairs() {
            0 => 0.5,
            pairs => points.sum::<u64>() as f64 / (4 * pairs) as f64,
        }
    }

    /// Variance of a pair's mean score.
    fn variance(&self) -> f64 {
        let score = self.score();
        let squares = (0..).zip(self.counts).map(|(halves, count): (u32, u64)| {
            count as f64 * (f64::from(halves) / 4.0 - score).powi(2)
        });
        squares.sum::<f64>() / self.pairs().max(1) as f64
    }

    /// Standard error of the mean score.
    pub fn error(&self) -> f64 {
        (self.variance() / self.pairs().max(1) as f64).sqrt()
    }

    /// Elo difference with its 95 % interval; `None` if all pairs were won, or all lost, or there
    /// is none. (The formula is that of fastchess and OpenBench, but for fewer than [`NORMAL_PAIRS`],
    /// whose variance is itself uncertain: Student's distribution is wider, and tells by how much.)
    pub fn elo(&self) -> Option<Difference> {
        let score = self.score();
        if self.pairs() == 0 || score <= 0.0 || score >= 1.0 {
            return None;
        }
        let pairs = self.pairs();
        let (quantile, degrees) = match STUDENT_95.get(pairs as usize) {
            Some(&quantile) => (quantile, (pairs - 1).max(1)),
            None => (Z95, pairs),
        };
        let margin = quantile * (self.variance() / degrees as f64).sqrt();
        let within = |score: f64| elo(score.clamp(0.0, 1.0));
        Some(Difference {
            elo: elo(score),
            interval: (margin > 0.0).then(|| (within(score - margin), within(score + margin))),
        })
    }

    /// The difference in words, or how many of the points were won if it has no bound.
    pub fn elo_text(&self) -> String {
        match self.elo() {
            Some(Difference { elo, interval }) => match interval {
                Some((low, high)) => {
                    format!("{elo:+.1} Elo, 95 % interval {low:+.1} to {high:+.1}")
                }
                None => {
                    format!("{elo:+.1} Elo without an interval (all pairs have the same score)")
                }
            },
            None => format!("{:.0} % of the points", 100.0 * self.score()),
        }
    }

    /// Likelihood of superiority: how probable it is, given the results, that the first player is
    /// the better one; `None` if all pairs have the same score or are too few ([`NORMAL_PAIRS`]).
    pub fn superiority(&self) -> Option<f64> {
        let error = self.error();
        let is_known = error > 0.0 && self.pairs() >= NORMAL_PAIRS;
        is_known.then(|| normal_below((self.score() - 0.5) / error))
    }

    /// Whether the first player is better (`Greater`) or worse (`Less`) than the second, or chance
    /// alone gives as much in one match of twenty or more (`Equal`). The 95 % interval tells it, or,
    /// of few pairs and of such as are all alike, the sign test of pairs won and lost, which is exact.
    pub fn standing(&self) -> Ordering {
        let interval = self.elo().and_then(|difference| difference.interval);
        match interval.filter(|_| self.pairs() >= NORMAL_PAIRS) {
            Some((low, _)) if low > 0.0 => Ordering::Greater,
            Some((_, high)) if high < 0.0 => Ordering::Less,
            Some(_) => Ordering::Equal,
            None => {
                let [all_lost, lost, _, won, all_won] = self.counts;
                let (won, lost) = (won + all_won, lost + all_lost);
                match sign_test(won, lost) < 0.05 {
                    true => won.cmp(&lost),
                    false => Ordering::Equal,
                }
            }
        }
    }

    /// Logarithm of the likelihood ratio of two hypotheses on the Elo difference, each with the
    /// distribution of results that fits it best (generalised SPRT, M. Van den Bergh, "The
    /// generalized maximum likelihood ratio for the expectation value of a distribution"; the
    /// logistic model of fishtest and fastchess).
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        // A result that has not occurred yet still can.
        let counts = self.counts.map(|count| (count as f64).max(1e-3));
        let pairs: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / pairs);
        let under = |elo| most_likely(&shares, expected_score(elo));
        let (under0, under1) = (under(elo0), under(elo1));
        let ratios = under1
            .iter()
            .zip(&under0)
            .map(|(one, zero)| (one / zero).ln());
        pairs
            * ratios
                .zip(shares)
                .map(|(ratio, share)| ratio * share)
                .sum::<f64>()
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points: `[1, 2, 10, 3, 2]`.
    pub fn text(&self) -> String {
        format!("{:?}", self.counts)
    }
}

/// Pairs of which a variance is known well enough for a normal interval.
pub const NORMAL_PAIRS: u64 = 30;

/// Two-sided 95 % quantiles of Student's distribution for so many pairs, one degree of freedom less
/// than there are (of none and one there is no spread).
const STUDENT_95: [f64; NORMAL_PAIRS as usize] = [
    0.0, 0.0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
    2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060,
    2.056, 2.052, 2.048,
];

/// Probability that a fair coin thrown so many times shows one side this rarely or more so, either
/// side (the two-sided sign test).
fn sign_test(won: u64, lost: u64) -> f64 {
    let (throws, rarer) = (won + lost, won.min(lost));
    // Binomial coefficients over 2^throws, from one to the next.
    let mut term = 0.5_f64.powf(throws as f64);
    let mut sum = term;
    for k in 0..rarer {
        term *= (throws - k) as f64 / (k + 1) as f64;
        sum += term;
    }
    (2.0 * sum).min(1.0)
}

/// The distribution of pairs with this mean score under which results with these shares are the
/// most likely: p / (1 + t (a − s)), with t such that the mean is s. That is found by halving.
fn most_likely(shares: &[f64; 5], score: f64) -> [f64; 5] {
    let distance = [0.0, 0.25, 0.5, 0.75, 1.0].map(|points| points - score);
    let excess = |t: f64| -> f64 {
        let terms = shares.iter().zip(distance);
        terms.map(|(share, d)| share * d / (1.0 + t * d)).sum()
    };
    // Between these poles the excess falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (low + high) / 2.0;
    let mut fitted = *shares;
    for (share, d) in fitted.iter_mut().zip(distance) {
        *share /= 1.0 + t * d;
    }
    fitted
}

/// Greatest Elo difference, either way, that a test may ask for. (Tests of ours that are never to be
/// decided ask for 1,400.)
pub const MOST_ELO: f64 = 2000.0;

/// A sequential probability ratio test on the Elo difference: is it `elo1` rather than `elo0`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under the hypothesis that nothing is gained.
    pub elo0: f64,
    /// The difference under the hypothesis that something is.
    pub elo1: f64,
    /// Probability of taking the second for true while the first is.
    pub alpha: f64,
    /// Probability of taking the first for true while the second is.
    pub beta: f64,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The second hypothesis is taken.
    Better,
    /// The first hypothesis is taken.
    NotBetter,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The ratios at which the test ends (A. Wald, "Sequential Analysis", 1947).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// How the test stands after these results.
    pub fn decide(&self, results: &Pentanomial) -> Decision {
        let ratio = results.log_likelihood_ratio(self.elo0, self.elo1);
        let (low, high) = self.bounds();
        if ratio >= high {
            Decision::Better
        } else if ratio <= low {
            Decision::NotBetter
        } else {
            Decision::Open
        }
    }
}

/// Mean and spread of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divisor n − 1); a single value has none.
    pub deviation: Option<f64>,
}

impl Summary {
    /// Of any values; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Summary> {
        let values: Vec<f64> = values.into_iter().collect();
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        Some(Summary { mean, deviation })
    }

    /// "30.2 ± 0.3", or the mean alone where there is no deviation.
    pub fn text(self) -> String {
        match self.deviation {
            Some(deviation) => format!("{:.1} ± {deviation:.1}", self.mean),
            None => format!("{:.1}", self.mean),
        }
    }

    /// Of counts, whole: "1,536 ± 19".
    pub fn counts(self) -> String {
        let count = |value: f64| thousands(value.round() as u32);
        match self.deviation {
            Some(deviation) => format!("{} ± {}", count(self.mean), count(deviation)),
            None => count(self.mean),
        }
    }
}

/// A count with its thousands set off: "1,620".
pub fn thousands(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: "1 thread", "2 threads".
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number as u64))
}

/// `1612 of 5000 (32.2 %, 95 % interval 31.0 to 33.5)`
pub fn rate_text(solved: u32, positions: usize) -> String {
    let Rate { percent, low, high } = Rate::new(solved.into(), positions as u64);
    format!("{solved} of {positions} ({percent:.1} %, 95 % interval {low:.1} to {high:.1})")
}

/// Rounds to two decimals.
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests;
