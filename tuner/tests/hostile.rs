//! Hostile messages: whatever a worker or a leader reads is answered or refused in words. Nothing panics, and what
//! is no task is not done.
//!
//! Some eight thousand messages of each side; `EYAS_MESSAGES=1000000` for more.

#![cfg(all(unix, feature = "redis"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

#[path = "hostile/runs.rs"]
mod runs;

use runs::Done;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tuner::evolution::rng::Random;
use tuner::exec::answers::{Reply, Request};
use tuner::exec::executor::Executor;
use tuner::exec::journal::{JOURNAL_NAME, Journal, Record};
use tuner::exec::remote::address::Address;
use tuner::exec::remote::leader::Settings;
use tuner::exec::remote::message::{Manifest, Unit, checked, heard, read};
use tuner::exec::task::Task;
use tuner::fitness::endgames::Encounter;
use tuner::fitness::games::{Duel, Match};
use tuner::fitness::lessons::Exam;
use tuner::fitness::positions::Count;
use tuner::fitness::suite::Solve;
use tuner::phases::ecm::setting::Begin;
use tuner::phases::options::Options;
use tuner::phases::validation::tasks::Choose;
use tuner::run::courses::courses;
use tuner::run::lifecycle;
use tuner::run::replay::opened;
use tuner::run::sharing::{lay_out, offer};

/// All kinds of tasks that there are.
const KINDS: [&str; 8] = [
    "choose",
    "count",
    "duel",
    "encounter",
    "exam",
    "match",
    "setting",
    "solve",
];

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
                    "2147483647",
                    "-2147483648",
                    "4294967295",
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
    asked.and_then(|count| count.parse().ok()).unwrap_or(8_000)
}

/// What workers are told of a run.
fn manifest_of(done: &Done) -> String {
    let settings = Settings {
        address: Address::new("redis://127.0.0.1:1/0").unwrap(),
        check_every: 100,
        workers_only: false,
        lease: Duration::from_secs(30),
    };
    let offered = offer(
        &done.folder,
        &done.plan,
        0,
        (&settings, &Options::default()),
    );
    serde_json::to_string(&offered.unwrap().manifest).unwrap()
}

/// One after the other, for all are about the same runs.
#[test]
fn hostile_messages_are_answered_or_refused_and_nothing_panics() {
    let runs = runs::all();
    what_is_said_is_read_or_refused(&runs);
    an_answer_is_taken_or_refused(&runs);
    a_run_with_false_answers_ends_or_fails_in_words(&runs);
    a_run_from_elsewhere_is_opened_or_refused(&runs);
    a_task_is_answered_or_refused_and_nothing_panics(&runs);
}

