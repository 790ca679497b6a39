//! Means, spreads, intervals and Elo, and how numbers are written. Formulas are from the sources
//! named; all are tested against known values. Imports nothing.

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
#[derive(Clone, Copy, Debug)]
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

/// Elo difference that makes a player expect this score, from 0 to 1 exclusive (logistic curve).
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Elo difference of a match with its 95 % interval, treating games as independent; `None` if
/// the score is 0 or 1, where the difference has no bound, or there was no game.
pub fn match_elo(wins: u64, draws: u64, losses: u64) -> Option<(f64, f64, f64)> {
    let games = (wins + draws + losses) as f64;
    let score = (wins as f64 + draws as f64 / 2.0) / games;
    if !(score > 0.0 && score < 1.0) {
        return None;
    }
    let squares = wins as f64 * (1.0 - score).powi(2)
        + draws as f64 * (0.5 - score).powi(2)
        + losses as f64 * score.powi(2);
    let error = Z95 * (squares / games / games).sqrt();
    // An interval that touches 0 or 1 is cut just short of it, so that its ends stay numbers.
    let within = |score: f64| elo(score.clamp(1e-6, 1.0 - 1e-6));
    Some((elo(score), within(score - error), within(score + error)))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() < tolerance
    }

    #[test]
    fn mean_and_spread() {
        assert_eq!(mean_and_deviation(&[2, 4, 4, 4, 5, 5, 7, 9]), (5.0, 2.0));
        assert_eq!(mean_and_deviation(&[7]), (7.0, 0.0));
        assert_eq!(mean_and_deviation(&[]), (0.0, 0.0));
        assert_eq!(mean_and_deviation(&[u32::MAX; 9]).1, 0.0);
    }

    #[test]
    fn wilson_intervals() {
        // R: prop.test(81, 263, correct = FALSE), as in Newcombe (1998), table I.
        let (low, high) = wilson(81, 263);
        assert!(close(low, 0.2553, 5e-5) && close(high, 0.3662, 5e-5));
        let (low, high) = wilson(1, 29);
        assert!(close(low, 0.0061, 5e-5) && close(high, 0.1718, 5e-5));
        let (low, high) = wilson(0, 20);
        assert!(low == 0.0 && close(high, 0.1611, 5e-5));
        // The paper's 1,521 of 5,000 held-out positions carry 1.3 points each way.
        let (low, high) = wilson(1521, 5000);
        assert!(close(high - low, 0.0255, 1e-4));
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn elo_of_scores() {
        // 2014 Table IV and V: 60.0 % is +70.4, 60.5 % +74.1, 44.5 % −38.4.
        assert!(close(elo(0.6), 70.4, 0.05));
        assert!(close(elo(0.605), 74.1, 0.05));
        assert!(close(elo(0.445), -38.4, 0.05));
        assert_eq!(elo(0.5), 0.0);
    }

    #[test]
    fn elo_of_matches() {
        let (elo, low, high) = match_elo(50, 100, 50).unwrap();
        // Deviation of a game √0.125, of the mean 0.025; 1.96 of them are 0.049 of score.
        assert!(elo == 0.0 && close(low, -34.1, 0.1) && close(high, 34.1, 0.1));
        assert_eq!(match_elo(3, 0, 0), None);
        assert_eq!(match_elo(0, 0, 0), None);
    }

    #[test]
    fn summary_of_few_values() {
        assert_eq!(Summary::of([]), None);
        let one = Summary::of([3.0]).unwrap();
        assert_eq!((one.mean, one.deviation), (3.0, None));
        let three = Summary::of([1.0, 2.0, 3.0]).unwrap();
        assert_eq!((three.mean, three.deviation), (2.0, Some(1.0)));
        assert_eq!(three.text(), "2.0 ± 1.0");
        assert_eq!(Summary::of([1500.0, 1502.0]).unwrap().counts(), "1,501 ± 1");
    }

    #[test]
    fn thousands_are_set_off() {
        for (number, text) in [
            (0_u32, "0"),
            (999, "999"),
            (1000, "1,000"),
            (u32::MAX, "4,294,967,295"),
        ] {
            assert_eq!(thousands(number), text);
        }
    }
}
