//! Search parameters evolved on a suite, by the binary: the same files whatever the threads and
//! however often it is killed; errors that name file, line and key.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither, files_of, journal_lines, wait_for_lines};
use engine::epd::Epd;
use engine::params::{ParamSet, ParamTable as _, Table};
use engine::search::params::SearchParams;
use std::collections::HashSet;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tuner::base::statistics::thousands;

const PROFILE: &str = r#"
format = 1
phase = "ecm"
layout = "search-2014"
evaluation = "eval.toml"
[suite]
train = "train.epd"
part = "odd"
without = ["random 1", "random 2", "random 3"]
[search]
cap = 600
found = "first"
hash = 1
[evolution]
population = 6
generations = 5
crossover_rate = 0.75
mutation_rate = 0.05
elitism = 1
selection = "roulette"
[runs]
count = 2
seed = 1
"#;

fn bench() -> Bench {
    let bench = Bench::new(24);
    let params = ParamSet::default();
    let tables = [Table::Eval];
    let eval = params.to_toml(&["eval-full"], &[], &tables);
    std::fs::write(bench.folder("eval.toml"), eval).unwrap();
    std::fs::write(bench.folder("small.toml"), PROFILE).unwrap();
    bench
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn score(bench: &Bench, params: &Path, epd: &str, cap: u32) -> String {
    let epd = bench.folder(epd);
    let (params, epd) = (params.to_str().unwrap(), epd.to_str().unwrap());
    let args = [
        "score",
        "--phase",
        "ecm",
        "--params",
        params,
        "--positions",
        epd,
    ];
    let cap = cap.to_string();
    let args = [&args[..], &["--cap", &cap, "--hash", "1", "--json"]].concat();
    bench.tuner(&args).success()
}

#[test]
fn threads_change_nothing_and_the_figures_are_those_of_score() {
    let bench = bench();
    let (one, three) = (bench.folder("one"), bench.folder("three"));
    let said = bench.run(&one, &["--threads", "1"]).success();
    assert!(said.contains("nodes for the suite"), "{said}");
    bench.run(&three, &["--threads", "3"]).success();
    assert_same(&one, &three);
    let files = files_of(&one);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "best.toml",
        "history.csv",
        "nodes.svg",
        "report.html",
        "suite-solved.svg",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }

    // Nobody is searched a position again that somebody with the same parameters has been searched.
    let journal = text(&one, "journal.jsonl");
    let solved: Vec<String> = journal
        .lines()
        .filter(|line| line.contains(" individual "))
        .map(|line| {
            let (_, position) = line.split_once(" position ").unwrap();
            let (position, rest) = position.split_once("\",\"of\":\"").unwrap();
            let (digest, _) = rest.split_once('"').unwrap();
            format!("{digest} {position}")
        })
        .collect();
    let distinct: HashSet<&String> = solved.iter().collect();
    assert_eq!(distinct.len(), solved.len());
    // Two runs of five generations of six individuals, who come again, on twelve positions.
    assert!(
        (2 * 6 * 12..2 * 5 * 6 * 12).contains(&solved.len()),
        "{}",
        solved.len()
    );

    // Each part by itself, by the command that counts on its own.
    let lines: Vec<String> = text(&bench.folder(""), "train.epd")
        .lines()
        .map(String::from)
        .collect();
    let part = |odd: bool| {
        let lines = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| at.is_multiple_of(2) == odd);
        lines
            .map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    std::fs::write(bench.folder("odd.epd"), part(true)).unwrap();
    std::fs::write(bench.folder("even.epd"), part(false)).unwrap();
    let best = one.join("best.toml");
    let table: toml::Table = toml::from_str(&text(&one, "best.toml")).unwrap();
    let value = |key: &str| table["provenance"][key].as_integer().unwrap();
    for (prefix, epd) in [("train", "odd.epd"), ("test", "even.epd")] {
        let (solved, nodes) = (
            value(&format!("{prefix}_solved")),
            value(&format!("{prefix}_nodes")),
        );
        let expected = format!("{{\"positions\":12,\"solved\":{solved},\"nodes\":{nodes}}}\n");
        assert_eq!(score(&bench, &best, epd, 600), expected);
    }

    // The elite is never worse than before, and its line of the table is that of the champion.
    let history = text(&one, "history.csv");
    let rows: Vec<Vec<f64>> = history
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 10);
    for pair in rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
        assert!(pair[1][2] <= pair[0][2], "{history}");
    }
    assert!(rows.iter().any(|row| row[2] == value("train_nodes") as f64));
    // Two of the odd positions are in doubt, and somebody solves one of these.
    assert!(
        rows.iter()
            .all(|row| row[5] - row[6] >= 0.0 && row[5] - row[6] <= 2.0)
    );
    let page = text(&one, "report.html");
    assert!(
        page.contains("2 training and 1 held-out positions"),
        "{page}"
    );

    // Who solves so much so early is told beside it.
    assert!(page.contains("In 6 nodes</th>") && page.contains("In 60 nodes</th>"));
    let nodes = thousands(value("train_nodes") as u64);
    let cells = page.split(&format!("<td>{nodes}</td>")).nth(1).unwrap();
    let cells: Vec<&str> = cells.split("<td>").collect();
    for (cell, cap) in cells[1..].iter().zip([6, 60]) {
        let early = score(&bench, &best, "odd.epd", cap);
        let solved = format!("\"solved\":{},", cell.trim_end_matches("</td>"));
        assert!(early.contains(&solved), "{early} {cell}");
    }
}

