//! What the report says of a run and its phases, gathered from what they have come to.

use super::coevolution::{CoevolutionResult, clones_text};
use super::lessons::TRAIN;
use super::phase::PhaseResult;
use super::plan::Plan;
use super::seen::seen;
use super::timing::{seconds_spent, work_done};
use super::validation::{Sensitivity, Solved, ValidationResult};
use super::{Outcome, output::BEST_NAME};
use crate::progress::clock;
use crate::report::figures::EloPoint;
use crate::report::night::{EloCourse, Night, PhaseRow, Reached, Unseen};
use crate::report::parameters::{Parameter, Parameters};
use crate::statistics::{Difference, Rate, elo, thousands};
use engine::params::{ParamSet, Row, Table, layout};
use std::collections::BTreeMap;
use std::path::Path;

/// All of it. Wall times come from the run's folder, everything else from the outcome.
pub fn night(folder: &Path, plan: &Plan, outcome: &Outcome) -> Night {
    let (spent, work_done) = (seconds_spent(folder), work_done(folder));
    let mut links = vec![
        ("Journal".into(), "journal.jsonl".into()),
        ("Profile".into(), "profile.toml".into()),
    ];
    // A validation alone has none of its own, and a first phase that is under way none yet.
    if folder.join(BEST_NAME).is_file() {
        let best = ("Best parameters of all phases".into(), BEST_NAME.into());
        links.insert(0, best);
    }
    let mut night = Night {
        plays_match: plan.phases.iter().any(|planned| planned.phase.is_match()),
        faults: outcome.faults,
        warnings: warnings(outcome),
        seen: seen(&plan.profile, &plan.header.files),
        links,
        ..Night::default()
    };
    for (name, phase) in &outcome.phases {
        let (progress, work) = match &phase.result {
            PhaseResult::Grandmaster(evolved) => {
                let generations: usize = evolved.runs.iter().map(|run| run.generations.len()).sum();
                let runs = evolved.runs.len();
                (
                    format!("{runs} run(s), {generations} generations"),
                    format!("1-ply searches of {}", positions(plan, name)),
                )
            }
            PhaseResult::Expert(report) => {
                let generations: usize = report.runs.iter().map(|run| run.generations).sum();
                (
                    format!("{} run(s), {generations} generations", report.runs.len()),
                    match report.best_text() {
                        Some(best) => format!("{}, {best}", positions(plan, name)),
                        None => positions(plan, name),
                    },
                )
            }
            PhaseResult::Coevolution(result) => {
                night.coevolutions.push(course(name, result));
                let games: u64 = result.generations.iter().map(|done| done.games[0]).sum();
                let nodes: u64 = result.generations.iter().map(|done| done.nodes).sum();
                for done in &result.generations {
                    let number = done.generation;
                    let file = format!("{name}/{}/generation-{number:03}.pgn", result.folder);
                    if done.has_games && (number == 0 || done.new_elite) {
                        let label = format!("{name}: games of generation {number}");
                        night.links.push((label, file));
                    }
                }
                if result.keeps_duels && !result.generations.is_empty() {
                    // A file for each generation would be hundreds of links.
                    let label = format!("{name}: games of all duels");
                    let folder = format!("{name}/{}/", result.folder);
                    night.links.push((label, folder));
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
                let verdict = Reached {
                    phase: name.clone(),
                    word: match result.complete {
                        true => result.verdict.to_string(),
                        false => format!("{} so far", result.verdict),
                    },
                    amount: result.amount(),
                    headline: result.headline(),
                    sentence: result.text(),
                    is_early: result.is_early(),
                };
                night.verdicts.extend(result.is_known().then_some(verdict));
                night.unseen.extend(unseen(result));
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
        let progress = match outcome.cut.contains(name) {
            true => format!("{progress}, ended by its hours"),
            false => progress,
        };
        let of = |sums: &BTreeMap<String, f64>| sums.get(name).copied().unwrap_or(0.0);
        let mut time = clock(of(&spent));
        // On all threads together.
        if let Some((work, unit)) = work_done.get(name).filter(|_| of(&spent) > 0.0) {
            let (work, rate) = (large(*work), large(work / of(&spent)));
            time += &format!(" ({work} {unit}, {rate} a second)");
        }
        night.phases.push(PhaseRow {
            name: name.clone(),
            progress,
            work,
            time,
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
    night
}

/// A number in words, in millions where it has some.
fn large(number: f64) -> String {
    match number >= 1e6 {
        true => format!("{:.1} million", number / 1e6),
        false => thousands(number.round() as u64),
    }
}

/// How many positions a phase learns from.
fn positions(plan: &Plan, phase: &str) -> String {
    let file = plan.header.file(phase, TRAIN);
    let count = file.map_or(0, |file| file.count as u64);
    format!("{} positions", thousands(count))
}

/// What makes results of phases mean little.
pub fn warnings(outcome: &Outcome) -> Vec<String> {
    let mut texts = Vec::new();
    for (name, phase) in &outcome.phases {
        let (games, decisive, clones) = match &phase.result {
            PhaseResult::Coevolution(result) => {
                let sum = |of: usize| result.generations.iter().map(|done| done.games[of]).sum();
                (sum(0), sum(1), result.clones)
            }
            PhaseResult::Validation(result) => (2 * result.games.pairs(), result.decisive, None),
            _ => continue,
        };
        let mut warn = |text: String| texts.push(format!("{name}: {text}"));
        if let Some(count) = clones {
            warn(clones_text(count));
        }
        if games > 0 && decisive == 0 {
            warn(format!(
                "none of the {} games was decisive",
                thousands(games)
            ));
        }
    }
    texts
}

/// The elites that were measured, the first at 0.
fn course(name: &str, result: &CoevolutionResult) -> EloCourse {
    let first: Vec<i32> = result
        .rows
        .iter()
        .map(|&row| result.first.row(row))
        .collect();
    let at = |generation, elo, interval| EloPoint {
        generation,
        elo,
        interval,
    };
    let (mut points, mut bounds) = (vec![at(0, 0.0, None)], Vec::new());
    let mut is_first = true;
    for done in &result.generations {
        let was_first = std::mem::replace(&mut is_first, done.elite == first);
        let games = 2 * done.gauge.pairs();
        let point = match done.gauge.elo() {
            // Back at the first champion, there is nothing to measure.
            _ if is_first && !was_first => at(done.generation, 0.0, None),
            Some(Difference { elo, interval }) if done.new_elite && games > 0 => {
                at(done.generation, elo, interval)
            }
            // No difference is as large as that between all and nothing.
            None if done.new_elite && games > 0 => {
                let half_a_game = 0.5 / games as f64;
                let bound = elo(done.gauge.score().clamp(half_a_game, 1.0 - half_a_game));
                bounds.push((done.generation, done.gauge.score() > 0.5));
                at(done.generation, bound, None)
            }
            _ => continue,
        };
        points.retain(|known| known.generation != done.generation);
        points.push(point);
    }
    EloCourse {
        phase: name.to_string(),
        generations: result.generations.len() as u32,
        points,
        bounds,
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
            amount: (
                text(solved[0]),
                format!(
                    "of {} held-out positions solved; the opponent {}",
                    thousands(positions as u64),
                    text(solved[1])
                ),
            ),
        });
    }
    for suite in &result.suites {
        let cap = thousands(suite.cap);
        let text = |made: Solved| format!("{}, {} nodes", made.positions, thousands(made.nodes));
        rows.push(Unseen {
            what: format!("{}: of {} within {cap} nodes", suite.name, suite.positions),
            champion: text(suite.results[0]),
            opponent: text(suite.results[1]),
            amount: (
                format!("{} of {}", suite.results[0].positions, suite.positions),
                format!(
                    "unseen tactical positions solved ({}); the opponent {}",
                    suite.name, suite.results[1].positions
                ),
            ),
        });
    }
    rows
}

/// How far a run is that has not ended; `None` of one that has.
pub fn unfinished(plan: &Plan, outcome: &Outcome) -> Option<String> {
    if outcome.complete {
        return None;
    }
    let all = plan.phases.len();
    let under_way = outcome.phases.iter().position(|(_, phase)| !phase.complete);
    let place = under_way.unwrap_or(outcome.phases.len());
    let planned = plan.phases.get(place)?;
    let name = &planned.name;
    let phase = match all {
        1 => format!("phase {name}"),
        _ => format!("phase {} of {all} ({name})", place + 1),
    };
    Some(match outcome.phases.get(place) {
        Some((_, begun)) => format!(
            "{phase} has done {} {} of {}",
            begun.step(),
            thousands(begun.steps_done()),
            thousands(planned.phase.generations())
        ),
        None => format!("{phase} is to begin"),
    })
}

/// A table of evaluation weights and one of search parameters, as far as they evolved, or were changed
/// to see what they are worth.
pub fn parameters(plan: &Plan, outcome: &Outcome) -> Vec<Parameters> {
    let mut phases = outcome.phases.iter().rev();
    let validation = phases.find_map(|(_, phase)| match &phase.result {
        PhaseResult::Validation(result) => Some(result.as_ref()),
        _ => None,
    });
    let evolved = evolved(plan, outcome);
    let measures = [weights(validation), searches(validation)];
    let tables = [Table::Eval, Table::Search].into_iter().zip(measures);
    let table = |(table, measured): (Table, Measured)| {
        let parameter = |row: Row| {
            let evolved = evolved.iter().find(|known| known.row == row);
            let worth = measured.worth.iter().find(|(known, _)| *known == row);
            // What the validation tried is the champion of all phases.
            let tried = validation.filter(|_| worth.is_some());
            let last = tried.map(|result| result.champion.row(row));
            let spec = row.spec();
            Some(Parameter {
                name: spec.name.to_string(),
                doc: spec.doc.to_string(),
                value: last.or(evolved.map(|known| known.last))?,
                default: spec.default,
                range: (*spec.range.start(), *spec.range.end()),
                before: evolved.and_then(|known| known.first),
                spread: evolved.and_then(|known| known.spread),
                worth: worth.map_or(Vec::new(), |(_, worth)| worth.clone()),
            })
        };
        let rows = Row::all().filter(|row| row.table == table);
        Parameters {
            title: match table {
                Table::Eval => "Evaluation parameters",
                Table::Search => "Search parameters",
            },
            rows: rows.filter_map(parameter).collect(),
            measures: measured.head,
            note: measured.note,
        }
    };
    tables.map(table).collect()
}

/// What evolution has made of a parameter.
struct Evolved {
    row: Row,
    first: Option<i32>,
    last: i32,
    spread: Option<(i32, i32)>,
}

fn evolved(plan: &Plan, outcome: &Outcome) -> Vec<Evolved> {
    let mut rows: Vec<Evolved> = Vec::new();
    for ((_, phase), planned) in outcome.phases.iter().zip(&plan.phases) {
        let genes = || {
            let layouts = planned.phase.layouts().0.into_iter().filter_map(layout);
            let genes = layouts.flatten().map(|gene| gene.row());
            genes.collect::<Vec<Row>>()
        };
        let (of_phase, first, last, all): (_, _, _, Vec<&ParamSet>) = match &phase.result {
            PhaseResult::Grandmaster(evolved) => {
                let Some(best) = evolved.best_so_far() else {
                    continue;
                };
                let all = evolved.runs.iter().map(|run| &run.champion);
                (genes(), None, best.champion, all.collect())
            }
            PhaseResult::Expert(_) => {
                let Some(best) = phase.champions.first() else {
                    continue;
                };
                (genes(), None, best, phase.champions.iter().collect())
            }
            PhaseResult::Coevolution(result) => {
                let all = result.population.iter().collect();
                (result.rows.clone(), Some(&result.first), &result.elite, all)
            }
            PhaseResult::Ecm(report) => {
                let Some((_, best)) = report.outcome.best() else {
                    continue;
                };
                let all = report.outcome.runs.iter().map(|run| &run.champion);
                (report.rows.clone(), None, &best.champion, all.collect())
            }
            PhaseResult::Validation(_) => continue,
        };
        for row in of_phase {
            let values = || all.iter().map(|params| params.row(row));
            // Of several phases the first knows what was before, the last what has become of it.
            let before = rows.iter().position(|known| known.row == row);
            let before = before.and_then(|at| rows.remove(at).first);
            rows.push(Evolved {
                row,
                first: before.or(first.map(|params| params.row(row))),
                last: last.row(row),
                spread: (values().min().zip(values().max())).filter(|_| all.len() > 1),
            });
        }
    }
    rows
}

/// What a validation says that parameters are worth.
#[derive(Default)]
struct Measured {
    head: &'static [&'static str],
    /// For each of them a cell under each head.
    worth: Vec<(Row, Vec<String>)>,
    note: String,
}

fn weights(validation: Option<&ValidationResult>) -> Measured {
    let measured = validation.filter(|result| !result.sensitivity.is_empty());
    let found = measured.and_then(|result| Some((result.positions?, &result.sensitivity)));
    let Some(((positions, [solved, _]), weights)) = found else {
        return Measured::default();
    };
    let lost = |after: Option<u32>| {
        after.map_or("–".to_string(), |after| {
            (i64::from(solved) - i64::from(after)).to_string()
        })
    };
    let worth = weights.iter();
    Measured {
        head: &["Lost at ½", "Lost at 1½"],
        worth: worth
            .map(|weight| (weight.row, weight.changed.map(lost).to_vec()))
            .collect(),
        note: format!(
            "Lost: of the {} held-out positions of {} that the champion solves, so many fewer with \
             half of the weight, and with one and a half times it, or as near to that as its range \
             goes (– where it ends). A weight with little to lose matters little, or stands where it \
             should not.",
            thousands(solved),
            thousands(positions as u64)
        ),
    }
}

fn searches(validation: Option<&ValidationResult>) -> Measured {
    let suites = validation.map_or(&[][..], |result| &result.suites);
    let Some(suite) = suites.iter().find(|suite| !suite.sensitivity.is_empty()) else {
        return Measured::default();
    };
    let [champion, _] = suite.results;
    let dearer = |after: Option<Solved>| {
        let percent = |after: Solved| 100.0 * (after.nodes as f64 / champion.nodes as f64 - 1.0);
        after.map_or("–".to_string(), |after| {
            // Zero is added since what rounds to it from below would have a minus sign.
            format!("{:+.1} %", (10.0 * percent(after)).round() / 10.0 + 0.0)
        })
    };
    let lost = |after: Option<Solved>| {
        let lost = |after: Solved| i64::from(champion.positions) - i64::from(after.positions);
        after.map_or("–".to_string(), |after| lost(after).to_string())
    };
    let cells = |worth: &Sensitivity<Option<Solved>>| {
        let cells = [worth.changed.map(dearer), worth.changed.map(lost)].concat();
        (worth.row, cells)
    };
    Measured {
        head: &["Nodes at ½", "Nodes at 1½", "Lost at ½", "Lost at 1½"],
        worth: suite.sensitivity.iter().map(cells).collect(),
        note: format!(
            "{}: it costs the champion {} nodes, at most {} a position, and {} of {} are solved. Nodes: \
             how much more it costs with half of the parameter, and with one and a half times it, \
             moved by one at least; – where the range does not allow that, so a switch is turned one \
             way. Lost: so many fewer are solved. A parameter whose change costs little either way \
             matters little here, or others have turned off what it belongs to.",
            suite.name,
            thousands(champion.nodes),
            thousands(suite.cap),
            champion.positions,
            thousands(suite.positions as u64),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::night::{figures, games};
    use crate::run::coevolution::Generation;
    use crate::statistics::Pentanomial;

    /// One row evolves, whose value names the elite; the first champion's is 0.
    fn elo_course(generations: &[(i32, [u64; 5])]) -> EloCourse {
        let row = Row::all().next().unwrap();
        let first = ParamSet::missing();
        let mut elite = first.row(row);
        let one = |(number, &(value, counts)): (usize, &(i32, [u64; 5]))| {
            let new_elite = std::mem::replace(&mut elite, value) != value;
            Generation {
                generation: number as u32,
                games: [2, 1],
                new_elite,
                has_games: true,
                gauge: Pentanomial { counts },
                elite: vec![value],
                nodes: 0,
            }
        };
        let generations = generations.iter().enumerate().map(one).collect();
        course(
            "games",
            &CoevolutionResult {
                generations,
                rows: vec![row],
                searches_evolved: false,
                elite: first.clone(),
                first,
                population: Vec::new(),
                games: String::new(),
                folder: "games",
                keeps_duels: false,
                clones: None,
            },
        )
    }

    #[test]
    fn an_elite_that_is_the_first_champion_again_is_at_0() {
        let own = ParamSet::missing().row(Row::all().next().unwrap());
        let gauge = [0, 0, 2, 2, 0];
        let course = elo_course(&[
            (own, [0; 5]),
            (own + 1, gauge),
            (own, [0; 5]),
            (own, [0; 5]),
        ]);
        let points: Vec<(u32, bool)> = (course.points.iter())
            .map(|point| (point.generation, point.elo == 0.0))
            .collect();
        assert_eq!(points, [(0, true), (1, false), (2, true)]);
        assert!(course.bounds.is_empty());
    }

    #[test]
    fn all_or_none_of_the_points_are_drawn_at_a_bound() {
        let own = ParamSet::missing().row(Row::all().next().unwrap());
        let course = elo_course(&[
            (own, [0; 5]),
            (own + 1, [0, 0, 0, 0, 2]),
            (own + 2, [2, 0, 0, 0, 0]),
        ]);
        // Three and a half of four points.
        let bound = elo(0.875);
        let elos: Vec<f64> = course.points.iter().map(|point| point.elo).collect();
        assert_eq!(elos[..2], [0.0, bound]);
        assert!((elos[2] + bound).abs() < 1e-9);
        let night = Night {
            coevolutions: vec![course],
            ..Night::default()
        };
        let page = games(&night, &figures(&night).unwrap(), 0);
        let said = "all of the points in generation 1 and none of the points in generation 2";
        assert!(page.contains(said), "{page}");
    }
}
