//! Runs of the real binary that are killed, interrupted, damaged and resumed: everything but
//! `timing.csv` must be what an uninterrupted run leaves, byte for byte.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, PROFILE, assert_same, dither, journal_lines, limited, wait_for_lines};
use engine::params::{ParamSet, ParamTable as _};
use std::path::Path;
use std::process::Stdio;

#[test]
fn killed_at_ten_moments_and_resumed_on_one_or_two_threads() {
    let bench = Bench::new(200).generations(150);
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let lines = journal_lines(&whole);
    assert!(lines > 200, "{lines} lines are too few to kill between");

    let killed = bench.folder("killed");
    let kills: usize = if tests::is_long() { 100 } else { 10 };
    // At no particular point within a task.
    bench.killed(&killed, &whole, kills, |kill| dither(kill, 737));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);

    // Going on with what is done changes nothing, nor does rebuilding.
    bench.resume(&killed, &[]).success();
    std::fs::remove_file(killed.join("best.toml")).unwrap();
    std::fs::remove_file(killed.join("history.csv")).unwrap();
    bench.tuner(&["report", killed.to_str().unwrap()]).success();
    assert_same(&whole, &killed);
}

#[test]
fn with_decay_too_and_it_makes_weights_smaller() {
    let longer = PROFILE.replace("generations = 30", "generations = 120");
    let plain = Bench::new(60).profile(&longer);
    let all = plain.folder("whole");
    plain.run(&all, &[]).success();
    let dear = longer.replace("layout =", "decay = 50\nlayout =");
    let bench = Bench::new(60).profile(&dear);
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 3, |kill| dither(kill, 737));
    bench.resume(&killed, &[]).success();
    assert_same(&whole, &killed);

    let pieces = |folder: &Path| -> i32 {
        let best = ParamSet::load(&[folder.join("best.toml")]).unwrap();
        let eval = best.params.eval;
        eval.knight_value + eval.bishop_value + eval.rook_value
    };
    assert!(pieces(&whole) < pieces(&all));
    solves_what_it_says(&bench, &whole, "train");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_resumes() {
    let bench = Bench::new(60).generations(600);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let lines = journal_lines(&whole);

    let stopped = bench.folder("stopped");
    // Under `nohup` the tests and all that they start are deaf to SIGHUP.
    let third = if hears_hang_up() { "HUP" } else { "TERM" };
    for (part, signal) in [(1, "INT"), (2, "TERM"), (3, third)] {
        let mut command = match part {
            1 => bench.run_command(&stopped, &[]),
            _ => bench.resume_command(&stopped, &[]),
        };
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_lines(&stopped, lines * part / 5, &mut child);
        tests::send_signal(signal, child.id());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("tuner resume"), "{said}");
        let replays = said.contains("replaying ") && said.contains(" tasks of the journal");
        assert_eq!(replays, part > 1, "{said}");
        // What there is until then can be played with.
        let said = String::from_utf8(output.stdout).unwrap();
        let best = stopped.join("best.toml");
        for words in ["The best so far:\n  ", " --params "] {
            assert!(
                said.contains(&format!("{words}{}", best.display())),
                "{said}"
            );
        }
        ParamSet::load(&[best]).unwrap();
    }
    bench.resume(&stopped, &[]).success();
    assert_same(&whole, &stopped);
}

#[cfg(unix)]
fn hears_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 0)
}

#[cfg(target_os = "linux")]
#[test]
fn with_nohup_a_closed_terminal_ends_nothing() {
    let bench = Bench::new(60).generations(600);
    let out = bench.folder("out");
    let run = bench.run_command(&out, &[]);
    let mut deaf = std::process::Command::new("sh");
    deaf.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(run.get_program())
        .args(run.get_args());
    let quiet = deaf.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    wait_for_lines(&out, 20, &mut child);
    tests::send_signal("HUP", child.id());
    assert!(child.wait().unwrap().success(), "it should have gone on");
    assert!(out.join("best.toml").is_file());
}

#[test]
fn with_the_mean_of_the_runs_as_champion() {
    let mean = PROFILE.replace("layout =", "champion = \"mean\"\nlayout =");
    let bench = Bench::new(60).profile(&mean);
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "2"]).success();
    assert!(
        said.contains("Best is the mean of the runs: solves "),
        "{said}"
    );
    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 4, |kill| dither(kill, 737));
    bench.resume(&killed, &[]).success();
    assert_same(&whole, &killed);

    let weights = |name: &str| -> Vec<i32> {
        let eval = ParamSet::load(&[whole.join(name)]).unwrap().params.eval;
        (0..35).map(|row| eval.get(row)).collect()
    };
    let [one, two] = ["run-01", "run-02"].map(|run| weights(&format!("champions/{run}.toml")));
    let half = one.iter().zip(&two).map(|(one, two)| (one + two + 1) / 2);
    assert_eq!(weights("best.toml"), half.collect::<Vec<_>>());
    assert_eq!(weights("best.toml"), weights("champions/mean.toml"));
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    assert!(page.contains("Training, mean of the runs") && page.contains("mean of the weights"));

    solves_what_it_says(&bench, &whole, "train");
    solves_what_it_says(&bench, &whole, "test");
}

