//! Systems that lack something: file systems without locks or that refuse to sync, a limit on
//! addresses, names that are no text. What can go on goes on, to the same bytes.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Answer, Bench, answer, assert_same, files_of, wait_for_lines};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A command whose calls to the system fail, if there is a strace that may do that.
fn failing(calls: &str, error: &str, command: &Command) -> Option<Command> {
    let mut tried = Command::new("strace");
    tried.args([
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "inject=flock:error=ENOSYS",
        "true",
    ]);
    if !tried.output().is_ok_and(|said| said.status.success()) {
        return None;
    }
    let mut traced = Command::new("strace");
    traced
        .args(["-f", "-qq", "-o", "/dev/null", "-e"])
        .arg(format!("trace={calls}"))
        .arg("-e")
        .arg(format!("inject={calls}:error={error}"))
        .arg(command.get_program())
        .args(command.get_args());
    Some(traced)
}

/// The words of a command that has an engine and a file.
fn asking(bench: &Bench, line: &str, out: &str) -> Command {
    let engine = format!("'{}' mode=multi", tests::fake_engine().display());
    let mut command = bench.tuner_command(&[]);
    command.args(line.split(' ')).args(["--engine", &engine]);
    command.arg("--out").arg(bench.folder(out));
    command
}

const GAMES: &str = "games --nodes 50 --count 2 --seed 3";

fn label(bench: &Bench, out: &str) -> Command {
    let mut command = asking(bench, "label --plies 0 --nodes 200", out);
    command.arg("--positions").arg(bench.folder("train.epd"));
    command
}

#[test]
fn file_systems_without_locks_are_worked_on() {
    let bench = Bench::new(20);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    for error in ["ENOSYS", "ENOLCK", "EOPNOTSUPP"] {
        let out = bench.folder(error);
        let Some(mut run) = failing("flock", error, &bench.run_command(&out, &[])) else {
            return;
        };
        let said = Answer(run.output().unwrap()).warnings();
        assert_eq!(
            said.matches("this file system has no locks").count(),
            1,
            "{said}"
        );
        assert_same(&whole, &out);
    }
    for (name, command) in [
        ("l.epd", label(&bench, "l.epd")),
        ("g.pgn", asking(&bench, GAMES, "g.pgn")),
    ] {
        let mut command = failing("flock", "ENOLCK", &command).unwrap();
        let said = Answer(command.output().unwrap()).warnings();
        assert_eq!(
            said.matches("this file system has no locks").count(),
            1,
            "{said}"
        );
        assert!(!bench.folder(&format!("{name}.owner")).exists());
        // Somebody on another machine.
        fs::write(bench.folder(&format!("{name}.owner")), "elsewhere 1 1\n").unwrap();
        let said = Answer(command.output().unwrap()).failure();
        assert!(
            said.contains("another run is writing to it: process 1 on elsewhere"),
            "{said}"
        );
    }
}

#[test]
fn without_locks_a_second_start_is_refused_and_a_dead_one_is_succeeded() {
    let bench = Bench::new(60).generations(400);
    let out = bench.folder("out");
    let Some(mut run) = failing("flock", "ENOSYS", &bench.run_command(&out, &[])) else {
        return;
    };
    let mut child = run
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_lines(&out, 20, &mut child);
    // Whether or not the second one finds locks.
    let resume = bench.resume_command(&out, &[]);
    for mut second in [failing("flock", "ENOSYS", &resume).unwrap(), resume] {
        let said = Answer(second.output().unwrap()).failure();
        assert!(said.contains("is in use by process "), "{said}");
    }
    let said = bench.tuner(&["status", out.to_str().unwrap()]).success();
    assert!(said.contains("under way"), "{said}");
    let owner = fs::read_to_string(out.join("lock.owner")).unwrap();
    let process = owner.split(' ').nth(1).unwrap();
    let killed = Command::new("kill").args(["-9", process]).status().unwrap();
    assert!(killed.success() && !answer(child).0.status.success());
    let said = bench.tuner(&["status", out.to_str().unwrap()]).success();
    assert!(said.contains("stopped"), "{said}");
    let said = bench.resume(&out, &["--threads", "1"]);
    let said = said.warnings();
    assert!(said.contains("has ended; this one takes over"), "{said}");
    assert!(!out.join("lock.owner").exists());
}

#[test]
fn a_sync_that_is_refused_is_told_once_and_a_damaged_disk_ends_the_run() {
    let bench = Bench::new(20);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    for error in ["EINVAL", "ENOSYS", "EOPNOTSUPP"] {
        let out = bench.folder(error);
        let command = bench.run_command(&out, &[]);
        let Some(mut run) = failing("fsync,fdatasync", error, &command) else {
            return;
        };
        let said = Answer(run.output().unwrap()).warnings();
        assert_eq!(said.matches("refuses to say when").count(), 1, "{said}");
        assert_same(&whole, &out);
    }
    let command = label(&bench, "l.epd");
    let mut refused = failing("fsync,fdatasync", "EINVAL", &command).unwrap();
    Answer(refused.output().unwrap()).warnings();
    let command = bench.run_command(&bench.folder("damaged"), &[]);
    let mut damaged = failing("fsync,fdatasync", "EIO", &command).unwrap();
    let said = Answer(damaged.output().unwrap()).failure();
    assert!(said.contains("cannot write"), "{said}");
}

