//! Programs that play endgames, evolved by the binary: they learn to play, the same whatever the threads and however
//! often the run is killed; and what `tuner program` says of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither};
use engine::epd::Epd;
use engine::program::{Ending, PRIMITIVES, Program, Tree};
use tuner::encoding::programs::Player;
use tuner::fitness::endgames::{Board, Encounter, Opponent, Rules, starts};

const PROFILE: &str = r#"
format = 1
phase = "endgames"
endings = ["KRKR", "KQKQ"]
[evolution]
population = 24
generations = 10
tournament = 4
max_depth = 8
max_nodes = 60
disadvantage_depth = 5
disadvantage_nodes = 20
[games]
peers = 4
starts = 2
moves = 20
[gauge]
rival = "rival.sexp"
every = 4
starts = 10
last_starts = 20
[runs]
count = 2
seed = 1
"#;

/// A program of one tree in all three places.
fn program(tree: &str, endings: &str) -> String {
    format!(
        "(program (version 1) (endings {endings}) (provenance \"by hand\")\n(advantage {tree})\n(even {tree})\n\
         (disadvantage {tree}))\n"
    )
}

fn bench(profile: &str) -> Bench {
    let bench = Bench::new(2).profile(profile);
    let rival = program("(If3 IsMate 1000/2 EvaluateMaterial)", "KRKR KQKQ");
    std::fs::write(bench.folder("rival.sexp"), rival).unwrap();
    bench
}

