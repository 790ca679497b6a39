//! The tuner's commands from outside: what a run leaves, what bad input gets for an answer.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, NIGHT, PROFILE};
use engine::eval::params::{CORE, EvalParams};
use engine::params::{ParamSet, ParamTable};
use std::path::Path;

#[test]
fn a_run_leaves_everything_it_promises() {
    let bench = Bench::new(60);
    let out = bench.folder("out");
    // The project's files are seen from its own folder, wherever programs are built.
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut run = bench.run_command(&out, &[]);
    let output = run.current_dir(project).output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let best = out.join("best.toml");
    // The option's value names the evolved file and one that turns the search on, and both load.
    let line = format!("option ParamsFile to\n  {};", best.display());
    let search = said.split_once(&line).unwrap().1.lines().next().unwrap();
    let loaded = ParamSet::load(&[best.as_path(), Path::new(search)]).unwrap();
    assert!(loaded.missing_search.is_empty(), "{search}");

    let history = std::fs::read_to_string(out.join("history.csv")).unwrap();
    let rows: Vec<Vec<&str>> = history
        .lines()
        .map(|row| row.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 1 + 2 * 30);
    assert_eq!(rows[0][..3], ["run", "generation", "best"]);
    let number = |row: &[&str], column: usize| row[column].parse::<f64>().unwrap();
    for row in &rows[1..] {
        assert_eq!(row.len(), 7);
        assert!(number(row, 2) >= number(row, 3) && number(row, 3) >= number(row, 4));
        assert!((1.0..=10.0).contains(&number(row, 6)));
    }
    for pair in rows[1..].windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
        assert!(
            number(&pair[1], 2) >= number(&pair[0], 2),
            "elitism lost the best"
        );
    }
    assert_eq!(
        std::fs::read_to_string(out.join("profile.toml")).unwrap(),
        PROFILE
    );
    let timing = std::fs::read_to_string(out.join("timing.csv")).unwrap();
    // Time after the last generation is in rows of no generation.
    let of_generations = timing.lines().filter(|row| !row.contains(",,,"));
    assert_eq!(of_generations.count(), 1 + 2 * 30);

    // The champions load in the engine and solve what their files say.
    let champions: Vec<String> = (1..=2)
        .map(|run| format!("champions/run-0{run}.toml"))
        .collect();
    let mut most = 0;
    for file in champions.iter().map(String::as_str).chain(["best.toml"]) {
        let path = out.join(file);
        let loaded = ParamSet::load(&[&path]).unwrap();
        assert_eq!(loaded.layouts, ["eval-2014"]);
        let of_the_papers = |name: &&str| EvalParams::index_of(name).is_some_and(|row| row < CORE);
        assert_eq!(
            loaded.missing_eval.iter().find(|name| of_the_papers(name)),
            None
        );
        assert_eq!(loaded.params.eval.pawn_value, 100);
        let text = std::fs::read_to_string(&path).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        let provenance = table["provenance"].as_table().unwrap();
        for (prefix, epd, positions) in [("train", "train.epd", 60), ("test", "test.epd", 30)] {
            let solved = provenance[&format!("{prefix}_solved")]
                .as_integer()
                .unwrap();
            assert_eq!(provenance[&format!("{prefix}_file")].as_str(), Some(epd));
            assert_eq!(
                provenance[&format!("{prefix}_percent_95")]
                    .as_array()
                    .unwrap()
                    .len(),
                2
            );
            let json = score(&bench, &path, epd, &["--json"]).success();
            let start = format!("{{\"positions\":{positions},\"solved\":{solved},\"percent\":");
            assert!(json.starts_with(&start), "{json}");
            assert_eq!(json.lines().count(), 1);
            if prefix == "train" && file != "best.toml" {
                most = most.max(solved);
            } else if prefix == "train" {
                assert_eq!(solved, most);
            }
        }
    }
}

fn score(bench: &Bench, params: &Path, epd: &str, more: &[&str]) -> common::Answer {
    let epd = bench.folder(epd);
    let mut args = vec![
        "score",
        "--phase",
        "grandmaster",
        "--params",
        params.to_str().unwrap(),
    ];
    // The quiescence of the tests' profile.
    args.extend(["--positions", epd.to_str().unwrap(), "--max-plies", "1"]);
    args.extend(more);
    bench.tuner(&args)
}

