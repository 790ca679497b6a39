//! What a report says of search parameters that evolved on a suite: the paper's Figure 4, the same
//! of positions solved, and a table. Imports the other parts of the report.

use super::ReportError;
use super::figures::{Course, Curves, Figure, curves, described};
use super::html::{Html, Table};
use crate::base::statistics::thousands;
use engine::params::{ParamSet, Row};
use std::cmp::Reverse;

/// Names of the two figures.
pub const NODES_NAME: &str = "nodes";
/// See [`NODES_NAME`].
pub const SOLVED_NAME: &str = "suite-solved";

/// What there is to report.
#[derive(Clone, Debug, PartialEq)]
pub struct EcmReport {
    /// The layout that evolved.
    pub layout: String,
    /// Its rows that did.
    pub rows: Vec<Row>,
    /// Nodes that a position costs at most.
    pub cap: u64,
    /// When a move counts as found.
    pub found: String,
    /// Number of training positions.
    pub positions: usize,
    /// How many of them a generation is searched on, if not all.
    pub sample: Option<usize>,
    /// Number of held-out positions; 0 if there are none.
    pub test_positions: usize,
    /// What the phase has come to.
    pub outcome: EcmOutcome,
}

/// What somebody makes of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions of which this is said.
    pub positions: usize,
    /// Nodes that all positions cost.
    pub nodes: u64,
    /// Positions solved.
    pub solved: u32,
    /// Positions solved whose solution is not in doubt.
    pub solved_surely: u32,
    /// Positions solved within these parts of the limit: a hundredth, a tenth.
    pub solved_early: [u32; EARLY.len()],
    /// Nodes that were searched for it.
    pub searched: u64,
}

/// The limit is divided by these for a look at who solves much early.
pub const EARLY: [u64; 2] = [100, 10];

impl Tally {
    /// What so many positions would be if they were like these.
    fn of(&self, positions: usize, value: f64) -> f64 {
        value * positions as f64 / self.positions.max(1) as f64
    }
}

/// One generation's statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct EcmStats {
    /// Number of the generation; the random one is 0.
    pub generation: u32,
    /// The individual with the least nodes.
    pub best: Tally,
    /// Mean of the population's nodes.
    pub mean_nodes: f64,
    /// Most nodes of an individual.
    pub worst_nodes: u64,
    /// Mean of the positions that individuals solve.
    pub mean_solved: f64,
    /// Distinct phenotypes in the population.
    pub distinct: u32,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct EcmRun {
    /// Its seed.
    pub seed: u64,
    /// Its generations until now.
    pub generations: Vec<EcmStats>,
    /// The best individual of the last of them.
    pub champion: ParamSet,
    /// What that makes of the training positions.
    pub train: Tally,
    /// What it makes of the held-out positions, once all runs have ended.
    pub test: Option<Tally>,
    /// Whether all generations are there.
    pub finished: bool,
}

/// What a phase has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EcmOutcome {
    /// The runs that have at least one generation.
    pub runs: Vec<EcmRun>,
    /// What the search with everything off makes of the training positions.
    pub plain: Option<Tally>,
    /// What it makes of the held-out positions, once all runs have ended.
    pub plain_test: Option<Tally>,
    /// Positions whose solution is in doubt, of training and held-out ones.
    pub in_doubt: (usize, usize),
    /// Whether all is done.
    pub complete: bool,
}

impl EcmReport {
    /// How the nodes of a run's champion compare with the plain search's, in words.
    pub fn gain_text(&self, run: &EcmRun) -> String {
        let plain = self.outcome.plain.filter(|plain| plain.nodes > 0);
        let of_all = |tally: &Tally| tally.of(self.positions, tally.nodes as f64);
        match plain {
            Some(plain) => {
                let change = 100.0 * (of_all(&run.train) / of_all(&plain) - 1.0);
                let than = match change <= 0.0 {
                    true => "fewer",
                    false => "more",
                };
                format!("{:.1} % {than} than the plain search", change.abs())
            }
            None => "not yet compared with the plain search".to_string(),
        }
    }
}

impl EcmOutcome {
    /// The run whose champion needs the least nodes, the first of equals, and its place.
    pub fn best(&self) -> Option<(usize, &EcmRun)> {
        let runs = self.runs.iter().enumerate();
        runs.min_by_key(|(_, run)| run.rank())
    }

    /// All finished runs with their places, best first, equals in order.
    pub fn ranked(&self) -> Vec<(usize, &EcmRun)> {
        let runs = self.runs.iter().enumerate();
        let mut runs: Vec<_> = runs.filter(|(_, run)| run.finished).collect();
        runs.sort_by_key(|(_, run)| run.rank());
        runs
    }
}

impl EcmRun {
    /// The less, the better. Nodes of a generation's sample are fewer than those of all positions,
    /// so who has searched more positions comes first.
    fn rank(&self) -> (Reverse<usize>, u64) {
        (Reverse(self.train.positions), self.train.nodes)
    }
}