#[test]
fn programs_evolve_and_killing_changes_nothing() {
    let bench = bench(PROFILE);
    let checked = bench.folder("small.toml");
    let said = bench.tuner(&["check", checked.to_str().unwrap()]).success();
    assert!(said.contains("endings: KRKR, KQKQ"), "{said}");
    assert!(said.contains("192 games each"), "{said}");
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "1"]).success();
    assert!(said.contains("The best program is of run "), "{said}");
    assert!(said.contains("EndgameProgram"), "{said}");

    let history = std::fs::read_to_string(whole.join("history.csv")).unwrap();
    let heading = history.lines().next().unwrap();
    let column = |name: &str| heading.split(',').position(|known| known == name).unwrap();
    let cell = |row: &str, name: &str| row.split(',').nth(column(name)).unwrap().to_string();
    let rows: Vec<&str> = history.lines().skip(1).collect();
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let number = |name: &str| cell(row, name).parse::<f64>().unwrap();
        // 24 programs with 4 peers each, 4 games an encounter: every game has one end.
        let ends: f64 = ["mates", "advantages", "draws"].map(number).iter().sum();
        assert_eq!(ends, 192.0);
        // All points are those of the games' ends: 6, 3 and twice 1.
        let points = 6.0 * number("mates") + 3.0 * number("advantages") + 2.0 * number("draws");
        assert!(
            (24.0 * number("mean_points") - points).abs() < 0.02,
            "{row}"
        );
        assert!(number("best_points") >= number("mean_points"));
        assert!(number("best_depth") <= 8.0 && number("best_nodes") <= 140.0);
        // Generations 0, 4, 8 and the last are measured.
        let is_measured = [0.0, 4.0, 8.0, 9.0].contains(&number("generation"));
        for score in ["score_random", "score_rival"] {
            assert_eq!(!cell(row, score).is_empty(), is_measured, "{row}");
        }
    }

    let best = Program::load(&whole.join("best.sexp")).unwrap();
    assert!(best.fits() && best.provenance.contains("in 40 games against random moves"));
    let endings: Vec<Ending> = ["KRKR", "KQKQ"].map(|name| name.parse().unwrap()).to_vec();
    assert_eq!(best.endings, endings);
    let [advantage, even, disadvantage] = best.trees();
    for (tree, depth, nodes) in [(advantage, 8, 60), (even, 8, 60), (disadvantage, 5, 20)] {
        assert!(Tree::depth(tree) <= depth && tree.nodes().len() <= nodes);
    }
    // It has learnt something: more than half against random moves, from starts of the test's own.
    let task = Encounter {
        key: String::new(),
        player: Player(best.into()),
        opponent: Opponent::Random,
        starts: starts(64, 0, 100, 2),
        seed: 64,
    };
    let rules = Rules {
        moves: 20,
        mate: 1,
        advantage: 1,
        draw: 0,
    };
    let tally = Board::new(&endings, rules, None).play(&task).unwrap();
    assert!(tally.score() - 3.0 * tally.error() > 0.5, "{tally:?}");

    for run in ["run-01", "run-02"] {
        let lineage = whole.join(format!("champions/{run}-lineage.csv"));
        let lineage = std::fs::read_to_string(lineage).unwrap();
        let first = lineage.lines().nth(1).unwrap();
        assert!(
            first.starts_with("0,") && first.ends_with(",random"),
            "{lineage}"
        );
        Program::load(&whole.join(format!("champions/{run}.sexp"))).unwrap();
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for part in [
        "Endgame programs",
        "The champion’s trees",
        "(disadvantage",
        "Its line: ",
        "Scores of the best of generations",
        "nodes of the three trees together",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["No run has finished", "Moves from games"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(whole.join("growth.svg").is_file());

    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 10, |kill| dither(kill, 2005));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
    let apart = bench.folder("apart");
    bench.run(&apart, &["--processes", "2"]).success();
    assert_same(&whole, &apart);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let bench = bench(PROFILE);
    let out = bench.folder("out");
    let refused = |from: &str, to: &str| {
        assert!(PROFILE.contains(from), "{from}");
        std::fs::write(bench.folder("small.toml"), PROFILE.replace(from, to)).unwrap();
        let said = bench.run(&out, &[]).failure();
        assert!(!out.exists(), "{said}");
        said
    };
    for (from, to, parts) in [
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KRKX"]"#,
            &["line 4", "expected an ending such as KRKR", "KRKX"][..],
        ),
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KQQQQQQQQQQKR"]"#,
            &["no side can have", "8 pawns"],
        ),
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KBK"]"#,
            &["KBK", "nobody can mate"],
        ),
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KQQQQQQQQQKQQQQQQQQQ"]"#,
            &["no legal start with nothing attacked"],
        ),
        (r#"["KRKR", "KQKQ"]"#, "[]", &["leaves nothing to play"]),
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KRKR", "KRKR"]"#,
            &["KRKR is there twice"],
        ),
        (
            r#"["KRKR", "KQKQ"]"#,
            r#"["KRKR", "KBBKR"]"#,
            &[
                "rival.sexp",
                "a program for KRKR, KQKQ, expected one for KBBKR",
            ],
        ),
        (
            "moves = 20",
            "moves = 20\nmate = 3",
            &[
                "mate = 3, advantage = 3, draw = 1",
                "each to be more than the next",
            ],
        ),
        (
            "moves = 20",
            "moves = 20\ndraw = 9",
            &["draw = 9", "each to be more than the next"],
        ),
        ("peers = 4", "peers = 3", &["peers is 3", "an even number"]),
        (
            "peers = 4",
            "peers = 24",
            &["peers is 24, expected less than the population of"],
        ),
        (
            "tournament = 4",
            "tournament = 4\ncrossover_rate = 0.9",
            &["crossover_rate and mutation_rate are 1.05 together"],
        ),
        (
            "max_depth = 8",
            "max_depth = 5",
            &["initial_depth: the greatest is 6, expected at most max_depth, 5"],
        ),
        (
            "max_depth = 8",
            "max_depth = 65",
            &["max_depth", "a whole number from 1 to 64"],
        ),
        (
            "disadvantage_nodes = 20",
            "disadvantage_nodes = 61",
            &["disadvantage_nodes is 61, expected at most max_nodes, 60"],
        ),
        (
            "[evolution]",
            "without = [\"IsMatte\"]\n[evolution]",
            &["no terminal or constant \"IsMatte\"; did you mean IsMate?"],
        ),
        (
            "[evolution]",
            "with = [\"IsMate\"]\n[evolution]",
            &[
                "with: there is no terminal beyond the paper's \"IsMate\", expected OppCannotCheckAndWin or ",
            ],
        ),
        (
            "moves = 20\n[gauge]\nrival = \"rival.sexp\"",
            "moves = 20\nrival_starts = 1\n[gauge]",
            &["rival_starts: nobody to play"],
        ),
    ] {
        let said = refused(from, to);
        let mut rest = said.as_str();
        for part in parts {
            rest = match rest.split_once(part) {
                Some((_, after)) => after,
                None => panic!("{part:?} is not there in order: {said}"),
            };
        }
    }
    // A rival that is no program says where.
    std::fs::write(
        bench.folder("rival.sexp"),
        program("(If3 IsMat 1 2)", "KRKR KQKQ"),
    )
    .unwrap();
    let said = refused("seed = 1", "seed = 2");
    for part in ["rival.sexp", "line 2, column 17", "IsMat", "IsMate"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::write(
        bench.folder("rival.sexp"),
        program("(And2 IsMate IsMate)", "KRKR KQKQ"),
    )
    .unwrap();
    let said = refused("seed = 1", "seed = 2");
    assert!(said.contains("expected a Float here"), "{said}");
    let deep = "(If3 IsMate 1000/2 ".repeat(70) + "2/1000" + &")".repeat(70);
    std::fs::write(bench.folder("rival.sexp"), program(&deep, "KRKR KQKQ")).unwrap();
    let said = refused("seed = 1", "seed = 2");
    assert!(said.contains("expected at most 64 levels"), "{said}");
    std::fs::remove_file(bench.folder("rival.sexp")).unwrap();
    let said = refused("seed = 1", "seed = 2");
    assert!(
        said.contains("cannot read") && said.contains("rival.sexp"),
        "{said}"
    );
}

