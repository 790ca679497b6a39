//! Each cell compared with the one that is its baseline, run by run of the same seed.

use super::cells::Design;
use super::planned::Data;
use super::results::{CellResult, Cells, p_text, p_words, quoted};
use crate::base::nonparametric::{SignedRank, a12, effect_word, holm, quantile, signed_rank};
use crate::base::statistics::counted;
use std::fmt::Write as _;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// What the best of the last generation has of the full score, in per cent.
    Best,
    /// What the champion has where nobody has learnt, in per cent.
    HeldOut,
}

impl Measure {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Best => "last best",
            Measure::HeldOut => "held-out",
        }
    }
}

/// A cell against another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Number of the cell.
    pub cell: usize,
    /// Number of the one that it is compared with.
    pub against: usize,
    /// What is compared.
    pub measure: Measure,
    /// Median of the pairs' differences, in per cent of the full score.
    pub difference: f64,
    /// Pairs in which the cell is better, equal and worse.
    pub pairs: [usize; 3],
    /// The signed-rank test of them.
    pub test: SignedRank,
    /// Its p-value, corrected for all comparisons of the experiment.
    pub corrected: f64,
    /// How often a run of the cell is above one of the other.
    pub a12: f64,
}

/// A corrected p-value below this is called a difference.
pub const LEVEL: f64 = 0.05;

impl Comparison {
    /// Whether the two differ, after correction.
    pub fn differs(&self) -> bool {
        self.corrected < LEVEL
    }
}

/// All comparisons but of cells that have other data than their baselines: shares of other positions tell nothing.
pub fn compare(design: &Design, data: &Data, results: &[CellResult]) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (number, (cell, result)) in design.cells.iter().zip(results).enumerate() {
        let Some(other) = results.get(cell.against).filter(|_| cell.against != number) else {
            continue;
        };
        let is_same = |measure| data.is_same(number, cell.against, measure == Measure::HeldOut);
        if is_same(Measure::Best) {
            let (own, other) = (result.best(), other.best());
            found.extend(pair(number, cell.against, Measure::Best, &own, &other));
        }
        if let (Some(own), Some(other)) = (result.held_out(), other.held_out())
            && is_same(Measure::HeldOut)
        {
            found.extend(pair(number, cell.against, Measure::HeldOut, &own, &other));
        }
    }
    let values: Vec<f64> = found.iter().map(|found| found.test.p).collect();
    for (found, corrected) in found.iter_mut().zip(holm(&values)) {
        found.corrected = corrected;
    }
    found
}

fn pair(
    cell: usize,
    against: usize,
    measure: Measure,
    own: &[f64],
    other: &[f64],
) -> Option<Comparison> {
    // Of equal differences none is larger by an error of rounding.
    let exact = |value: f64| (value * 1e9).round() / 1e9;
    let differences = own.iter().zip(other).map(|(own, other)| exact(own - other));
    let mut differences: Vec<f64> = differences.collect();
    let test = signed_rank(&differences);
    let count = |is: fn(&f64) -> bool| differences.iter().filter(|value| is(value)).count();
    let pairs = [
        count(|d| *d > 0.0),
        count(|d| *d == 0.0),
        count(|d| *d < 0.0),
    ];
    differences.sort_by(f64::total_cmp);
    let of = |values: &[f64]| {
        values
            .iter()
            .map(|&value| exact(value))
            .collect::<Vec<f64>>()
    };
    (!differences.is_empty()).then(|| Comparison {
        cell,
        against,
        measure,
        difference: quantile(&differences, 0.5),
        pairs,
        test,
        corrected: 1.0,
        a12: a12(&of(own), &of(other)),
    })
}

/// What is not compared, and why, in a sentence for each measure.
pub fn left_out(design: &Design, data: &Data) -> Vec<String> {
    let said = |measure: Measure, kind| {
        let cells = design.cells.iter().enumerate();
        let is_held_out = measure == Measure::HeldOut;
        let apart =
            cells.filter(|(number, cell)| !data.is_same(*number, cell.against, is_held_out));
        let count = apart.count();
        (count > 0).then(|| {
            format!(
                "The {} of {} is not compared, because the {kind} data are not those of the baseline. `baseline` in the \
                 experiment's file chooses cells that have the same data.",
                measure.name(),
                counted(count, "cell")
            )
        })
    };
    let all = [
        said(Measure::Best, "training"),
        said(Measure::HeldOut, "held-out"),
    ];
    all.into_iter().flatten().collect()
}

