//! Hostile messages: whatever a worker or a leader reads is answered or refused in words. Nothing panics, and what
//! is no task is not done.
//!
//! Some ten thousand messages; `EYAS_MESSAGES=1000000` for more.

#![cfg(all(unix, feature = "redis"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

#[path = "workers/server.rs"]
#[allow(dead_code, reason = "these tests need no server")]
mod server;

use server::run_folder;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use tuner::evolution::rng::Random;
use tuner::exec::answers::Reply;
use tuner::exec::remote::message::{Manifest, Unit, checked, heard, read};

/// What a message becomes: a few of its bytes are other ones, go or come twice, or numbers become large.
fn spoilt(message: &str, rng: &mut Random) -> String {
    let mut bytes = message.as_bytes().to_vec();
    let at = |rng: &mut Random, length: usize| rng.below(length.max(1) as u128) as usize;
    for _ in 0..1 + at(rng, 3) {
        let place = at(rng, bytes.len());
        let end = (place + at(rng, 12)).min(bytes.len());
        match at(rng, 6) {
            0 => drop(bytes.drain(place..end)),
            1 => {
                let twice = bytes[place..end].to_vec();
                bytes.splice(place..place, twice);
            }
            2 => bytes[place] = b" \"{}[]:,0-9eE.x\\\x01\x7f"[at(rng, 18)],
            3 => bytes.truncate(place),
            _ => {
                // A number becomes one that no table, suite or game has.
                let digits = bytes[place..].iter().position(u8::is_ascii_digit);
                let Some(first) = digits.map(|digits| place + digits) else {
                    continue;
                };
                let length = bytes[first..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                let large = [
                    "-1",
                    "2147483648",
                    "18446744073709551615",
                    "99999999999999999999",
                    "1e999",
                    "0.5",
                ];
                let large = large[at(rng, large.len())].as_bytes().to_vec();
                bytes.splice(first..first + length, large);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ")
}

fn messages() -> usize {
    let asked = std::env::var("EYAS_MESSAGES").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// What leader and workers say: read or refused.
#[test]
fn what_is_said_is_read_or_refused() {
    let digest = "0f".repeat(32);
    let manifest = format!(
        r#"{{"format":1,"identity":{{"program":"tuner 0.2.0","signature":7}},"lease":30000,"header":{{"format":2,"program":"x","profile":"p","profile_sha256":"","table":[],"files":[{{"phase":"games","role":"opening book","path":"b.pgn","sha256":"{digest}","count":3}}]}},"profile":"format = 1","files":[{{"sha256":"{digest}","bytes":12}}]}}"#
    );
    let said = [
        r#"{"worker":"ann","what":{"hello":{"identity":{"program":"tuner 0.2.0","signature":7},"threads":3}}}"#.to_string(),
        format!(r#"{{"worker":"ann","what":{{"want":"{digest}"}}}}"#),
        r#"{"worker":"ann","what":{"answer":{"unit":17,"reply":{"done":{"answer":[1,2,3]}}}}}"#.to_string(),
        r#"{"worker":"ann","what":"bye"}"#.to_string(),
        manifest,
        r#"{"id":17,"not":"ann","request":{"phase":"games","kind":"duel","seed":3,"task":{}}}"#.to_string(),
    ];
    assert!(
        heard(&said[0]).is_ok()
            && heard(&said[1]).is_ok()
            && heard(&said[2]).is_ok()
            && heard(&said[3]).is_ok()
    );
    assert!(read::<Manifest>(&said[4]).and_then(checked).is_ok() && read::<Unit>(&said[5]).is_ok());
    let mut rng = Random::new(66);
    let mut refused = 0;
    for number in 0..messages() {
        let message = spoilt(&said[number % said.len()], &mut rng);
        let is_refused = [
            heard(&message).is_err(),
            read::<Manifest>(&message).and_then(checked).is_err(),
            read::<Unit>(&message).is_err(),
        ];
        refused += usize::from(is_refused == [true; 3]);
    }
    // Most of what is spoilt is no message any more.
    assert!(refused > messages() / 3, "{refused}");
    for name in ["../../etc/passwd", "a/b", "a\\b", "a\u{1b}[2J"] {
        let hostile = said[4].replace(
            "opening book",
            &name.replace('\\', "\\\\").replace('\u{1b}', "\\u001b"),
        );
        let error = read::<Manifest>(&hostile).and_then(checked).unwrap_err();
        assert!(error.contains("a name that none may have"), "{error}");
    }
}

/// Tasks of a real run, spoilt: the worker answers each line with a line, and none of its answers tells of a panic.
#[test]
fn a_task_is_answered_or_refused_and_nothing_panics() {
    let folder = run_folder();
    let folder = folder.path();
    let tuner = env!("CARGO_BIN_EXE_tuner");
    let mut run = Command::new(tuner);
    run.args([
        "run",
        "profile.toml",
        "--out",
        "run",
        "--phase",
        "grandmaster",
    ]);
    run.current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert!(run.status().unwrap().success());
    let rows = engine::eval::params::EvalParams::default();
    let rows: Vec<String> = (0
        ..<engine::eval::params::EvalParams as engine::params::ParamTable>::SPECS.len())
        .map(|row| engine::params::ParamTable::get(&rows, row).to_string())
        .collect();
    let rows = rows.join(",");
    let task = format!(
        r#"{{"phase":"grandmaster","kind":"count","seed":3,"task":{{"of":{{"Train":{{"run":1,"generation":0,"block":0}}}},"positions":{{"start":0,"end":4}},"is_additive":true,"individuals":[[{rows}]]}}}}"#
    );
    let mut worker = Command::new(tuner);
    worker
        .args(["task", "--threads", "1", "run"])
        .current_dir(folder);
    let mut worker = worker
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut tasks, replies) = (worker.stdin.take().unwrap(), worker.stdout.take().unwrap());
    let mut lines = BufReader::new(replies).lines();
    lines.next().unwrap().unwrap();
    let count = messages() / 10;
    let honest = task.clone();
    let writing = thread::spawn(move || {
        let mut rng = Random::new(67);
        for number in 0..count {
            let line = match number % 50 {
                0 => task.clone(),
                _ => spoilt(&task, &mut rng),
            };
            if writeln!(tasks, "{line}").is_err() {
                return;
            }
        }
    });
    for number in 0..count {
        let line = lines
            .next()
            .unwrap_or_else(|| panic!("it has ended at line {number}"))
            .unwrap();
        match serde_json::from_str::<Reply>(&line).unwrap() {
            Reply::Done(done) => assert_eq!(done.fault, None, "line {number}"),
            Reply::Failed(said) => {
                assert!(number % 50 != 0 && !said.is_empty(), "{honest}: {said}")
            }
        }
    }
    writing.join().unwrap();
    assert!(worker.wait().unwrap().success());
}