/// Games against the rival give points to the program alone, and programs may ask what is not the paper's. Of 8
/// programs each plays 2 peers and 3 starts against the rival, all twice: 16 games and 48.
#[test]
fn a_rival_may_teach_and_terminals_of_ours_be_asked() {
    let taught = PROFILE
        .replace("population = 24", "population = 8")
        .replace("generations = 10", "generations = 3")
        .replace(
            "peers = 4\nstarts = 2",
            "peers = 2\nstarts = 1\nrival_starts = 3",
        )
        .replace(
            "[evolution]",
            "with = [\"OppCannotCheckAndWin\", \"IsPieceWonNext\"]\n[evolution]",
        )
        .replace("count = 2", "count = 1");
    let bench = bench(&taught);
    let out = bench.folder("out");
    bench.run(&out, &["--threads", "2"]).success();
    let history = std::fs::read_to_string(out.join("history.csv")).unwrap();
    let mut lines = history
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().unwrap();
    for row in lines {
        let number = |name: &str| -> f64 {
            let at = heading.iter().position(|known| *known == name).unwrap();
            row[at].parse().unwrap()
        };
        let [mates, advantages, draws] = ["mates", "advantages", "draws"].map(number);
        assert_eq!(mates + advantages + draws, 16.0 + 48.0);
        // A draw against the rival is one point, a lost game none.
        let most = 6.0 * mates + 3.0 * advantages + 2.0 * draws;
        let points = 8.0 * number("mean_points");
        assert!(points < most && points > 2.0 * 16.0, "{row:?}");
    }
    let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert!(journal.contains("run 1 generation 2 rival 8"));
    let apart = bench.folder("apart");
    bench.run(&apart, &["--processes", "2"]).success();
    assert_same(&out, &apart);
}

