//! Golden runs (`tests/data/golden`): journals of an old program, with which today's comes to the same
//! history, statistics and parameters, whether it reads them to their end or goes on from their middle.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use engine::eval::params::EvalParams;
use engine::params::{ParamSpec, ParamTable as _};
use engine::search::params::SearchParams;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tuner::exec::journal::{self, JOURNAL_NAME, Journal};

/// Files that the run in a folder is read from; all others follow from them.
const SOURCES: [&str; 2] = ["profile.toml", "start"];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden")
}

/// Reports and resumes a run, each in a folder of its own; options name its data, which has moved.
fn comes_to_the_same(kind: &str, data: &[(&str, &str)]) {
    let kept = golden().join(kind);
    let expected = results(&kept);
    let data = data.iter().flat_map(|(option, name)| {
        let path = golden().join("data").join(name);
        [option.into(), path.into_os_string()]
    });
    let data: Vec<_> = data.collect();
    let journal = std::fs::read_to_string(kept.join(JOURNAL_NAME)).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let half = lines[..lines.len() / 2].concat();
    for (what, text, command) in [
        ("reported", &journal, &["report"][..]),
        ("resumed at its end", &journal, &["resume"]),
        ("resumed from its middle", &half, &["resume"]),
        (
            "resumed by processes",
            &half,
            &["resume", "--processes", "2"],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for name in SOURCES {
            copy(&kept.join(name), &folder.path().join(name));
        }
        std::fs::write(folder.path().join(JOURNAL_NAME), text).unwrap();
        let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
        tuner.args(command).arg(folder.path());
        if command[0] == "resume" {
            tuner.args(&data);
        }
        let output = tuner.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let failed = |why: &str| {
            panic!(
                "the golden run {kind:?}, {what}: {why}\n(tests/data/golden/README.md says what that means)"
            )
        };
        if !output.status.success() {
            failed(&said);
        }
        if let Some(difference) = difference(&expected, &results(folder.path())) {
            failed(&difference);
        }
    }
}

/// Copies a file or a folder of files, if it is there.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else if from.is_file() {
        std::fs::copy(from, to).unwrap();
    }
}

/// What is frozen of a run: names with `/` and contents.
fn results(folder: &Path) -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap();
            let words: Vec<_> = name.iter().map(|word| word.to_str().unwrap()).collect();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let ending = ending.unwrap_or_default();
            let is_kept = ["toml", "csv", "txt", "jsonl"].contains(&ending);
            if SOURCES.contains(&words[0]) || words == ["timing.csv"] {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if is_kept {
                let text = std::fs::read_to_string(&path).unwrap();
                found.insert(words.join("/"), frozen(&text, ending));
            }
        }
    }
    found
}

/// A text without what may change from version to version. A journal has nothing of that.
fn frozen(text: &str, ending: &str) -> String {
    let may_change = |line: &&str| {
        line.starts_with('#') || line.starts_with("program = \"tuner ") || is_later(line)
    };
    let lines = text.split_inclusive('\n');
    match ending {
        "toml" => lines
            .filter(|line| !may_change(line))
            .map(renamed)
            .collect(),
        "csv" => lines.map(renamed).collect(),
        _ => text.to_string(),
    }
}

/// All rows of both tables.
fn rows() -> impl Iterator<Item = &'static ParamSpec> {
    EvalParams::SPECS.iter().chain(SearchParams::SPECS)
}

/// Whether a line of a parameter file says that a row that is younger than the golden runs is as if missing.
fn is_later(line: &str) -> bool {
    const FROZEN: &str = include_str!("../src/encoding/frozen_rows.txt");
    let is_frozen = |name: &str| {
        FROZEN
            .lines()
            .any(|row| row.split(' ').next() == Some(name))
    };
    let said = line.trim_end().split_once(" = ");
    said.is_some_and(|(name, value)| {
        let mut rows = rows().filter(|row| row.name == name && !is_frozen(row.first_name()));
        rows.any(|row| row.missing.to_string() == value)
    })
}

/// A line with the names that its rows have now.
fn renamed(line: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let now = |word: &str| {
        let name = word.trim_end_matches(|letter| !is_letter(letter));
        let row = rows().find(|row| row.former.contains(&name));
        row.map(|row| word.replace(name, row.name))
    };
    let words = line.split_inclusive(|letter| !is_letter(letter));
    words
        .map(|word| now(word).unwrap_or(word.to_string()))
        .collect()
}

/// The first file and line that differ, in words.
fn difference(
    expected: &BTreeMap<String, String>,
    found: &BTreeMap<String, String>,
) -> Option<String> {
    let names = expected.keys().chain(found.keys());
    names.into_iter().find_map(|name| {
        let (Some(was), Some(is)) = (expected.get(name), found.get(name)) else {
            let whose = if found.contains_key(name) { "new" } else { "missing" };
            return Some(format!("{name} is {whose}"));
        };
        let (mut was, mut is) = (was.lines(), is.lines());
        let mut number = 0;
        loop {
            number += 1;
            match (was.next(), is.next()) {
                (None, None) => return None,
                (was, is) if was == is => {}
                (was, is) => {
                    let [was, is] = around(was, is);
                    return Some(format!(
                        "{name} differs in line {number} (comments and program not counted)\n was: {was}\n is:  {is}"
                    ));
                }
            }
        }
    })
}