#[test]
fn a_suite_of_the_user_takes_the_place_of_both_halves() {
    let bench = bench();
    let (own, given) = (bench.folder("own"), bench.folder("given"));
    bench.run(&own, &[]).success();
    // The profile's own suite is another one then; the parameters aren't to know.
    let moved = bench.folder("moved.epd");
    std::fs::rename(bench.folder("train.epd"), &moved).unwrap();
    std::fs::copy(bench.folder("test.epd"), bench.folder("train.epd")).unwrap();
    bench
        .run(&given, &["--suite", moved.to_str().unwrap()])
        .success();
    let renamed = text(&given, "best.toml").replace("moved.epd", "train.epd");
    assert_eq!(renamed, text(&own, "best.toml"));
}

/// Both are the run's own, but neither stands for the other.
#[test]
fn a_held_out_suite_is_not_taken_for_the_one_that_is_learnt_from() {
    let bench = bench();
    let (head, rest) = PROFILE.split_once("part = \"odd\"").unwrap();
    let (_, rest) = rest.split_once("[search]").unwrap();
    let two = format!("{head}test = \"test.epd\"\n[search]{rest}");
    std::fs::write(bench.folder("small.toml"), two).unwrap();
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    for (option, name) in [("--suite", "test.epd"), ("--held-out-suite", "train.epd")] {
        let path = bench.folder(name);
        bench
            .resume(&out, &[option, path.to_str().unwrap()])
            .failure();
    }
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let bench = bench();
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let lines = journal_lines(&whole);
    assert!(lines > 200, "{lines}");
    let folder = bench.folder("killed");
    bench.killed(&folder, &whole, 4, |kill| dither(kill, 1000));
    bench.resume(&folder, &["--threads", "1"]).success();
    assert_same(&whole, &folder);
    // The report needs nothing but the journal.
    for name in ["train.epd", "eval.toml"] {
        std::fs::remove_file(bench.folder(name)).unwrap();
    }
    std::fs::remove_file(folder.join("best.toml")).unwrap();
    bench.tuner(&["report", folder.to_str().unwrap()]).success();
    assert_same(&whole, &folder);
}