/// A rival that changes under a run is noticed: its games would be against somebody else.
#[test]
fn another_rival_is_another_run() {
    let bench = bench(&PROFILE.replace("generations = 10", "generations = 1"));
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    bench.tuner(&["report", out.to_str().unwrap()]).success();
    let other = program("EvaluateMaterial", "KRKR KQKQ");
    std::fs::write(bench.folder("rival.sexp"), other).unwrap();
    let said = bench.resume(&out, &[]).failure();
    assert!(
        said.contains("the rival of endgames have changed"),
        "{said}"
    );
}

/// Where there are no tables an engine judges. With the queen, Qf7 is the only stalemate; the bare king has one move,
/// Kg1, and what was lost stays so.
#[test]
fn an_engine_judges_where_there_are_no_tables() {
    let bench = bench(PROFILE);
    let tree = "(If3 IsStalemate 1000/2 -1000/2)";
    std::fs::write(bench.folder("stale.sexp"), program(tree, "KQK")).unwrap();
    let panel = "7k/8/8/6K1/8/8/8/5Q2 w - -\n8/8/8/8/8/8/1Q6/K6k b - -\n";
    std::fs::write(bench.folder("two.epd"), panel).unwrap();
    let eyas = format!("'{}'", tests::binary("eyas").display());
    let judge = |more: &[&str]| {
        let line = ["program", "judge", "stale.sexp", "--panel", "two.epd"];
        let mut command = bench.tuner_command(&[&line, more].concat());
        common::Answer(command.current_dir(bench.folder("")).output().unwrap())
    };
    let engine = ["--engine", &eyas, "--nodes", "3000"];
    let said = judge(&[&engine[..], &["--concurrency", "1"]].concat()).success();
    assert!(
        said.contains("moves that keep the value: 1 of 2 (50.0 %"),
        "{said}"
    );
    let values = "of 1 won positions 1 became drawn and 0 lost, of 0 drawn ones 0 lost";
    assert!(said.contains(values), "{said}");
    assert!(
        said.contains("3,000 nodes a search, won from 150 centipawns on"),
        "{said}"
    );
    assert_eq!(
        said,
        judge(&[&engine[..], &["--concurrency", "2"]].concat()).success()
    );
    judge(&[]).wrong_line();
    judge(&[&engine[..], &["--tables", "."]].concat()).wrong_line();
    let said = judge(&["--engine", "no-such-engine"]).failure();
    assert!(said.contains("no-such-engine"), "{said}");
}

