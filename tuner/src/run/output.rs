//! The files of a whole run: its best parameters and its report. All of them are functions of the
//! journal, so a run that was killed and resumed leaves the same bytes as one that was not.

use super::begin::{begins_with, is_parameters};
use super::desk::{FAULTS_NAME, HISTORY_NAME};
use super::evolve::RunResult;
use super::games::BOOK;
use super::lessons::{TEST, TRAIN};
use super::night;
use super::phase::{PhaseResult, Provenance, params_toml};
use super::plan::{Plan, Planned};
use super::seen::{half, not_held_out};
use super::{Outcome, RunError};
use crate::export::is_sendable;
use crate::files::write_atomically;
use crate::journal::{DataFile, Header};
use crate::report::ecm::EcmReport;
use crate::report::expert::ExpertReport;
use crate::report::{Plays, REPORT_NAME, Report, RunReport, Section, Source, paper, write};
use crate::shell;
use crate::statistics::{rate_text, thousands};
use engine::params::{ParamSet, ParamTable as _, Table, layout};
use engine::search::params::SearchParams;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Name of the best parameters' file, of the run and of each phase.
pub const BEST_NAME: &str = "best.toml";
/// Name of the folder of a phase's champions.
pub const CHAMPIONS_NAME: &str = "champions";

/// The search parameters that go with evolved weights, as the project names them.
pub const SEARCH_FILE: &str = "params/search-full.toml";

