//! The few statistics of a report, and how numbers are written. Imports nothing.

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

/// Wilson's 95 % interval of a proportion, in per cent; `None` without trials.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22,
/// 1927.
pub fn wilson(successes: u32, trials: u32) -> Option<(f64, f64)> {
    /// Two-sided 95 % quantile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let rate = percent(successes, trials)? / 100.0;
    let n = f64::from(trials);
    let centre = rate + Z * Z / (2.0 * n);
    let spread = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 100.0 / (1.0 + Z * Z / n);
    let low = ((centre - spread) * scale).max(0.0);
    let high = ((centre + spread) * scale).min(100.0);
    Some((low, high))
}

/// Per cent of the trials that succeeded; `None` without trials.
pub fn percent(successes: u32, trials: u32) -> Option<f64> {
    let rate = f64::from(successes.min(trials)) / f64::from(trials);
    (trials > 0).then_some(100.0 * rate)
}

/// A count with its thousands set off: "1,620".
pub fn thousands(number: u32) -> String {
    let digits = number.to_string();
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

    #[test]
    fn wilson_agrees_with_published_values() {
        // Newcombe 1998, Statistics in Medicine 17, Table I: 81 of 263 and 0 of 20.
        let (low, high) = wilson(81, 263).unwrap();
        assert!((low - 25.53).abs() < 0.01 && (high - 36.62).abs() < 0.01);
        let (low, high) = wilson(0, 20).unwrap();
        assert!(low < 1e-9 && (high - 16.11).abs() < 0.01);
        assert_eq!(wilson(0, 0), None);
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
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (u32::MAX, "4,294,967,295"),
        ] {
            assert_eq!(thousands(number), text);
        }
    }
}
