//! What the runs of each cell have come to, and the tables of it.

use super::cells::Design;
use crate::base::statistics::Summary;
use crate::exec::timing::seconds_of_runs;
use crate::phases::measured::{Measured, MeasuredRun, Point};
use crate::phases::summary::PhaseFiles;
use crate::run::outcome::Outcome;
use crate::run::plan::Plan;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::Path;

/// What has come of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellResult {
    /// Its runs, in the order of the seeds.
    pub measured: Measured,
    /// Wall time of each, in seconds.
    pub seconds: Vec<f64>,
    /// Genes of an individual; 1 where it has no such number.
    pub genes: usize,
}

/// Best and mean of the first and of the last generation that is measured.
pub fn ends(run: &MeasuredRun) -> [Point; 2] {
    let none = Point {
        evaluations: 0,
        best: 0,
        mean: None,
    };
    [run.course.first(), run.course.last()].map(|end| end.copied().unwrap_or(none))
}

impl CellResult {
    /// From a run that is complete; `None` if its phase is of a kind whose runs can't be compared.
    pub fn of(plan: &Plan, outcome: &Outcome, phase: &str, folder: &Path) -> Option<CellResult> {
        let (_, of_phase) = outcome.phases.iter().find(|(name, _)| name == phase)?;
        let files = PhaseFiles {
            header: &plan.header,
            phase,
        };
        let measured = of_phase.summary.measured(files)?;
        let planned = plan.phases.iter().find(|planned| planned.name == phase)?;
        let genes = planned
            .phase
            .outline()
            .encoding
            .map_or(1, |some| some.genes.len());
        let seconds = seconds_of_runs(folder, phase);
        let seconds_of = |number| seconds.get(&number).copied().unwrap_or(0.0);
        Some(CellResult {
            seconds: (1..=measured.runs.len()).map(seconds_of).collect(),
            measured,
            genes,
        })
    }

    /// So many points in per cent of the most that there are.
    pub fn percent(&self, points: f64) -> f64 {
        100.0 * points / self.measured.full.max(1) as f64
    }

    /// What the best of the last generation of each run has, in per cent.
    pub fn best(&self) -> Vec<f64> {
        let runs = self.measured.runs.iter();
        runs.map(|run| self.percent(ends(run)[1].best as f64))
            .collect()
    }

    /// What the champion of each run has where nobody has learnt, in per cent; `None` without that.
    pub fn held_out(&self) -> Option<Vec<f64>> {
        self.measured.held_out_full.filter(|&full| full > 0)?;
        let runs = self.measured.runs.iter();
        runs.map(|run| Some(run.held_out?.rate.percent)).collect()
    }

    /// What the median run goes by: the mean of a generation, or its best where that isn't known.
    fn level(point: Point) -> f64 {
        point.mean.unwrap_or(point.best as f64)
    }

    /// The median run by the mean of the last generation (2013 §5.1) or by its best where that isn't known, the lower
    /// one of two; of equals the one with the worse best, then the one of the earlier seed.
    pub fn median(&self) -> Option<&MeasuredRun> {
        let mut runs: Vec<&MeasuredRun> = self.measured.runs.iter().collect();
        runs.sort_by(|one, other| {
            let [one, other] = [one, other].map(|run| ends(run)[1]);
            let [level, of_other] = [one, other].map(CellResult::level);
            let by_level = level.partial_cmp(&of_other).unwrap_or(Ordering::Equal);
            by_level.then(one.best.cmp(&other.best))
        });
        runs.get(runs.len().saturating_sub(1) / 2).copied()
    }
}

/// A table: its heads, and its rows.
pub type Cells = (Vec<String>, Vec<Vec<String>>);

/// All runs of all cells, without their wall times.
pub fn results_csv(design: &Design, results: &[CellResult]) -> String {
    let mut text = String::from("cell,");
    for name in design.axis_names() {
        let _ = write!(text, "{name},");
    }
    let unit = results.first().map_or("", |first| first.measured.unit);
    let _ = writeln!(
        text,
        "seed,{unit},first_best,first_mean,last_best,last_mean,held_out_{unit},held_out,evaluations"
    );
    for (cell, result) in design.cells.iter().zip(results) {
        let measured = &result.measured;
        for run in &measured.runs {
            let mut words = vec![quoted(&cell.name)];
            words.extend(cell.values.iter().map(|value| quoted(value)));
            let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
            let digits = |mean: f64| format!("{mean:.4}");
            let mean = |point: Point| point.mean.map_or(String::new(), digits);
            let [first, last] = ends(run);
            words.extend([
                run.seed.to_string(),
                measured.full.to_string(),
                first.best.to_string(),
                mean(first),
                last.best.to_string(),
                mean(last),
                number(measured.held_out_full),
                number(run.held_out.map(|held_out| held_out.points)),
                last.evaluations.to_string(),
            ]);
            text += &(words.join(",") + "\n");
        }
    }
    text
}