/// Which cells differ from their baselines, in sentences.
pub fn conclusions(design: &Design, found: &[Comparison]) -> Vec<String> {
    if found.is_empty() {
        return vec!["Nothing is compared.".to_string()];
    }
    let differing = found.iter().filter(|found| found.differs());
    let mut said: Vec<String> = differing
        .map(|found| {
            format!(
                "{} is {} than {} in {}: median difference {:+.2} percentage points, {} after Holm, {} effect (A12 {:.3}).",
                name(design, found.cell),
                if found.pairs[0] >= found.pairs[2] { "better" } else { "worse" },
                name(design, found.against),
                found.measure.name(),
                found.difference,
                p_words(found.corrected),
                effect_word(found.a12),
                found.a12
            )
        })
        .collect();
    if said.is_empty() {
        let runs = found
            .iter()
            .map(|found| found.pairs.iter().sum::<usize>())
            .max();
        let runs = runs.unwrap_or(0);
        said.push(format!(
            "No cell differs from its baseline at 5 % after Holm's correction of {}.",
            counted(found.len(), "comparison")
        ));
        // The least p-value that so many pairs can give.
        let least = 0.5_f64.powi(runs as i32 - 1) * found.len() as f64;
        if least >= LEVEL {
            said.push(format!(
                "With {} none could: even if all pairs went the same way, p would be {}. Take more seeds.",
                counted(runs, "seed"),
                p_text(least.min(1.0))
            ));
        }
    }
    said
}

const HEADS: [&str; 12] = [
    "cell",
    "against",
    "of",
    "median difference",
    "better",
    "equal",
    "worse",
    "W",
    "p",
    "p (Holm)",
    "A12",
    "effect",
];

fn name(design: &Design, cell: usize) -> &str {
    let cell = design.cells.get(cell);
    cell.map_or("", |cell| &cell.name)
}

/// A row for each comparison, for people.
pub fn comparisons(design: &Design, comparisons: &[Comparison]) -> Cells {
    let rows = comparisons.iter().map(|found| {
        let [better, equal, worse] = found.pairs;
        vec![
            name(design, found.cell).to_string(),
            name(design, found.against).to_string(),
            found.measure.name().to_string(),
            format!("{:+.2}", found.difference),
            better.to_string(),
            equal.to_string(),
            worse.to_string(),
            found.test.statistic.to_string(),
            p_text(found.test.p),
            p_text(found.corrected),
            format!("{:.3}", found.a12),
            effect_word(found.a12).to_string(),
        ]
    });
    (HEADS.map(String::from).into(), rows.collect())
}

/// The same for programs: comma-separated, numbers in full.
pub fn csv(design: &Design, comparisons: &[Comparison]) -> String {
    let mut text = HEADS.join(",") + "\n";
    for found in comparisons {
        let [better, equal, worse] = found.pairs;
        let (cell, against) = (name(design, found.cell), name(design, found.against));
        let _ = writeln!(
            text,
            "{},{},{},{},{better},{equal},{worse},{},{},{},{},{}",
            quoted(cell),
            quoted(against),
            found.measure.name(),
            found.difference,
            found.test.statistic,
            found.test.p,
            found.corrected,
            found.a12,
            effect_word(found.a12)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::result;
    use super::*;

    #[test]
    fn pairs_are_counted_by_seed() {
        let (one, other) = (result(&[30, 20, 25, 40]), result(&[29, 20, 27, 30]));
        let found = pair(1, 0, Measure::Best, &one.best(), &other.best()).unwrap();
        assert_eq!((found.pairs, found.difference), ([2, 1, 1], 0.5));
        // Differences 1, −2, 10: ranks 1, 2, 3.
        assert_eq!((found.test.pairs, found.test.statistic), (3, 2.0));
    }
}
