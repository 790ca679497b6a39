//! Small runs with tasks of every kind, and what leader and worker say of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use tuner::base::progress::Progress;
use tuner::base::stop::Stop;
use tuner::exec::answers::Request;
use tuner::exec::executor::{Executor, Live};
use tuner::exec::journal::{self, JOURNAL_NAME, Journal, Record};
use tuner::exec::processes::{Processes, Start};
use tuner::exec::timing::Timing;
use tuner::phases::options::Options;
use tuner::run::courses::courses;
use tuner::run::order::Order;
use tuner::run::plan::Plan;

/// Moves played, games of individuals and of a mean, a suite, and a match: all kinds of tasks over parameters.
const NIGHT: &str = r#"
format = 1
[[phase]]
kind = "grandmaster"
layout = "eval-2014"
[phase.positions]
train = "DATA/sample-train.epd"
test = "DATA/sample-test.epd"
count = 30
test_count = 30
[phase.evolution]
population = 4
generations = 2
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "squared"
selection = "roulette"
[phase.runs]
count = 1
seed = 1
[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 5
[phase.evolution]
population = 3
generations = 2
crossover_rate = 0.75
mutation_rate = 0.01
selection = "rank"
confirmation_pairs = 1
gauge_pairs = 1
[phase.games]
nodes = 30
each = 2
plies = 4
max_moves = 6
[[phase]]
kind = "coevolution"
name = "duels"
layout = "search-2014"
seed = 6
[phase.compact]
population = 20
generations = 2
duels = 2
spread = 0.1
gauge_every = 1
gauge_pairs = 1
[phase.games]
nodes = 30
each = 2
plies = 4
max_moves = 6
[[phase]]
kind = "ecm"
layout = "search-2014"
[phase.suite]
train = "DATA/sample-tactics.epd"
count = 4
[phase.search]
cap = 100
[phase.evolution]
population = 3
generations = 2
crossover_rate = 0.75
mutation_rate = 0.05
elitism = 1
selection = "roulette"
[phase.runs]
count = 1
seed = 2
[[phase]]
kind = "validation"
seed = 7
against = ["PARAMS/paper-2014.toml", "PARAMS/grandmaster.toml"]
[phase.positions]
file = "DATA/sample-test.epd"
count = 20
[[phase.suites]]
file = "DATA/sample-tactics.epd"
count = 4
cap = 100
[phase.games]
nodes = 30
plies = 4
max_moves = 6
[phase.sprt]
pairs = 4
"#;

const EXPERT: &str = r#"
format = 1
phase = "expert"
layout = "eval-2014"
[chances]
expert = 150
own = 150
[positions]
train = "DATA/sample-expert-train.epd"
test = "DATA/sample-expert-test.epd"
count = 30
test_count = 30
[evolution]
population = 4
generations = 2
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "squared"
selection = "roulette"
[runs]
count = 1
seed = 1
"#;

const EXPERT_2011: &str = r#"
format = 1
phase = "expert-2011"
layout = "eval-2011"
score = "quiescence"
sample = 20
[positions]
train = "DATA/sample-expert2-train.epd"
test = "DATA/sample-expert2-test.epd"
count = 40
test_count = 40
[evolution]
population = 4
generations = 2
crossover_rate = 0.75
crossover = "single-point"
mutation_rate = 0.01
elitism = 1
fitness = "linear"
selection = "roulette"
[runs]
count = 1
seed = 1
"#;

const ENDGAMES: &str = r#"
format = 1
phase = "endgames"
endings = ["KRKR"]
[evolution]
population = 6
generations = 2
tournament = 2
max_depth = 8
max_nodes = 30
disadvantage_depth = 5
disadvantage_nodes = 20
[lessons]
train = ["DATA/lessons-krkr.epd.zst"]
test = ["DATA/lessons-krkr-test.epd.zst"]
sample = 20
[games]
peers = 2
starts = 1
moves = 3
[gauge]
rival = "PROGRAMS/krkr.sexp"
every = 1
starts = 1
last_starts = 1
[runs]
count = 1
seed = 1
"#;

/// A run that is done, and every task of it with its answer.
pub struct Done {
    _temporary: TempDir,
    /// Its folder.
    pub folder: PathBuf,
    /// Its plan, with data.
    pub plan: Plan,
    /// Tasks as a worker gets them, a line each, in the order of the journal.
    pub tasks: Vec<String>,
    /// The journal's records of them.
    pub records: Vec<Record>,
}

impl Done {
    /// The kind of a task.
    pub fn kind(&self, number: usize) -> String {
        let request: Request = serde_json::from_str(&self.tasks[number]).unwrap();
        request.kind
    }
}

/// One run of each.
pub fn all() -> Vec<Done> {
    [NIGHT, EXPERT, EXPERT_2011, ENDGAMES].map(run).into()
}

fn run(profile: &str) -> Done {
    let temporary = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = |name: &str| {
        root.join(name)
            .canonicalize()
            .unwrap()
            .display()
            .to_string()
    };
    let profile = profile
        .replace("DATA", &place("data"))
        .replace("PARAMS", &place("../params"))
        .replace("PROGRAMS", &place("../programs"));
    let path = temporary.path().join("small.toml");
    std::fs::write(&path, profile).unwrap();
    let (folder, again) = (temporary.path().join("run"), temporary.path().join("again"));
    let program = env!("CARGO_BIN_EXE_tuner");
    let mut run = Command::new(program);
    run.arg("run").arg(&path).arg("--out").arg(&folder);
    let output = run.stdout(Stdio::null()).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    // Once more, by a process that somebody listens to.
    let plan = Order::of(&path).plan(&Options::default()).unwrap();
    let heard = temporary.path().join("tasks");
    let listening = r#"tee "$0" | "$1" task --threads 1 "$2""#;
    let arguments = [
        "-c".into(),
        listening.into(),
        heard.clone().into_os_string(),
        program.into(),
        folder.clone().into_os_string(),
    ];
    let start = Start {
        program: "sh".into(),
        arguments: arguments.into(),
    };
    std::fs::create_dir(&again).unwrap();
    let stop = Stop::default();
    let live = Live {
        folder: &again,
        journal: Journal::create(&again.join(JOURNAL_NAME), &plan.header).unwrap(),
        threads: 1,
        stop: &stop,
        progress: Progress::new(false, true),
        timing: Timing::new(&again),
        processes: Some(Processes::new(start, 1)),
        remote: None,
        working: false,
        is_lazy: false,
    };
    let mut executor = Executor::live(Vec::new(), live);
    let outcome = courses(&plan, &mut executor, Some(&again), &mut |_| Ok(())).unwrap();
    assert!(outcome.complete);
    drop(executor);
    let records = journal::read(&again.join(JOURNAL_NAME)).unwrap().records;
    assert!(records == journal::read(&folder.join(JOURNAL_NAME)).unwrap().records);
    let tasks = std::fs::read_to_string(heard).unwrap();
    let tasks: Vec<String> = tasks.lines().map(str::to_string).collect();
    assert_eq!(tasks.len(), records.len());
    Done {
        _temporary: temporary,
        folder,
        plan,
        tasks,
        records,
    }
}
