//! What the report says of a run of several phases, gathered from what they have come to.

use super::coevolution::{CoevolutionResult, Generation};
use super::phase::PhaseResult;
use super::plan::Plan;
use super::validation::ValidationResult;
use super::{Outcome, output::BEST_NAME, seconds_spent};
use crate::progress::clock;
use crate::report::night::{Drift, EloCourse, Night, PhaseRow, Unseen};
use crate::statistics::{Rate, thousands};
use engine::params::{Gene, ParamSet, layout};
use std::path::Path;

/// All of it. Wall times come from the run's folder, everything else from the outcome.
pub fn night(folder: &Path, plan: &Plan, outcome: &Outcome) -> Night {
    let spent = seconds_spent(folder);
    let mut night = Night {
        faults: outcome.faults,
        links: vec![
            ("Best parameters of all phases".into(), BEST_NAME.into()),
            ("Journal".into(), "journal.jsonl".into()),
            ("Profile".into(), "profile.toml".into()),
        ],
        ..Night::default()
    };
    let mut sensitivity = None;
    for (name, phase) in &outcome.phases {
        let (progress, work) = match &phase.result {
            PhaseResult::Grandmaster(evolved) => {
                let generations: usize = evolved.runs.iter().map(|run| run.generations.len()).sum();
                let runs = evolved.runs.len();
                (
                    format!("{runs} run(s), {generations} generations"),
                    "1-ply searches".into(),
                )
            }
            PhaseResult::Expert(report) => {
                let generations: usize = report.runs.iter().map(|run| run.generations).sum();
                (
                    format!("{} run(s), {generations} generations", report.runs.len()),
                    report.best_text().unwrap_or_default(),
                )
            }
            PhaseResult::Coevolution(result) => {
                night.coevolutions.push(course(name, result));
                let games: u64 = result.generations.iter().map(|done| done.games[0]).sum();
                let nodes: u64 = result.generations.iter().map(|done| done.nodes).sum();
                for done in &result.generations {
                    let number = done.generation;
                    let file = format!("{name}/{}/generation-{number:03}.pgn", result.folder);
                    if number == 0 || done.new_elite {
                        let label = format!("{name}: games of generation {number}");
                        night.links.push((label, file));
                    }
                }
                (
                    format!("{} generations", result.generations.len()),
                    format!("{} games, {} nodes", thousands(games), thousands(nodes)),
                )
            }
            PhaseResult::Ecm(report) => {
                let runs = &report.outcome.runs;
                let generations: usize = runs.iter().map(|run| run.generations.len()).sum();
                (
                    format!("{} run(s), {generations} generations", runs.len()),
                    format!("{} positions", thousands(report.positions as u64)),
                )
            }
            PhaseResult::Validation(result) => {
                let verdict = (result.verdict.to_string(), result.text());
                night.verdict = (result.games.pairs() > 0).then_some(verdict);
                night.unseen.extend(unseen(result));
                sensitivity = Some(result.as_ref());
                for look in 1..=result.ratios.len() {
                    let label = format!("{name}: games, part {look}");
                    night
                        .links
                        .push((label, format!("{name}/games/match-{look:03}.pgn")));
                }
                (
                    if result.complete { "done" } else { "under way" }.to_string(),
                    format!("{} games", thousands(2 * result.games.pairs())),
                )
            }
        };
        night.phases.push(PhaseRow {
            name: name.clone(),
            progress,
            work,
            time: clock(spent.get(name).copied().unwrap_or(0.0)),
        });
        let is_evolved = !phase.champions.is_empty();
        if is_evolved {
            let best = format!("{name}/{BEST_NAME}");
            night.links.push((format!("{name}: best parameters"), best));
        }
    }
    for planned in plan.phases.iter().skip(outcome.phases.len()) {
        night.phases.push(PhaseRow {
            name: planned.name.clone(),
            progress: "to come".into(),
            ..PhaseRow::default()
        });
    }
    night.parameters = drift(outcome, sensitivity);
    night.sensitivity = sensitivity
        .filter(|result| !result.sensitivity.is_empty())
        .and_then(|result| result.positions)
        .map(|(positions, solved)| (positions, solved[0]));
    night
}

/// The elites that were measured, the first at 0.
fn course(name: &str, result: &CoevolutionResult) -> EloCourse {
    let mut points = vec![(0, 0.0, 0.0, 0.0)];
    let measured = |done: &&Generation| done.new_elite && done.gauge.pairs() > 0;
    for done in result.generations.iter().filter(measured) {
        if let Some((elo, low, high)) = done.gauge.elo() {
            points.retain(|point| point.0 != done.generation);
            points.push((done.generation, elo, low, high));
        }
    }
    EloCourse {
        phase: name.to_string(),
        generations: result.generations.len() as u32,
        points,
        games: result.games.clone(),
    }
}

fn unseen(result: &ValidationResult) -> Vec<Unseen> {
    let mut rows = Vec::new();
    if let Some((positions, solved)) = result.positions {
        let text = |solved: u32| {
            let rate = Rate::new(solved.into(), positions as u64);
            format!(
                "{solved} ({:.1} %, {:.1}–{:.1})",
                rate.percent, rate.low, rate.high
            )
        };
        rows.push(Unseen {
            what: format!(
                "moves of {} held-out positions",
                thousands(positions as u64)
            ),
            champion: text(solved[0]),
            opponent: text(solved[1]),
        });
    }
    for suite in &result.suites {
        let cap = thousands(suite.cap);
        let text = |solved: u32, nodes: u64| format!("{solved}, {} nodes", thousands(nodes));
        rows.push(Unseen {
            what: format!("{}: of {} within {cap} nodes", suite.name, suite.positions),
            champion: text(suite.solved[0], suite.nodes[0]),
            opponent: text(suite.solved[1], suite.nodes[1]),
        });
    }
    rows
}

/// Every parameter that a layout of the run's coevolutions has.
fn drift(outcome: &Outcome, validation: Option<&ValidationResult>) -> Vec<Drift> {
    let mut rows = Vec::new();
    for (_, phase) in &outcome.phases {
        let PhaseResult::Coevolution(result) = &phase.result else {
            continue;
        };
        let genes: Vec<Gene> = layout(&result.layout).unwrap_or_default();
        rows.extend(genes.iter().map(|gene| drift_of(gene, result, validation)));
    }
    rows
}

fn drift_of(
    gene: &Gene,
    result: &CoevolutionResult,
    validation: Option<&ValidationResult>,
) -> Drift {
    let spec = gene.spec();
    let values = || {
        result
            .population
            .iter()
            .map(|params: &ParamSet| params.get(gene))
    };
    let spread = values().min().zip(values().max());
    let lost = validation.and_then(|validation| {
        let (_, solved) = validation.positions?;
        let mut rows = validation.sensitivity.iter();
        let row = rows.find(|row| row.row == spec.name)?;
        let lost = |after: u32| i64::from(solved[0]) - i64::from(after);
        Some(row.solved.map(lost))
    });
    Drift {
        name: spec.name.to_string(),
        doc: spec.doc.to_string(),
        first: Some(result.first.get(gene)),
        last: result.elite.get(gene),
        spread,
        lost,
    }
}
