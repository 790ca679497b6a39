//! What the report says of a run and its phases, gathered from what they have come to.

use super::leakage::seen;
use super::outcome::Outcome;
use super::plan::Plan;
use crate::base::names::BEST_NAME;
use crate::base::progress::clock;
use crate::base::statistics::thousands;
use crate::exec::timing::{seconds_spent, work_done};
use crate::phases::summary::PhaseFiles;
use crate::phases::validation::summary::{reached, unseen};
use crate::phases::verdict::{Sensitivity, Solved, ValidationResult};
use crate::report::night::{Night, PhaseRow};
use crate::report::parameters::{Parameter, Parameters};
use engine::params::{Row, Table, layout};
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
        let files = PhaseFiles {
            header: &plan.header,
            phase: name,
        };
        let (progress, work) = phase.summary.row(files);
        night.links.extend(phase.summary.links(name));
        if let Some(result) = phase.summary.validation() {
            let verdict = result.is_known().then(|| reached(result, name));
            night.verdicts.extend(verdict);
            night.unseen.extend(unseen(result));
        }
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

/// What makes results of phases mean little.
pub fn warnings(outcome: &Outcome) -> Vec<String> {
    let phases = outcome.phases.iter();
    let warnings = phases.flat_map(|(name, phase)| {
        let warnings = phase.summary.warnings().into_iter();
        warnings.map(move |text| format!("{name}: {text}"))
    });
    warnings.collect()
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
            begun.summary.step(),
            thousands(begun.summary.steps_done()),
            thousands(planned.phase.outline().generations)
        ),
        None => format!("{phase} is to begin"),
    })
}

/// A table of evaluation weights and one of search parameters, as far as they evolved, or were changed
/// to see what they are worth.
pub fn parameters(plan: &Plan, outcome: &Outcome) -> Vec<Parameters> {
    let mut phases = outcome.phases.iter().rev();
    let validation = phases.find_map(|(_, phase)| phase.summary.validation());
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
        let told = phase.summary.evolved();
        // Else those say it who go on to the next phase.
        let of_champions = || {
            Some(crate::phases::summary::Evolved {
                rows: None,
                first: None,
                last: phase.champions.first()?,
                all: phase.champions.iter().collect(),
            })
        };
        let Some(told) = told.or_else(of_champions) else {
            continue;
        };
        let genes = || {
            let layouts = planned
                .phase
                .outline()
                .layouts
                .0
                .into_iter()
                .filter_map(layout);
            layouts
                .flatten()
                .map(|gene| gene.row())
                .collect::<Vec<Row>>()
        };
        let (first, last, all) = (told.first, told.last, told.all);
        let of_phase = told.rows.unwrap_or_else(genes);
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