#[test]
fn a_program_is_shown_drawn_simplified_and_played() {
    let bench = bench(PROFILE);
    let folder = bench.folder("");
    let tuner = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = bench.tuner_command(&words);
        common::Answer(command.current_dir(&folder).output().unwrap())
    };
    let tree = "(If3 (And2 IsMate (Not IsMate)) -1000/2 (If3 IsMate 1000/2 EvaluateMaterial))";
    std::fs::write(bench.folder("fat.sexp"), program(tree, "KRKR KQKQ")).unwrap();
    let said = tuner("program show fat.sexp --games 6 --svg fat.svg").success();
    for part in [
        "endings KRKR, KQKQ",
        "by hand",
        "even: 10 nodes, 4 levels",
        "never asked",
        "decides ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let picture = std::fs::read_to_string(bench.folder("fat.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains(">EvaluateMaterial</text>"));
    // Its own picture may be replaced, a file of somebody else's and the program itself may not.
    tuner("program show fat.sexp --games 2 --svg fat.svg").success();
    let said = tuner("program show fat.sexp --games 2 --svg fat.sexp").failure();
    assert!(said.contains("something else than the picture"), "{said}");
    let said = tuner("program show fat.sexp --games 2 --simplify --out fat.svg").failure();
    assert!(said.contains("something else than a program"), "{said}");
    let said = tuner("program show fat.sexp --games 2 --simplify --out fat.sexp").failure();
    assert!(said.contains("expected another file"), "{said}");
    let said = tuner("program show fat.sexp --games 20 --simplify --out lean.sexp").success();
    assert!(said.contains("even: 10 nodes, now "), "{said}");
    assert!(said.contains("the same best moves in all of "), "{said}");
    let lean = Program::load(&bench.folder("lean.sexp")).unwrap();
    assert!(lean.even.nodes().len() <= 4, "{:?}", lean.even);
    let said = tuner("program match fat.sexp lean.sexp --games 20 --moves 10").success();
    assert!(said.contains("KRKR, KQKQ: 20 games of "), "{said}");

    let said = tuner("program match rival.sexp random --ending KQKQ --games 42 --seed 3").success();
    assert!(
        said.contains("rival.sexp against random, KQKQ: 42 games"),
        "{said}"
    );
    let score = |said: &str| -> f64 {
        let behind = said.split("score ").nth(1).unwrap();
        behind.split(' ').next().unwrap().parse().unwrap()
    };
    let turned =
        tuner("program match random rival.sexp --ending KQKQ --games 42 --seed 3").success();
    assert!(score(&said) > 0.5 && (score(&said) + score(&turned) - 1.0).abs() < 0.0011);
    let deeper = "program match fat.sexp engine --ending KRKR --games 2 --moves 2 --depth 2 --second-depth 1";
    let said = tuner(deeper).success();
    assert!(
        said.contains("fat.sexp 2 plies ahead against engine, KRKR: 2 games"),
        "{said}"
    );
    // Games that all end alike tell nothing of how far the score may be off.
    let alike = "program match engine evaluation --ending KRKR --games 2";
    let said = tuner(alike).success();
    assert!(said.contains("without an interval (all games "), "{said}");
    let said = tuner("program match rival.sexp random --ending KRRKRR").failure();
    assert!(
        said.contains("a program for KRKR, KQKQ, expected one for KRRKRR"),
        "{said}"
    );

    // What terminals are worth: a line for each, and what no tree asks for is not missed.
    let line = "program terminals lean.sexp --ending KRKR --against rival.sexp --games 4 --moves 5";
    let said = tuner(line).success();
    let terminals = PRIMITIVES.iter().filter(|one| one.is_terminal()).count();
    assert_eq!(said.trim_end().lines().count(), 2 + terminals, "{said}");
    let unused = said
        .lines()
        .find(|row| row.starts_with("IsOppPiecePinned "))
        .unwrap();
    assert!(unused.ends_with("+0.000  0 of 1"), "{said}");
    assert_eq!(tuner(line).success(), said);

    let said = tuner("program starts KQRKQR --count 30 --seed 7").success();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 30);
    let ending: Ending = "KQRKQR".parse().unwrap();
    let mut met = std::collections::HashSet::new();
    for line in &lines {
        let epd = Epd::parse(line).unwrap();
        assert!(
            ending.is_of(&epd.position) && met.insert(epd.position.to_fen()),
            "{line}"
        );
    }
    assert_eq!(
        tuner("program starts KQRKQR --count 30 --seed 7").success(),
        said
    );
    assert_ne!(
        tuner("program starts KQRKQR --count 30 --seed 8").success(),
        said
    );
    for (line, part) in [
        ("program match random random", "expected one"),
        ("program terminals --ending KRKR", "nobody to play against"),
    ] {
        let said = tuner(line).wrong_line();
        assert!(said.contains(part), "{said}");
    }
    for (line, part) in [
        ("program starts KRKX", "expected an ending such as KRKR"),
        ("program show none.sexp", "none.sexp"),
        (
            "program terminals lean.sexp --ending KRRKRR --against rival.sexp",
            "a program for KRKR, KQKQ, expected one for KRRKRR",
        ),
    ] {
        let said = tuner(line).failure();
        assert!(said.contains(part), "{said}");
    }
}
