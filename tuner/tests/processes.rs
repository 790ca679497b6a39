//! Work in processes of their own: who kills them changes nothing.
//!
//! That processes give the bytes that threads give is shown for every kind of phase by `golden.rs`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Two runs of few individuals on 300 positions, and then games.
const PROFILE: &str = r#"
format = 1

[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
test = "train.epd"
[phase.evolution]
population = 12
generations = 30
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
seeds = [3, 4]

[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 5
[phase.evolution]
population = 4
generations = 4
crossover_rate = 0.75
mutation_rate = 0.01
selection = "rank"
confirmation_pairs = 4
gauge_pairs = 2
[phase.games]
nodes = 600
each = 4
openings = "paired"
plies = 6
max_moves = 80
"#;

fn tuner(folder: &Path, arguments: &[&str]) -> Child {
    let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
    tuner.args(["run", "profile.toml"]).args(arguments);
    tuner.current_dir(folder).stdout(Stdio::null());
    tuner.stderr(Stdio::piped()).spawn().unwrap()
}

/// Ends well, or says what it has said.
fn ends_well(child: Child) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<String> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let children = std::fs::read_to_string(path).unwrap_or_default();
    children.split_whitespace().map(str::to_string).collect()
}

#[test]
fn whoever_is_killed_is_replaced_and_the_bytes_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample-train.epd");
    let sample = std::fs::read_to_string(sample).unwrap();
    let lines: Vec<&str> = sample.split_inclusive('\n').take(300).collect();
    std::fs::write(folder.join("train.epd"), lines.concat()).unwrap();
    std::fs::write(folder.join("profile.toml"), PROFILE).unwrap();
    ends_well(tuner(folder, &["--out", "threads", "--threads", "2"]));

    let mut by_processes = tuner(folder, &["--out", "processes", "--processes", "3"]);
    let mut killed = 0;
    // Every other time that one is seen, at moments that nobody has chosen.
    while by_processes.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(35));
        let found = children(by_processes.id());
        if let Some(child) = found.get(killed % 3).filter(|_| killed < 12) {
            let kill = Command::new("kill").args(["-9", child]).status();
            killed += usize::from(kill.unwrap().success());
        }
    }
    ends_well(by_processes);
    assert!(
        killed >= 3,
        "the run was over after {killed} had been killed"
    );
    for name in [
        "grandmaster/history.csv",
        "coevolution/history.csv",
        "best.toml",
    ] {
        let [one, other] = ["threads", "processes"].map(|run| folder.join(run).join(name));
        assert_eq!(
            std::fs::read_to_string(one).unwrap(),
            std::fs::read_to_string(other).unwrap(),
            "{name}"
        );
    }
    // What follows the header, which has the command's own words, line by line without its sum.
    let answers = |run: &str| -> Vec<String> {
        let journal = std::fs::read_to_string(folder.join(run).join("journal.jsonl")).unwrap();
        let records = journal.lines().skip(1);
        let record = |line: &str| line.split_once("\"record\":").unwrap().1.to_string();
        records.map(record).collect()
    };
    assert_eq!(answers("threads"), answers("processes"));
}
