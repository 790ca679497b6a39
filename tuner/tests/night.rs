//! A whole night in miniature: all phases in one folder, killed and resumed, with its report.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, files_of, journal_lines, wait_for_lines};
use std::process::Stdio;

const PROFILE: &str = r#"
format = 1

[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
test = "test.epd"
[phase.quiescence]
moves = "see"
max_plies = 1
[phase.evolution]
population = 6
generations = 4
crossover_rate = 0.75
mutation_rate = 0.005
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
count = 3
seed = 1

[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 1
[phase.evolution]
generations = 3
crossover_rate = 0.75
mutation_rate = 0.05
selection = "rank"
confirmation_pairs = 2
gauge_pairs = 1
[phase.games]
nodes = 100
each = 2
max_moves = 40

[[phase]]
kind = "ecm"
layout = "search-2014"
[phase.suite]
train = "train.epd"
count = 6
part = "odd"
[phase.search]
cap = 300
[phase.evolution]
population = 4
generations = 3
crossover_rate = 0.75
mutation_rate = 0.05
elitism = 1
selection = "roulette"
[phase.runs]
count = 1
seed = 1

[[phase]]
kind = "validation"
seed = 2
[phase.positions]
file = "test.epd"
count = 12
sensitivity = true
[[phase.suites]]
file = "test.epd"
count = 6
part = "even"
cap = 300
[phase.games]
nodes = 100
max_moves = 30
[phase.sprt]
elo1 = 20
pairs = 20
"#;

#[test]
fn a_night_in_miniature() {
    let bench = Bench::new(40).profile(PROFILE);
    let check = bench.tuner(&["check", bench.folder("small.toml").to_str().unwrap()]);
    let said = check.success();
    for phase in ["grandmaster", "coevolution", "ecm", "validation"] {
        assert!(said.contains(&format!("Phase {phase}")), "{said}");
    }
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "2"]).success();
    assert!(said.contains("the champion is "), "{said}");
    let lines = journal_lines(&whole);
    let status =
        |folder: &std::path::Path| bench.tuner(&["status", folder.to_str().unwrap()]).success();
    assert!(status(&whole).contains("complete"), "{}", status(&whole));

    let killed = bench.folder("killed");
    let kills: usize = if tests::is_long() { 40 } else { 8 };
    for kill in 0..kills {
        let threads = if kill % 2 == 0 { "1" } else { "2" };
        let mut command = match killed.join("journal.jsonl").exists() {
            true => bench.resume_command(&killed, &["--threads", threads]),
            false => bench.run_command(&killed, &["--threads", threads]),
        };
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_lines(&killed, lines * (kill + 1) / (kills + 1), &mut child);
        if kill == 3 {
            // Asking takes no lock.
            let said = status(&killed);
            assert!(said.contains("under way"), "{said}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(status(&killed).contains("stopped"), "{}", status(&killed));
    bench.resume(&killed, &["--threads", "2"]).success();
    let (expected, found) = (files_of(&whole), files_of(&killed));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&expected), names(&found));
    for ((name, expected), (_, found)) in expected.iter().zip(&found) {
        assert!(expected == found, "{name} differs");
    }
    for file in [
        "best.toml",
        "report.html",
        "timing.csv",
        "grandmaster/history.csv",
        "grandmaster/champions/run-03.toml",
        "coevolution/games/generation-002.pgn",
        "coevolution/best.toml",
        "ecm/history.csv",
        "validation/verdict.txt",
        "validation/games/match-001.pgn",
        "figures/elo-coevolution.svg",
    ] {
        assert!(whole.join(file).is_file(), "{file} is missing");
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for words in [
        "class=\"lede verdict",
        "Elo of the elite",
        "Lost at",
        "Figure 4",
        "Wall time",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("src=\"http"));
    // Every link leads somewhere.
    for target in page.split("<a href=\"").skip(1) {
        let target = target.split('"').next().unwrap();
        assert!(whole.join(target).is_file(), "{target}");
    }
    let best = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    assert!(
        best.contains("[eval]") && best.contains("[search]"),
        "{best}"
    );
}

#[test]
fn hours_end_every_phase_cleanly_and_for_good() {
    let profile = PROFILE.replace("format = 1\n", "format = 1\nhours = 0.000001\n");
    let bench = Bench::new(20).profile(&profile);
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let history = std::fs::read_to_string(out.join("grandmaster/history.csv")).unwrap();
    // Every run has one generation, coevolution and ecm as well.
    assert_eq!(history.lines().count(), 1 + 3);
    let history = std::fs::read_to_string(out.join("coevolution/history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 1);
    assert!(out.join("best.toml").is_file());
    let before = files_of(&out);
    bench.resume(&out, &[]).success();
    assert_eq!(before, files_of(&out));
}
