//! The architecture invariants that the text of the sources shows: who may name what.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// No source below the folder names any of the words, but for the files and folders excepted.
fn none_names(folder: &str, words: &[&str], except: &[&str]) {
    let sources = tests::files(folder, "rs");
    let root = tests::workspace().join(folder);
    let single = root.with_extension("rs");
    let single = single.is_file().then_some(single);
    assert!(!sources.is_empty() || single.is_some(), "{folder} is empty");
    for path in sources.iter().chain(&single) {
        let name = path.strip_prefix(&root).unwrap_or(Path::new(""));
        if except.iter().any(|except| name.starts_with(except)) {
            continue;
        }
        for (number, line) in (1..).zip(std::fs::read_to_string(path).unwrap().lines()) {
            let code = line.split("//").next().unwrap();
            for word in words {
                assert!(
                    !names(code, word),
                    "{}:{number} names {word}",
                    path.display()
                );
            }
        }
    }
}

/// Whether the word stands in the code, and not only as the end of a longer one.
fn names(code: &str, word: &str) -> bool {
    // A lifetime's apostrophe belongs to its word.
    let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    code.match_indices(word).any(|(at, _)| {
        let starts = !word.starts_with(letter) || !code[..at].ends_with(letter);
        let ends = !word.ends_with(letter) || !code[at + word.len()..].starts_with(letter);
        starts && ends
    })
}

#[test]
fn words_are_told_from_parts_of_words() {
    assert!(names("use chess::Board;", "chess::"));
    assert!(!names("use rchess::Board;", "chess::"));
    assert!(names("eprintln!()", "eprintln!") && !names("eprintln!()", "println!"));
    assert!(!names("Instantly", "Instant"));
    assert!(!names("&'static str", "static") && names("pub static X", "static"));
}

/// Invariant 1. The tests compare with an oracle of their own.
#[test]
fn only_position_names_the_rules_crate() {
    none_names("engine/src", &["chess::"], &["position"]);
    none_names(
        "engine/src",
        &["shakmaty", "shakmaty_syzygy"],
        &["bridge.rs", "tablebase"],
    );
    none_names("tuner/src", &["chess::"], &[]);
    none_names(
        "tuner/src",
        &["shakmaty", "pgn_reader"],
        &["data/pgn", "data/positions.rs", "data/sample.rs"],
    );
}

/// What talks to other machines is in one folder.
#[test]
fn only_the_workers_on_other_machines_name_the_network() {
    none_names(
        "tuner/src",
        &["redis::", "rustls", "TcpStream", "TcpListener"],
        &["exec/remote"],
    );
    none_names(
        "engine/src",
        &["TcpStream", "TcpListener", "UdpSocket"],
        &[],
    );
}

/// The compiler denies it too; this keeps an `allow` from spreading.
#[test]
fn unsafe_code_is_in_one_file() {
    none_names("engine/src", &["unsafe", "unsafe_code"], &["memory.rs"]);
    none_names("tuner/src", &["unsafe", "unsafe_code"], &["report/page.rs"]);
}

/// Invariant 2. All of these are values handed in, or a callback's business.
#[test]
fn search_and_evaluation_have_no_surroundings() {
    let surroundings = [
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "dbg!",
        "stdout",
        "stderr",
        "Instant",
        "SystemTime",
        "static",
        "thread_local!",
        "std::env",
        "std::fs",
        "crate::uci",
    ];
    for part in ["search", "eval", "tt"] {
        none_names(&format!("engine/src/{part}"), &surroundings, &[]);
    }
}

/// Invariant 2: one owner of what a GUI reads.
#[test]
fn only_the_session_and_the_executable_print() {
    let printing = ["uci/output.rs", "main.rs"];
    none_names("engine/src", &["println!", "print!", "stdout"], &printing);
    none_names("engine/src", &["stdin"], &["uci/session.rs", "main.rs"]);
}

/// Whatever is done to the time of day, budgets and measured times don't notice.
#[test]
fn nothing_asks_for_the_time_of_day() {
    let calendar = ["SystemTime", "UNIX_EPOCH"];
    none_names("engine/src", &calendar, &[]);
    none_names("tuner/src", &calendar, &[]);
    // A file's date comes from it too; `tuner status` says how long ago it was, and does nothing else with it.
    let dates = ["modified()", "created()", "accessed()"];
    none_names("engine/src", &dates, &[]);
    none_names("tuner/src", &dates, &["commands/status.rs"]);
}

/// Invariant 6.
#[test]
fn evolution_and_fitness_do_not_know_each_other() {
    let chess = [
        "engine::",
        "shakmaty",
        "crate",
        "std::fs",
        "std::time",
        "rayon",
    ];
    none_names("tuner/src/evolution", &chess, &[]);
    let genetics = ["evolution", "Genome", "crate::run", "crate::phases"];
    none_names("tuner/src/fitness", &genetics, &[]);
}

