//! What the runs of each cell have come to, and the tables of it.

use super::cells::Design;
use crate::base::statistics::{Rate, Summary};
use crate::exec::timing::seconds_of_runs;
use crate::phases::positions::data::{TEST, TRAIN};
use crate::phases::summary::PhaseFiles;
use crate::run::outcome::Outcome;
use crate::run::plan::Plan;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::Path;

/// What has come of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellResult {
    /// Training positions.
    pub positions: usize,
    /// Held-out positions.
    pub test_positions: Option<usize>,
    /// Genes of an individual.
    pub genes: usize,
    /// Its runs, in the order of the seeds.
    pub runs: Vec<RunRow>,
}

/// What has come of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Its seed.
    pub seed: u64,
    /// Each generation: individuals evaluated until then, positions solved by the best and on average.
    pub course: Vec<(u64, u32, f64)>,
    /// Held-out positions that its champion solves.
    pub held_out: Option<u32>,
    /// Wall time.
    pub seconds: f64,
}

impl RunRow {
    /// Best and mean of the first and of the last generation.
    pub fn ends(&self) -> [(u32, f64); 2] {
        let end =
            |end: Option<&(u64, u32, f64)>| end.map_or((0, 0.0), |&(_, best, mean)| (best, mean));
        [end(self.course.first()), end(self.course.last())]
    }

    /// Individuals that were evaluated.
    pub fn evaluations(&self) -> u64 {
        self.course
            .last()
            .map_or(0, |&(evaluations, ..)| evaluations)
    }
}

impl CellResult {
    /// From a run that is complete; `None` if its phase has no runs on positions with moves.
    pub fn of(plan: &Plan, outcome: &Outcome, phase: &str, folder: &Path) -> Option<CellResult> {
        let (_, of_phase) = outcome.phases.iter().find(|(name, _)| name == phase)?;
        let evolved = of_phase.summary.moves()?;
        let files = PhaseFiles {
            header: &plan.header,
            phase,
        };
        let planned = plan.phases.iter().find(|planned| planned.name == phase)?;
        let genes = planned
            .phase
            .encoding()
            .map_or(0, |encoding| encoding.genes.len());
        let seconds = seconds_of_runs(folder, phase);
        let runs = (1..).zip(&evolved.runs).map(|(number, run)| {
            let mut evaluations = 0;
            let generations = run.generations.iter().zip(&run.evaluated);
            let course = generations.map(|(generation, evaluated)| {
                evaluations += evaluated;
                (evaluations, generation.best, generation.mean)
            });
            RunRow {
                seed: run.seed,
                course: course.collect(),
                held_out: run.test_solved,
                seconds: seconds.get(&number).copied().unwrap_or(0.0),
            }
        });
        Some(CellResult {
            positions: files.file(TRAIN)?.count,
            test_positions: files.file(TEST).map(|file| file.count),
            genes,
            runs: runs.collect(),
        })
    }

    /// A number of training positions in per cent.
    pub fn percent(&self, solved: f64) -> f64 {
        100.0 * solved / self.positions.max(1) as f64
    }

    /// What the best of the last generation of each run solves, in per cent.
    pub fn best(&self) -> Vec<f64> {
        let runs = self.runs.iter();
        runs.map(|run| self.percent(f64::from(run.ends()[1].0)))
            .collect()
    }

    /// What the champion of each run solves of the held-out positions, in per cent; `None` without any.
    pub fn held_out(&self) -> Option<Vec<f64>> {
        let positions = self.test_positions.filter(|&positions| positions > 0)?;
        let runs = self.runs.iter();
        runs.map(|run| Some(100.0 * f64::from(run.held_out?) / positions as f64))
            .collect()
    }

    /// The median run by the mean of the last generation (2013 §5.1), the lower one of two; of runs with the
    /// same mean the one with the worse best, then the one of the earlier seed.
    pub fn median(&self) -> Option<&RunRow> {
        let mut runs: Vec<&RunRow> = self.runs.iter().collect();
        runs.sort_by(|one, other| {
            let ([_, one], [_, other]) = (one.ends(), other.ends());
            let by_mean = one.1.partial_cmp(&other.1).unwrap_or(Ordering::Equal);
            by_mean.then(one.0.cmp(&other.0))
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
    text += "seed,positions,first_best,first_mean,last_best,last_mean,held_out_positions,held_out,evaluations\n";
    for (cell, result) in design.cells.iter().zip(results) {
        for run in &result.runs {
            let mut words = vec![quoted(&cell.name)];
            words.extend(cell.values.iter().map(|value| quoted(value)));
            let number =
                |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
            let [first, last] = run.ends();
            words.extend([
                run.seed.to_string(),
                result.positions.to_string(),
                first.0.to_string(),
                format!("{:.4}", first.1),
                last.0.to_string(),
                format!("{:.4}", last.1),
                number(result.test_positions.map(|count| count as u64)),
                number(run.held_out.map(u64::from)),
                run.evaluations().to_string(),
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
        for run in &result.runs {
            let _ = writeln!(
                text,
                "{},{},{:.3}",
                quoted(&cell.name),
                run.seed,
                run.seconds
            );
        }
    }
    text
}

/// A cell of a table of comma-separated values.
fn quoted(text: &str) -> String {
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
            let [first, last] = run.ends();
            let percent = |solved: f64| format!("{:.2}", result.percent(solved));
            let means = result
                .runs
                .iter()
                .map(|run| result.percent(run.ends()[1].1));
            let deviation = Summary::of(means).and_then(|summary| summary.deviation);
            let held_out = run.held_out.zip(result.test_positions);
            let held_out =
                held_out.map(|(solved, positions)| Rate::new(solved.into(), positions as u64));
            let none = || "–".to_string();
            Some(vec![
                cell.name.clone(),
                result.runs.len().to_string(),
                percent(first.0.into()),
                percent(first.1),
                percent(last.0.into()),
                percent(last.1),
                deviation.map_or_else(none, |spread| format!("{spread:.2}")),
                held_out.map_or_else(none, |rate| format!("{:.2}", rate.percent)),
                held_out.map_or_else(none, |rate| format!("{:.1}–{:.1}", rate.low, rate.high)),
                run.evaluations().to_string(),
            ])
        });
    (heads.map(String::from).into(), rows.collect())
}

/// A p-value in few digits.
pub fn p_text(p: f64) -> String {
    match p < 0.0001 {
        true => "< 0.0001".into(),
        false => format!("{p:.4}"),
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

    /// Runs that begin with 10 solved and end with these, of 100.
    pub fn result(last: &[u32]) -> CellResult {
        let run = |(seed, &best): (u64, &u32)| RunRow {
            seed,
            course: vec![(20, 10, 5.0), (30, best, f64::from(best) - 0.5)],
            held_out: Some(best - 1),
            seconds: 1.0,
        };
        CellResult {
            positions: 100,
            test_positions: Some(50),
            genes: 3,
            runs: (1..).zip(last).map(run).collect(),
        }
    }

    #[test]
    fn the_median_run_is_by_the_last_mean() {
        let seed = |last: &[u32]| result(last).median().map(|run| run.seed);
        assert_eq!(seed(&[30, 20, 25]), Some(3));
        // Of four the second from below; of equals the earlier seed.
        assert_eq!(seed(&[30, 20, 25, 40]), Some(3));
        assert_eq!(seed(&[20, 20, 20]), Some(2));
        assert_eq!(seed(&[]), None);
        assert_eq!(result(&[30]).held_out(), Some(vec![58.0]));
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
    }
}
