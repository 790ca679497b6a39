//! What may befall a run in the night: its folder goes, the disk gets full, a file stands in the
//! way, its table of wall times is spoilt, its data are bad. Each is an error that names what is
//! wrong, or nothing at all; and once it is mended, the run goes on to the very bytes of one that
//! nothing befell.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, NIGHT, answer, assert_same, journal_lines, limited, wait_for_lines};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use tuner::exec::journal::{self, Journal};
use tuner::play::record::GameRecord;

/// The phases of the profile.
const PHASES: [&str; 4] = ["grandmaster", "coevolution", "ecm", "validation"];

/// A run of all phases that nothing befell, to make others of.
struct Night {
    bench: Bench,
    whole: PathBuf,
    journal: String,
}

impl Night {
    fn new(profile: &str) -> Night {
        let bench = Bench::new(40).profile(profile);
        let whole = bench.folder("whole");
        bench.run(&whole, &[]).success();
        let journal = fs::read_to_string(whole.join("journal.jsonl")).unwrap();
        Night {
            bench,
            whole,
            journal,
        }
    }

    /// A run that was killed in the middle of a phase: its folder, and the length of its journal.
    fn until(&self, phase: &str) -> (PathBuf, u64) {
        let lines: Vec<&str> = self.journal.split_inclusive('\n').collect();
        let of_phase = format!("\"record\":{{\"phase\":\"{phase}\"");
        let is_of = |line: &&str| line.contains(&of_phase);
        let first = lines.iter().position(is_of).unwrap();
        let count = lines.iter().filter(|line| is_of(line)).count();
        assert!(count > 3, "{phase} has {count} records");
        let part = lines[..first + count / 2].concat();
        let folder = self.bench.folder(phase);
        fs::create_dir(&folder).unwrap();
        fs::copy(self.whole.join("profile.toml"), folder.join("profile.toml")).unwrap();
        fs::write(folder.join("journal.jsonl"), &part).unwrap();
        (folder, part.len() as u64)
    }
}

/// Starts a run and waits until its journal has so many lines.
fn begin(bench: &Bench, folder: &Path, lines: usize) -> Child {
    let mut command = bench.run_command(folder, &[]);
    let piped = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    wait_for_lines(folder, lines, &mut child);
    child
}

