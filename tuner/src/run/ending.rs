//! What is said at the end of a run: what came of its phases, where the best parameters are, how to
//! play with them, what to compare them with and what strength to expect.

use super::multi_phase;
use super::outcome::{Ended, Outcome};
use super::output::{capital, cut_text, faults_text, plays};
use crate::base::files::is_sendable;
use crate::base::names::BEST_NAME;
use crate::base::progress::duration;
use crate::base::shell;
use crate::base::statistics::thousands;
use crate::exec::journal::Header;
use crate::exec::timing::seconds_spent;
use crate::phases::context::{copy_of, is_parameters};
use crate::phases::positions::data::TRAIN;
use crate::phases::summary::PhaseFiles;
use crate::phases::verdict::{ValidationResult, Verdict};
use crate::report::{Plays, REPORT_NAME};
use std::path::{Path, PathBuf};

/// The search parameters that go with evolved weights, as the project names them.
pub const SEARCH_FILE: &str = "params/search-full.toml";

/// The parameters of the engine as it is shipped.
const SHIPPED_FILE: &str = "params/default.toml";

/// Training positions of the papers. An evaluation from fewer is a demonstration.
const ENOUGH_POSITIONS: usize = 5000;

/// What is said when a run has ended, was interrupted, or its report was asked for.
pub fn ending(ended: &Ended) -> String {
    let Ended {
        folder,
        header,
        outcome,
    } = ended;
    let report = absolute(&folder.join(REPORT_NAME));
    let mut text = String::new();
    for (name, phase) in &outcome.phases {
        let files = PhaseFiles {
            header,
            phase: name,
        };
        let Some(said) = phase.summary.result_text(files) else {
            continue;
        };
        // What comes of one phase is not yet what the run leaves, if others come after it.
        text += &match outcome.phases.len() {
            1 => capital(&said),
            _ => format!("{name}: {said}"),
        };
        text.push('\n');
    }
    for warning in multi_phase::warnings(outcome) {
        text += &format!("Warning: {warning}\n");
    }
    if let Some(faults) = faults_text(outcome) {
        text += &format!("{faults}\n");
    }
    if let Some(cut) = cut_text(outcome) {
        text += &format!("Hours: {cut}\n");
    }
    for (name, phase) in &outcome.phases {
        let Some(file) = phase.summary.program() else {
            continue;
        };
        let mut places = [folder.join(name).join(file), folder.join(file)].into_iter();
        if let Some(program) = places.find(|path| path.is_file()) {
            let program = absolute(&program);
            text += &format!(
                "Best program:\n  {}\nIn a chess GUI, set the engine's option EndgameProgram to this file. Its trees, \
                 with how often each node decides:\n  {} program show {}\n",
                program.display(),
                shell::tuner(),
                shell::file(program.as_os_str())
            );
        }
    }
    let best = best_file(folder, outcome).map(|best| absolute(&best));
    if let Some(best) = &best {
        let title = match outcome.complete {
            true => "Best parameters:",
            false => "The best so far:",
        };
        text += &format!("{title}\n  {}\n", best.display());
    }
    if report.is_file() {
        text += &format!("Report:\n  {}\n", report.display());
    }
    let Some(best) = best else {
        return text.trim_end().to_string();
    };
    let seconds = seconds_spent(folder).values().sum();
    text += &format!(
        "\nWhat to expect: {}\n",
        expectation(header, outcome, seconds)
    );
    let project = Project::find();
    let opponent = match opponent(folder, header) {
        Some(files) => Some((files, "what the validation plays against".to_string())),
        None => {
            (project.shipped.clone()).map(|file| (vec![file], "Eyas as it is shipped".to_string()))
        }
    };
    text + &to_paste(&best, &project, plays(&best, outcome), opponent)
}

/// The best parameters that a run has: of all its phases, or else of the phase that is under way.
fn best_file(folder: &Path, outcome: &Outcome) -> Option<PathBuf> {
    let of_phases = outcome.phases.iter().rev();
    let of_phases = of_phases.map(|(name, _)| folder.join(name).join(BEST_NAME));
    let mut files = std::iter::once(folder.join(BEST_NAME)).chain(of_phases);
    files.find(|file| file.is_file())
}

/// What strength to expect, as far as anything is known of it, from a run that took so many seconds.
fn expectation(header: &Header, outcome: &Outcome, seconds: f64) -> String {
    let mut sentences = Vec::new();
    let learnt_from = header.files.iter().filter(|file| file.role == TRAIN);
    let positions = learnt_from.map(|file| file.count).min();
    if let Some(positions) = positions.filter(|&positions| positions < ENOUGH_POSITIONS) {
        sentences.push(format!(
            "a demonstration. It was evolved from a small sample ({} positions) in {}, and isn't \
             expected to be strong: it plays like a beginner's engine. For more, give it more \
             positions and a night",
            thousands(positions as u64),
            duration(seconds)
        ));
    }
    let validations = outcome.phases.iter().rev();
    let validations = validations.filter_map(|(_, phase)| phase.summary.validation());
    match validations.into_iter().find(|validation| validation.is_known()) {
        Some(validation) => sentences.push(verdict_text(validation)),
        None if !sentences.is_empty() => {}
        None if outcome.complete => sentences.push(format!(
            "nothing is known of its strength in games, for profile {} plays no match against other \
             parameters. The match below measures it",
            header.profile
        )),
        None => sentences.push("nothing is known of its strength in games yet".to_string()),
    }
    let sentences: Vec<String> = sentences.iter().map(|text| capital(text)).collect();
    sentences.join(". ") + "."
}