/// The text of an error says why, for it is often shown alone. The binaries print the whole chain
/// of sources, so what the text says can't be a source too, or it would be said twice.
#[test]
fn errors_say_why_once() {
    let folders = ["engine/src", "tuner/src"];
    for path in folders.map(|folder| tests::files(folder, "rs")).concat() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut before = "";
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let again = line.contains("#[source]")
                || line.starts_with("#[error") && line.contains("{source}")
                || line.contains("#[from]") && before != "#[error(transparent)]";
            assert!(!again, "{}:{number} says it twice", path.display());
            before = line;
        }
    }
}

/// One direction: the tuner depends on the engine.
#[test]
fn the_engine_does_not_know_the_tuner() {
    none_names("engine/src", &["tuner::"], &[]);
    let manifest = std::fs::read_to_string(tests::workspace().join("engine/Cargo.toml")).unwrap();
    for line in manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
    {
        for foreign in ["tuner", "clap", "rayon", "rand", "indicatif"] {
            let named = line.starts_with(&format!("{foreign}."))
                || line.starts_with(&format!("{foreign} "));
            assert!(!named, "engine/Cargo.toml: {line}");
        }
    }
}

/// The parts of a crate (files and folders of `src`), each with those that it names; tests, which stand
/// last in a file, may name anything.
fn parts(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = tests::workspace().join(folder);
    let mut parts = BTreeMap::<String, BTreeSet<String>>::new();
    for path in tests::files(folder, "rs") {
        let inside = path.strip_prefix(&root).unwrap();
        let part = Path::new(inside.iter().next().unwrap()).with_extension("");
        let part = part.to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let is_of_tests = path.file_stem().is_some_and(|name| name == "tests");
        let code = text.split("#[cfg(test)]").next().unwrap();
        let code = if is_of_tests { "" } else { code };
        let code = code.lines().map(|line| line.split("//").next().unwrap());
        let named = parts.entry(part.clone()).or_default();
        for found in code.flat_map(|line| line.split("crate::").skip(1)) {
            let is_letter = |c: char| c.is_alphanumeric() || c == '_';
            let name = found.split(|c| !is_letter(c)).next().unwrap();
            // A macro stands in the crate's root, wherever it is written.
            if name != part && !found[name.len()..].starts_with('!') {
                named.insert(name.to_string());
            }
        }
    }
    parts
}

/// The parts that know each other in a circle.
fn circle(folder: &str) -> Vec<String> {
    let parts = parts(folder);
    let reached = |from: &String| {
        let (mut known, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(part) = next.pop() {
            let named = parts.get(part).into_iter().flatten();
            next.extend(named.filter(|name| known.insert(*name)));
        }
        known.contains(from)
    };
    parts.keys().filter(|part| reached(part)).cloned().collect()
}

/// Each can be read without what is above it. A player's parameters hold those of the search, which
/// belong beside it, and the search takes a player's.
#[test]
fn parts_of_a_crate_do_not_know_each_other_in_a_circle() {
    assert!(parts("tuner/src")["run"].contains("exec"));
    assert_eq!(circle("engine/src"), ["params", "search"]);
    assert!(circle("tuner/src").is_empty(), "{:?}", circle("tuner/src"));
}

/// The folders of the tuner from below, each with those that its files may import; ARCHITECTURE.md has the
/// same table with reasons.
const LAYERS: [(&str, &str); 16] = [
    ("base", ""),
    ("evolution", ""),
    ("play", "base"),
    ("report", "base data"),
    ("data", "base play"),
    ("encoding", "base evolution"),
    ("exec", "base"),
    ("fitness", "base data encoding exec play"),
    ("config", "base evolution fitness play"),
    ("error", "base config data exec play report"),
    ("drive", "base encoding evolution exec"),
    (
        "phases",
        "base config data drive encoding error evolution exec fitness play report",
    ),
    ("run", "base config encoding error exec phases report"),
    ("mine", "base data encoding evolution play"),
    (
        "commands",
        "base config data encoding error evolution exec fitness mine phases play run",
    ),
    ("main", ""),
];

/// A folder that begins to import another says so in the table, or doesn't.
#[test]
fn folders_of_the_tuner_import_what_their_layer_allows() {
    let parts = parts("tuner/src");
    for (part, named) in parts.iter().filter(|(part, _)| *part != "lib") {
        let layer = LAYERS.iter().find(|(name, _)| name == part);
        let (_, allowed) = layer.unwrap_or_else(|| panic!("{part} has no layer"));
        let allowed: BTreeSet<&str> = allowed.split(' ').collect();
        for name in named {
            assert!(
                allowed.contains(name.as_str()),
                "a file of {part} imports {name}, and may import {allowed:?}"
            );
        }
        // What is allowed and not needed would hide the next mistake.
        for allowed in allowed.iter().filter(|allowed| !allowed.is_empty()) {
            assert!(
                named.contains(*allowed),
                "no file of {part} imports {allowed}"
            );
        }
    }
}

/// A file that is longer is two.
#[test]
fn no_file_of_the_tuner_is_longer_than_500_lines() {
    for path in tests::files("tuner/src", "rs") {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 500, "{}: {lines} lines", path.display());
    }
}
