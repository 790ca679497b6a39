//! `eyas analyse`: suites of positions, solved or not.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A mate in one, a hanging queen, a move to avoid, and a position whose answer is wrong.
const SUITE: &str = "\
# A comment, and an empty line.

6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"mate\";
7k/8/8/3q4/8/8/3R4/K7 w - - bm Rxd5; id \"queen\";
7k/8/8/3q4/8/8/3R4/K7 w - - am Rxd5; id \"avoid\";
7k/8/8/3q4/8/8/3R4/K7 w - - 3 9 bm Kb1 Kb2; id \"wrong\";
";

fn suite(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("eyas-{name}-{}.epd", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn analyse(file: &str, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eyas"))
        .args(["analyse", "--epd", file])
        .args(words.split_whitespace())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn solved_positions_are_counted() {
    let path = suite("suite", SUITE);
    let file = path.display().to_string();
    for words in [
        "--depth 4",
        "--nodes 3000",
        "--movetime 60",
        "--depth 4 --jobs 3 --hash 1",
        "--depth 4 --threads 2",
    ] {
        let output = analyse(&file, words);
        assert!(output.status.success(), "{words}: {output:?}");
        let stdout = text(&output.stdout);
        assert!(stdout.starts_with("solved 2/4 in "), "{words}: {stdout}");
        let stderr = text(&output.stderr);
        assert_eq!(stderr.lines().count(), 4, "{stderr}");
        for (id, verdict) in [
            ("mate", "solved"),
            ("queen", "solved"),
            ("avoid", "missed"),
            ("wrong", "missed"),
        ] {
            let line = stderr.lines().find(|line| line.contains(id)).unwrap();
            assert!(line.contains(verdict), "{words}: {line}");
        }
        let output = analyse(&file, &format!("{words} --json"));
        assert_eq!(text(&output.stdout), "{\"positions\": 4, \"solved\": 2}\n");
    }
    std::fs::remove_file(path).unwrap();
}

/// The full time is used, also where the answer is soon clear.
#[test]
fn the_limit_is_used_up() {
    let path = suite("limit", "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Kb1;\n");
    let file = path.display().to_string();
    let start = std::time::Instant::now();
    analyse(&file, "--movetime 300");
    // A mate in one may be searched to the last depth there is before the time is over.
    assert!(start.elapsed() < std::time::Duration::from_secs(30));
    let one = text(&analyse(&file, "--nodes 1000").stderr);
    let other = text(&analyse(&file, "--nodes 1000").stderr);
    let nodes = |text: &str| text.split_whitespace().rev().nth(1).map(String::from);
    assert_eq!(nodes(&one), nodes(&other));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_missing_file_is_told_once() {
    let why = std::fs::read("none").unwrap_err().to_string();
    let good = suite("there", SUITE);
    for (file, words) in [
        ("none", "--depth 1"),
        (good.to_str().unwrap(), "--depth 1 --params none"),
    ] {
        let told = text(&analyse(file, words).stderr);
        assert!(told.starts_with("eyas: none: "), "{words}: {told}");
        assert_eq!(told.matches(&why).count(), 1, "{words}: {told}");
    }
    std::fs::remove_file(good).unwrap();
}

#[test]
fn bad_suites_and_arguments_are_told() {
    let no_answer = suite("no-answer", "6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"x\";\n");
    let illegal = suite("illegal", "\n6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd9;\n");
    let empty = suite("empty", "# nothing\n");
    let good = suite("good", SUITE);
    for (file, words, problem) in [
        (&no_answer, "--depth 1", "line 1: neither bm nor am"),
        (&illegal, "--depth 1", "line 2: bm: \"Rd9\""),
        (&empty, "--depth 1", "no positions"),
        (&good, "", "exactly one of"),
        (&good, "--depth 1 --nodes 5", "exactly one of"),
        (
            &good,
            "--depth x",
            "--depth is \"x\", expected a whole number from 1 to",
        ),
        (&good, "--depth 1 --jobs 0", "--jobs is \"0\""),
        (&good, "--depth", "--depth needs a value"),
        (&good, "--depth 1 --depth 2", "--depth is given 2 times"),
        (
            &good,
            "--depth 1 --frobnicate",
            "--frobnicate is not understood",
        ),
        (&good, "--depth 1 --params nothing.toml", "nothing.toml"),
    ] {
        let output = analyse(&file.display().to_string(), words);
        assert!(!output.status.success(), "{words}");
        let told = text(&output.stderr);
        assert!(
            told.starts_with("eyas: ") && told.contains(problem),
            "{words}: {told}"
        );
        assert!(output.stdout.is_empty());
    }
    for file in [no_answer, illegal, empty, good] {
        std::fs::remove_file(file).unwrap();
    }
}
