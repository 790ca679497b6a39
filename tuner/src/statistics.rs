//! Means, spreads, intervals and Elo. Formulas are from the sources named; all are tested against
//! known values.

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
}
