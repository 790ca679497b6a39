//! The files of a whole run: its best parameters and its report. All of them are functions of the
//! journal, so a run that was killed and resumed leaves the same bytes as one that was not.

use super::beginning::begins_with;
use super::leakage::{half, not_held_out};
use super::multi_phase;
use super::outcome::Outcome;
use super::plan::{Plan, Planned};
use crate::base::files::write_atomically;
use crate::base::names::{BEST_NAME, FAULTS_NAME, HISTORY_NAME, PROGRAM};
use crate::base::shell;
use crate::base::statistics::{counted, rate_text};
use crate::encoding::files::{Provenance, params_toml};
use crate::error::RunError;
use crate::exec::journal::{DataFile, Header};
use crate::phases::context::is_parameters;
use crate::phases::games::BOOK;
use crate::phases::positions::data::{TEST, TRAIN};
use crate::phases::positions::outcome::{self, RunResult};
use crate::phases::summary::Part;
use crate::report::night::Night;
use crate::report::{Plays, Report, RunReport, Section, Source, paper, write};
use engine::params::{ParamSet, ParamTable as _, Table, layout};
use engine::search::params::SearchParams;
use std::collections::HashSet;
use std::path::Path;

/// Writes the best parameters of all phases and the report.
///
/// # Errors
/// A file can't be written.
pub fn write_results(folder: &Path, plan: &Plan, outcome: &Outcome) -> Result<(), RunError> {
    if let (false, Some(text)) = (plan.profile.flat, best_toml(plan, outcome)) {
        write_atomically(&folder.join(BEST_NAME), text.as_bytes())?;
    }
    write_report(folder, plan, outcome)
}

