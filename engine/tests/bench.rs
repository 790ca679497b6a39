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
fn small_commands_answer() {
    assert!(last_line(&eyas(&["perft", "4"])).starts_with("197281 nodes"));
    assert!(last_line(&eyas(&["eval"])).starts_with("total: 0 centipawns"));
    assert!(last_line(&eyas(&["--version"])).starts_with("Eyas "));
    assert!(eyas(&["--help"]).status.success());
}

#[test]
fn bad_arguments_are_told() {
    for words in [
        &["frobnicate"][..],
        &["bench", "x"],
        &["perft"],
        &["eval", "not a fen"],
    ] {
        let output = eyas(words);
        assert!(!output.status.success(), "{words:?}");
        assert!(output.stderr.starts_with(b"eyas: "), "{words:?}");
    }
}
