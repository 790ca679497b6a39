//! A run that others help with, processes or workers, and what must not differ for it.

use std::path::Path;
use tempfile::TempDir;

/// Two runs of few individuals on 300 positions, and then games.
pub const PROFILE: &str = r#"
format = 1

[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "train.epd"
test = "train.epd"
[phase.evolution]
population = 12
generations = 20
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

/// A folder with a profile and its positions.
pub fn run_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample-train.epd");
    let sample = std::fs::read_to_string(sample).unwrap();
    let lines: Vec<&str> = sample.split_inclusive('\n').take(300).collect();
    std::fs::write(folder.path().join("train.epd"), lines.concat()).unwrap();
    std::fs::write(folder.path().join("profile.toml"), PROFILE).unwrap();
    folder
}

/// The journal's records without their sums, and the files that follow from them.
fn outcome(run: &Path) -> Vec<String> {
    let journal = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    // The header has the command's own words.
    let records = journal.lines().skip(1);
    let record = |line: &str| line.split_once("\"record\":").unwrap().1.to_string();
    let mut all: Vec<String> = records.map(record).collect();
    for name in [
        "best.toml",
        "grandmaster/history.csv",
        "coevolution/history.csv",
    ] {
        all.push(std::fs::read_to_string(run.join(name)).unwrap());
    }
    all
}

/// Two runs in a folder came to the same bytes.
pub fn same(folder: &Path, runs: [&str; 2]) {
    let [expected, found] = runs.map(|run| outcome(&folder.join(run)));
    assert_eq!(expected.len(), found.len(), "{runs:?}");
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found, "{runs:?}");
    }
}
