//! The executable's other uses: benchmark, perft, evaluation, help.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use std::process::{Command, Output};

fn eyas(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eyas"))
        .args(words)
        .output()
        .unwrap()
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().last().unwrap_or_default().to_string()
}

#[test]
fn the_benchmark_counts_the_same_nodes_every_time() {
    let counts: Vec<String> = (0..2)
        .map(|_| {
            let line = last_line(&eyas(&["bench", "6"]));
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!((words[1], words[3]), ("nodes", "nps"), "{line}");
            assert!(words[2].parse::<u64>().is_ok());
            words[0].to_string()
        })
        .collect();
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].parse::<u64>().unwrap() > 10_000);
}

#[test]
fn statistics_come_before_the_line_that_is_read() {
    let output = eyas(&["bench", "5", "--stats"]);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    for name in [
        "found in the table",
        "by the first move",
        "branching factor",
    ] {
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(last_line(&output).split(' ').nth(1), Some("nodes"));
    // Table and threads may be named as well.
    assert!(last_line(&eyas(&["bench", "3", "1", "2"])).ends_with(" nps"));
}

#[test]
fn a_table_that_the_machine_cannot_give_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "7k/8/8/8/8/8/8/R6K w - - bm Ra8+;\n").unwrap();
    let suite_name = suite.display().to_string();
    let bench = ["bench", "1", "1048576"];
    let analyse = [
        "analyse",
        "--depth",
        "1",
        "--hash",
        "1048576",
        "--epd",
        &suite_name,
    ];
    for words in [&bench[..], &analyse[..]] {
        let output = eyas(words);
        let told = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("1048576 MB"), "{told}");
        // Elsewhere the system refuses, and does not say how much there is.
        if cfg!(target_os = "linux") {
            assert!(told.trim_end().ends_with(" MB of free memory"), "{told}");
        }
    }
}

#[test]
fn parameters_may_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("knight.toml");
    std::fs::write(&file, "format = 1\n[eval]\nknight_value = 333\n").unwrap();
    let name = file.display().to_string();
    let output = eyas(&["eval", "--all", "--params", &name]);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let knight = text.lines().find(|line| line.starts_with("knight_value"));
    let weight = knight.unwrap().split_whitespace().nth(2);
    assert_eq!(weight, Some("333"), "{text}");
    let counts = |words: &[&str]| last_line(&eyas(words)).split(' ').next().map(String::from);
    assert_ne!(
        counts(&["bench", "4", "--params", &name]),
        counts(&["bench", "4"])
    );
}

#[test]
fn small_commands_answer() {
    assert!(last_line(&eyas(&["perft", "4"])).starts_with("197281 nodes"));
    // The sides stand alike; what is left is the worth of having the move.
    let tempo = engine::eval::params::EvalParams::default().tempo;
    let total = format!("total: {tempo} centipawns for White");
    let told = String::from_utf8(eyas(&["eval"]).stdout).unwrap();
    assert!(told.starts_with(&total), "{told}");
    let all = String::from_utf8(eyas(&["eval", "--all"]).stdout).unwrap();
    assert!(all.lines().count() > told.lines().count() && all.starts_with(&total));
    assert!(last_line(&eyas(&["--version"])).starts_with("Eyas "));
    assert!(eyas(&["--help"]).status.success());
    assert!(eyas(&["analyse", "--help"]).status.success());
}

#[test]
fn bad_arguments_are_told() {
    for words in [
        &["frobnicate"][..],
        &["bench", "x"],
        &["bench", "0"],
        &["bench", "3", "1", "1", "1"],
        &["bench", "--params", "nothing.toml"],
        &["eval", "--nonsense"],
        &["--nonsense"],
        &["perft", "2", "--params", "nothing.toml"],
        &["--params"],
        &["--params", "nothing.toml"],
        &["--params", "Cargo.toml"],
        &["analyse"],
        &["perft"],
        &["eval", "not a fen"],
    ] {
        let output = eyas(words);
        assert!(!output.status.success(), "{words:?}");
        assert!(output.stderr.starts_with(b"eyas: "), "{words:?}");
    }
}

/// A full disk behind stdout is an error in words, and a broken stderr is none.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let full = || std::fs::File::create("/dev/full").unwrap();
    for words in [
        &["perft", "2"][..],
        &["bench", "1", "--stats"],
        &["eval"],
        &["--help"],
        &["--version"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_eyas"))
            .args(words)
            .stdout(full())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {told}");
        assert!(told.starts_with("eyas: cannot write to stdout: "), "{told}");
    }
    let status = Command::new(env!("CARGO_BIN_EXE_eyas"))
        .arg("nonsense")
        .stderr(full())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

/// A slip of the hand is answered with what is near to it, another word with the help alone.
#[test]
fn a_mistyped_word_is_answered_with_the_nearest() {
    for (words, answer) in [
        (
            &["bnech"][..],
            "\"bnech\" is not understood: is bench meant?\n",
        ),
        (
            &["bench", "--parms", "x"],
            "--parms is not understood here: is --params meant?",
        ),
        (
            &["eval", "--al"],
            "--al is not understood here: is --all meant?",
        ),
        (&["best.toml"], "parameters are named by --params best.toml"),
        (&["chess"], "\"chess\" is not understood\n"),
    ] {
        let output = eyas(words);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {told}");
        assert!(told.contains(answer), "{words:?}: {told}");
    }
}