/// What the phases have come to together, as a parameter file.
fn best_toml(plan: &Plan, outcome: &Outcome) -> Option<String> {
    let mut phases = outcome.phases.iter().rev();
    let (last, best) =
        phases.find_map(|(name, phase)| Some((name.clone(), phase.champions.first()?.clone())))?;
    let (mut layouts, mut tables): (Vec<&str>, Vec<Table>) = (Vec::new(), Vec::new());
    for planned in plan.phases.iter().take(outcome.phases.len()) {
        let (of_layouts, of_tables) = planned.phase.outline().layouts;
        for layout in of_layouts {
            if !layouts.contains(&layout) {
                layouts.push(layout);
            }
        }
        for table in of_tables {
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
    }
    let mut provenance: Provenance = vec![
        ("program".into(), PROGRAM.into()),
        ("profile".into(), plan.header.profile.clone().into()),
        (
            "profile_sha256".into(),
            plan.header.profile_sha256.clone().into(),
        ),
        ("phase".into(), last.into()),
    ];
    provenance.extend(begins_with(&plan.header));
    // Names of phases are bare keys, so each of them becomes a table of what it says.
    for (name, phase) in &outcome.phases {
        let said = phase.provenance.iter();
        let key = |key: &str| format!("phases.{name}.{key}");
        provenance.extend(said.map(|(said, value)| (key(said), value.clone())));
    }
    Some(params_toml(&best, &(layouts, tables), &provenance))
}

/// Writes the report.
///
/// # Errors
/// A file can't be written.
pub fn write_report(folder: &Path, plan: &Plan, outcome: &Outcome) -> Result<(), RunError> {
    write(folder, &report(folder, plan, outcome)).map_err(RunError::Report)
}

/// The phases that have learnt from moves played, the last one first.
fn of_moves(outcome: &Outcome) -> impl Iterator<Item = (&str, &outcome::Outcome)> {
    let phases = outcome.phases.iter().rev();
    phases.filter_map(|(name, phase)| Some((name.as_str(), phase.summary.moves()?)))
}

fn report(folder: &Path, plan: &Plan, outcome: &Outcome) -> Report {
    let header = &plan.header;
    let file = |file: &DataFile| {
        let mut count = match file.role.as_str() {
            BOOK => format!("{} openings, ", file.count),
            role if is_parameters(role) => String::new(),
            _ => format!("{} positions, ", file.count),
        };
        if let Some(half) = half(&plan.profile, &header.files, file) {
            count += &format!("{half}, ");
        }
        if let Some(note) = &file.note {
            count += &format!("{note}, ");
        }
        format!("{}, {count}SHA-256 {}", file.name(), file.sha256)
    };
    let mut provenance = vec![
        ("Program".to_string(), PROGRAM.to_string()),
        (
            "Profile".to_string(),
            format!("{}, SHA-256 {}", header.profile, header.profile_sha256),
        ),
    ];
    let mut layouts: Vec<&str> = Vec::new();
    for phase in &plan.phases {
        layouts.extend(phase.phase.outline().layouts.0);
    }
    let mut known = HashSet::new();
    layouts.retain(|layout| known.insert(*layout));
    // What evolves need not be parameters.
    if !layouts.is_empty() {
        provenance.push(("Layout".to_string(), layouts.join(", ")));
    }
    provenance.extend(
        header
            .files
            .iter()
            .map(|data| (capital(&data.role), file(data))),
    );
    if let Some(warning) = not_held_out(&plan.profile, header) {
        provenance.push(("Warning".to_string(), warning));
    }
    // With a book, the journal says it of that.
    let without_book = |planned: &&Planned| header.file(&planned.name, BOOK).is_none();
    for planned in plan.phases.iter().filter(without_book) {
        if let Some(warning) = planned.phase.warning() {
            provenance.push((format!("Openings of {}", planned.name), warning));
        }
    }
    let (mut runs, mut mean) = (Vec::new(), None);
    let mut phases = of_moves(outcome);
    // The page has room for the runs of one such phase: of what the others led to.
    if let Some((name, evolved)) = phases.next() {
        let others: Vec<&str> = phases.map(|(name, _)| name).collect();
        if !others.is_empty() {
            let tables = others
                .iter()
                .rev()
                .map(|name| format!("{name}/{HISTORY_NAME}"));
            let tables = tables.collect::<Vec<_>>().join(" and ");
            let (have, those) = match others.len() {
                1 => ("has", "that phase"),
                _ => ("have", "those phases"),
            };
            let text = format!("{name}; {tables} {have} what each generation of {those} came to");
            provenance.push(("Champion, runs and weights are of".into(), text));
        }
        let (train, test) = (header.file(name, TRAIN), header.file(name, TEST));
        if let (Some(best), Some(train)) = (evolved.best(), train) {
            let trained = rate_text(best.train_solved, train.count);
            let text = format!("{}, which solves {trained}", best.who);
            provenance.push(("Champion".into(), text));
            if let (Some(test), Some(solved)) = (test, best.test_solved) {
                let text = rate_text(solved, test.count);
                provenance.push(("On held-out positions".into(), text));
            }
        }
        let run = |run: &RunResult| RunReport {
            seed: run.seed,
            generations: run.generations.clone(),
            positions: train.map_or(0, |file| file.count as u32),
            test_positions: test.map(|file| file.count as u32),
            champion: run.champion.clone(),
            train_solved: run.train_solved,
            test_solved: run.test_solved,
        };
        runs = evolved.runs.iter().map(run).collect();
        mean = evolved.mean.as_ref().map(|mean| RunReport {
            seed: 0,
            generations: Vec::new(),
            positions: train.map_or(0, |file| file.count as u32),
            test_positions: test.map(|file| file.count as u32),
            champion: mean.champion.clone(),
            train_solved: mean.train_solved,
            test_solved: mean.test_solved,
        });
    }
    if let Some(cut) = cut_text(outcome) {
        provenance.push(("Hours".to_string(), cut));
    }
    // With several phases the report has a place for this.
    if let (true, Some(faults)) = (plan.profile.flat, faults_text(outcome)) {
        provenance.push(("Panics".to_string(), faults));
    }
    let night = !plan.profile.flat;
    let night = night.then(|| multi_phase::night(folder, plan, outcome));
    let mut report = Report {
        title: match plan.profile.flat {
            true if of_moves(outcome).next().is_some() => {
                format!("Evolution from moves played: profile {}", header.profile)
            }
            _ => format!("Evolution of parameters: profile {}", header.profile),
        },
        provenance,
        command: command(header),
        best: (folder.join(BEST_NAME).is_file()).then(|| plays(&folder.join(BEST_NAME), outcome)),
        runs,
        mean,
        experts: Vec::new(),
        suites: Vec::new(),
        plain: Vec::new(),
        night,
        order: Vec::new(),
        unfinished: multi_phase::unfinished(plan, outcome),
        positions: positions(header),
        parameters: multi_phase::parameters(plan, outcome),
        compare: compare(folder, outcome),
    };
    add_parts(&mut report, outcome);
    report
}

/// What the phases that have begun have to show, in the order of the run.
fn add_parts(report: &mut Report, outcome: &Outcome) {
    for (name, phase) in &outcome.phases {
        let Some(part) = phase.summary.part(name) else {
            continue;
        };
        let section = match part {
            // Several phases of moves have one section, where the first is.
            Part::Moves if report.order.contains(&Section::Moves) => continue,
            Part::Moves => Section::Moves,
            Part::Expert(part) => Section::Expert(added(&mut report.experts, part)),
            Part::Suite(part) => Section::Suite(added(&mut report.suites, part)),
            Part::Plain(part) => Section::Plain(added(&mut report.plain, part)),
            Part::Games(part) => {
                // Such a profile is never flat.
                let night = report.night.get_or_insert_with(Night::default);
                Section::Games(added(&mut night.coevolutions, part))
            }
        };
        report.order.push(section);
    }
}

/// Adds something to a list, and says where it is.
fn added<T>(list: &mut Vec<T>, one: T) -> usize {
    list.push(one);
    list.len() - 1
}

/// Whose games the positions with moves come from, as far as the files are known.
fn positions(header: &Header) -> Source {
    let mut files = header.files.iter();
    let is_of_engines = files.any(|file| {
        let role = file.role.as_str();
        (role == TRAIN || role == TEST) && paper::is_of_engines(&file.sha256)
    });
    match is_of_engines {
        true => Source::Engines,
        false => Source::Unknown,
    }
}

/// What the best parameters of the folder may be compared with: the best of the first phase, if another
/// phase has gone on from there.
fn compare(folder: &Path, outcome: &Outcome) -> Option<String> {
    let mut evolved = outcome
        .phases
        .iter()
        .filter(|(_, phase)| !phase.champions.is_empty());
    let (name, _) = evolved.next()?;
    evolved.next()?;
    let file = format!("{name}/{BEST_NAME}");
    let has_evaluation =
        |file: &Path| ParamSet::load(&[file]).is_ok_and(|loaded| loaded.params.has_evaluation());
    has_evaluation(&folder.join(&file)).then_some(file)
}

/// The line that starts a run once more, but for its folder; none of a program that didn't keep it.
fn command(header: &Header) -> Option<String> {
    let words = header.command.iter().map(|word| shell::word(word));
    let line: Vec<String> = ["tuner", "run"]
        .map(String::from)
        .into_iter()
        .chain(words)
        .collect();
    (!header.command.is_empty()).then(|| line.join(" "))
}

/// How many tasks panicked, if any did.
pub fn faults_text(outcome: &Outcome) -> Option<String> {
    let count = Some(outcome.faults).filter(|&count| count > 0)?;
    Some(format!(
        "{} panicked and counted as worst where another try did no better; the files in the phases' {FAULTS_NAME}/ \
         have all that is known",
        counted(count, "task")
    ))
}

/// Which phases the profile's hours ended, if they ended any.
pub fn cut_text(outcome: &Outcome) -> Option<String> {
    (!outcome.cut.is_empty()).then(|| {
        format!(
            "the time of {} was up before its last generation, so another run from the same \
             seeds may end elsewhere",
            outcome.cut.join(", ")
        )
    })
}

/// The same words with a capital letter at the front.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// What search a run's best parameters have.
pub fn plays(path: &Path, outcome: &Outcome) -> Plays {
    let mut phases = outcome.phases.iter();
    let searches = phases.any(|(_, phase)| phase.summary.searches_evolved());
    match searches {
        true if has_more_than_the_papers(path) => Plays::Fully,
        true => Plays::AsThePapers,
        false => Plays::Plainly,
    }
}

/// Whether a file has rows of the search that the papers' search has not.
fn has_more_than_the_papers(path: &Path) -> bool {
    let papers = layout("search-2014").unwrap_or_default();
    let is_papers = |name: &str| papers.iter().any(|gene| gene.spec().name == name);
    ParamSet::load(&[path]).is_ok_and(|loaded| {
        SearchParams::SPECS
            .iter()
            .any(|row| !is_papers(row.name) && !loaded.missing_search.contains(&row.name))
    })
}