/// The paper's Figure 4: nodes for all positions, best individual and mean, in thousands or millions.
///
/// # Errors
/// It can't be drawn.
pub fn nodes_figure(report: &EcmReport) -> Result<Figure, ReportError> {
    let all = report.outcome.runs.iter().flat_map(|run| &run.generations);
    let most = all.map(|stats| nodes(report, stats).1).fold(0.0, f64::max);
    let (unit, of_unit) = match most < 1e6 {
        true => (1e3, "thousand"),
        false => (1e6, "million"),
    };
    let scaled = |nodes: f64| nodes / unit;
    let positions = thousands(report.positions as u64);
    curves(Curves {
        name: NODES_NAME.to_string(),
        title: "Nodes for the suite in each generation".to_string(),
        heading: format!("{of_unit} nodes for {positions} positions"),
        description: describe(report, |stats| {
            let (best, mean) = nodes(report, stats);
            format!(
                "{} nodes, on average {mean:.0}",
                thousands(best.round() as u64)
            )
        }),
        runs: courses(report, |stats| {
            let (best, mean) = nodes(report, stats);
            (scaled(best), scaled(mean))
        }),
        mark: mark(report, |plain| scaled(plain.nodes as f64)),
    })
}

/// Positions solved by the individual with the least nodes, and the population's mean.
///
/// # Errors
/// It can't be drawn.
pub fn solved_figure(report: &EcmReport) -> Result<Figure, ReportError> {
    let positions = thousands(report.positions as u64);
    curves(Curves {
        name: SOLVED_NAME.to_string(),
        title: "Positions of the suite solved in each generation".to_string(),
        heading: format!("positions solved of {positions}"),
        description: describe(report, |stats| {
            let (best, mean) = solved(report, stats);
            format!("{best:.0} positions, on average {mean:.0}")
        }),
        runs: courses(report, |stats| solved(report, stats)),
        mark: mark(report, |plain| plain.solved.into()),
    })
}

/// Nodes of the best individual and of the mean, as of all positions.
fn nodes(report: &EcmReport, stats: &EcmStats) -> (f64, f64) {
    let whole = |nodes| stats.best.of(report.positions, nodes);
    (whole(stats.best.nodes as f64), whole(stats.mean_nodes))
}

/// Positions that the best individual and the mean solve, as of all.
fn solved(report: &EcmReport, stats: &EcmStats) -> (f64, f64) {
    let whole = |solved| stats.best.of(report.positions, solved);
    (whole(stats.best.solved.into()), whole(stats.mean_solved))
}

fn courses(report: &EcmReport, values: impl Fn(&EcmStats) -> (f64, f64)) -> Vec<Course> {
    let course = |stats: &EcmStats| (stats.generation, values(stats).0, values(stats).1);
    let runs = report.outcome.runs.iter();
    runs.map(|run| run.generations.iter().map(course).collect())
        .collect()
}

/// The course of each run in words.
fn describe(report: &EcmReport, say: impl Fn(&EcmStats) -> String) -> String {
    let said = |stats: &EcmStats| (say(stats), stats.generation);
    let ends = |run: &EcmRun| Some([run.generations.first()?, run.generations.last()?].map(said));
    described(report.outcome.runs.iter().map(ends))
}

/// What the plain search has come to.
fn mark(report: &EcmReport, value: impl Fn(Tally) -> f64) -> Option<(String, f64)> {
    let plain = report.outcome.plain.map(value);
    plain.map(|plain| ("plain search".to_string(), plain))
}

/// The section of the page, for the phase of this number among its kind, from 1.
///
/// # Errors
/// A figure can't be drawn.
pub fn section(report: &EcmReport, number: usize) -> Result<String, ReportError> {
    if report.outcome.runs.is_empty() {
        return Ok(String::new());
    }
    let (nodes, solved) = (nodes_figure(report)?, solved_figure(report)?);
    Ok(format!(
        "<section>\n<h2>Search on a suite</h2>\n<div class=\"pair\">\n<figure class=\"wide\">{}\
         <figcaption>Nodes that all positions cost, at most {} each, for the best individual and the \
         population’s mean (the paper’s Figure 4). Less is better.</figcaption></figure>\n\
         <div class=\"means\">\n<h3>What it means</h3>\n{}</div>\n</div>\n\
         <div class=\"pair\">\n<figure class=\"wide\">{}<figcaption>Positions that the same \
         individual solves within that many nodes, and the mean.</figcaption></figure>\n\
         <div class=\"means\">\n<h3>How it was counted</h3>\n{}</div>\n</div>\n{}</section>\n",
        nodes.numbered(number).inline(),
        thousands(report.cap),
        meaning(report),
        solved.numbered(number).inline(),
        note(report),
        table(report).html(),
    ))
}

