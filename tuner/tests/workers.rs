//! Workers over a real Redis server, which these tests start on loopback with a port and a folder of their own.
//!
//! Where there is no `redis-server` they are skipped, and say so; with `CI` or `EYAS_WORKERS` set they fail.

#![cfg(all(target_os = "linux", feature = "redis"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

#[path = "workers/commands.rs"]
mod commands;
#[path = "common/helped.rs"]
mod helped;
#[path = "workers/manners.rs"]
mod manners;
#[path = "workers/server.rs"]
#[allow(dead_code, reason = "a benchmark uses it too")]
mod server;

use helped::{run_folder, same};
use server::Server;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use tests::send_signal;
use tuner::base::stop::Stop;
use tuner::exec::answers::Reply;
use tuner::exec::remote::address::Address;
use tuner::exec::remote::crew::{Crew, Ended, Session};
use tuner::exec::remote::link::Link;
use tuner::exec::remote::message::{GROUP, Identity, Keys, LIVES, Said, What, read};

/// What a test looks at last.
const LONG: Duration = Duration::from_secs(300);

fn tuner(folder: &Path, words: &[&str]) -> Command {
    let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
    // What a killed one leaves behind goes with the test's folder.
    tuner.args(words).current_dir(folder).env("TMPDIR", folder);
    tuner.stdout(Stdio::null()).stderr(Stdio::null());
    tuner
}

/// A process that ends with its test.
struct Process(Child);

impl Process {
    /// The program, whose stderr goes to a file.
    fn start(folder: &Path, log: &str, words: &[&str]) -> Process {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(folder.join(log));
        Process(tuner(folder, words).stderr(log.unwrap()).spawn().unwrap())
    }

    fn worker(folder: &Path, server: &Server, name: &str) -> Process {
        let log = format!("{name}.log");
        Process::start(
            folder,
            &log,
            &["worker", &server.url(), "--threads", "1", "--name", name],
        )
    }

    /// A run of the profile that workers help with, into a folder whose name its log has too.
    fn helped(folder: &Path, server: &Server, out: &str, more: &[&str]) -> Process {
        let url = server.url();
        let words = ["run", "profile.toml", "--out", out, "--workers", &url];
        Process::start(folder, &format!("{out}.log"), &[&words[..], more].concat())
    }

