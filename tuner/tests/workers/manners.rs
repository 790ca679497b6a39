//! How a worker begins and ends, what it finds by itself, and what is told of it.

use super::helped::run_folder;
use super::server::Server;
use super::{LONG, Process, crew, identity, said, says, session_for, tests_files, tuner};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};
use tuner::base::files::sha256_of_file;
use tuner::base::stop::Stop;
use tuner::exec::remote::address::Address;
use tuner::exec::remote::link::Link;
use tuner::exec::remote::message::{GROUP, Identity, Keys, LEADER_LIVES, SESSIONS};

/// Games that take a second or more a pair.
const SLOW: &str = r#"
format = 1
[[phase]]
kind = "coevolution"
layout = "eval-2014"
seed = 5
population = ["PARAMS/grandmaster.toml", "PARAMS/paper-2014.toml"]
[phase.evolution]
population = 4
generations = 2
crossover_rate = 0.75
mutation_rate = 0.01
selection = "rank"
[phase.games]
nodes = 40000
each = 2
openings = "paired"
plies = 6
resign = "off"
mate = "off"
max_moves = 60
"#;

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let late = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < late, "never: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// What `tuner status` says of a run.
fn status(folder: &Path, run: &str) -> String {
    let mut command = tuner(folder, &["status", run]);
    let output = command.stdout(Stdio::piped()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with a run of which each task takes a second or more.
fn slow_folder() -> tempfile::TempDir {
    let folder = run_folder();
    let params = Path::new(env!("CARGO_MANIFEST_DIR")).join("../params");
    let slow = SLOW.replace("PARAMS", &params.display().to_string());
    std::fs::write(folder.path().join("profile.toml"), slow).unwrap();
    folder
}

/// A laptop that slept while the run ended: its worker, with a task in hand, turns to the next run. A leader that
/// leaves all to workers says so if there are none.
#[test]
fn a_worker_that_was_away_notices_that_its_session_is_over() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = slow_folder();
    let folder = folder.path();
    let mut run = Process::helped(folder, &server, "run", &["--workers-only"]);
    says(
        folder,
        "run.log",
        "no worker is there: the run waits for one",
    );
    let (identity, stop) = (identity(), Stop::default());
    let crew = crew(&server, "nobody", &identity, &stop);
    let keys = session_for(&crew).keys;
    let ann = Process::worker(folder, &server, "ann");
    let mut link = Link::new(&crew.address).unwrap();
    until("ann has a task", || {
        let mut link = Link::new(&crew.address).unwrap();
        !link
            .in_hand(&keys.tasks(), GROUP, "ann")
            .unwrap()
            .is_empty()
    });
    ann.signal("STOP");
    run.signal("INT");
    assert_eq!(run.ends(), Some(130), "{}", said(folder, "run.log"));
    ann.signal("CONT");
    says(folder, "ann.log", "is over");
    // Nothing of what it had to say is left behind for ever.
    assert!(!link.exists(&keys.said()).unwrap());
    let next = Process::helped(folder, &server, "next", &["--workers-only"]);
    says(folder, "next.log", "worker ann joins the run");
    drop((ann, next));
}

/// The first Ctrl-C lets a worker finish its task, however long after the lease; with the second one it leaves, and
/// the task is still out. `tuner status` tells of both.
#[test]
fn a_worker_finishes_its_task_or_leaves_at_once() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = slow_folder();
    let folder = folder.path();
    let often = ["--workers-only", "--lease", "1"];
    let mut run = Process::helped(folder, &server, "run", &often);
    let (identity, stop) = (identity(), Stop::default());
    let crew = crew(&server, "nobody", &identity, &stop);
    let tasks = session_for(&crew).keys.tasks();
    let in_hand = |name: &str| {
        let mut link = Link::new(&crew.address).unwrap();
        link.in_hand(&tasks, GROUP, name).unwrap().len()
    };
    let answers = || said(folder, "run/journal.jsonl").lines().count() - 1;

    let mut ann = Process::worker(folder, &server, "ann");
    until("ann has a task", || in_hand("ann") == 1);
    ann.signal("INT");
    says(folder, "ann.log", "Finishing the task in hand");
    assert_eq!(answers(), 0, "a faster machine than this test was made for");
    ann.succeeds(folder, "ann.log");
    until("ann's answer is in the journal", || answers() == 1);

    let mut bob = Process::worker(folder, &server, "bob");
    until("bob has a task", || in_hand("bob") == 1);
    bob.signal("INT");
    says(folder, "bob.log", "Finishing the task in hand");
    bob.signal("INT");
    assert_eq!(bob.ends(), Some(130), "{}", said(folder, "bob.log"));
    assert_eq!((in_hand("bob"), answers()), (1, 1));

    run.signal("INT");
    assert_eq!(run.ends(), Some(130), "{}", said(folder, "run.log"));
    let told = status(folder, "run");
    let line = |name: &str| {
        let line = told
            .lines()
            .find(|line| line.contains(&format!("worker {name}:")));
        line.unwrap_or_default().to_string()
    };
    // Who has left has no threads any more; who has gone without a word still seems to be there.
    assert!(
        line("ann").starts_with("  worker ann: 0 threads, 1 task, "),
        "{told}"
    );
    assert!(line("ann").ends_with(" ago"), "{told}");
    assert!(
        line("bob").starts_with("  worker bob: 1 thread, 0 tasks, 0.0 a second, heard of "),
        "{told}"
    );

    // The same from a file by hand: 4,000 tasks at 12.5 a second, last seen an hour before it was written.
    let by_hand = r#"[{"name":"eve","threads":8,"done":4000,"per_second":12.5,"unseen":3600.0,"out":"it lies"}]"#;
    std::fs::write(folder.join("run/workers.json"), by_hand).unwrap();
    let told = status(folder, "run");
    assert!(
        told.contains("\n  worker eve: 8 threads, 4,000 tasks, 12.5 a second, heard of 1:00:"),
        "{told}"
    );
    assert!(told.contains(" ago; shut out: it lies"), "{told}");
}

