//! The table of results, every cell as text.

use super::champions::started;
use super::paper;
use super::{Report, RunReport};
use crate::base::statistics::{Rate, Summary, thousands};

/// Stands for a number that there is none of (yet).
const NONE: &str = "–";

/// One line of results, every cell as text.
pub struct Row {
    /// Class of the row: `mean`, `paper`, or none for a run.
    pub class: &'static str,
    /// The cells, as many as [`heads`].
    pub cells: Vec<String>,
}

/// What the columns hold.
pub fn heads(report: &Report) -> Vec<String> {
    let of = |count: Option<u32>| match count {
        Some(count) => format!(" of {}", thousands(count)),
        None => String::new(),
    };
    let [train, test] = positions(report).map(of);
    vec![
        "Run".into(),
        "Seed".into(),
        "Gen.".into(),
        "Gen. 0 best".into(),
        format!("Train{train}"),
        "Train %".into(),
        format!("Held-out{test}"),
        "Held-out %".into(),
        "95 % interval".into(),
    ]
}

/// Training and held-out positions, where all runs have as many.
fn positions(report: &Report) -> [Option<u32>; 2] {
    let runs = &report.runs;
    [
        common(runs.iter().map(|run| run.positions)),
        common(runs.iter().filter_map(|run| run.test_positions)),
    ]
}

/// The number that all runs have in common, if any.
pub fn common(mut numbers: impl Iterator<Item = u32>) -> Option<u32> {
    let first = numbers.next()?;
    numbers.all(|number| number == first).then_some(first)
}

/// A line for each run, their mean, and the paper where it compares.
pub fn rows(report: &Report) -> Vec<Row> {
    let mut rows: Vec<Row> = (1..)
        .zip(&report.runs)
        .map(|(number, run)| run_row(number, run))
        .collect();
    if started(report).len() > 1 {
        rows.push(mean_row(report));
    }
    rows.extend(report.mean.as_ref().map(champion_row));
    rows.extend(report.is_comparable().then(|| paper_row(report)));
    rows
}

/// The held-out score of a run that has one: solved and positions.
pub fn held_out(run: &RunReport) -> Option<(u32, u32)> {
    let positions = run.test_positions.filter(|positions| *positions > 0)?;
    Some((run.test_solved?, positions))
}

/// Solved positions as a rate; `None` without positions.
fn known(solved: u32, positions: u32) -> Option<Rate> {
    (positions > 0).then(|| Rate::new(solved.into(), positions.into()))
}

/// "29.1–31.6", in per cent.
pub fn interval(solved: u32, positions: u32) -> String {
    let text = |rate: Rate| format!("{:.1}–{:.1}", rate.low, rate.high);
    known(solved, positions).map_or(NONE.into(), text)
}

/// Per cent of the positions that are solved; `None` without positions.
pub fn percent(solved: u32, positions: u32) -> Option<f64> {
    known(solved, positions).map(|rate| rate.percent)
}

/// "30.4", in per cent.
pub fn rate(solved: u32, positions: u32) -> String {
    let text = |percent: f64| format!("{percent:.1}");
    percent(solved, positions).map_or(NONE.into(), text)
}

/// A seed as far as a reader can tell it from others; long ones are cut.
pub fn short_seed(seed: u64) -> String {
    let digits = seed.to_string();
    match digits.get(..6) {
        Some(first) if digits.len() > 8 => format!("{first}…"),
        _ => digits,
    }
}

fn run_row(number: usize, run: &RunReport) -> Row {
    let mut cells = vec![number.to_string(), short_seed(run.seed)];
    match (run.generations.first(), run.generations.last()) {
        (Some(first), Some(last)) => {
            cells.extend([thousands(last.generation), thousands(first.best)]);
            cells.extend(trained(run));
        }
        _ => cells.extend([NONE; 4].map(String::from)),
    }
    cells.extend(tested(run));
    Row { class: "", cells }
}

/// The mean of the runs' champions, weight by weight: one individual, whose points are not the mean of
/// theirs.
fn champion_row(mean: &RunReport) -> Row {
    let mut cells = ["mean of the weights", "", "", NONE]
        .map(String::from)
        .to_vec();
    cells.extend(trained(mean));
    cells.extend(tested(mean));
    Row {
        class: "mean",
        cells,
    }
}

/// What a champion makes of the training positions.
fn trained(run: &RunReport) -> [String; 2] {
    let rate = rate(run.train_solved, run.positions);
    [thousands(run.train_solved), rate]
}

/// What it makes of the held-out ones.
fn tested(run: &RunReport) -> [String; 3] {
    match held_out(run) {
        Some((solved, positions)) => [
            thousands(solved),
            rate(solved, positions),
            interval(solved, positions),
        ],
        None => [NONE; 3].map(String::from),
    }
}

fn mean_row(report: &Report) -> Row {
    let runs = started(report);
    let summary = |value: &dyn Fn(&RunReport) -> Option<f64>| {
        Summary::of(runs.iter().filter_map(|(_, run)| value(run)))
    };
    let counts = |value: &dyn Fn(&RunReport) -> Option<u32>| {
        let summary = summary(&|run| value(run).map(f64::from));
        summary.map_or(NONE.into(), Summary::counts)
    };
    let rates = |value: &dyn Fn(&RunReport) -> Option<(u32, u32)>| {
        let summary = summary(&|run| {
            let (solved, positions) = value(run)?;
            percent(solved, positions)
        });
        summary.map_or(NONE.into(), Summary::text)
    };
    Row {
        class: "mean",
        cells: vec![
            "mean ± s.d.".into(),
            String::new(),
            String::new(),
            counts(&|run| run.generations.first().map(|first| first.best)),
            counts(&|run| Some(run.train_solved)),
            rates(&|run| Some((run.train_solved, run.positions))),
            counts(&|run| held_out(run).map(|(solved, _)| solved)),
            rates(&held_out),
            String::new(),
        ],
    }
}

/// The paper's first run. Its counts say of how many where the runs have other numbers of positions.
fn paper_row(report: &Report) -> Row {
    let count = |solved: u32, own: Option<u32>| match own == Some(paper::POSITIONS) {
        true => thousands(solved),
        false => format!("{} of {}", thousands(solved), thousands(paper::POSITIONS)),
    };
    let [train, test] = positions(report);
    Row {
        class: "paper",
        cells: vec![
            "paper, run 1 (grandmasters’ games)".into(),
            String::new(),
            paper::GENERATIONS.to_string(),
            NONE.into(),
            count(paper::TRAIN_SOLVED, train),
            rate(paper::TRAIN_SOLVED, paper::POSITIONS),
            count(paper::TEST_SOLVED, test),
            rate(paper::TEST_SOLVED, paper::POSITIONS),
            interval(paper::TEST_SOLVED, paper::POSITIONS),
        ],
    }
}