/// What a match has shown, in words for somebody who wants to know whether to use the result.
fn verdict_text(validation: &ValidationResult) -> String {
    let (against, elo) = (&validation.against, validation.games.elo_text());
    let games = 2 * validation.games.pairs();
    let so_far = if validation.complete { "" } else { " so far" };
    match validation.verdict {
        Verdict::Same => format!("it has the same parameters as {against}"),
        Verdict::Better => {
            format!("it is stronger than {against}{so_far}: {elo} in {games} games")
        }
        Verdict::Worse => format!("it is weaker than {against}{so_far}: {elo} in {games} games"),
        Verdict::NotProven => format!(
            "it is not proven to be stronger than {against}{so_far}: {elo} in {games} games"
        ),
    }
}

/// The parameters that the validation plays against, as the run keeps them.
fn opponent(folder: &Path, header: &Header) -> Option<Vec<PathBuf>> {
    let files = header.files.iter();
    let files = files.filter(|file| is_parameters(&file.role) && file.role.contains("against"));
    let files: Vec<PathBuf> = files.map(|file| absolute(&copy_of(folder, file))).collect();
    let is_there = !files.is_empty() && files.iter().all(|file| file.is_file());
    is_there.then_some(files)
}

/// Files of the project that a line to paste may name, as far as they are there.
struct Project {
    engine: PathBuf,
    search: Option<PathBuf>,
    shipped: Option<PathBuf>,
}

impl Project {
    fn find() -> Project {
        Project {
            engine: engine_binary(),
            search: project_file(SEARCH_FILE),
            shipped: project_file(SHIPPED_FILE),
        }
    }
}

/// How to play with a parameter file, and how to compare it with an opponent.
fn to_paste(
    best: &Path,
    project: &Project,
    plays: Plays,
    opponent: Option<(Vec<PathBuf>, String)>,
) -> String {
    let mut files = vec![best.to_path_buf()];
    let elsewhere = format!("the project's {SEARCH_FILE}");
    let note = match (plays, &project.search) {
        (Plays::Fully, _) => "It holds a full search, with the rows that were evolved.".to_string(),
        (Plays::AsThePapers, search) => format!(
            "It holds an evaluation and the search that was evolved. With the full search that \
             was set by hand it may be stronger: add {} as a second file.",
            (search.as_ref()).map_or(elsewhere, |search| search.display().to_string())
        ),
        (Plays::Plainly, Some(search)) => {
            files.push(search.clone());
            "The first file is the evaluation that was evolved. The second turns on the full \
             search; without it the engine looks at every move and sees less far."
                .to_string()
        }
        (Plays::Plainly, None) => format!(
            "It holds the evaluation that was evolved. With it alone the engine looks at every \
             move and sees less far. To turn on the full search add {elsewhere} as a second file."
        ),
    };
    let is_value = files.iter().all(|file| is_sendable(file));
    let value = joined(&files);
    let mut text = match is_value {
        true => format!("\nIn a chess GUI, set the engine's option ParamsFile to\n  {value}\n"),
        // Between the names of several files there is one.
        false => "\nThe engine's option ParamsFile takes a semicolon for the end of a file's name, and \
                  this path has one. To play with it in a GUI, copy the parameters to a path without.\n"
            .to_string(),
    };
    let named: Vec<String> = files
        .iter()
        .map(|file| format!("--params {}", shell::file(file.as_os_str())))
        .collect();
    text += &format!(
        "In a shell, start the engine with it and type, say, go movetime 2000\n  {} {}\n",
        shell::file(project.engine.as_os_str()),
        named.join(" ")
    );
    if let Some((others, name)) = opponent.filter(|_| is_value) {
        text += &format!(
            "A match tells how strong it is beside {name}\n  {} compare {} {}\n",
            shell::tuner(),
            shell::word(&value),
            shell::word(&joined(&others))
        );
    }
    text + &note
}

/// Several files as the engine's option and `tuner compare` name them.
fn joined(files: &[PathBuf]) -> String {
    let names = files.iter().map(|file| file.display().to_string());
    names.collect::<Vec<_>>().join(";")
}