/// A file that lies in a folder of `--data` is not sent, whatever its name; one that doesn't, is.
#[test]
fn data_are_found_by_their_content() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    let digest = sha256_of_file(&folder.join("train.epd")).unwrap();
    std::fs::create_dir(folder.join("data")).unwrap();
    std::fs::copy(folder.join("train.epd"), folder.join("data/renamed")).unwrap();
    // As long, and another one.
    let other = vec![b' '; std::fs::read(folder.join("train.epd")).unwrap().len()];
    std::fs::write(folder.join("data/another"), other).unwrap();
    let url = server.url();
    let run = Process::helped(folder, &server, "run", &["--workers-only"]);
    let is_sent = || {
        let mut link = Link::new(&Address::new(&url).unwrap()).unwrap();
        link.exists(&Keys::data(&digest)).unwrap()
    };
    let ann = [
        "worker",
        &url,
        "--threads",
        "1",
        "--name",
        "ann",
        "--data",
        "data",
    ];
    let ann = Process::start(folder, "ann.log", &ann);
    says(folder, "ann.log", "Works for profile profile");
    assert!(!is_sent());
    let bob = Process::worker(folder, &server, "bob");
    says(folder, "bob.log", "Works for profile profile");
    assert!(is_sent());
    drop((ann, bob, run));
}

/// Of two runs a worker turns to the one that has fewer others.
#[test]
fn a_worker_goes_where_fewer_are() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let stop = Stop::default();
    let identity = Identity {
        program: "nobody's".to_string(),
        signature: 0,
    };
    let crew = crew(&server, "ann", &identity, &stop);
    let mut link = Link::new(&crew.address).unwrap();
    let session = |name: &str| Keys {
        session: name.to_string(),
    };
    for name in ["one", "two"] {
        let tasks = session(name).tasks();
        link.begin(&tasks, GROUP).unwrap();
        link.add(&tasks, &vec!["{}".to_string(); 10]).unwrap();
        link.set(&session(name).manifest(), b"{}", LEADER_LIVES)
            .unwrap();
        link.join(SESSIONS, name).unwrap();
    }
    for (busy, free) in [("one", "two"), ("two", "one")] {
        for number in 0..2 {
            let name = format!("worker-of-{busy}-{number}");
            link.take((&session(busy).tasks(), GROUP, &name), 1, None)
                .unwrap();
        }
        let found = crew.sessions(&mut link, &Default::default()).unwrap();
        let found: Vec<String> = found.into_iter().map(|keys| keys.session).collect();
        assert_eq!(found[0], free, "{found:?}");
        link.take((&session(free).tasks(), GROUP, "one-more"), 1, None)
            .unwrap();
    }
}

/// Whether nobody listens, or somebody who never answers: within a second it is said. Two seconds here, for the
/// machine may have other things to do.
#[test]
fn a_server_that_does_not_answer_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = [&silent, &gone].map(|listener| listener.local_addr().unwrap().port());
    drop(gone);
    for (port, said_of_it) in ports.into_iter().zip(["no answer yet", "refused"]) {
        let log = format!("{port}.log");
        let url = format!("redis://127.0.0.1:{port}/0");
        let begun = Instant::now();
        let worker = Process::start(folder, &log, &["worker", &url, "--name", "ann"]);
        says(folder, &log, "; waiting for it");
        let taken = begun.elapsed();
        assert!(taken < Duration::from_secs(2), "{taken:?}");
        drop(worker);
        let told = said(folder, &log);
        assert!(
            told.starts_with("Worker ann: ") && told.contains(said_of_it),
            "{told}"
        );
    }
    drop(silent);
}

/// Nobody would miss a folder that is not there, for its data would be sent.
#[test]
fn a_folder_of_data_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&[][..], &["--print-systemd"]] {
        let words = ["worker", "redis://127.0.0.1:1/0", "--data", "nowhere"];
        let output = tuner(folder.path(), &[&words[..], more].concat())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("--data: cannot read nowhere: "), "{told}");
    }
}

/// The unit runs the command that it was printed by, and has no password.
#[test]
fn the_unit_for_systemd_is_the_command_again() {
    let folder = tempfile::tempdir().unwrap();
    let url = "redis://ann:s3cret@host.example:6380/2";
    std::fs::create_dir(folder.path().join("50%")).unwrap();
    let more = ["--threads", "3", "--name", "ann-1", "--data", "50%"];
    let words = [&["worker", url, "--print-systemd"][..], &more].concat();
    let output = tuner(folder.path(), &words)
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert!(output.status.success());
    let unit = String::from_utf8(output.stdout).unwrap();
    assert!(!unit.contains("s3cret"), "{unit}");
    let place = folder.path().canonicalize().unwrap();
    let command = format!(
        "ExecStart={} worker redis://ann@host.example:6380/2 --threads 3 --data '{}/50%%' --name ann-1",
        env!("CARGO_BIN_EXE_tuner"),
        place.display()
    );
    let lines: Vec<&str> = unit.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.contains(&command.as_str()), "{command}\n{unit}");
    for line in [
        "[Unit]",
        "After=network-online.target",
        "[Service]",
        // Where there is no such file the worker starts all the same.
        "EnvironmentFile=-%h/.config/eyas-worker.env",
        "Restart=always",
        "KillSignal=SIGINT",
        "[Install]",
        "WantedBy=default.target",
    ] {
        assert!(lines.contains(&line), "{line}: {unit}");
    }
    assert!(tests_files(folder.path()).is_empty());
}