/// The wall times of all runs.
pub fn timing_csv(design: &Design, results: &[CellResult]) -> String {
    let mut text = String::from("cell,seed,seconds\n");
    for (cell, result) in design.cells.iter().zip(results) {
        for (run, seconds) in result.measured.runs.iter().zip(&result.seconds) {
            let name = quoted(&cell.name);
            let _ = writeln!(text, "{name},{},{seconds:.3}", run.seed);
        }
    }
    text
}

/// A cell of a table of comma-separated values.
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// A row for each cell, as the paper's tables end: its median run, and the spread of all. Wall times are
/// not in it, for a page that is the same every time.
pub fn medians(design: &Design, results: &[CellResult]) -> Cells {
    let heads = [
        "cell",
        "runs",
        "first best",
        "first mean",
        "last best",
        "last mean",
        "s.d.",
        "held-out",
        "95 %",
        "evaluations",
    ];
    let rows = design
        .cells
        .iter()
        .zip(results)
        .filter_map(|(cell, result)| {
            let run = result.median()?;
            let [first, last] = ends(run);
            let none = || "–".to_string();
            let percent = |points: f64| format!("{:.2}", result.percent(points));
            let mean = |point: Point| point.mean.map_or_else(none, percent);
            let levels = result.measured.runs.iter();
            let levels = levels.map(|run| result.percent(CellResult::level(ends(run)[1])));
            let deviation = Summary::of(levels).and_then(|summary| summary.deviation);
            let held_out = run.held_out.map(|held_out| held_out.rate);
            Some(vec![
                cell.name.clone(),
                result.measured.runs.len().to_string(),
                percent(first.best as f64),
                mean(first),
                percent(last.best as f64),
                mean(last),
                deviation.map_or_else(none, |spread| format!("{spread:.2}")),
                held_out.map_or_else(none, |rate| format!("{:.2}", rate.percent)),
                held_out.map_or_else(none, |rate| format!("{:.1}–{:.1}", rate.low, rate.high)),
                last.evaluations.to_string(),
            ])
        });
    (heads.map(String::from).into(), rows.collect())
}

/// A p-value in few digits, as a cell of a table.
pub fn p_text(p: f64) -> String {
    match p < 0.0001 {
        true => "< 0.0001".into(),
        false => format!("{p:.4}"),
    }
}

/// The same in a sentence: "p = 0.0413", "p < 0.0001".
pub fn p_words(p: f64) -> String {
    let value = p_text(p);
    match value.starts_with('<') {
        true => format!("p {value}"),
        false => format!("p = {value}"),
    }
}

/// A table for a terminal: the first column to the left, all others to the right.
pub fn text((heads, rows): &Cells) -> String {
    let all = || std::iter::once(heads).chain(rows);
    let width = |column: usize| {
        let cells = all().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    all().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::base::statistics::Rate;
    use crate::phases::measured::HeldOut;

    /// Runs that begin with 10 points and end with these, of 100.
    pub fn result(last: &[u64]) -> CellResult {
        let point = |evaluations, best: u64, mean| Point {
            evaluations,
            best,
            mean: Some(mean),
        };
        let run = |(seed, &best): (u64, &u64)| MeasuredRun {
            seed,
            course: vec![point(20, 10, 5.0), point(30, best, best as f64 - 0.5)],
            held_out: Some(HeldOut {
                points: best - 1,
                rate: Rate::new(best - 1, 50),
            }),
        };
        CellResult {
            measured: Measured {
                unit: "positions",
                of: "training positions",
                full: 100,
                held_out_full: Some(50),
                runs: (1..).zip(last).map(run).collect(),
            },
            seconds: vec![1.0; last.len()],
            genes: 3,
        }
    }

    #[test]
    fn the_median_run_is_by_the_last_mean() {
        let seed = |last: &[u64]| result(last).median().map(|run| run.seed);
        assert_eq!(seed(&[30, 20, 25]), Some(3));
        // Of four the second from below; of equals the earlier seed.
        assert_eq!(seed(&[30, 20, 25, 40]), Some(3));
        assert_eq!(seed(&[20, 20, 20]), Some(2));
        assert_eq!(seed(&[]), None);
        assert_eq!(result(&[30]).held_out(), Some(vec![58.0]));
        // Without means by the best of the last generation.
        let mut none = result(&[30, 20, 25]);
        let points = none
            .measured
            .runs
            .iter_mut()
            .flat_map(|run| &mut run.course);
        points.for_each(|point| point.mean = None);
        assert_eq!(none.median().map(|run| run.seed), Some(3));
    }

    #[test]
    fn tables_are_aligned_and_quoted() {
        let heads = vec!["a".to_string(), "bb".to_string()];
        let rows = vec![vec!["long".to_string(), "1".to_string()]];
        assert_eq!(text(&(heads, rows)), "a     bb\nlong   1");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(
            (p_text(0.04126), p_text(1e-5)),
            ("0.0413".into(), "< 0.0001".into())
        );
        assert_eq!(
            (p_words(0.04126), p_words(1e-5)),
            ("p = 0.0413".into(), "p < 0.0001".into())
        );
    }
}