#[test]
fn score_lists_positions() {
    let bench = Bench::new(20);
    let params = bench.folder("p.toml");
    std::fs::write(&params, "format = 1\n[eval]\npawn_value = 100\n").unwrap();
    let list = score(&bench, &params, "train.epd", &["--verbose"]).success();
    assert_eq!(list.lines().count(), 21);
    assert!(list.lines().next().unwrap().contains("expected"), "{list}");
    let json = score(&bench, &params, "train.epd", &["--verbose", "--json"]).success();
    assert_eq!(json.lines().count(), 1);

    std::fs::write(&params, "format = 1\n[eval]\npawn_valeu = 100\n").unwrap();
    let error = score(&bench, &params, "train.epd", &[]).failure();
    assert!(
        error.contains("line 3: eval.pawn_valeu: unknown key"),
        "{error}"
    );
    std::fs::write(&params, "format = 1\n").unwrap();
    let error = score(&bench, &params, "none.epd", &[]).failure();
    assert!(
        error.contains("cannot read") && error.contains("none.epd"),
        "{error}"
    );
}

/// By every command that reads one: which file, and why not.
#[test]
fn a_missing_file_is_told_once() {
    let bench = Bench::new(20);
    std::fs::write(bench.folder("night.toml"), NIGHT).unwrap();
    std::fs::write(bench.folder("p.toml"), "format = 1\n").unwrap();
    let why = std::fs::read(bench.folder("none")).unwrap_err().to_string();
    for line in [
        "run none",
        "run small.toml --positions none --out run",
        "run night.toml --suite none --out run",
        "check small.toml --test none",
        "score --phase grandmaster --params p.toml --positions none",
        "score --phase grandmaster --params none --positions train.epd",
        "score --phase ecm --params p.toml --positions none",
        "export none --form uci",
        "compare none p.toml",
        "positions --pgn none --out out.epd",
        "mine --pgn none --engine none --out out.epd",
        "label --positions none --engine none --out out.epd",
    ] {
        let error = bench.tuner_inside(line).failure();
        assert!(error.contains("none"), "{line}: {error}");
        assert_eq!(error.matches(&why).count(), 1, "{line}: {error}");
    }
    for line in ["resume none", "report none", "status none"] {
        let error = bench.tuner_inside(line).failure();
        assert_eq!(error.trim_end(), "tuner: none: there is no such folder");
    }
}

#[test]
fn the_report_says_how_to_reproduce_the_run() {
    let bench = Bench::new(20).generations(2);
    let line = "run small.toml --positions train.epd --test train.epd --out first";
    let said = bench.tuner_inside(line).warnings();
    let warning = "the held-out positions of grandmaster are training positions too";
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    let page = std::fs::read_to_string(bench.folder("first/report.html")).unwrap();
    assert!(page.contains(warning), "{page}");

    let at = page.rfind("tuner run ").unwrap() + "tuner ".len();
    let line = page[at..].split('<').next().unwrap();
    let expected = "run small.toml --positions train.epd --test train.epd --out NEW-FOLDER";
    assert_eq!(line, expected);
    let line = line.replace("NEW-FOLDER", "second");
    bench.tuner_inside(&line).success();
    let read = |name: &str| std::fs::read(bench.folder(name)).unwrap();
    assert_eq!(read("first/journal.jsonl"), read("second/journal.jsonl"));
    assert_eq!(read("first/report.html"), read("second/report.html"));

    // A run of its own files has nothing to warn of.
    let said = bench.tuner_inside("run small.toml --out third").warnings();
    assert!(!said.contains("training positions too"), "{said}");
}

