//! Experiments and comparisons with help from workers come to the bytes that they have without.

use super::helped::run_folder;
use super::server::Server;
use super::{Process, crew, identity, said, says, take_part, tests_files, tuner};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use tuner::base::stop::Stop;
use tuner::exec::answers::Reply;
use tuner::exec::remote::crew::Ended;

const CELL: &str = r#"
format = 1
phase = "grandmaster"
layout = "eval-2014"
[positions]
train = "train.epd"
test = "train.epd"
[evolution]
population = 10
generations = 6
crossover_rate = 0.75
mutation_rate = 0.01
elitism = 1
fitness = "linear"
selection = "roulette"
[runs]
count = 1
seed = 1
"#;

const EXPERIMENT: &str = r#"
format = 1
profile = "cell.toml"
seeds = 2
[[axis]]
key = "evolution.mutation_rate"
values = [0.01, 0.05]
[[axis]]
key = "positions.count"
values = [60, 120]
"#;

/// All files of an experiment but those that tell of times, locks and workers.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let told = [
        "timing.csv",
        "lock",
        ".lock",
        "workers.json",
        "answered-by.csv",
    ];
    let mut found = BTreeMap::new();
    for path in tests_files(folder) {
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        if !told.iter().any(|told| name.ends_with(told)) {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Cells run side by side, each as a session of its own, and workers go from one to the next.
#[test]
fn an_experiment_comes_to_the_same() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    std::fs::write(folder.join("cell.toml"), CELL).unwrap();
    std::fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let words = ["experiment", "e.toml", "--out"];
    let alone = [&words[..], &["alone", "--threads", "1"]].concat();
    let mut alone = Process::start(folder, "alone.log", &alone);
    alone.succeeds(folder, "alone.log");

    let _crew = ["ann", "bob"].map(|name| Process::worker(folder, &server, name));
    let url = server.url();
    let help = ["--workers", &url, "--workers-only", "--check-every", "3"];
    let helped = [&words[..], &["helped", "--threads", "2"], &help].concat();
    let mut helped = Process::start(folder, "helped.log", &helped);
    helped.succeeds(folder, "helped.log");
    let [expected, found] = ["alone", "helped"].map(|name| results(&folder.join(name)));
    assert!(expected.contains_key("results.csv") && expected.len() > 20);
    let names = |of: &BTreeMap<String, Vec<u8>>| of.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&expected), names(&found));
    for (name, expected) in &expected {
        assert!(found[name] == *expected, "{name} differs");
    }
    let told = said(folder, "helped.log");
    assert!(
        told.contains("Workers come by  tuner worker redis://"),
        "{told}"
    );
    // Each cell was done by workers, and says whose its warnings are.
    for cell in std::fs::read_dir(folder.join("helped/cells")).unwrap() {
        let cell = cell.unwrap();
        let answered = std::fs::read_to_string(cell.path().join("answered-by.csv")).unwrap();
        assert!(
            answered.contains(",ann") || answered.contains(",bob"),
            "{answered}"
        );
        let name = cell.file_name().into_string().unwrap();
        assert!(told.contains(&format!("note: {name}: worker ")), "{told}");
    }
}

/// What `tuner compare` of two players says on stdout, and its games.
fn compared(folder: &Path, name: &str, more: &[&str]) -> (String, Vec<u8>) {
    let params = Path::new(env!("CARGO_MANIFEST_DIR")).join("../params");
    let player = |name: &str| params.join(name).display().to_string();
    let (first, second) = (player("paper-2014.toml"), player("grandmaster.toml"));
    let pgn = format!("{name}.pgn");
    let both = format!("{first};{second}");
    let words = ["compare", &both, &second, "--pgn", &pgn, "--seed", "3"];
    let log = std::fs::File::create(folder.join(format!("{name}.log"))).unwrap();
    let mut command = tuner(folder, &[&words[..], more].concat());
    let output = command.stdout(Stdio::piped()).stderr(log).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        said(folder, &format!("{name}.log"))
    );
    let games = std::fs::read(folder.join(pgn)).unwrap();
    (String::from_utf8(output.stdout).unwrap(), games)
}

const BY_NODES: [&str; 6] = ["--nodes", "200", "--elo1", "200", "--pairs", "80"];

/// A match that its test ends in the midst of a batch, and all games by a clock of nodes.
#[test]
fn a_comparison_comes_to_the_same() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    let _crew = ["ann", "bob"].map(|name| Process::worker(folder, &server, name));
    let url = server.url();
    let by_clock = "--seconds 1 --increment 0.01 --speed 3000 --all --pairs 6";
    let by_clock: Vec<&str> = by_clock.split(' ').collect();
    for (name, how) in [("nodes", &BY_NODES[..]), ("clock", &by_clock)] {
        let alone = compared(
            folder,
            &format!("{name}-alone"),
            &[how, &["--threads", "2"]].concat(),
        );
        let help = ["--workers", &url, "--workers-only", "--check-every", "5"];
        let helped = compared(folder, name, &[how, &help].concat());
        assert_eq!(alone.0, helped.0);
        assert!(alone.1 == helped.1 && !alone.1.is_empty(), "games differ");
        if name == "nodes" {
            assert!(alone.0.contains("decided for"), "{}", alone.0);
        }
        let told = said(folder, &format!("{name}.log"));
        assert!(
            told.contains("worker ann joins") || told.contains("worker bob joins"),
            "{told}"
        );
        assert!(!said(folder, "ann.log").contains(folder.to_str().unwrap()));
    }
}

/// Games that nobody has played are found out when they are compared; the match begins anew, without them.
#[test]
fn a_comparison_survives_a_liar() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    let alone = compared(folder, "alone", &BY_NODES);
    let (identity, stop) = (identity(), Stop::default());
    let liar = crew(&server, "liar", &identity, &stop);
    let url = server.url();
    let lied = std::thread::scope(|scope| {
        let help = ["--workers", &url, "--workers-only", "--check-every", "2"];
        let lied = scope.spawn(move || compared(folder, "lied", &[&BY_NODES[..], &help].concat()));
        let void = r#"{"opening":"","moves":"","result":"*","ending":""}"#;
        let reply = format!(r#"{{"done":{{"answer":[{void},{void}]}}}}"#);
        let ended = take_part(&liar, |_| serde_json::from_str::<Reply>(&reply).unwrap());
        assert!(
            matches!(&ended, Ended::ShutOut(why) if why.contains("is wrong")),
            "{ended:?}"
        );
        let _honest = Process::worker(folder, &server, "honest");
        lied.join().unwrap()
    });
    assert_eq!(alone.0, lied.0);
    assert!(alone.1 == lied.1, "games differ");
    says(folder, "lied.log", "comparison: worker liar is shut out");
}

/// No server is needed to say so.
#[test]
fn games_by_a_real_clock_are_never_sent() {
    let folder = run_folder();
    let words = [
        "compare",
        "a.toml",
        "b.toml",
        "--seconds",
        "1",
        "--workers",
        "redis://127.0.0.1:1/0",
    ];
    let params = Path::new(env!("CARGO_MANIFEST_DIR")).join("../params/default.toml");
    for name in ["a.toml", "b.toml"] {
        std::fs::copy(&params, folder.path().join(name)).unwrap();
    }
    let mut refused = Process::start(folder.path(), "clock.log", &words);
    assert_eq!(refused.ends(), Some(1));
    let told = said(folder.path(), "clock.log");
    assert!(
        told.contains("games by a real clock are never sent"),
        "{told}"
    );
    assert!(
        told.contains("expected --nodes, or --seconds with --speed"),
        "{told}"
    );
}