/// The parts of two lines, which may be long, around the place where they begin to differ.
fn around(was: Option<&str>, is: Option<&str>) -> [String; 2] {
    let letters = |line: Option<&str>| -> Vec<char> {
        line.unwrap_or("(the file has ended)").chars().collect()
    };
    let (was, is) = (letters(was), letters(is));
    let same = was
        .iter()
        .zip(&is)
        .take_while(|(was, is)| was == is)
        .count();
    let from = same.saturating_sub(80);
    [was, is].map(|line| line.iter().skip(from).take(160).collect())
}

const GRANDMASTER: [(&str, &str); 2] = [("--positions", "train.epd"), ("--test", "test.epd")];

#[test]
fn grandmaster() {
    comes_to_the_same("grandmaster", &GRANDMASTER);
}

const EXPERT: [(&str, &str); 2] = [
    ("--positions", "expert-train.epd"),
    ("--test", "expert-test.epd"),
];

#[test]
fn expert() {
    comes_to_the_same("expert", &EXPERT);
}

#[test]
fn expert_with_covariance() {
    comes_to_the_same("covariance", &EXPERT);
}

#[test]
fn coevolution_by_generations() {
    comes_to_the_same("coevolution", &[]);
}

#[test]
fn coevolution_of_a_compact_population() {
    comes_to_the_same("compact", &[]);
}

#[test]
fn ecm_by_first_moves() {
    let data = [
        ("--suite", "suite.epd"),
        ("--held-out-suite", "suite-test.epd"),
    ];
    comes_to_the_same("ecm", &data);
}

#[test]
fn ecm_by_what_moves_are_worth() {
    comes_to_the_same("worth", &[("--suite", "moves.epd")]);
}

#[test]
fn a_night() {
    let data = [
        ("--positions", "train.epd"),
        ("--test", "test.epd"),
        ("--suite", "suite.epd"),
    ];
    comes_to_the_same("night", &data);
}

/// The book is known by its content, as all data of a run is, whichever option names it.
#[test]
fn validation() {
    let data = [
        ("--test", "test.epd"),
        ("--suite", "suite-test.epd"),
        ("--positions", "book.pgn"),
    ];
    comes_to_the_same("validation", &data);
}

/// Whatever else a header says of genes, the run is refused in words and nothing of it is changed.
#[test]
fn a_header_with_genes_that_nobody_knows_is_refused() {
    let kept = golden().join("grandmaster");
    let contents = journal::read(&kept.join(JOURNAL_NAME)).unwrap();
    let known = "knight_value 0..=2047 11 bits";
    assert_eq!(contents.header.table[0], known);
    for line in [
        "knight_worth 0..=2047 11 bits",
        "knight_value 0..=4095 12 bits",
        "knight_value 0..=2047 64 bits",
        "knight_value",
        "",
    ] {
        let folder = tempfile::tempdir().unwrap();
        copy(&kept.join(SOURCES[0]), &folder.path().join(SOURCES[0]));
        let mut header = contents.header.clone();
        header.table[0] = line.to_string();
        let path = folder.path().join(JOURNAL_NAME);
        let mut journal = Journal::create(&path, &header).unwrap();
        journal.append(&contents.records).unwrap();
        let before = std::fs::read(&path).unwrap();
        for command in ["report", "resume", "status"] {
            let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
            tuner.arg(command).arg(folder.path());
            if command == "resume" {
                for (option, name) in GRANDMASTER {
                    tuner.arg(option).arg(golden().join("data").join(name));
                }
            }
            let output = tuner.output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{command} {line:?}: {said}");
            let expected = format!("the parameter table has changed: its row 1 was {line:?}");
            assert!(said.contains(&expected), "{command} {line:?}: {said}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

/// A difference in one letter is found and told with its place.
#[test]
fn a_difference_is_told_with_file_and_line() {
    let files = |text: &str| BTreeMap::from([("history.csv".to_string(), text.to_string())]);
    assert_eq!(difference(&files("a\nb\n"), &files("a\nb\n")), None);
    let said = difference(&files("a\nb\n"), &files("a\nc\n")).unwrap();
    assert!(
        said.contains("history.csv differs in line 2") && said.contains("is:  c"),
        "{said}"
    );
    let said = difference(&files("a\nb\n"), &files("a\n")).unwrap();
    assert!(
        said.contains("line 2") && said.contains("has ended"),
        "{said}"
    );
    assert_eq!(
        difference(&files("a"), &BTreeMap::new()).unwrap(),
        "history.csv is missing"
    );
    assert_eq!(
        frozen("# x\nprogram = \"tuner 9\"\na = 1\n", "toml"),
        "a = 1\n"
    );
    assert_eq!(frozen("# x\n", "jsonl"), "# x\n");
}