    fn signal(&self, name: &str) {
        send_signal(name, self.0.id());
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Its exit code; a signal has none.
    fn ends(&mut self) -> Option<i32> {
        let late = Instant::now() + LONG;
        while Instant::now() < late {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("still running after {LONG:?}");
    }

    /// It succeeds; if not, its log tells.
    fn succeeds(&mut self, folder: &Path, log: &str) {
        assert_eq!(self.ends(), Some(0), "{}", said(folder, log));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn said(folder: &Path, log: &str) -> String {
    std::fs::read_to_string(folder.join(log)).unwrap_or_default()
}

/// Waits until a log has a text.
fn says(folder: &Path, log: &str, text: &str) {
    let late = Instant::now() + LONG;
    while !said(folder, log).contains(text) {
        assert!(
            Instant::now() < late,
            "no {text:?} in {log}: {}",
            said(folder, log)
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// A run on one thread, to compare with.
fn alone(folder: &Path) {
    let mut run = Process::start(
        folder,
        "alone.log",
        &["run", "profile.toml", "--out", "alone", "--threads", "1"],
    );
    run.succeeds(folder, "alone.log");
}

/// 1 thread = 2 workers = 3 workers of which some die, with a leader and a server that die too.
#[test]
fn workers_come_go_and_die_and_the_bytes_are_the_same() {
    let Some(mut server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    alone(folder);

    let ann = Process::worker(folder, &server, "ann");
    let bob = Process::worker(folder, &server, "bob");
    let quiet = ["--workers-only", "--lease", "2"];
    let mut run = Process::helped(folder, &server, "two", &quiet);
    run.succeeds(folder, "two.log");
    same(folder, ["alone", "two"]);
    let told = said(folder, "two/workers.json");
    assert!(
        told.contains("\"ann\"") && told.contains("\"bob\""),
        "{told}"
    );

    // Another one joins late; then workers, leader and server are killed, and one is stopped for longer than
    // its lease, each when the journal has grown by a part.
    let shared = ["--threads", "1", "--lease", "1"];
    let mut run = Process::helped(folder, &server, "three", &shared);
    let mut workers = [ann, bob, Process::worker(folder, &server, "eve")];
    let journal = |run: &str| {
        said(folder, &format!("{run}/journal.jsonl"))
            .lines()
            .count()
    };
    let all = journal("two");
    for blow in 0..6 {
        while run.is_running() && journal("three") < 1 + all * blow / 8 {
            thread::sleep(Duration::from_millis(10));
        }
        match blow {
            0 => workers[1].signal("STOP"),
            1 | 4 => {
                let (number, name) = [(0, "ann"), (2, "eve")][blow / 4];
                workers[number].signal("KILL");
                workers[number] = Process::worker(folder, &server, name);
            }
            2 => {
                run.signal("KILL");
                let _ = run.0.wait();
                let helped = ["--workers", &server.url(), "--lease", "1"];
                let words = [&["resume", "three", "--workers-only"], &helped[..]].concat();
                run = Process::start(folder, "three.log", &words);
            }
            3 => server.kill_and_restart(),
            _ => workers[1].signal("CONT"),
        }
    }
    run.succeeds(folder, "three.log");
    same(folder, ["alone", "three"]);
    let told = said(folder, "three.log");
    assert!(
        told.contains("the run waits for it") && told.contains("is back"),
        "{told}"
    );

    // The first signal lets a worker finish the task in hand.
    workers[0].signal("INT");
    workers[0].succeeds(folder, "ann.log");
}

/// A process that answers as the leader's own would.
struct Oracle {
    _child: Process,
    tasks: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Oracle {
    fn of(folder: &Path, run: &Path) -> Oracle {
        let run = run.to_str().unwrap();
        let mut command = tuner(folder, &["task", "--threads", "1", run]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (tasks, replies) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut replies = BufReader::new(replies);
        replies.read_line(&mut String::new()).unwrap();
        Oracle {
            _child: Process(child),
            tasks,
            replies,
        }
    }

    fn answer(&mut self, request: &str) -> String {
        writeln!(self.tasks, "{request}").unwrap();
        self.tasks.flush().unwrap();
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        line
    }
}

/// A worker of one thread in the test itself.
fn crew<'a>(server: &Server, name: &'a str, identity: &'a Identity, stop: &'a Stop) -> Crew<'a> {
    Crew {
        address: Address::new(&server.url()).unwrap(),
        name,
        identity,
        threads: 1,
        stop,
    }
}

/// Waits for the leader of a session.
fn keys_for(crew: &Crew<'_>, link: &mut Link) -> Keys {
    loop {
        let found = crew.sessions(link, &Default::default()).unwrap();
        if let Some(keys) = found.into_iter().next() {
            return keys;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The same, and for what he says of his session.
fn session_for(crew: &Crew<'_>) -> Session {
    let mut link = Link::new(&crew.address).unwrap();
    loop {
        let keys = keys_for(crew, &mut link);
        if let Some(Ok(manifest)) = crew.manifest(&mut link, &keys).unwrap() {
            return Session { keys, manifest };
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Takes part in a session with somebody who answers.
fn take_part(crew: &Crew<'_>, answer: impl Fn(&str) -> Reply + Sync) -> Ended {
    let session = session_for(crew);
    crew.work(&session, &|_| false, &|| |request: &str| answer(request))
        .unwrap()
}

fn identity() -> Identity {
    tuner::run::sharing::identity().unwrap()
}

/// A worker says who it is before it answers a task that takes no time. The leader passes over answers of somebody
/// whom it does not know, and the task would wait until its lease is over.
#[test]
fn a_worker_says_hello_before_its_first_answer() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let run = Process::helped(folder.path(), &server, "led", &["--workers-only"]);
    let (identity, stop) = (identity(), Stop::default());
    let crew = crew(&server, "quick", &identity, &stop);
    let session = session_for(&crew);
    // The leader is killed, so that what is said stays there to be read; its session outlives it for a while.
    drop(run);
    let mut link = Link::new(&crew.address).unwrap();
    let (tasks, said) = (session.keys.tasks(), session.keys.said());
    link.remove(&[tasks.clone(), said.clone()]).unwrap();
    link.begin(&tasks, GROUP).unwrap();
    link.begin(&said, GROUP).unwrap();
    link.add(&tasks, &[r#"{"id":1,"request":{}}"#.to_string()])
        .unwrap();
    let (crew_here, session_here) = (&crew, &session);
    let all = thread::scope(|scope| {
        let fails = || |_: &str| Reply::Failed("for this test".to_string());
        scope.spawn(move || crew_here.work(session_here, &|_| false, &fails));
        let late = Instant::now() + LONG;
        loop {
            let all = link
                .read((&said, &[]), "0", 100, Duration::from_secs(1))
                .unwrap();
            let all: Vec<Said> = all.iter().map(|(_, text)| read(text).unwrap()).collect();
            let is_answer = |said: &Said| matches!(said.what, What::Answer { .. });
            if all.iter().any(is_answer) || Instant::now() > late {
                stop.request();
                break all;
            }
        }
    });
    let what: Vec<&What> = all.iter().map(|said| &said.what).collect();
    assert!(matches!(what.first(), Some(What::Hello { .. })), "{what:?}");
    assert!(
        what.iter()
            .any(|what| matches!(what, What::Answer { unit: 1, .. })),
        "{what:?}"
    );
}

/// One answer in fifty is false, and half of all are compared: it is found out long before the end, the journal
/// goes back to before its first answer, and the run ends as if it had never been there.
#[test]
fn a_worker_that_lies_leaves_the_honest_bytes() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    alone(folder);
    let checked = ["--workers-only", "--check-every", "2"];
    let mut run = Process::helped(folder, &server, "lied", &checked);
    let (identity, stop) = (identity(), Stop::default());
    let liar = crew(&server, "liar", &identity, &stop);
    let oracle = Mutex::new((Oracle::of(folder, &folder.join("alone")), 0));
    let ended = take_part(&liar, |request| {
        let mut oracle = oracle.lock().unwrap();
        let honest = oracle.0.answer(request);
        oracle.1 += 1;
        let lies = oracle.1 % 50 == 0 && request.contains("\"count\"");
        // The first individual solves one position more.
        let told = match honest.split_once("[").filter(|_| lies) {
            Some((before, list)) => {
                let (first, rest) = list.split_at(list.find([',', ']']).unwrap());
                format!("{before}[{}{rest}", first.parse::<u32>().unwrap() + 1)
            }
            None => honest,
        };
        if oracle.1 == 40 {
            // From here on he is not alone.
            drop(oracle);
            START
                .lock()
                .unwrap()
                .push(Process::worker(folder, &server, "honest"));
        }
        serde_json::from_str(&told).unwrap()
    });
    static START: Mutex<Vec<Process>> = Mutex::new(Vec::new());
    assert!(
        matches!(&ended, Ended::ShutOut(why) if why.contains("is wrong")),
        "{ended:?}"
    );
    run.succeeds(folder, "lied.log");
    START.lock().unwrap().clear();
    same(folder, ["alone", "lied"]);
    let told = said(folder, "lied.log");
    assert!(told.contains("worker liar is shut out"), "{told}");
    assert!(
        told.contains("goes back to") && folder.join("lied/journal.1.jsonl").is_file(),
        "{told}"
    );
}

/// A program that counts other nodes is told apart on both sides, and whoever works all the same counts for
/// nothing.
#[test]
fn an_old_worker_is_refused_on_both_sides() {
    let Some(server) = Server::start(&[]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    let mut run = Process::helped(folder, &server, "run", &["--threads", "1"]);
    let mut old = identity();
    old.signature += 1;
    let stop = Stop::default();
    let crew = crew(&server, "old", &old, &stop);
    let mut link = Link::new(&crew.address).unwrap();
    let keys = keys_for(&crew, &mut link);
    let refused = crew
        .manifest(&mut link, &keys)
        .unwrap()
        .unwrap()
        .unwrap_err();
    assert!(refused.contains("both need the same program"), "{refused}");
    let hello = What::Hello {
        identity: old.clone(),
        threads: 1,
    };
    crew.say(&mut link, &keys, hello).unwrap();
    says(
        folder,
        "run.log",
        "worker old is shut out: the worker is tuner",
    );
    let why = link.noted(&keys.out(), "old").unwrap().unwrap();
    assert!(why.contains("both need the same program"), "{why}");
    run.signal("INT");
    assert_eq!(run.ends(), Some(130));
    // Whoever leaves takes his keys along.
    assert!(!link.exists(&keys.manifest()).unwrap() && !link.exists(&keys.tasks()).unwrap());
}

/// A password in the URL, in the environment or in a file; a wrong one ends the program before there is a
/// folder, and no text of ours has it.
#[test]
fn the_password_is_needed_and_never_shown() {
    let Some(server) = Server::start(&["--requirepass", "s3cret"]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    let wrong = server.url().replace("redis://", "redis://:wr0ng@");
    for words in [
        &["run", "profile.toml", "--out", "wrong", "--workers", &wrong][..],
        &["worker", &wrong],
    ] {
        let mut refused = Process::start(folder, "wrong.log", words);
        assert_eq!(refused.ends(), Some(1));
    }
    let told = said(folder, "wrong.log");
    assert!(told.contains("user or password is wrong"), "{told}");
    assert!(
        !told.contains("wr0ng") && !folder.join("wrong").exists(),
        "{told}"
    );

    std::fs::write(folder.join("secret"), "s3cret\n").unwrap();
    let right = server.url().replace("redis://", "redis://:s3cret@");
    let mut run = Process::start(
        folder,
        "right.log",
        &[
            "run",
            "profile.toml",
            "--out",
            "right",
            "--workers",
            &right,
            "--workers-only",
        ],
    );
    let log = std::fs::File::create(folder.join("ann.log")).unwrap();
    let mut ann = tuner(
        folder,
        &["worker", &server.url(), "--threads", "1", "--name", "ann"],
    );
    ann.env("EYAS_REDIS_PASSWORD_FILE", folder.join("secret"))
        .stderr(log);
    let ann = Process(ann.spawn().unwrap());
    says(folder, "right.log", "worker ann joins");
    says(folder, "ann.log", "Works for profile profile");
    run.signal("INT");
    run.ends();
    drop(ann);
    let mut places: Vec<PathBuf> = tests_files(&folder.join("right"));
    places.extend(["right.log", "ann.log"].map(|log| folder.join(log)));
    for place in places {
        let text = std::fs::read(&place).unwrap();
        let text = String::from_utf8_lossy(&text);
        assert!(!text.contains("s3cret"), "{}", place.display());
    }
}

fn tests_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

/// A server that is full takes no tasks: the run says so and goes on alone.
#[test]
fn a_full_server_costs_nothing_but_help() {
    let Some(server) = Server::start(&["--maxmemory", "1mb"]) else {
        return;
    };
    let folder = run_folder();
    let folder = folder.path();
    alone(folder);
    // Full before the run, which may end before a worker has come.
    let mut link = Link::new(&Address::new(&server.url()).unwrap()).unwrap();
    let filler = |number: u32| format!("eyas:filler:{number}");
    (0..).find(|&number| link.set(&filler(number), &[0; 1 << 16], LIVES).is_err());
    let ann = Process::worker(folder, &server, "ann");
    let mut run = Process::helped(folder, &server, "full", &["--threads", "1"]);
    run.succeeds(folder, "full.log");
    same(folder, ["alone", "full"]);
    let told = said(folder, "full.log");
    assert!(
        told.contains("maxmemory") && told.contains("goes on without workers"),
        "{told}"
    );
    drop(ann);
}