/// What leader and workers say: read or refused.
fn what_is_said_is_read_or_refused(runs: &[Done]) {
    let digest = "0f".repeat(32);
    let mut said = vec![
        r#"{"worker":"ann","what":{"hello":{"identity":{"program":"tuner 0.2.0","signature":7},"threads":3}}}"#.to_string(),
        format!(r#"{{"worker":"ann","what":{{"want":"{digest}"}}}}"#),
        r#"{"worker":"ann","what":{"answer":{"unit":17,"reply":{"done":{"answer":[1,2,3]}}}}}"#.to_string(),
        r#"{"worker":"ann","what":{"answer":{"unit":17,"reply":{"failed":"no sevens"}}}}"#.to_string(),
        r#"{"worker":"ann","what":{"decline":17}}"#.to_string(),
        r#"{"worker":"ann","what":{"refuse":"another program"}}"#.to_string(),
        r#"{"worker":"ann","what":"bye"}"#.to_string(),
    ];
    assert!(said.iter().all(|message| heard(message).is_ok()));
    let manifests: Vec<String> = runs.iter().map(manifest_of).collect();
    let is_manifest = |message: &str| read::<Manifest>(message).and_then(checked).is_ok();
    assert!(manifests.iter().all(|message| is_manifest(message)));
    let task = &runs[0].tasks[0];
    let unit = format!(r#"{{"id":17,"not":"ann","request":{task}}}"#);
    assert!(read::<Unit>(&unit).is_ok());
    said.extend(manifests.iter().cloned());
    said.push(unit);
    let mut rng = Random::new(66);
    let mut refused = 0;
    for number in 0..messages() {
        let message = spoilt(&said[number % said.len()], &mut rng);
        let is_refused = [
            heard(&message).is_err(),
            !is_manifest(&message),
            read::<Unit>(&message).is_err(),
        ];
        refused += usize::from(is_refused == [true; 3]);
    }
    // Most of what is spoilt is no message any more.
    assert!(refused > messages() / 3, "{refused}");
    for name in ["../../etc/passwd", "a/b", "a\\b", "a\u{1b}[2J"] {
        let escaped = name.replace('\\', "\\\\").replace('\u{1b}', "\\u001b");
        let hostile = manifests[0].replace("\"training positions\"", &format!("\"{escaped}\""));
        assert_ne!(hostile, manifests[0]);
        let error = read::<Manifest>(&hostile).and_then(checked).unwrap_err();
        assert!(error.contains("a name that none may have"), "{error}");
    }
}

/// Whether a leader takes an answer to a task.
type Taken = Box<dyn Fn(&str) -> bool>;

fn taken_by<T: Task + 'static>(task: &RawValue) -> Taken {
    let task: T = serde_json::from_str(task.get()).unwrap();
    Box::new(move |answer| {
        let answer = serde_json::from_str::<T::Answer>(answer).ok();
        let Some(answer) = answer.filter(|answer| task.fits(answer)) else {
            return false;
        };
        // As that of a part, too.
        task.merge(&[answer.clone(), answer]);
        true
    })
}

fn taken(request: &str) -> Taken {
    let request: Request = serde_json::from_str(request).unwrap();
    let task = &request.task;
    match request.kind.as_str() {
        "choose" => taken_by::<Choose>(task),
        "count" => taken_by::<Count>(task),
        "duel" => taken_by::<Duel>(task),
        "encounter" => taken_by::<Encounter>(task),
        "exam" => taken_by::<Exam>(task),
        "match" => taken_by::<Match>(task),
        "setting" => taken_by::<Begin>(task),
        "solve" => taken_by::<Solve>(task),
        kind => panic!("a kind of task that this test does not know: {kind}"),
    }
}

/// Some tasks of each kind in each phase, with the journal's answers.
fn some_of_each(runs: &[Done]) -> Vec<(String, String, String)> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for done in runs.iter() {
        for (number, (task, record)) in done.tasks.iter().zip(&done.records).enumerate() {
            let of_phase =
                found.entry((done.folder.clone(), record.phase.clone(), done.kind(number)));
            let of_phase = of_phase.or_default();
            if of_phase.len() < 5 {
                let answer = record.answer.get().to_string();
                of_phase.push((done.kind(number), task.clone(), answer));
            }
        }
    }
    found.into_values().flatten().collect()
}

/// Answers to tasks of all kinds, spoilt: the leader takes them or refuses them.
fn an_answer_is_taken_or_refused(runs: &[Done]) {
    let all = some_of_each(runs);
    let kinds: BTreeSet<&str> = all.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert!(kinds.into_iter().eq(KINDS));
    let leaders: Vec<Taken> = all.iter().map(|(_, task, _)| taken(task)).collect();
    let mut rng = Random::new(68);
    let mut refused = 0;
    for number in 0..messages() {
        let (leader, (_, _, honest)) = (&leaders[number % all.len()], &all[number % all.len()]);
        if number < all.len() {
            assert!(leader(honest), "{honest}");
        }
        refused += usize::from(!leader(&spoilt(honest, &mut rng)));
    }
    assert!(refused > messages() / 3, "{refused}");
}

/// Answers that the leader has taken go through the whole course of a run, and what is told of it: an error or an
/// end, and no panic.
fn a_run_with_false_answers_ends_or_fails_in_words(runs: &[Done]) {
    let mut rng = Random::new(69);
    let (mut accepted, mut number) = (0, 0);
    while accepted < messages() / 100 {
        number += 1;
        let done = &runs[number % runs.len()];
        let mut records = done.records.clone();
        let at = rng.below(records.len() as u128) as usize;
        let Ok(answer) = RawValue::from_string(spoilt(records[at].answer.get(), &mut rng)) else {
            continue;
        };
        if answer.get() == records[at].answer.get() || !taken(&done.tasks[at])(answer.get()) {
            continue;
        }
        accepted += 1;
        records[at].answer = answer;
        let went = || {
            let mut replay = Executor::replay(records.clone());
            let went = courses(&done.plan, &mut replay, None, &mut |_| Ok(()));
            went.is_ok() && reported(done, &records)
        };
        let went = catch_unwind(AssertUnwindSafe(went));
        let what = &records[at];
        assert!(
            went.is_ok(),
            "{}: {} {}",
            what.phase,
            what.task,
            what.answer
        );
    }
}

