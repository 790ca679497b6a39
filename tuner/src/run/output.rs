//! The files of a run's folder. All but `timing.csv` are a function of the journal, so a run that
//! was killed and resumed leaves the same bytes as one that was not.

use super::RunError;
use super::evolve::{Outcome, RunResult};
use crate::config::Profile;
use crate::files::{FileError, create_folder, write_atomically};
use crate::journal::{DataFile, Header};
use crate::report::{GenerationStats, REPORT_NAME, Report, RunReport, write};
use crate::statistics::Rate;
use engine::params::Table;
use std::path::{Path, PathBuf};
use toml::Value;

/// Name of the champion of champions' parameter file.
pub const BEST_NAME: &str = "best.toml";
/// Name of the table of generations.
pub const HISTORY_NAME: &str = "history.csv";
/// Name of the table of wall times.
pub const TIMING_NAME: &str = "timing.csv";
/// Name of the folder of the runs' champions.
pub const CHAMPIONS_NAME: &str = "champions";
/// First line of the table of generations.
pub const HISTORY_HEADING: &str =
    "run,generation,best,mean,worst,standard_deviation,distinct_phenotypes\n";

/// The search parameters that go with evolved weights, as the project names them.
pub const SEARCH_FILE: &str = "params/search-full.toml";

/// Program and version, for provenance.
pub const PROGRAM: &str = concat!("tuner ", env!("CARGO_PKG_VERSION"));

/// A line of the table of generations; runs count from 1.
pub fn history_row(run: usize, stats: &GenerationStats) -> String {
    format!(
        "{run},{},{},{:.4},{},{:.4},{}\n",
        stats.generation,
        stats.best,
        stats.mean,
        stats.worst,
        stats.standard_deviation,
        stats.distinct
    )
}

/// Writes the champions of the finished runs, the best of them and the report.
///
/// # Errors
/// A file can't be written.
pub fn write_results(
    folder: &Path,
    profile: &Profile,
    header: &Header,
    outcome: &Outcome,
) -> Result<(), RunError> {
    let champions = folder.join(CHAMPIONS_NAME);
    create_folder(&champions)?;
    for (index, run) in outcome
        .runs
        .iter()
        .enumerate()
        .filter(|(_, run)| run.finished)
    {
        let text = champion_toml(profile, header, index + 1, run);
        let path = champions.join(format!("run-{:02}.toml", index + 1));
        write_atomically(&path, text.as_bytes())?;
    }
    if let Some((index, run)) = outcome.best() {
        let text = champion_toml(profile, header, index + 1, run);
        write_atomically(&folder.join(BEST_NAME), text.as_bytes())?;
    }
    write_report(folder, profile, header, outcome)
}

/// Writes the report.
///
/// # Errors
/// A file can't be written.
pub fn write_report(
    folder: &Path,
    profile: &Profile,
    header: &Header,
    outcome: &Outcome,
) -> Result<(), RunError> {
    write(folder, &report(profile, header, outcome)).map_err(RunError::Report)
}

/// Writes the table of generations.
///
/// # Errors
/// The file can't be written.
pub fn write_history(folder: &Path, outcome: &Outcome) -> Result<(), FileError> {
    let mut text = HISTORY_HEADING.to_string();
    for (run, result) in (1..).zip(&outcome.runs) {
        text.extend(
            result
                .generations
                .iter()
                .map(|stats| history_row(run, stats)),
        );
    }
    write_atomically(&folder.join(HISTORY_NAME), text.as_bytes())
}

/// A champion as a parameter file that says where its numbers come from.
fn champion_toml(profile: &Profile, header: &Header, run: usize, result: &RunResult) -> String {
    let mut provenance: Vec<(String, Value)> = vec![
        ("program".into(), PROGRAM.into()),
        ("phase".into(), "grandmaster".into()),
        ("profile".into(), header.profile.clone().into()),
        (
            "profile_sha256".into(),
            header.profile_sha256.clone().into(),
        ),
        ("run".into(), (run as i64).into()),
        ("seed".into(), (result.seed as i64).into()),
        (
            "generations".into(),
            (result.generations.len() as i64).into(),
        ),
    ];
    data_provenance(
        &mut provenance,
        "train",
        &header.train,
        Some(result.train_solved),
    );
    if let Some(test) = &header.test {
        data_provenance(&mut provenance, "test", test, result.test_solved);
    }
    let pairs = provenance
        .iter()
        .map(|(key, value)| (key.as_str(), value.clone()));
    let layouts = [profile.layout.name.as_str()];
    result
        .champion
        .to_toml(&layouts, &pairs.collect::<Vec<_>>(), &[Table::Eval])
}