/// Program and version, for provenance.
pub const PROGRAM: &str = concat!("tuner ", env!("CARGO_PKG_VERSION"));

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
    let of_phase = |(name, phase): &(String, super::PhaseOutcome)| {
        let best = phase.champions.first()?;
        Some((name.clone(), best.clone()))
    };
    let (last, best) = outcome.phases.iter().rev().find_map(of_phase)?;
    let (mut layouts, mut tables): (Vec<&str>, Vec<Table>) = (Vec::new(), Vec::new());
    for planned in plan.phases.iter().take(outcome.phases.len()) {
        let (of_layouts, of_tables) = planned.phase.layouts();
        layouts.extend(
            of_layouts
                .iter()
                .filter(|layout| !layouts.contains(layout))
                .copied()
                .collect::<Vec<_>>(),
        );
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

/// The phases of kind `grandmaster` that have begun, the last one first.
fn grandmasters(outcome: &Outcome) -> impl Iterator<Item = (&str, &super::evolve::Outcome)> {
    let phases = outcome.phases.iter().rev();
    phases.filter_map(|(name, phase)| match &phase.result {
        PhaseResult::Grandmaster(evolved) => Some((name.as_str(), evolved)),
        _ => None,
    })
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
        layouts.extend(phase.phase.layouts().0);
    }
    let mut known = HashSet::new();
    layouts.retain(|layout| known.insert(*layout));
    provenance.push(("Layout".to_string(), layouts.join(", ")));
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
    let mut phases = grandmasters(outcome);
    // The page has room for the runs of one such phase: of what the others led to.
    if let Some((name, evolved)) = phases.next() {
        let others: Vec<&str> = phases.map(|(name, _)| name).collect();
        if !others.is_empty() {
            let text = format!(
                "{name}; {} what each generation of {} came to",
                others
                    .iter()
                    .rev()
                    .map(|name| format!("{name}/{HISTORY_NAME}"))
                    .collect::<Vec<_>>()
                    .join(" and ")
                    + if others.len() > 1 { " have" } else { " has" },
                if others.len() > 1 {
                    "those phases"
                } else {
                    "that phase"
                },
            );
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
    Report {
        title: match plan.profile.flat {
            true if grandmasters(outcome).next().is_some() => {
                format!("Evolution from moves played: profile {}", header.profile)
            }
            _ => format!("Evolution of parameters: profile {}", header.profile),
        },
        provenance,
        command: command(header),
        best: (folder.join(BEST_NAME).is_file()).then(|| plays(&folder.join(BEST_NAME), outcome)),
        runs,
        mean,
        experts: experts(outcome).cloned().collect(),
        suites: suites(outcome).cloned().collect(),
        night: (!plan.profile.flat).then(|| night::night(folder, plan, outcome)),
        order: order(outcome),
        unfinished: night::unfinished(plan, outcome),
        positions: positions(header),
        parameters: night::parameters(plan, outcome),
        compare: compare(folder, outcome),
    }
}

/// The sections of the phases that have begun, in the order of the run.
fn order(outcome: &Outcome) -> Vec<Section> {
    let (mut order, mut count) = (Vec::new(), [0; 3]);
    let mut next = |kind: usize| {
        count[kind] += 1;
        count[kind] - 1
    };
    for (_, phase) in &outcome.phases {
        order.push(match &phase.result {
            PhaseResult::Grandmaster(_) => Section::Moves,
            PhaseResult::Expert(_) => Section::Expert(next(0)),
            PhaseResult::Coevolution(_) => Section::Games(next(1)),
            PhaseResult::Ecm(_) => Section::Suite(next(2)),
            PhaseResult::Validation(_) => continue,
        });
    }
    // Several phases of moves have one section, where the first is.
    let mut known = Vec::new();
    order.retain(|section| {
        let is_new = !known.contains(section);
        known.push(*section);
        is_new
    });
    order
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

/// The phases of kind `expert`.
fn experts(outcome: &Outcome) -> impl Iterator<Item = &ExpertReport> {
    let phases = outcome.phases.iter();
    phases.filter_map(|(_, phase)| match &phase.result {
        PhaseResult::Expert(report) => Some(report),
        _ => None,
    })
}

/// How many tasks panicked, if any did.
pub fn faults_text(outcome: &Outcome) -> Option<String> {
    let count = Some(outcome.faults).filter(|&count| count > 0)?;
    Some(format!(
        "{count} task(s) panicked and were tried again or scored worst; \
         the files in the phases' {FAULTS_NAME}/ have all that is known"
    ))
}

/// Which phases the profile's hours ended, if they ended any.
fn cut_text(outcome: &Outcome) -> Option<String> {
    (!outcome.cut.is_empty()).then(|| {
        format!(
            "the time of {} was up before its last generation, so another run from the same \
             seeds may end elsewhere",
            outcome.cut.join(", ")
        )
    })
}

/// The phases of kind `ecm`.
fn suites(outcome: &Outcome) -> impl Iterator<Item = &EcmReport> {
    let phases = outcome.phases.iter();
    phases.filter_map(|(_, phase)| match &phase.result {
        PhaseResult::Ecm(report) => Some(report),
        _ => None,
    })
}

/// The same words with a capital letter at the front.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// How the best of each phase did and, if the run has a best of its own, how to play against it.
pub fn how_to_play(folder: &Path, header: &Header, outcome: &Outcome) -> String {
    let path = absolute(&folder.join(BEST_NAME));
    let report = absolute(&folder.join(REPORT_NAME));
    let mut text = String::new();
    for (name, phase) in &outcome.phases {
        let Some(said) = best_text(header, name, &phase.result) else {
            continue;
        };
        // What comes of one phase is not yet what the run leaves, if others come after it.
        text += &match outcome.phases.len() {
            1 => capital(&said),
            _ => format!("{name}: {said}"),
        };
        text.push('\n');
    }
    for warning in night::warnings(outcome) {
        text += &format!("Warning: {warning}\n");
    }
    if let Some(faults) = faults_text(outcome) {
        text += &format!("{faults}\n");
    }
    if let Some(cut) = cut_text(outcome) {
        text += &format!("Hours: {cut}\n");
    }
    if !path.is_file() {
        return match report.is_file() {
            true => text + &format!("Report:     {}", report.display()),
            false => text,
        };
    }
    text += &format!(
        "Parameters: {}\nReport:     {}\n\n",
        path.display(),
        report.display()
    );
    let plays = plays(&path, outcome);
    text + &to_paste(&path, search_file().as_deref(), &engine_binary(), plays)
}

/// The best of a phase, in words.
fn best_text(header: &Header, name: &str, result: &PhaseResult) -> Option<String> {
    match result {
        PhaseResult::Grandmaster(evolved) => {
            let (best, train) = (evolved.best()?, header.file(name, TRAIN)?);
            let trained = rate_text(best.train_solved, train.count);
            let mut text = format!("best is {}: solves {trained} training positions", best.who);
            if let (Some(test), Some(solved)) = (header.file(name, TEST), best.test_solved) {
                let held_out = rate_text(solved, test.count);
                text += &format!(",\nand {held_out} held-out positions");
            }
            Some(text)
        }
        PhaseResult::Expert(report) => {
            let best = report.best_text()?;
            Some(format!("nearest to the expert is {best}"))
        }
        PhaseResult::Ecm(report) => {
            let (index, run) = report.outcome.best()?;
            // Hours may end a run while it samples.
            let part = match run.train.positions < report.positions {
                true => "a part of ",
                false => "",
            };
            Some(format!(
                "best search is of run {}: {} nodes for {part}the suite, solves {}",
                index + 1,
                thousands(run.train.nodes),
                rate_text(run.train.solved, run.train.positions)
            ))
        }
        PhaseResult::Validation(validation) => validation.is_known().then(|| validation.text()),
        // Its games say how strong the best is against what it began with, in the report.
        PhaseResult::Coevolution(_) => None,
    }
}

/// What search a run's best parameters have.
fn plays(path: &Path, outcome: &Outcome) -> Plays {
    let searches = outcome.phases.iter().any(|(_, phase)| match &phase.result {
        PhaseResult::Ecm(report) => report.outcome.best().is_some(),
        PhaseResult::Coevolution(result) => result.searches_evolved,
        _ => false,
    });
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

/// What to send the engine to play with a parameter file.
fn to_paste(path: &Path, search: Option<&Path>, engine: &Path, plays: Plays) -> String {
    if !is_sendable(path) {
        return "The engine takes a semicolon for the end of a file's name, and this path has one. To \
                play with it\nin a GUI, copy the parameters to a path without."
            .to_string();
    }
    let path = path.display();
    let search = search.map(Path::display);
    let elsewhere = format!("a semicolon and the path of the project's {SEARCH_FILE}");
    let (value, note) = match (plays, search) {
        (Plays::Fully, _) => (
            format!("{path}"),
            "It holds a full search, with the rows that were evolved.".to_string(),
        ),
        (Plays::AsThePapers, search) => (
            format!("{path}"),
            format!(
                "It holds an evaluation and the search that was evolved. With the full search that\n\
                 was set by hand it may be stronger: add {}",
                search.map_or(elsewhere, |search| format!(";{search}"))
            ),
        ),
        (Plays::Plainly, Some(search)) => (
            format!("{path};{search}"),
            "The first file is the evaluation that was evolved. The second turns on the full \
             search;\nwithout it the engine looks at every move and sees less far."
                .to_string(),
        ),
        (Plays::Plainly, None) => (
            format!("{path}"),
            format!(
                "It holds the evaluation that was evolved. With it alone the engine looks at every \
                 move\nand sees less far. To turn on the full search add {elsewhere}"
            ),
        ),
    };
    let command = format!("setoption name ParamsFile value {value}");
    let by_hand = by_hand(engine, &command);
    format!("To play with it in a GUI, send the engine\n  {command}\n{by_hand}\n{note}")
}

/// How to have a move from the engine without a GUI, after a command to it.
fn by_hand(engine: &Path, command: &str) -> String {
    let engine = engine.display();
    let go = "go movetime 2000";
    if cfg!(windows) {
        // Windows has several shells, and none of them quotes as a Unix shell does.
        return format!("or start\n  {engine}\nin a terminal and type\n  {command}\n  {go}");
    }
    let (command, engine) = (shell::word(command), shell::word(&engine.to_string()));
    format!("or in a shell\n  (printf '%s\\n' {command} '{go}'; sleep 3) | {engine}")
}

/// A path from the root, even of a file that is not there.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The file of the full search: seen from the working folder or from the folders above this
/// program, where a build puts it, if it is there.
fn search_file() -> Option<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folders = program.ancestors().skip(1).take(4);
    let candidates = std::iter::once(Path::new("")).chain(folders);
    candidates
        .map(|folder| absolute(&folder.join(SEARCH_FILE)))
        .find(|path| path.is_file() && is_sendable(path))
}

/// The engine next to this program, or just its name.
fn engine_binary() -> PathBuf {
    let name = format!("eyas{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|tuner| tuner.with_file_name(&name));
    beside
        .ok()
        .filter(|engine| engine.is_file())
        .unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the line for a shell, as a shell takes it apart.
    fn words(said: &str) -> Vec<String> {
        let line = said.lines().find(|line| line.contains("movetime")).unwrap();
        shlex::split(line).unwrap()
    }

    #[test]
    fn the_line_to_paste_is_one_that_works() {
        let (best, engine) = (
            Path::new("/it's \"a\" $HOME/best.toml"),
            Path::new("/b c/eyas"),
        );
        let search = Path::new("/p/params/search-full.toml");
        let said = to_paste(best, Some(search), engine, Plays::Plainly);
        let command = "setoption name ParamsFile value /it's \"a\" $HOME/best.toml;/p/params/search-full.toml";
        assert!(said.contains(&format!("  {command}\n")), "{said}");
        if cfg!(windows) {
            assert!(said.contains("\n  /b c/eyas\n"), "{said}");
            return;
        }
        let words = words(&said);
        assert!(words.contains(&command.to_string()), "{words:?}");
        assert_eq!(words.last().unwrap(), "/b c/eyas");
    }

    #[test]
    fn a_file_that_is_not_there_is_not_in_the_line_to_paste() {
        let said = to_paste(
            Path::new("/r/best.toml"),
            None,
            Path::new("eyas"),
            Plays::Plainly,
        );
        assert!(said.contains("value /r/best.toml\n"), "{said}");
        assert!(
            said.contains("the path of the project's params/search-full.toml"),
            "{said}"
        );
    }

    #[test]
    fn a_path_that_the_engine_would_split_is_not_in_the_line_to_paste() {
        let said = to_paste(
            Path::new("/a;b/best.toml"),
            None,
            Path::new("eyas"),
            Plays::AsThePapers,
        );
        assert!(said.contains("copy the parameters"), "{said}");
        assert!(!said.contains("setoption"), "{said}");
    }
}