#[test]
fn bad_profiles_and_suites_are_named() {
    let bench = bench();
    let refused = |old: &str, new: &str| {
        assert!(PROFILE.contains(old));
        std::fs::write(bench.folder("small.toml"), PROFILE.replacen(old, new, 1)).unwrap();
        bench.run(&bench.folder("run"), &[]).failure()
    };
    for (old, new, expected) in [
        (
            "search-2014",
            "eval-2014",
            &["\"eval-2014\"", "search-2014, search-full"][..],
        ),
        (
            "\"random 2\"",
            "\"random 77\"",
            &["train.epd", "no position has the id \"random 77\""],
        ),
        (
            "found = \"first\"",
            "found = \"never\"",
            &["found = \"never\"", "expected first, last"],
        ),
        ("cap = 600", "cap = 0", &["cap = 0", "from 1 to"]),
        (
            "part = \"odd\"",
            "part = \"odd\"\ntest = \"test.epd\"",
            &["either part", "or test"],
        ),
        (
            "part = \"odd\"",
            "part = \"odd\"\ncount = 9\nsample = 9",
            &["sample 9 is no part of count 9", "expected fewer"],
        ),
        (
            "evaluation = \"eval.toml\"",
            "",
            &["begins with parameters"],
        ),
        (
            "evaluation = \"eval.toml\"",
            "evaluation = \"none.toml\"",
            &["none.toml"],
        ),
        ("hash = 1", "hsah = 1", &["unknown field", "hsah"]),
    ] {
        let error = refused(old, new);
        for words in expected {
            assert!(error.contains(words), "{new}: {error}");
        }
    }
    std::fs::write(
        bench.folder("bad.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n",
    )
    .unwrap();
    let error = refused("train.epd", "bad.epd");
    assert!(
        error.contains("bad.epd: line 1: bm: \"e5\" is illegal"),
        "{error}"
    );
    std::fs::write(
        bench.folder("one.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n",
    )
    .unwrap();
    let error = refused("train.epd", "one.epd");
    assert!(
        error.contains("one.epd: has 1 positions, expected two or more"),
        "{error}"
    );
    let error = refused("part = \"odd\"", "part = \"odd\"\nsample = 500");
    assert!(
        error.contains("expected more than the sample of 500"),
        "{error}"
    );
}

/// A copy of the suite is no other suite: its other half is what nothing learns from.
#[test]
fn a_copy_of_the_suite_is_held_out_by_its_other_half_and_as_a_whole_not_at_all() {
    let bench = bench();
    let copy = bench.folder("copy.epd");
    std::fs::copy(bench.folder("train.epd"), &copy).unwrap();
    let check = |profile: &str| {
        let path = bench.folder("checked.toml");
        std::fs::write(&path, profile).unwrap();
        let (path, copy) = (path.display().to_string(), copy.display().to_string());
        bench.tuner(&["check", &path, "--held-out-suite", &copy])
    };
    let said = check(PROFILE).success();
    assert!(!said.contains("says nothing of unseen ones"), "{said}");
    let said = check(&PROFILE.replace("part = \"odd\"\n", "")).success();
    assert!(said.contains("says nothing of unseen ones"), "{said}");
}

/// A profile of one phase as a part of one that lists its phases.
fn listed(profile: String) -> String {
    let text = profile.replace("\nformat = 1\n", "\n[[phase]]\n");
    [
        "positions",
        "quiescence",
        "suite",
        "search",
        "evolution",
        "runs",
    ]
    .iter()
    .fold(text, |text, name| {
        text.replace(&format!("[{name}]"), &format!("[phase.{name}]"))
    })
}

/// A phase with no file of its own plays with what the phase before it found.
#[test]
fn the_evaluation_comes_from_the_phase_before() {
    let bench = bench();
    let first = common::PROFILE.replace("generations = 30", "generations = 3");
    let (first, own) = (
        first.replace("phase = \"grandmaster\"", "kind = \"grandmaster\""),
        PROFILE.replace("phase = \"ecm\"", "kind = \"ecm\""),
    );
    let own = own.replace("evaluation = \"eval.toml\"\n", "");
    let profile = format!("format = 1\n{}{}", listed(first), listed(own));
    std::fs::write(bench.folder("small.toml"), profile).unwrap();
    let folder = bench.folder("both");
    bench.run(&folder, &[]).success();
    let load = |name: &str| ParamSet::load(&[folder.join(name)]).unwrap().params;
    assert_eq!(
        load("ecm/best.toml").eval,
        load("grandmaster/best.toml").eval
    );
    assert_eq!(load("best.toml"), load("ecm/best.toml"));
}

/// A suite changes what it is asked to change, and nothing that games have taught.
#[test]
fn only_the_rows_that_are_named_evolve() {
    let bench = bench();
    let tables = [Table::Eval, Table::Search];
    let all = ParamSet::default().to_toml(&["eval-full", "search-full"], &[], &tables);
    std::fs::write(bench.folder("eval.toml"), all).unwrap();
    let layout = "layout = \"search-full\"\nrows = [\"lmr_c*\", \"check_extension\"]";
    let profile = PROFILE.replace("layout = \"search-2014\"", layout);
    std::fs::write(bench.folder("small.toml"), profile).unwrap();
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let found = ParamSet::load(&[out.join("best.toml")]).unwrap().params;
    let given = ParamSet::default();
    assert_eq!(found.eval, given.eval);
    let changed = (SearchParams::SPECS.iter().enumerate())
        .filter(|(row, _)| found.search.get(*row) != given.search.get(*row))
        .map(|(_, spec)| spec.name);
    let changed: Vec<&str> = changed.collect();
    let rows = "check_extension lmr_checks lmr_captures lmr_cut_node";
    let may_change = |name: &&str| rows.contains(name);
    assert!(
        !changed.is_empty() && changed.iter().all(may_change),
        "{changed:?}"
    );
    let best = text(&out, "best.toml");
    assert!(best.contains(&format!("rows = \"{rows}\"")), "{best}");
    let report = text(&out, "report.html");
    assert!(report.contains("Layout search-full, 4 rows."));
}

/// What an engine says of all moves of positions and of two more behind each, by `tuner label --moves`.
fn weighed(bench: &Bench, out: &str) -> String {
    let (positions, out) = (bench.folder("train.epd"), bench.folder(out));
    let engine = tests::binary("eyas").display().to_string();
    let arguments = ["label", "--moves", "--engine", &engine, "--nodes", "20000"];
    let files = ["--positions", positions.to_str().unwrap(), "--out"];
    let more = [out.to_str().unwrap(), "--concurrency", "2", "--follow", "2"];
    let all = [&arguments[..], &files, &more].concat();
    bench.tuner(&all).success();
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn moves_are_weighed_and_weighing_goes_on_where_it_ended() {
    let bench = bench();
    let whole = weighed(&bench, "whole.epd");
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() > 6, "{whole}");
    for line in &lines[1..] {
        let epd = Epd::parse(line).unwrap();
        let words = |code: &str| epd.operation(code).unwrap().split(' ');
        let scores: Vec<i32> = words("c8").map(|word| word.parse().unwrap()).collect();
        let moves: Vec<&str> = words("c9").collect();
        assert_eq!(moves.len(), epd.position.legal_moves().len(), "{line}");
        let best = scores.iter().max().unwrap();
        for (mv, score) in moves.iter().zip(&scores) {
            let mv = engine::types::Move::parse_uci(mv).unwrap();
            assert_eq!(epd.is_solved_by(mv), score == best, "{line}");
        }
    }
    // Those of one id are turns of one side in one game, each a best move and a reply apart.
    let number = |line: &str| Epd::parse(line).unwrap().id.unwrap();
    let stretches: Vec<_> = lines[1..].chunk_by(|a, b| number(a) == number(b)).collect();
    assert!(stretches.iter().all(|stretch| stretch.len() <= 3));
    // None is left out because the engine's nodes ended within an iteration.
    let positions = text(&bench.folder(""), "train.epd");
    let positions = positions.lines().map(|line| Epd::parse(line).unwrap());
    let with_choice = positions.filter(|epd| epd.position.legal_moves().len() > 1);
    assert_eq!(stretches.len(), with_choice.count());
    assert!(
        stretches.iter().any(|stretch| stretch.len() == 3),
        "{whole}"
    );
    for two in stretches.iter().flat_map(|stretch| stretch.windows(2)) {
        let [before, after] = [two[0], two[1]].map(|line| Epd::parse(line).unwrap());
        let leads = before.best.iter().any(|&mv| {
            let answering = before.position.play(mv);
            let replies = answering.legal_moves();
            let mut behind = replies.iter().map(|&reply| answering.play(reply));
            behind.any(|position| position.key() == after.position.key())
        });
        assert!(leads, "{two:?}");
    }
    // Cut within the first line of three, between two, and within the last.
    let three = stretches.iter().find(|stretch| stretch.len() == 3).unwrap();
    let end = |line: &&str| whole.find(line).unwrap() + line.len() + 1;
    let ends: Vec<usize> = three.iter().map(end).collect();
    for cut in [ends[0] - 9, ends[0], ends[1], ends[1] + 9, ends[2]] {
        std::fs::write(bench.folder("cut.epd"), &whole[..cut]).unwrap();
        assert_eq!(weighed(&bench, "cut.epd"), whole, "cut at {cut}");
    }
}

/// Two phases: random searches by the nodes to the best moves, then their champions and those bred
/// from them by what their moves lose, each generation on positions of its own.
#[test]
fn champions_go_on_by_what_their_moves_lose() {
    let bench = bench();
    weighed(&bench, "weighed.epd");
    let first = PROFILE.replace("phase = \"ecm\"", "kind = \"ecm\"\nname = \"first\"");
    let second = PROFILE
        .replace("phase = \"ecm\"", "kind = \"ecm\"\nname = \"second\"")
        .replace(
            "train = \"train.epd\"\npart = \"odd\"",
            "train = \"weighed.epd\"\nsample = 5",
        )
        .replace("without = [\"random 1\", \"random 2\", \"random 3\"]\n", "")
        .replace("found = \"first\"", "found = \"worth\"")
        .replace("population = 6", "population = 6\ninitial = \"champions\"")
        .replace("count = 2", "count = 1");
    let profile = format!("format = 1\n{}{}", listed(first), listed(second));
    std::fs::write(bench.folder("small.toml"), &profile).unwrap();
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "2"]).success();
    let folder = bench.folder("killed");
    bench.killed(&folder, &whole, 3, |kill| dither(kill, 1000));
    bench.resume(&folder, &["--threads", "1"]).success();
    assert_same(&whole, &folder);

    // The champion's figures are those of all positions, by the command that counts on its own.
    let toml = text(&whole, "second/best.toml");
    let table: toml::Table = toml::from_str(&toml).unwrap();
    let value = |key: &str| table["provenance"][key].as_integer().unwrap();
    let positions = value("train_positions");
    let score = |params: &Path, epd: &Path| {
        let paths = [params, epd].map(|path| path.to_str().unwrap());
        let arguments = [
            "score",
            "--phase",
            "ecm",
            "--params",
            paths[0],
            "--positions",
            paths[1],
        ];
        let more = ["--cap", "600", "--hash", "1", "--found", "worth", "--json"];
        bench.tuner(&[&arguments[..], &more].concat())
    };
    let counted = score(
        &whole.join("second/best.toml"),
        &bench.folder("weighed.epd"),
    )
    .success();
    let (solved, nodes) = (value("train_solved"), value("train_nodes"));
    assert_eq!(
        counted,
        format!("{{\"positions\":{positions},\"solved\":{solved},\"nodes\":{nodes}}}\n")
    );
    let history = text(&whole, "second/history.csv");
    let last: Vec<&str> = history.lines().last().unwrap().split(',').collect();
    assert_eq!(last[2], nodes.to_string(), "{history}");
    let page = text(&whole, "report.html");
    assert!(page.contains("on 5 positions of its own"), "{page}");
    // Each phase has its figures, and no id is there twice.
    let ids = page.split(" id=\"").skip(1);
    let ids: Vec<&str> = ids.filter_map(|rest| rest.split('"').next()).collect();
    let distinct: HashSet<_> = ids.iter().collect();
    assert!(ids.contains(&"nodes-title") && ids.contains(&"nodes-2-title"));
    assert_eq!(ids.len(), distinct.len(), "{ids:?}");

    // Positions whose moves nobody has weighed are refused, and so are champions that nobody has.
    let error = score(&whole.join("best.toml"), &bench.folder("train.epd")).failure();
    assert!(
        error.contains("line 1: has no worth for each legal move"),
        "{error}"
    );
    let alone = ["--phase", "second"];
    let error = bench.run(&bench.folder("alone"), &alone).failure();
    assert!(error.contains("begins with parameters"), "{error}");
}

