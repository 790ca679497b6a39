//! `tuner experiment`: cut off and gone on with, on one thread and on two, and what it refuses.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::Bench;
use std::path::Path;
use std::time::{Duration, Instant};

const PROFILE: &str = r#"
format = 1
phase = "grandmaster"
layout = "eval-2014"
[positions]
train = "train.epd"
test = "test.epd"
[quiescence]
moves = "see"
max_plies = 6
[evolution]
method = "evolutionary-programming"
population = 10
generations = 60
fitness = "linear"
[runs]
count = 1
seed = 1
"#;

const EXPERIMENT: &str = r#"
format = 1
profile = "small.toml"
seeds = 3
[[axis]]
key = "evolution.history"
name = "P_r"
values = [0.0, 0.2]
[[axis]]
key = "positions.count"
values = [40, 80]
"#;

fn bench(experiment: &str) -> Bench {
    let bench = Bench::new(80).profile(PROFILE);
    std::fs::write(bench.folder("e.toml"), experiment).unwrap();
    bench
}

/// All files of a folder but the wall times, locks and the runs' own, with what they say.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if !name.contains("timing.csv")
                && !name.ends_with(".lock")
                && !name.ends_with("/lock")
                && name != "lock"
            {
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn cut_off_or_on_other_threads_it_is_the_same() {
    let bench = bench(EXPERIMENT);
    let one = bench
        .tuner_inside("experiment e.toml --out one --threads 1")
        .success();
    assert!(one.contains("P_r=0.2 count=80"), "{one}");
    let whole = files(&bench.folder("one"));
    // It is no run, and whoever takes it for one is told what it is.
    for command in ["status", "resume", "report"] {
        let said = bench.tuner_inside(&format!("{command} one")).failure();
        assert!(
            said.contains("this is the folder of an experiment"),
            "{said}"
        );
        assert!(said.contains(" experiment FILE --out one"), "{said}");
    }
    let results = std::fs::read_to_string(bench.folder("one/results.csv")).unwrap();
    let rows: Vec<&str> = results.lines().collect();
    assert_eq!(
        rows[0],
        "cell,P_r,count,seed,positions,first_best,first_mean,last_best,last_mean,held_out_positions,held_out,evaluations"
    );
    assert_eq!(rows.len(), 1 + 4 * 3);
    assert!(
        rows[1].starts_with("P_r=0.0 count=40,0.0,40,"),
        "{}",
        rows[1]
    );
    bench
        .tuner_inside("experiment e.toml --out two --threads 2")
        .success();
    assert_eq!(files(&bench.folder("two")), whole);

    // Killed again and again, at no particular moment.
    for kill in 0..4 {
        let out = bench.folder("cut");
        let experiment = bench.folder("e.toml");
        let mut child = bench
            .tuner_command(&[
                "experiment",
                experiment.to_str().unwrap(),
                "--threads",
                "2",
                "--out",
                out.to_str().unwrap(),
            ])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none()
            && begun.elapsed() < Duration::from_millis(150 + 130 * kill)
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    bench.tuner_inside("experiment e.toml --out cut").success();
    assert_eq!(files(&bench.folder("cut")), whole);

    // Killed after the last record of a journal, and while a table was written: no moment that the above is sure
    // to meet.
    let cut = bench.folder("cut");
    let history = (whole.iter()).find(|(name, _)| name.ends_with("/history.csv"));
    let (name, text) = history.unwrap();
    let shorter = text.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(cut.join(name), format!("{shorter}\n")).unwrap();
    let table = whole.iter().find(|(name, _)| name.ends_with(".dat"));
    for half in [cut.join("results.csv"), cut.join(&table.unwrap().0)] {
        std::fs::write(format!("{}.Ab12Cd.tmp", half.display()), "cell,").unwrap();
    }
    bench.tuner_inside("experiment e.toml --out cut").success();
    assert_eq!(files(&cut), whole);

    // What is done is not done again, and other seeds need another folder.
    bench.tuner_inside("experiment e.toml --out one").success();
    assert_eq!(files(&bench.folder("one")), whole);
    let changed = EXPERIMENT.replace("seeds = 3", "seeds = 4");
    std::fs::write(bench.folder("e.toml"), changed).unwrap();
    let said = bench.tuner_inside("experiment e.toml --out one").failure();
    assert!(said.contains("another folder by --out"), "{said}");
}

/// Cells of before are compared with new ones only if they have learnt from the same data.
#[test]
fn cells_of_other_data_or_of_another_experiment_are_refused() {
    let bench = bench(EXPERIMENT);
    let experiment = |values: &str| {
        let text = EXPERIMENT.replace("[0.0, 0.2]", values);
        std::fs::write(bench.folder("e.toml"), text).unwrap();
        bench.tuner_inside("experiment e.toml --out out --threads 1")
    };
    experiment("[0.0]").success();
    // Values may be added, not taken away.
    experiment("[0.0, 0.2]").success();
    let whole = files(&bench.folder("out"));
    let said = experiment("[0.2]").failure();
    ::tests::says(
        &said,
        &["2 cells that e.toml does not have", "P_r=0.0_count=40"],
    );
    assert_eq!(files(&bench.folder("out")), whole);

    let train = bench.folder("train.epd");
    let positions = std::fs::read_to_string(&train).unwrap();
    let other: Vec<&str> = positions.lines().rev().collect();
    std::fs::write(&train, other.join("\n") + "\n").unwrap();
    for values in ["[0.0, 0.2]", "[0.0, 0.2, 0.4]"] {
        let said = experiment(values).failure();
        ::tests::says(
            &said,
            &[
                "cell P_r=0.0 count=40",
                "training positions",
                "have changed",
                "another folder",
            ],
        );
    }
    std::fs::write(&train, positions).unwrap();
    experiment("[0.0, 0.2]").success();
    assert_eq!(files(&bench.folder("out")), whole);
}

/// Shares of other positions tell nothing, and whoever learns from held-out positions is told so.
#[test]
fn what_can_not_be_compared_is_left_out_and_warnings_are_said() {
    let bench = bench(&EXPERIMENT.replace("seeds = 3", "seeds = 2"));
    let said = bench.tuner_inside("experiment e.toml --out own").success();
    assert!(
        said.contains("The last best of 2 cells is not compared"),
        "{said}"
    );
    let table = std::fs::read_to_string(bench.folder("own/comparisons.csv")).unwrap();
    let compared = |measure: &str| table.lines().filter(|row| row.contains(measure)).count();
    assert_eq!((compared(",last best,"), compared(",held-out,")), (1, 3));

    let axis = "[[axis]]\nkey = \"positions.train\"\nvalues = [\"train.epd\", \"test.epd\"]\n";
    let text = format!("format = 1\nprofile = \"small.toml\"\nseeds = 2\n{axis}");
    std::fs::write(bench.folder("e.toml"), text).unwrap();
    let warning = "the held-out positions of grandmaster are training positions too";
    let cell = "(in 1 cell, train=test.epd the first)";
    let said = bench.tuner_inside("experiment e.toml --check").success();
    ::tests::says(&said, &[warning, cell]);
    let said = bench
        .tuner_inside("experiment e.toml --out files")
        .success();
    let left_out = "The last best of 1 cell is not compared";
    ::tests::says(&said, &[warning, cell, left_out]);
    let page = std::fs::read_to_string(bench.folder("files/experiment.html")).unwrap();
    assert!(page.contains("training positions too"));
}

/// Programs of endings compared by what they score: points of the matches that nobody's fitness hears of.
#[test]
fn programs_with_fewer_terminals_are_compared() {
    let profile = r#"
format = 1
phase = "endgames"
endings = ["KRKR"]
[evolution]
population = 12
generations = 5
max_depth = 6
disadvantage_depth = 6
[games]
peers = 2
starts = 1
moves = 15
[gauge]
rival = "rival.sexp"
engine_nodes = 30
every = 2
starts = 5
last_starts = 10
[runs]
count = 1
seed = 1
"#;
    let axis = "[[axis]]\nkey = \"only\"\nvalues = [[], [\"EvaluateMaterial\"], [\"IsMate\", \"MyFork\"]]\n";
    let head = "format = 1\nprofile = \"small.toml\"\nseeds = 2\n";
    let bench = Bench::new(2).profile(profile);
    let tree = "(If3 IsMate 1000/2 EvaluateMaterial)";
    let rival = format!(
        "(program (version 1) (endings KRKR) (advantage {tree}) (even {tree}) (disadvantage {tree}))"
    );
    std::fs::write(bench.folder("rival.sexp"), rival).unwrap();
    std::fs::write(bench.folder("e.toml"), format!("{head}{axis}")).unwrap();
    let said = bench.tuner_inside("experiment e.toml --check").success();
    assert!(said.contains("3 cells of 2 runs"), "{said}");
    let said = bench
        .tuner_inside("experiment e.toml --out one --threads 1")
        .success();
    assert!(said.contains("per cent of the half points"), "{said}");
    bench
        .tuner_inside("experiment e.toml --out two --threads 2")
        .success();
    assert_eq!(files(&bench.folder("one")), files(&bench.folder("two")));

    let results = std::fs::read_to_string(bench.folder("one/results.csv")).unwrap();
    let rows: Vec<Vec<&str>> = results
        .lines()
        .map(|row| row.split(',').collect())
        .collect();
    assert_eq!(
        rows[0].join(","),
        "cell,only,seed,half_points,first_best,first_mean,last_best,last_mean,held_out_half_points,held_out,evaluations"
    );
    assert_eq!(rows.len(), 1 + 3 * 2);
    let cells: Vec<&str> = rows[1..].iter().map(|row| row[1]).collect();
    let both = "IsMate+MyFork";
    let one = "EvaluateMaterial";
    assert_eq!(cells, ["none", "none", one, one, both, both]);
    for row in &rows[1..] {
        // Two opponents, 5 and 10 starts, two games each, two half points a game; 12 programs in 5 generations.
        assert_eq!([row[3], row[8], row[10]], ["40", "80", "60"]);
        // What the champion's file says of its last match is what is compared.
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        assert!(number(row[6]) <= 40.0 && number(row[9]) <= 80.0);
        let run = if row[2] == rows[1][2] { "01" } else { "02" };
        let folder = bench.folder(&format!("one/cells/only={}", row[1].replace('+', "_")));
        let file = folder.join(format!("champions/run-{run}.sexp"));
        let champion = std::fs::read_to_string(file).unwrap();
        let score = |whom: &str| {
            let before = champion
                .split(&format!(" in 20 games against {whom}"))
                .next()
                .unwrap();
            number(before.rsplit("score ").next().unwrap())
        };
        let mean = (score("rival.sexp") + score("Eyas")) / 2.0;
        assert!(
            (mean - number(row[9]) / 80.0).abs() < 0.001,
            "{row:?}: {champion}"
        );
        // Nothing else stands in its trees.
        for absent in ["IsOppKingInCheck", "NumMyPiecesNotAttacked", "IsMateInOne"] {
            assert!(row[1] == "none" || !champion.contains(absent), "{champion}");
        }
    }
    let named = axis.replace("values", "labels = [\"all\"]\nvalues");
    std::fs::write(bench.folder("e.toml"), format!("{head}{named}")).unwrap();
    let said = bench.tuner_inside("experiment e.toml --check").failure();
    assert!(said.contains("1 label for 3 values"), "{said}");
    std::fs::write(
        bench.folder("e.toml"),
        format!("{head}{}", axis.replace("MyFork", "MyFrok")),
    )
    .unwrap();
    let said = bench.tuner_inside("experiment e.toml --check").failure();
    assert!(said.contains("no terminal \"MyFrok\""), "{said}");
}

#[test]
fn what_is_wrong_is_told_before_the_first_run() {
    let cases = [
        (
            "[0.0, 0.2]",
            "[0.0, 1.2]",
            "axis \"evolution.history\" = 1.2",
        ),
        ("[40, 80]", "[40, 4000]", "cell P_r=0.0 count=4000"),
        (
            "evolution.history",
            "evolution.histroy",
            "did you mean `history`?",
        ),
        (
            "positions.count",
            "positions.size",
            "axis \"positions.size\" = 40",
        ),
        ("seeds = 3", "seeds = 0", "a whole number from 1 to 1000"),
        ("small.toml", "other.toml", "other.toml"),
    ];
    for (from, to, expected) in cases {
        let bench = bench(&EXPERIMENT.replace(from, to));
        for more in ["", " --check"] {
            let line = format!("experiment e.toml --out out{more}");
            let said = bench.tuner_inside(&line).failure();
            assert!(said.contains(expected), "{to}: {said}");
            assert!(!bench.folder("out").exists());
        }
    }
}

/// Whoever takes a profile for an experiment, or the other way round, is told.
#[test]
fn a_profile_is_no_experiment() {
    let bench = bench(EXPERIMENT);
    let said = bench.tuner_inside("run e.toml").failure();
    assert!(said.contains("this is an experiment"), "{said}");
    let said = bench.tuner_inside("experiment small.toml").failure();
    assert!(said.contains("this is a profile"), "{said}");
}

/// On a full disk it ends with the command that goes on with all cells, not with one of them.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_the_whole() {
    let bench = bench(EXPERIMENT);
    let command = |out: &str| {
        let (file, out) = (bench.folder("e.toml"), bench.folder(out));
        let words = [file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        bench.tuner_command(&[&["experiment"][..], &words].concat())
    };
    assert!(command("whole").output().unwrap().status.success());
    let journal = bench.folder("whole/cells/P_r=0.0_count=40/journal.jsonl");
    let size = std::fs::metadata(journal).unwrap().len();
    let said = common::limited(size / 3, &command("full")).failure();
    ::tests::says(&said, &["cannot write", "journal.jsonl", " experiment "]);
    assert!(!said.contains("resume"), "{said}");
    assert!(command("full").output().unwrap().status.success());
    assert_eq!(files(&bench.folder("full")), files(&bench.folder("whole")));
}

/// Only files that an experiment has written may be replaced.
#[test]
fn a_folder_of_something_else_stays_as_it_is() {
    let bench = bench(EXPERIMENT);
    std::fs::create_dir(bench.folder("own")).unwrap();
    std::fs::write(bench.folder("own/results.csv"), "precious").unwrap();
    let said = bench.tuner_inside("experiment e.toml --out own").failure();
    assert!(said.contains("own is not empty"), "{said}");
    assert_eq!(files(&bench.folder("own")).len(), 1);
}

#[test]
fn a_check_counts_the_runs() {
    let bench = bench(EXPERIMENT);
    let said = bench.tuner_inside("experiment e.toml --check").success();
    assert!(said.contains("4 cells of 3 runs, 12 runs in all"), "{said}");
    assert!(said.contains("Estimated time"), "{said}");
}