/// Runs a command that may have so many kilobytes of addresses.
fn within(kilobytes: u32, command: &Command) -> Answer {
    let mut limited = Command::new("sh");
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    limited.args(["-c", &script]).arg(command.get_program());
    Answer(limited.args(command.get_args()).output().unwrap())
}

/// It did its work, or said why not.
fn ended_well(answer: &Answer) -> bool {
    let said = String::from_utf8_lossy(&answer.0.stderr);
    assert!(
        matches!(answer.0.status.code(), Some(0 | 1)),
        "{:?}: {said}",
        answer.0.status
    );
    assert!(
        !said.contains("panicked") && !said.contains("memory allocation"),
        "{said}"
    );
    answer.0.status.success()
}

#[test]
fn threads_without_room_are_left_out_and_nothing_aborts() {
    let bench = Bench::new(20);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let mut done = 0;
    for kilobytes in [100_000, 200_000, 400_000, 1_000_000] {
        let out = bench.folder(&kilobytes.to_string());
        let run = within(kilobytes, &bench.run_command(&out, &["--threads", "300"]));
        if ended_well(&run) {
            done += 1;
            let said = run.warnings();
            assert_eq!(said.matches(" of 300 threads work").count(), 1, "{said}");
            assert_same(&whole, &out);
        }
        let names = [format!("{kilobytes}.epd"), format!("{kilobytes}.pgn")];
        for mut command in [label(&bench, &names[0]), asking(&bench, GAMES, &names[1])] {
            command.args(["--concurrency", "20"]);
            ended_well(&within(kilobytes, &command));
        }
    }
    assert!(done > 1, "{done}");
    // Between what the program itself takes and what a thread needs, a sentence says so.
    let refusals = (0..20).filter(|step| {
        let out = bench.folder(&format!("small{step}"));
        let run = within(24_000 + 4_000 * step, &bench.run_command(&out, &[]));
        let said = String::from_utf8_lossy(&run.0.stderr);
        run.0.status.code() == Some(1) && said.contains("no room for this: the limit on addresses")
    });
    assert!(refusals.count() > 1);
}

#[test]
fn names_that_are_no_text_are_names() {
    let bench = Bench::new(20);
    let odd = |name: &[u8]| bench.folder("").join(OsStr::from_bytes(name));
    let (train, test, out) = (odd(b"tr\xe4in.epd"), odd(b"\xfftest.epd"), odd(b"caf\xe9"));
    fs::rename(bench.folder("train.epd"), &train).unwrap();
    fs::rename(bench.folder("test.epd"), &test).unwrap();
    let mut run = bench.run_command(&out, &[]);
    run.arg("--positions").arg(&train).arg("--test").arg(&test);
    Answer(run.output().unwrap()).success();
    let files = files_of(&out);
    assert!(files.iter().any(|(name, _)| name == "best.toml"));
    // The journal knows the files by name; if they are not where they were, they are not found.
    bench.resume(&out, &[]).success();
    let advice = Answer(run.output().unwrap()).failure();
    assert!(advice.contains(r"/caf\351'"), "{advice}");

    let scored = odd(b"scor\xe9s.epd");
    let ask = |line: &str, from: (&str, &Path), out: &Path| {
        let engine = format!("'{}' mode=multi", tests::fake_engine().display());
        let mut command = bench.tuner_command(&[]);
        command.args(line.split(' ')).args(["--engine", &engine]);
        command.arg(from.0).arg(from.1).arg("--out").arg(out);
        Answer(command.output().unwrap())
    };
    for _ in 0..2 {
        ask(
            "label --plies 0 --nodes 200",
            ("--positions", &train),
            &scored,
        )
        .warnings();
    }
    assert!(scored.exists());
    // The engine's own name is none either.
    let (games, fake) = (odd(b"g\xe4mes.pgn"), odd(b"\xe9ngine"));
    std::os::unix::fs::symlink(tests::fake_engine(), &fake).unwrap();
    let engine = [b"'", fake.as_os_str().as_bytes(), b"' mode=multi"].concat();
    let mut play = bench.tuner_command(&["games", "--nodes", "50", "--count", "2", "--engine"]);
    play.arg(OsStr::from_bytes(&engine))
        .arg("--out")
        .arg(&games);
    Answer(play.output().unwrap()).success();
    assert!(games.exists());
    let mut export = bench.tuner_command(&["export", "--form", "csv"]);
    Answer(export.arg(out.join("best.toml")).output().unwrap()).success();
}
