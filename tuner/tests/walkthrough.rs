//! The walk-through of ARCHITECTURE.md, *A stranger's hour*: its files are compiled here as they would be in the
//! house, and run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

// The rooms of the house under the names that its files use.
use tuner::{base, config, data, drive, encoding, error, exec};

#[path = "walkthrough"]
mod evolution {
    pub use tuner::evolution::*;

    #[path = "hill_climber.rs"]
    pub mod hill_climber;
}

#[path = "walkthrough"]
mod fitness {
    #[path = "level.rs"]
    pub mod level;
}

#[path = "walkthrough"]
mod phases {
    pub use tuner::phases::*;

    #[path = "levelling.rs"]
    pub mod levelling;
}

use base::progress::Progress;
use base::stop::Stop;
use config::evolution::Method;
use evolution::Plain;
use evolution::hill_climber::HillClimber;
use exec::answers::Request;
use exec::executor::{Executor, Live};
use exec::journal::{FORMAT, Header, JOURNAL_NAME, Journal};
use exec::task::Task as _;
use exec::timing::Timing;
use fitness::level::Level;
use phases::context::PhaseContext;
use phases::levelling::{KIND, LevellingKeys};
use phases::options::{Options, Replacements};
use phases::phase::{Keys as _, Phase};
use phases::start::Start;
use std::path::Path;
use std::sync::Arc;

/// The line that registers the algorithm.
static HILL_CLIMBER: Plain = Plain {
    name: "hill-climber",
    meaning: "The best individual, and neighbours of it in one bit each.",
    new: |shape, founders, population, _, seed| {
        Box::new(HillClimber::new(shape, &founders, population, seed))
    },
};

const KEYS: &str = r#"
layout = "eval-2014"
positions = "positions.epd"
[evolution]
method = "random-search"
population = 10
generations = 12
fitness = "linear"
[runs]
seeds = [7]
"#;

/// The phase on 200 positions, with the algorithm that its keys name or with another.
fn phase(folder: &Path, method: Option<Method>) -> Box<dyn Phase> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample-train.epd");
    let sample = std::fs::read_to_string(sample).unwrap();
    let lines: Vec<&str> = sample.split_inclusive('\n').take(200).collect();
    std::fs::write(folder.join("positions.epd"), lines.concat()).unwrap();
    let mut keys: LevellingKeys = toml::from_str(KEYS).unwrap();
    if let Some(method) = method {
        keys.evolution.method = method;
    }
    let options = Options::default();
    let context = PhaseContext {
        phase: "levelling",
        profile: "walkthrough",
        profile_sha256: "",
        threads: 2,
        folder,
        replacements: &Replacements::new(&options, false),
        header: None,
        trained: Vec::new(),
        is_one_of_many: false,
    };
    keys.open(&context, true).unwrap()
}

/// Plays the course out, and gives the best of each generation by its table.
fn best_by_generation(folder: &Path, phase: &dyn Phase) -> Vec<u64> {
    let header = Header {
        format: FORMAT,
        program: "test".into(),
        profile: "walkthrough".into(),
        profile_sha256: String::new(),
        only: None,
        command: Vec::new(),
        table: phase.outline().encoding.unwrap().table(),
        files: phase.outline().files.to_vec(),
    };
    let stop = Stop::default();
    let live = Live {
        folder,
        journal: Journal::create(&folder.join(JOURNAL_NAME), &header).unwrap(),
        threads: 2,
        stop: &stop,
        progress: Progress::new(false, true),
        timing: Timing::new(folder),
        processes: None,
        #[cfg(feature = "redis")]
        remote: None,
        working: false,
        is_lazy: false,
    };
    let mut executor = Executor::live(Vec::new(), live);
    executor.begin("levelling", Some(folder), None);
    let outcome = phase.course(&Start::default(), &mut executor).unwrap();
    assert!(outcome.complete && outcome.champions.len() == 1);
    assert_eq!(outcome.summary.steps_done(), 12);
    assert!(folder.join("best.toml").is_file());
    let table = std::fs::read_to_string(folder.join("history.csv")).unwrap();
    let best = |row: &str| row.rsplit(',').next().unwrap().parse().unwrap();
    table.lines().skip(1).map(best).collect()
}

/// A new objective under an algorithm that was there, and under a new one: both get better, and never worse.
#[test]
fn a_new_objective_runs_under_an_old_algorithm_and_a_new_one() {
    let [random, climbing] = [None, Some(&HILL_CLIMBER)].map(|plain| {
        let folder = tempfile::tempdir().unwrap();
        let method = plain.map(|plain| Method::Plain {
            plain,
            population: 10,
            elitism: 1,
        });
        let phase = phase(folder.path(), method);
        best_by_generation(folder.path(), phase.as_ref())
    });
    for best in [&random, &climbing] {
        assert_eq!(best.len(), 12);
        assert!(best.is_sorted() && best.first() < best.last(), "{best:?}");
    }
    assert_ne!(random, climbing);
}

/// What a profile calls it, and that another process answers its tasks.
#[test]
fn the_new_kind_has_a_name_and_its_tasks_go_to_other_processes() {
    assert_eq!(KIND.name, "levelling");
    assert!((KIND.keys)(toml::Deserializer::parse(KEYS).unwrap()).is_ok());
    let folder = tempfile::tempdir().unwrap();
    let phase = phase(folder.path(), None);
    let task = Level {
        key: "all zero".into(),
        individual: Arc::new(phase.outline().encoding.unwrap().evaluation(&[0; 34])),
    };
    let request = Request {
        phase: "levelling".into(),
        kind: Level::KIND.into(),
        seed: 0,
        task: serde_json::value::to_raw_value(&task).unwrap(),
    };
    let answered = phase.answers().answer(&request).unwrap();
    // Only pawns count then, and who has as many as the other side is level.
    let level: u32 = serde_json::from_str(answered.answer.get()).unwrap();
    assert!((1..200).contains(&level), "{level}");
}

/// What ARCHITECTURE.md shows is part of what is compiled here.
#[test]
fn the_walk_through_shows_what_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../ARCHITECTURE.md")).unwrap();
    let section = page.split("## A stranger's hour\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let names = [
        "walkthrough.rs",
        "walkthrough/hill_climber.rs",
        "walkthrough/level.rs",
    ];
    let files = names.into_iter().chain(["walkthrough/levelling.rs"]);
    let files: Vec<String> = files
        .map(|name| std::fs::read_to_string(root.join("tests").join(name)).unwrap())
        .collect();
    let shown: Vec<&str> = section.split("```rust\n").skip(1).collect();
    assert_eq!(shown.len(), 6);
    for block in shown {
        let code = block.split("```").next().unwrap();
        let is_there = files.iter().any(|file| file.contains(code));
        assert!(is_there, "this is in no file of the walk-through:\n{code}");
    }
}
