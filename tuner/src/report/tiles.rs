//! The numbers of each phase as tiles, in the order of the run. Imports the other parts of the report.

use super::champions::started;
use super::ecm::EcmReport;
use super::expert::ExpertReport;
use super::html::Html;
use super::night::EloCourse;
use super::results::{held_out, interval, percent, rate};
use super::{Report, RunReport, Section, paper};
use crate::base::statistics::{Summary, thousands};

/// All tiles; nothing as long as there is no number.
pub fn html(report: &Report) -> String {
    let tiles: Vec<String> = (report.sections().into_iter())
        .flat_map(|section| match section {
            Section::Moves => moves(report),
            Section::Expert(index) => report.experts.get(index).map_or(Vec::new(), expert),
            Section::Suite(index) => report.suites.get(index).map_or(Vec::new(), suite),
            Section::Plain(_) => Vec::new(),
            Section::Games(index) => {
                let night = report.night.as_ref();
                let course = night.and_then(|night| night.coevolutions.get(index));
                course.map_or(Vec::new(), games)
            }
        })
        .collect();
    match tiles.is_empty() {
        true => String::new(),
        false => format!("<dl class=\"tiles\">\n{}</dl>\n", tiles.concat()),
    }
}

/// The champion of the runs on moves from games, with who it is.
pub fn champion(report: &Report) -> Option<(String, &RunReport)> {
    let runs = started(report);
    // Chosen by training, so that its held-out score stays an unbiased one; the first of equals.
    let best = runs.iter().rev().max_by_key(|(_, run)| run.train_solved);
    let best = best.map(|(number, run)| (format!("best run (run {number})"), *run));
    let mean = report.mean.as_ref();
    let mean = mean.map(|mean| ("mean of the runs".to_string(), mean));
    mean.or(best)
}

fn moves(report: &Report) -> Vec<String> {
    let Some((who, best)) = champion(report) else {
        return Vec::new();
    };
    let of_paper = |solved| match report.is_comparable() {
        true => format!(
            "; paper {} % on grandmasters’ games",
            rate(solved, paper::POSITIONS)
        ),
        false => String::new(),
    };
    let mut tiles = vec![tile(
        &format!("Training, {who}"),
        &format!("{} %", rate(best.train_solved, best.positions)),
        &format!(
            "{} of {} positions{}",
            thousands(best.train_solved),
            thousands(best.positions),
            of_paper(paper::TRAIN_SOLVED)
        ),
    )];
    if let Some((solved, positions)) = held_out(best) {
        tiles.push(tile(
            "Held-out, the same champion",
            &format!("{} %", rate(solved, positions)),
            &format!(
                "95 % interval {} %; {} of {} positions{}",
                interval(solved, positions),
                thousands(solved),
                thousands(positions),
                of_paper(paper::TEST_SOLVED)
            ),
        ));
    }
    let runs = started(report);
    let shares = runs.iter().filter_map(|(_, run)| {
        let (solved, positions) = held_out(run)?;
        percent(solved, positions)
    });
    let shares: Vec<f64> = shares.collect();
    let count = shares.len();
    if let Some(mean) = Summary::of(shares).filter(|_| count > 1) {
        tiles.push(tile(
            &format!("Held-out, mean of {count} runs"),
            &format!("{} %", mean.text()),
            "mean ± standard deviation over the runs’ champions",
        ));
    }
    tiles
}

fn expert(report: &ExpertReport) -> Vec<String> {
    let best = report.best.and_then(|best| report.runs.get(best));
    best.map_or(Vec::new(), |run| {
        let mut tiles = vec![tile(
            "Error against the expert, training",
            &report.unit.text(run.train),
            &format!("{} positions", thousands(report.positions as u64)),
        )];
        tiles.extend(run.test.map(|test| {
            tile(
                "Error against the expert, held-out",
                &report.unit.text(test),
                &format!("{} positions", thousands(report.test_positions as u64)),
            )
        }));
        tiles
    })
}

fn suite(report: &EcmReport) -> Vec<String> {
    let best = report.outcome.best();
    best.map_or(Vec::new(), |(index, run)| {
        let positions = thousands(run.train.positions as u64);
        vec![
            tile(
                &format!("Nodes for the suite, run {}", index + 1),
                &thousands(run.train.nodes),
                &format!("{positions} positions; {}", report.gain_text(run)),
            ),
            tile(
                "Suite solved, the same search",
                &format!("{} of {positions}", thousands(run.train.solved)),
                &format!("within {} nodes each", thousands(report.cap)),
            ),
        ]
    })
}

fn games(course: &EloCourse) -> Vec<String> {
    let last = course.points.last();
    last.filter(|point| point.generation > 0)
        .map_or(Vec::new(), |point| {
            let interval = match point.interval {
                Some((low, high)) => format!("95 % interval {low:+.0} to {high:+.0}; "),
                None => String::new(),
            };
            vec![tile(
                &format!("{}: against its start", course.phase),
                &format!("{:+.0} Elo", point.elo),
                &format!("{interval}generation {}, own games", point.generation),
            )]
        })
}

fn tile(name: &str, value: &str, note: &str) -> String {
    format!(
        "<div><dt>{}</dt><dd class=\"value\">{}</dd><dd>{}</dd></div>\n",
        Html::text(name),
        Html::text(value),
        Html::text(note)
    )
}