#[test]
fn check_finds_everything_early() {
    let bench = Bench::new(20);
    let profile = bench.folder("small.toml");
    let check = |text: &str| {
        std::fs::write(&profile, text).unwrap();
        bench.tuner(&["check", profile.to_str().unwrap()])
    };
    let said = check(PROFILE).success();
    for words in [
        "34 genes, 224 bits",
        "train.epd: 20 positions",
        "agrees",
        "Estimated time of all runs: about",
        "\nTotal: about ",
        ", less where individuals repeat",
    ] {
        assert!(said.contains(words), "{words:?} is not in\n{said}");
    }
    let same = check(&PROFILE.replace("\"test.epd\"", "\"train.epd\"")).success();
    assert!(
        same.contains("20 of the held-out positions are training positions"),
        "{same}"
    );

    let refused = [
        (
            "train = \"train.epd\"",
            "train = \"nowhere.epd\"",
            "cannot read",
        ),
        (
            "train = \"train.epd\"",
            "train = \"train.epd\"\ncount = 21",
            "has 20 positions, expected the 21 that are asked for",
        ),
        (
            "population = 10",
            "population = 1",
            "a whole number from 2 to 100000",
        ),
        ("population = 10", "population = \"ten\"", "string \"ten\""),
        (
            "population = 10",
            "populations = 10",
            "unknown field `populations`",
        ),
        ("generations = 30", "", "missing field `generations`"),
        ("[runs]", "[ruins]", "unknown field `ruins`"),
        ("format = 1", "format = ", "TOML parse error at line 2"),
    ];
    for (line, by, words) in refused {
        let error = check(&PROFILE.replacen(line, by, 1)).failure();
        assert!(error.contains(words), "{words:?} is not in\n{error}");
        assert!(
            error.contains("small.toml") || error.contains(".epd"),
            "{error}"
        );
    }
    let error = bench.tuner(&["check", "/nowhere/p.toml"]).failure();
    assert!(error.contains("cannot read /nowhere/p.toml"), "{error}");

    std::fs::write(
        bench.folder("train.epd"),
        "8/8/8/8/8/8/8/K1k5 w - - id \"x\";\n",
    )
    .unwrap();
    let error = check(PROFILE).failure();
    assert!(
        error.contains("train.epd: line 1: has neither bm nor am"),
        "{error}"
    );
}

#[test]
fn folders_that_cannot_be_used() {
    let bench = Bench::new(20);
    // Below a file there can be no folder, whoever asks.
    let error = bench
        .run(&bench.folder("train.epd").join("out"), &[])
        .failure();
    assert!(error.contains("cannot create the folder"), "{error}");

    let used = bench.folder("used");
    std::fs::create_dir(&used).unwrap();
    std::fs::write(used.join("thesis.doc"), "years of work").unwrap();
    std::fs::create_dir(used.join("chapters")).unwrap();
    std::fs::write(used.join("chapters/one.tmp"), "the only copy").unwrap();
    let error = bench.run(&used, &[]).failure();
    assert!(error.contains("is not empty"), "{error}");
    // It is as it was.
    assert_eq!(std::fs::read_dir(&used).unwrap().count(), 2);
    assert!(used.join("chapters/one.tmp").exists());

    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let error = bench.run(&out, &[]).failure();
    assert!(error.contains("tuner resume"), "{error}");

    // A folder that this user may not write to; the superuser may, so there it can't be tried.
    let locked = bench.folder("locked");
    std::fs::create_dir(&locked).unwrap();
    let mut permissions = std::fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&locked, permissions).unwrap();
    if std::fs::write(locked.join("try"), "").is_err() {
        let error = bench.run(&locked, &[]).failure();
        assert!(
            error.contains("cannot create") && error.contains("locked"),
            "{error}"
        );
    }
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let bench = Bench::new(20);
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let lock = std::fs::File::open(out.join("lock")).unwrap();
    lock.lock().unwrap();
    let error = bench.resume(&out, &[]).failure();
    assert!(error.contains("is in use by another process"), "{error}");
    // Reading takes no lock, and writes the report alone.
    for file in ["best.toml", "report.html"] {
        std::fs::remove_file(out.join(file)).unwrap();
    }
    bench.tuner(&["report", out.to_str().unwrap()]).success();
    assert!(out.join("report.html").exists() && !out.join("best.toml").exists());
    drop(lock);
    bench.resume(&out, &[]).success();
}

#[test]
fn json_log_has_a_line_for_every_generation() {
    let bench = Bench::new(20);
    let mut run = bench.run_command(&bench.folder("out"), &["--json-log"]);
    let output = run.output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert_eq!(log.lines().count(), 60);
    for line in log.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        for key in [
            "run",
            "generation",
            "best",
            "mean",
            "positions_per_second",
            "eta_seconds",
        ] {
            assert!(object[key].is_number(), "{key} in {line}");
        }
    }
}

/// Without a terminal: a line when a phase begins and when it ends, not one for every generation.
#[test]
fn a_file_gets_a_few_lines_of_progress() {
    let bench = Bench::new(20);
    let said = bench.run(&bench.folder("out"), &[]).warnings();
    let lines: Vec<&str> = said.lines().collect();
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start));
    let begins = at("grandmaster begins").unwrap();
    let ends = at("grandmaster has ended after ").unwrap();
    assert!(begins < ends, "{said}");
    assert!(lines[ends].contains(": best is run "), "{said}");
    assert!(lines.len() < 10, "{said}");
}