/// Windows keeps what is open where it is.
#[cfg(unix)]
#[test]
fn a_folder_that_goes_is_named_and_goes_on_where_it_is() {
    for bench in [
        Bench::new(60).generations(600),
        Bench::new(40).profile(NIGHT),
    ] {
        let whole = bench.folder("whole");
        bench.run(&whole, &[]).success();
        let lines = journal_lines(&whole);

        let (there, elsewhere) = (bench.folder("there"), bench.folder("elsewhere"));
        let child = begin(&bench, &there, lines / 2);
        fs::rename(&there, &elsewhere).unwrap();
        let said = answer(child).failure();
        let name = there.join("journal.jsonl").display().to_string();
        assert!(said.contains(&name), "{said}");
        assert!(said.contains("was removed, moved or replaced"), "{said}");
        // No advice that leads nowhere.
        assert!(!said.contains("tuner resume"), "{said}");
        bench.resume(&elsewhere, &[]).success();
        assert_same(&whole, &elsewhere);

        let removed = bench.folder("removed");
        let child = begin(&bench, &removed, lines / 2);
        // A file that is written meanwhile keeps its folder from being removed.
        while fs::remove_dir_all(&removed).is_err() && removed.exists() {}
        let said = answer(child).failure();
        assert!(
            said.contains(&removed.display().to_string())
                && said.contains("was removed, moved or replaced"),
            "{said}"
        );
        assert!(!removed.join("journal.jsonl").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_disk_that_gets_full_in_any_phase_loses_nothing() {
    let night = Night::new(NIGHT);
    for phase in PHASES {
        let (folder, length) = night.until(phase);
        // Room for no more than a record or two.
        let resume = night.bench.resume_command(&folder, &[]);
        let said = limited(length, &resume).failure();
        assert!(
            said.contains("cannot write") && said.contains("journal.jsonl"),
            "{phase}: {said}"
        );
        assert!(said.contains("tuner resume"), "{phase}: {said}");
        night.bench.resume(&folder, &[]).success();
        assert_same(&night.whole, &folder);
    }

    // With no room at all nothing begins, and what is left of the try keeps nobody from another.
    let folder = night.bench.folder("full");
    let said = limited(0, &night.bench.run_command(&folder, &[])).failure();
    assert!(
        said.contains("cannot write") && said.contains(&folder.display().to_string()),
        "{said}"
    );
    night.bench.run(&folder, &[]).success();
    assert_same(&night.whole, &folder);
}

/// Something that keeps a run from writing in its folder, and how to mend it. The superuser may
/// write to a folder that is read-only, but nobody to a file below a file, or over a folder.
#[test]
fn a_folder_that_cannot_be_written_in_any_phase_loses_nothing() {
    let night = Night::new(NIGHT);
    let profile = night.bench.folder("small.toml");
    for (phase, file) in [
        ("grandmaster", "grandmaster/history.csv"),
        ("coevolution", "coevolution/games/generation-001.pgn"),
        ("ecm", "ecm/best.toml"),
        ("validation", "validation/verdict.txt"),
    ] {
        let (folder, _) = night.until(phase);
        let in_the_way = folder.join(file);
        fs::create_dir_all(in_the_way.join("something")).unwrap();
        refused(&night, &folder, file);
        fs::remove_dir_all(&in_the_way).unwrap();

        let of_phase = folder.join(phase);
        fs::remove_dir_all(&of_phase).unwrap();
        fs::copy(&profile, &of_phase).unwrap();
        refused(&night, &folder, phase);
        fs::remove_file(&of_phase).unwrap();

        if set_readonly(&folder, true) {
            refused(&night, &folder, phase);
        }
        set_readonly(&folder, false);
        night.bench.resume(&folder, &[]).success();
        assert_same(&night.whole, &folder);
    }
}

/// The run can't go on, and says which file or folder is to be mended.
fn refused(night: &Night, folder: &Path, name: &str) {
    let said = night.bench.resume(folder, &[]).failure();
    let slashes = |text: String| text.replace('\\', "/");
    let said = slashes(said);
    let path = slashes(folder.join(name).display().to_string());
    assert!(
        said.contains("cannot ") && said.contains(&path) || said.contains("cannot create"),
        "{path}: {said}"
    );
}

/// Makes a folder read-only or writable; says whether that keeps this user from writing.
fn set_readonly(folder: &Path, readonly: bool) -> bool {
    let mut permissions = fs::metadata(folder).unwrap().permissions();
    permissions.set_readonly(readonly);
    fs::set_permissions(folder, permissions).unwrap();
    let is_refused = fs::write(folder.join("try"), "").is_err();
    if !is_refused {
        fs::remove_file(folder.join("try")).unwrap();
    }
    if readonly && !is_refused {
        eprintln!("not tried: this user may write to a read-only folder");
    }
    is_refused
}

/// Durations come from a clock that only goes forwards, and no file has the time of day. What the
/// table of wall times says of an earlier process may still be anything.
#[test]
fn wall_times_that_cannot_be_change_no_result() {
    let profile = NIGHT.replace("format = 1\n", "format = 1\nhours = 1000\n");
    let night = Night::new(&profile);
    let (folder, _) = night.until("coevolution");
    let heading = "phase,run,generation,seconds,work,unit,per_second\n";
    let timing = |rows: &str| fs::write(folder.join("timing.csv"), format!("{heading}{rows}"));
    let said = |out: String| {
        let left = out.lines().last().unwrap().to_string();
        assert!(left.starts_with("Time left of 1000 hours: "), "{out}");
        left
    };
    let status = |folder: &Path| night.bench.tuner(&["status", folder.to_str().unwrap()]);
    timing("").unwrap();
    let untouched = said(status(&folder).success());
    timing(
        "grandmaster,1,0,-1e300,6,positions,1\ngrandmaster,1,1,NaN,6,positions,1\n\
         grandmaster,1,2,tomorrow,6\n\ncoevolution,1,0,-inf,6,games,1\ncoevolution,1,",
    )
    .unwrap();
    assert_eq!(said(status(&folder).success()), untouched);
    night.bench.resume(&folder, &[]).success();
    assert_same(&night.whole, &folder);

    // A phase that has had all the time that there is ends, as after its hours.
    let (folder, _) = night.until("ecm");
    let rows = "grandmaster,1,0,1e308,6,positions,1\ncoevolution,1,0,inf,6,games,1\n";
    fs::write(folder.join("timing.csv"), format!("{heading}{rows}")).unwrap();
    let left = said(status(&folder).success());
    assert_eq!(left, "Time left of 1000 hours: 0:00:00");
    night.bench.resume(&folder, &[]).success();
    assert!(status(&folder).success().contains("complete"));
}

#[test]
fn best_moves_that_cannot_be_are_named_in_every_phase() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    let bench = Bench::new(24);
    for (line, expected) in [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;",
            "bm: \"e5\" is illegal",
        ),
        (
            "4k3/8/8/8/8/4K3/8/R6R w - - bm Rd1;",
            "bm: \"Rd1\" is ambiguous",
        ),
    ] {
        fs::write(bench.folder("bad.epd"), format!("{good}{line}\n")).unwrap();
        for (phase, name) in [
            ("grandmaster", "train.epd"),
            ("grandmaster", "test.epd"),
            ("ecm", "train.epd"),
            ("validation", "test.epd"),
        ] {
            let kind = format!("kind = \"{phase}\"");
            let (before, rest) = NIGHT.split_once(&kind).unwrap();
            let rest = rest.replacen(name, "bad.epd", 1);
            fs::write(bench.folder("small.toml"), format!("{before}{kind}{rest}")).unwrap();
            let said = bench.run(&bench.folder("out"), &[]).failure();
            let expected = format!("bad.epd: line 2: {expected}");
            assert!(said.contains(&expected), "{phase} {name}: {said}");
        }
    }
}

/// The worst answer to a task of a phase in place of another, as after two panics; `None` if it is
/// not of the kind that individuals are scored by.
fn worst(phase: &str, answer: &Value) -> Option<Value> {
    let parts = answer.as_array()?;
    match phase {
        "grandmaster" => Some(vec![0; parts.len()].into()),
        "ecm" => (parts.len() == 3).then(|| json!([300, false, 0])),
        _ => parts[0].is_object().then(|| {
            let void = serde_json::to_value(GameRecord::void()).unwrap();
            vec![void; parts.len()].into()
        }),
    }
}

/// A night that was killed right after a task that had panicked twice, in each phase.
#[test]
fn a_task_that_was_scored_worst_leaves_a_run_that_ends_and_says_so() {
    let night = Night::new(NIGHT);
    for phase in PHASES {
        let (folder, _) = night.until(phase);
        let path = folder.join("journal.jsonl");
        let contents = journal::read(&night.whole.join("journal.jsonl")).unwrap();
        let mut records = contents.records;
        let of_phase = records
            .iter()
            .enumerate()
            .filter(|(_, record)| record.phase == phase);
        let scored: Vec<(usize, Value)> = of_phase
            .filter_map(|(at, record)| {
                let answer = serde_json::from_str(record.answer.get()).unwrap();
                Some((at, worst(phase, &answer)?))
            })
            .collect();
        let (at, answer) = scored[scored.len() / 2].clone();
        records.truncate(at + 1);
        records[at].answer = serde_json::value::to_raw_value(&answer).unwrap();
        records[at].fault = Some("it fell".to_string());
        Journal::create(&path, &contents.header)
            .unwrap()
            .append(&records)
            .unwrap();

        let said = night.bench.resume(&folder, &["--threads", "2"]).success();
        assert!(said.contains("1 task panicked"), "{phase}: {said}");
        let status = |folder: &Path| {
            let status = night.bench.tuner(&["status", folder.to_str().unwrap()]);
            status.success()
        };
        let said = status(&folder);
        assert!(
            said.contains("complete") && said.contains("1 task panicked"),
            "{phase}: {said}"
        );
        let file = format!("{phase}/faults/{phase}-001.txt");
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "it fell");
        let page = fs::read_to_string(folder.join("report.html")).unwrap();
        assert!(page.contains("1 task panicked"), "{phase}");
        // Games that could not be played are not counted as games.
        let history = fs::read_to_string(folder.join("coevolution/history.csv")).unwrap();
        for (generation, row) in history.lines().skip(1).enumerate() {
            let pgn = format!("coevolution/games/generation-{generation:03}.pgn");
            let pgn = fs::read_to_string(folder.join(pgn)).unwrap();
            let games = pgn.matches("[Event ").count().to_string();
            assert_eq!(row.split(',').nth(6), Some(games.as_str()), "{phase}");
        }

        // The journal knows all of it.
        let again = night.bench.folder(&format!("{phase}-again"));
        fs::create_dir(&again).unwrap();
        for name in ["profile.toml", "journal.jsonl"] {
            fs::copy(folder.join(name), again.join(name)).unwrap();
        }
        night.bench.resume(&again, &[]).success();
        assert_same(&folder, &again);
    }
}

/// Without mutation everybody is soon alike, and nothing is left to be found out.
#[test]
fn populations_of_equals_come_to_an_end() {
    let profile = NIGHT
        .replace("mutation_rate = 0.005", "mutation_rate = 0")
        .replace("mutation_rate = 0.05", "mutation_rate = 0")
        .replace("population = 6", "population = 3")
        .replace("population = 4", "population = 3")
        .replace("generations = 3", "generations = 25")
        .replace("generations = 4", "generations = 25");
    let bench = Bench::new(40).profile(&profile);
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    for phase in ["grandmaster", "coevolution", "ecm"] {
        let history = fs::read_to_string(out.join(phase).join("history.csv")).unwrap();
        let mut rows = history
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>());
        let heading = rows.next().unwrap();
        let distinct = heading.iter().position(|name| name.starts_with("distinct"));
        let last = rows.next_back().unwrap();
        assert_eq!(last[distinct.unwrap()], "1", "{phase}: {history}");
    }
}