/// The report of a run with these records.
fn reported(done: &Done, records: &[Record]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let from = done.folder.join(name);
        if from.is_file() {
            std::fs::copy(&from, folder.path().join(name)).unwrap();
        }
    };
    copy("profile.toml");
    if let Ok(start) = std::fs::read_dir(done.folder.join("start")) {
        std::fs::create_dir(folder.path().join("start")).unwrap();
        for file in start {
            copy(&format!(
                "start/{}",
                file.unwrap().file_name().to_str().unwrap()
            ));
        }
    }
    let header = &done.plan.header;
    let mut journal = Journal::create(&folder.path().join(JOURNAL_NAME), header).unwrap();
    journal.append(records).unwrap();
    lifecycle::report(folder.path()).is_ok()
}

/// Manifests that pass as such: a worker opens the run, or says why not.
fn a_run_from_elsewhere_is_opened_or_refused(runs: &[Done]) {
    let manifests: Vec<String> = runs.iter().map(manifest_of).collect();
    let mut rng = Random::new(70);
    let (mut laid_out, mut number) = (0, 0);
    while laid_out < messages() / 200 {
        number += 1;
        let message = spoilt(&manifests[number % runs.len()], &mut rng);
        let Ok(manifest) = read::<Manifest>(&message).and_then(checked) else {
            continue;
        };
        laid_out += 1;
        let folder = tempfile::tempdir().unwrap();
        let done = &runs[number % runs.len()];
        let places = done.plan.header.files.iter();
        let places = places.map(|file| (file.sha256.clone(), file.path.clone()));
        let open = || {
            let run = folder.path().join("run");
            let laid = lay_out(&run, &manifest, &places.clone().collect());
            laid.and_then(|()| opened(&run, &Options::default()))
                .is_ok()
        };
        let went = catch_unwind(AssertUnwindSafe(open));
        assert!(went.is_ok(), "{message}");
    }
}

/// Tasks of all kinds, spoilt: the worker answers each line with a line, and none of its answers tells of a panic.
fn a_task_is_answered_or_refused_and_nothing_panics(runs: &[Done]) {
    for (number, done) in (0..).zip(runs.iter()) {
        // Half of the lines are for the run that has most kinds.
        let count = messages() / if number == 0 { 2 } else { 6 };
        answers_all(&done.folder, &done.tasks, count, number);
    }
}

fn answers_all(folder: &Path, honest: &[String], count: usize, seed: u64) {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_tuner"));
    worker.args(["task", "--threads", "1"]).arg(folder);
    worker
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut worker = worker.spawn().unwrap();
    let (mut tasks, replies) = (worker.stdin.take().unwrap(), worker.stdout.take().unwrap());
    let mut lines = BufReader::new(replies).lines();
    lines.next().unwrap().unwrap();
    let line = |number: usize, rng: &mut Random| {
        let task = &honest[number / 3 % honest.len()];
        match number % 50 {
            0 => task.clone(),
            _ => spoilt(task, rng),
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut rng = Random::new(seed);
            for number in 0..count {
                if writeln!(tasks, "{}", line(number, &mut rng)).is_err() {
                    break;
                }
            }
            drop(tasks);
        });
        // The same lines again, to tell which one it was.
        let mut rng = Random::new(seed);
        for number in 0..count {
            let sent = line(number, &mut rng);
            let reply = lines
                .next()
                .unwrap_or_else(|| panic!("it has ended at {sent}"));
            match serde_json::from_str::<Reply>(&reply.unwrap()).unwrap() {
                Reply::Done(done) => assert_eq!(done.fault, None, "{sent}"),
                Reply::Failed(said) => {
                    assert!(number % 50 != 0 && !said.is_empty(), "{sent}: {said}")
                }
            }
        }
    });
    assert!(worker.wait().unwrap().success());
}