/// What a run's best says that it solves is what `tuner score` counts.
fn solves_what_it_says(bench: &Bench, folder: &Path, which: &str) {
    let best = folder.join("best.toml");
    let text = std::fs::read_to_string(&best).unwrap();
    let epd = bench.folder(&format!("{which}.epd"));
    let (params, epd) = (best.to_str().unwrap(), epd.to_str().unwrap());
    let how = [
        "score",
        "--phase",
        "grandmaster",
        "--max-plies",
        "1",
        "--json",
    ];
    let files = ["--params", params, "--positions", epd];
    let said = bench.tuner(&[&how[..], &files].concat()).success();
    let solved = said.split("\"solved\":").nth(1).unwrap();
    let solved = solved.split(',').next().unwrap();
    let recorded = format!("{which}_solved = {solved}\n");
    assert!(text.contains(&recorded), "{recorded} is not in:\n{text}");
}

#[test]
fn torn_damaged_and_foreign_journals() {
    let bench = Bench::new(40);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let journal = std::fs::read_to_string(whole.join("journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();

    let other = bench.folder("other");
    std::fs::create_dir(&other).unwrap();
    let put = |text: &str| {
        std::fs::copy(whole.join("profile.toml"), other.join("profile.toml")).unwrap();
        std::fs::write(other.join("journal.jsonl"), text).unwrap();
    };
    // A torn last line is cut off and its task done again.
    let torn = lines[..9].concat();
    put(&torn[..torn.len() - 5]);
    bench.resume(&other, &[]).success();
    assert_same(&whole, &other);

    // A damaged line in the middle is refused with its number, and the file left alone.
    let digit = lines[4].rfind("]").unwrap() - 1;
    let mut damaged = lines.concat().into_bytes();
    let at = lines[..4].concat().len() + digit;
    damaged[at] = if damaged[at] == b'1' { b'2' } else { b'1' };
    let damaged = String::from_utf8(damaged).unwrap();
    put(&damaged);
    let error = bench.resume(&other, &[]).failure();
    assert!(
        error.contains("journal.jsonl: line 5: is damaged"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_to_string(other.join("journal.jsonl")).unwrap(),
        damaged
    );

    // A changed profile is refused.
    put(&journal);
    let profile = std::fs::read_to_string(whole.join("profile.toml")).unwrap();
    let changed = profile.replace("mutation_rate = 0.005", "mutation_rate = 0.006");
    std::fs::write(other.join("profile.toml"), changed).unwrap();
    let error = bench.resume(&other, &[]).failure();
    assert!(error.contains("the profile has changed"), "{error}");

    // So are other positions, wherever they lie.
    put(&lines[..9].concat());
    let moved = bench.folder("moved.epd");
    let text = std::fs::read_to_string(bench.folder("train.epd")).unwrap();
    std::fs::write(&moved, format!("{text}# one more line\n")).unwrap();
    let error = bench
        .resume(&other, &["--positions", moved.to_str().unwrap()])
        .failure();
    assert!(
        error.contains("the training positions of grandmaster have changed"),
        "{error}"
    );
    // So are the run's own, where the other ones belong.
    for (option, name, what) in [
        ("--positions", "test.epd", "training"),
        ("--test", "train.epd", "held-out"),
    ] {
        let path = bench.folder(name);
        let error = bench
            .resume(&other, &[option, path.to_str().unwrap()])
            .failure();
        let expected = format!("the {what} positions of grandmaster have changed");
        assert!(error.contains(&expected), "{error}");
    }
    // The same positions elsewhere are welcome.
    std::fs::write(&moved, text).unwrap();
    bench
        .resume(&other, &["--positions", moved.to_str().unwrap()])
        .success();
    assert_same(&whole, &other);

    // No journal at all.
    let nothing = bench.folder("nothing");
    for (there, why) in [
        (false, "no such folder"),
        (true, "there is no run in this folder"),
    ] {
        if there {
            std::fs::create_dir(&nothing).unwrap();
        }
        let error = bench.resume(&nothing, &[]).failure();
        assert!(error.contains(why), "{error}");
    }
    let error = bench.resume(&whole.join("profile.toml"), &[]).failure();
    assert!(
        error.contains("this is a file, expected the folder"),
        "{error}"
    );
    let of_phase = whole.join("champions");
    let error = bench.resume(&of_phase, &[]).failure();
    let run = format!("the run's is {}", whole.canonicalize().unwrap().display());
    assert!(error.contains(&run), "{error}");
}

#[test]
fn killed_while_it_writes_the_report() {
    let bench = Bench::new(60);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let torn = bench.folder("torn");
    bench.run(&torn, &[]).success();
    bench.killed_reporting(&torn, &whole);
    bench.resume(&torn, &[]).success();
    assert_same(&whole, &torn);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let bench = Bench::new(40);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();

    // A limit of the file size that the journal runs into, as it would into a full disk: during
    // the first of the two runs, before there are figures, which may be larger.
    let full = bench.folder("full");
    let size = std::fs::metadata(whole.join("journal.jsonl"))
        .unwrap()
        .len();
    let said = limited(size / 3, &bench.run_command(&full, &[])).failure();
    assert!(
        said.contains("cannot write") && said.contains("journal.jsonl"),
        "{said}"
    );

    bench.resume(&full, &[]).success();
    assert_same(&whole, &full);

    // With room for the journal, but not for the report, there is nothing left but to write that.
    let late = bench.folder("late");
    let said = limited(size, &bench.run_command(&late, &[])).failure();
    assert!(
        said.contains("the report: cannot write") && said.contains("tuner resume"),
        "{said}"
    );
    assert_eq!(journal_lines(&late), journal_lines(&whole));
    bench.resume(&late, &[]).success();
    assert_same(&whole, &late);
}