/// A path from the root, even of a file that is not there.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A file of the project: seen from the working folder or from the folders above this program, where a
/// build puts it, if it is there.
fn project_file(name: &str) -> Option<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folders = program.ancestors().skip(1).take(4);
    let candidates = std::iter::once(Path::new("")).chain(folders);
    candidates
        .map(|folder| absolute(&folder.join(name)))
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
    use crate::base::statistics::Pentanomial;
    use crate::exec::journal;
    use crate::phases::phase::PhaseOutcome;
    use crate::phases::verdict::tests::{SPRT, result};

    /// The words of the line below the one that begins like this, as a shell takes it apart.
    fn words(said: &str, title: &str) -> Vec<String> {
        let mut lines = said.lines().skip_while(|line| !line.starts_with(title));
        shlex::split(lines.nth(1).unwrap()).unwrap()
    }

    fn project(search: Option<&str>) -> Project {
        Project {
            engine: PathBuf::from("/b c/eyas"),
            search: search.map(PathBuf::from),
            shipped: None,
        }
    }

    #[test]
    fn the_lines_to_paste_are_ones_that_work() {
        let best = Path::new("/it's \"a\" $HOME/best.toml");
        let search = "/p/params/search-full.toml";
        let other = (
            vec!["/x y.toml".into(), "/z.toml".into()],
            "other".to_string(),
        );
        let said = to_paste(best, &project(Some(search)), Plays::Plainly, Some(other));
        let value = "/it's \"a\" $HOME/best.toml;/p/params/search-full.toml";
        ::tests::says(&said, &[&format!(" ParamsFile to\n  {value}\n")]);
        if cfg!(windows) {
            return;
        }
        let best = best.to_str().unwrap();
        assert_eq!(
            words(&said, "In a shell"),
            ["/b c/eyas", "--params", best, "--params", search]
        );
        assert_eq!(
            words(&said, "A match")[1..],
            ["compare", value, "/x y.toml;/z.toml"]
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_not_in_a_line_to_paste() {
        let best = Path::new("/r/best.toml");
        let said = to_paste(best, &project(None), Plays::Plainly, None);
        assert!(said.contains("\n  /r/best.toml\n"), "{said}");
        ::tests::says(&said, &["the project's params/search-full.toml"]);
        assert!(!said.contains(" compare "), "{said}");
        // A search that has evolved is played with.
        let said = to_paste(best, &project(Some("/s.toml")), Plays::Fully, None);
        assert!(!said.contains("/s.toml"), "{said}");
    }

    #[test]
    fn a_path_that_the_engine_would_split_is_in_the_shell_line_alone() {
        let best = Path::new("/a;b/best.toml");
        let other = Some((vec!["/z.toml".into()], "other".to_string()));
        let said = to_paste(best, &project(None), Plays::AsThePapers, other);
        assert!(said.contains("copy the parameters"), "{said}");
        assert!(!said.contains(" compare "), "{said}");
        if !cfg!(windows) {
            let words = words(&said, "In a shell");
            assert_eq!(words[1..], ["--params", "/a;b/best.toml"]);
        }
    }

    fn header(positions: usize) -> Header {
        let mut header = journal::tests::header();
        header.files[0].count = positions;
        header
    }

    fn outcome(phases: Vec<(String, PhaseOutcome)>) -> Outcome {
        Outcome {
            phases,
            complete: true,
            ..Outcome::default()
        }
    }

    /// A validation whose pairs have ended so.
    fn validated(counts: [u64; 5], complete: bool) -> Outcome {
        let verdict = Verdict::of(&Pentanomial { counts }, &SPRT);
        let result = ValidationResult {
            against: "old.toml".into(),
            ratios: vec![0.0],
            complete,
            ..result(counts, verdict)
        };
        outcome(vec![(
            "validation".into(),
            PhaseOutcome {
                complete,
                champions: Vec::new(),
                provenance: Vec::new(),
                summary: Box::new(result),
            },
        )])
    }

    #[test]
    fn a_demonstration_is_called_one() {
        let said = expectation(&header(2000), &outcome(Vec::new()), 200.0);
        assert!(said.starts_with("A demonstration. "), "{said}");
        assert!(said.contains("2,000 positions) in 3 min"), "{said}");
        // With a verdict it stays one.
        let said = expectation(&header(2000), &validated([0, 0, 10, 60, 30], true), 200.0);
        assert!(said.contains("demonstration") && said.contains(". It is stronger than old.toml:"));
        let said = expectation(&header(5000), &outcome(Vec::new()), 200.0);
        assert!(!said.contains("demonstration"), "{said}");
        assert!(said.contains("nothing is known of its strength") || said.contains("Nothing"));
    }

    #[test]
    fn a_verdict_says_what_to_expect() {
        for (counts, complete, words) in [
            ([0, 0, 10, 60, 30], true, "It is stronger than old.toml: +"),
            ([30, 60, 10, 0, 0], true, "It is weaker than old.toml: -"),
            (
                [10, 20, 41, 20, 10],
                true,
                "It is not proven to be stronger than old.toml: ",
            ),
            (
                [0, 0, 10, 60, 30],
                false,
                "It is stronger than old.toml so far: +",
            ),
        ] {
            let said = expectation(&header(5000), &validated(counts, complete), 3e4);
            assert!(said.starts_with(words), "{said}");
            let games = 2 * counts.iter().sum::<u64>();
            assert!(said.ends_with(&format!("in {games} games.")), "{said}");
        }
    }
}