/// Seconds of processor time that a process has had.
#[cfg(target_os = "linux")]
fn processor_seconds(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // Its name, in brackets, may hold anything; user and system time are the 12th and 13th behind it.
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    let ticks = rest.split(' ').skip(11).take(2);
    ticks
        .map(|field| field.parse::<f64>().unwrap())
        .sum::<f64>()
        / 100.0
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_ends_a_long_task_at_once() {
    // Tasks that take minutes: every position is searched to the cap.
    let bench = bench();
    let long = PROFILE
        .replace("cap = 600", "cap = 1_000_000_000")
        .replace("found = \"first\"", "found = \"last\"");
    assert!(long.contains("1_000_000_000") && long.contains("\"last\""));
    std::fs::write(bench.folder("small.toml"), long).unwrap();
    let out = bench.folder("out");
    let mut command = bench.run_command(&out, &["--threads", "2"]);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    wait_for_lines(&out, 1, &mut child);
    let id = child.id();
    // The journal begins before its first task does, and a signal between the two rightly ends the
    // run: only searching takes that long.
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() && processor_seconds(id) < 1.0 {
        assert!(begun.elapsed() < Duration::from_secs(300), "idle");
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal = || {
        tests::send_signal("INT", id);
        std::thread::sleep(Duration::from_millis(500));
    };
    signal();
    assert!(
        child.try_wait().unwrap().is_none(),
        "the first signal lets the task end"
    );
    signal();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("the second signal did not end it");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // The journal can be read.
    let status = bench.tuner(&["status", out.to_str().unwrap()]).success();
    assert!(status.contains("stopped"), "{status}");
}