/// A data file and what was solved of it, in per cent with a 95 % interval.
fn data_provenance(
    provenance: &mut Vec<(String, Value)>,
    prefix: &str,
    file: &DataFile,
    solved: Option<u32>,
) {
    let mut add = |key: &str, value: Value| provenance.push((format!("{prefix}_{key}"), value));
    add("file", file.name().into());
    add("sha256", file.sha256.clone().into());
    add("positions", (file.positions as i64).into());
    if let Some(solved) = solved {
        let rate = Rate::new(solved.into(), file.positions as u64);
        add("solved", i64::from(solved).into());
        add("percent", hundredths(rate.percent).into());
        let interval = vec![hundredths(rate.low).into(), hundredths(rate.high).into()];
        add("percent_95", Value::Array(interval));
    }
}

/// `1612 of 5000 (32.2 %, 95 % interval 31.0 to 33.5)`
pub fn rate_text(solved: u32, positions: usize) -> String {
    let Rate { percent, low, high } = Rate::new(solved.into(), positions as u64);
    format!("{solved} of {positions} ({percent:.1} %, 95 % interval {low:.1} to {high:.1})")
}

/// Rounds to two decimals.
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn report(profile: &Profile, header: &Header, outcome: &Outcome) -> Report {
    let file = |file: &DataFile| {
        format!(
            "{}, {} positions, SHA-256 {}",
            file.name(),
            file.positions,
            file.sha256
        )
    };
    let mut provenance = vec![
        ("Program", PROGRAM.to_string()),
        (
            "Profile",
            format!("{}, SHA-256 {}", header.profile, header.profile_sha256),
        ),
        ("Layout", profile.layout.name.clone()),
        ("Training positions", file(&header.train)),
    ];
    if let Some(test) = &header.test {
        provenance.push(("Held-out positions", file(test)));
    }
    if let Some((index, run)) = outcome.best() {
        let trained = rate_text(run.train_solved, header.train.positions);
        provenance.push(("Best run", format!("{}, which solves {trained}", index + 1)));
        if let (Some(test), Some(solved)) = (&header.test, run.test_solved) {
            provenance.push(("On held-out positions", rate_text(solved, test.positions)));
        }
    }
    let run = |run: &RunResult| RunReport {
        seed: run.seed,
        generations: run.generations.clone(),
        positions: header.train.positions as u32,
        test_positions: header.test.as_ref().map(|file| file.positions as u32),
        champion: run.champion.clone(),
        train_solved: run.train_solved,
        test_solved: run.test_solved,
    };
    Report {
        title: format!("Evolution from moves played: profile {}", header.profile),
        provenance: provenance
            .into_iter()
            .map(|(label, text)| (label.to_string(), text))
            .collect(),
        runs: outcome.runs.iter().map(run).collect(),
    }
}

/// How the best champion did and how to play against it; empty if no run has ended.
pub fn how_to_play(folder: &Path, header: &Header, outcome: &Outcome) -> String {
    let Some((index, run)) = outcome.best() else {
        return String::new();
    };
    let path = absolute(&folder.join(BEST_NAME));
    let mut text = format!(
        "Best is run {}: solves {} training positions",
        index + 1,
        rate_text(run.train_solved, header.train.positions)
    );
    if let (Some(test), Some(solved)) = (&header.test, run.test_solved) {
        text += &format!(
            ",\nand {} held-out positions",
            rate_text(solved, test.positions)
        );
    }
    let path = path.display();
    let search = search_file().display().to_string();
    let engine = engine_binary().display().to_string();
    text += &format!(
        "\nParameters: {path}\nReport:     {}\n\
         \nTo play with it in a GUI, send the engine\n\
         \x20 setoption name ParamsFile value {path};{search}\n\
         or in a shell\n\
         \x20 (echo 'setoption name ParamsFile value {path};{search}'; \
         echo 'go movetime 2000'; sleep 3) | '{engine}'\n\
         The first file is the evaluation that was evolved. The second turns on the full search;\n\
         without it the engine looks at every move and sees less far.",
        absolute(&folder.join(REPORT_NAME)).display(),
    );
    text
}

/// A path from the root, even of a file that is not there.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The file of the full search: seen from the working folder or from the folders above this
/// program, where a build puts it; else as the project names it.
fn search_file() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let folders = program.ancestors().skip(1).take(4);
    let candidates = std::iter::once(Path::new("")).chain(folders);
    candidates
        .map(|folder| absolute(&folder.join(SEARCH_FILE)))
        .find(|path| path.is_file())
        .unwrap_or_else(|| SEARCH_FILE.into())
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