/// How far the best run has come, in words.
fn meaning(report: &EcmReport) -> String {
    let Some((index, run)) = report.outcome.best() else {
        return String::new();
    };
    let whole = |stats: &EcmStats| thousands(nodes(report, stats).0.round() as u64);
    let mut text = String::new();
    if let (Some(first), Some(last)) = (run.generations.first(), run.generations.last()) {
        text += &format!(
            "<p>A search that finds the known best moves in fewer nodes sees them sooner. In run {}, \
             the best individual needs {} nodes in generation {} and {} in generation {}.</p>\n",
            index + 1,
            whole(first),
            first.generation,
            whole(last),
            last.generation
        );
    }
    text + &format!(
        "<p>That is {}. What it gains in games, only games tell.</p>\n",
        Html::text(report.gain_text(run))
    )
}

fn note(report: &EcmReport) -> String {
    let found = match report.found.as_str() {
        "first" => "the first time that it is the best move at the root".to_string(),
        "last" => "when it stays the best move until the limit".to_string(),
        "worth" => {
            "when it is the best move at the limit, but what counts is each node by what the \
             best move of that moment loses in chances to win"
                .to_string()
        }
        count => format!("when it stays the best move through {count} iterations"),
    };
    let cost = match report.found.as_str() {
        "worth" => "",
        _ => "; a position that is not solved costs the limit",
    };
    let sample = match report.sample {
        Some(sample) => format!(
            " Each generation was searched on {} positions of its own, the last one on all; the \
             curves are as if on all.",
            thousands(sample as u64)
        ),
        None => String::new(),
    };
    let doubt = match report.outcome.in_doubt {
        (0, 0) => String::new(),
        (train, test) => format!(
            " Solutions in doubt: {train} training and {test} held-out positions; they count in \
             nodes and solved, and are left out where it says so."
        ),
    };
    format!(
        "<p>Layout {}, {} rows. A move counts as found {found}{cost}.{sample}{doubt} The plain search has everything selective off.</p>\n",
        Html::text(&report.layout),
        report.rows.len(),
    )
}

fn table(report: &EcmReport) -> Table {
    let outcome = &report.outcome;
    let mut head = vec!["Run".to_string(), "Gen.".into(), "Nodes".into()];
    // What the moves of a position lose says nothing of when it was solved.
    let is_timed = report.found != "worth";
    let early = EARLY.map(|part| format!("In {} nodes", thousands(report.cap / part)));
    head.extend(early.into_iter().filter(|_| is_timed));
    let mut more = vec!["Solved"];
    let doubtful = outcome.in_doubt != (0, 0);
    let held_out = report.test_positions > 0;
    more.extend(doubtful.then_some("Without doubtful"));
    more.extend(held_out.then_some("Held-out nodes"));
    more.extend(held_out.then_some("Held-out solved"));
    more.extend((held_out && doubtful).then_some("Without doubtful"));
    head.extend(more.into_iter().map(str::to_string));
    let cells = |name: String, generations: String, train: Tally, test: Option<Tally>| {
        let of = |solved: u32, positions: usize| format!("{solved} of {positions}");
        let (train_doubt, test_doubt) = outcome.in_doubt;
        let mut cells = vec![name, generations, thousands(train.nodes)];
        if is_timed {
            cells.extend(train.solved_early.map(|solved| solved.to_string()));
        }
        cells.push(of(train.solved, train.positions));
        if doubtful {
            // How many of a sample are in doubt is not counted.
            let all = train.positions == report.positions;
            let surely = || {
                of(
                    train.solved_surely,
                    report.positions.saturating_sub(train_doubt),
                )
            };
            cells.push(if all { surely() } else { "–".to_string() });
        }
        if held_out {
            let text = |say: &dyn Fn(Tally) -> String| test.map_or("–".to_string(), say);
            cells.push(text(&|test| thousands(test.nodes)));
            cells.push(text(&|test| of(test.solved, report.test_positions)));
            if doubtful {
                let left = report.test_positions.saturating_sub(test_doubt);
                cells.push(text(&|test| of(test.solved_surely, left)));
            }
        }
        cells
    };
    let mut body = Vec::new();
    if let Some(plain) = outcome.plain {
        let none = "–".to_string();
        body.push(cells(
            "plain search".into(),
            none,
            plain,
            outcome.plain_test,
        ));
    }
    for (number, run) in (1..).zip(&outcome.runs) {
        let last = run.generations.last().map_or(0, |stats| stats.generation);
        body.push(cells(
            format!("{number}"),
            format!("{last}"),
            run.train,
            run.test,
        ));
    }
    let caption = "Nodes and positions solved by the best individual of each run";
    Table::of_texts(caption, head, body, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_count_before_a_sample_of_them() {
        let run = |positions: usize, nodes: u64, finished: bool| EcmRun {
            seed: 1,
            generations: Vec::new(),
            champion: ParamSet::missing(),
            train: Tally {
                positions,
                nodes,
                ..Tally::default()
            },
            test: None,
            finished,
        };
        let outcome = EcmOutcome {
            runs: vec![
                run(60, 500, true),
                run(100, 900, true),
                run(100, 800, true),
                run(60, 400, false),
            ],
            ..EcmOutcome::default()
        };
        assert_eq!(outcome.best().unwrap().0, 2);
        let ranked: Vec<usize> = outcome.ranked().iter().map(|(place, _)| *place).collect();
        assert_eq!(ranked, [2, 1, 0]);
    }
}
