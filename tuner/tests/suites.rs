//! `tuner score --phase ecm`: the costs of a suite, exactly and with good errors.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Answer, Bench};
use engine::params::{ParamSet, Table};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

/// So few nodes that some positions are missed.
const CAP: u64 = 500;

/// Scores a suite with the default parameters.
fn score(bench: &Bench, epd: &str, more: &[&str]) -> Answer {
    let params = tests::workspace().join("params/default.toml");
    let epd = bench.folder(epd);
    let mut args = vec!["score", "--phase", "ecm", "--params"];
    args.extend([
        params.to_str().unwrap(),
        "--positions",
        epd.to_str().unwrap(),
    ]);
    let cap = CAP.to_string();
    args.extend(["--cap", &cap, "--hash", "1"]);
    args.extend(more);
    bench.tuner(&args)
}

fn number(object: &Value, key: &str) -> u64 {
    object[key].as_u64().unwrap()
}

#[test]
fn json_is_one_object_and_the_list_adds_up() {
    let bench = Bench::new(40);
    let json = score(&bench, "train.epd", &["--json", "--verbose"]).success();
    assert_eq!(json.lines().count(), 1);
    let object: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object.as_object().unwrap().len(), 3);
    assert_eq!(number(&object, "positions"), 40);
    for more in [&["--threads", "1"][..], &["--threads", "3"]] {
        let again = score(&bench, "train.epd", &[&["--json"], more].concat());
        assert_eq!(again.success(), json);
    }

    let list = score(&bench, "train.epd", &["--verbose"]).success();
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(lines.len(), 41);
    let nodes = |line: &Vec<&str>| line[0].parse::<u64>().unwrap();
    let solved = lines[..40]
        .iter()
        .filter(|line| line[1] == "solved")
        .count() as u64;
    assert_eq!(
        lines[..40].iter().map(nodes).sum::<u64>(),
        number(&object, "nodes")
    );
    assert_eq!(solved, number(&object, "solved"));
    assert!(solved > 0 && solved < 40, "{list}");
    for line in lines[..40].iter().filter(|line| line[1] == "missed") {
        assert_eq!(nodes(line), CAP);
    }
}

#[test]
fn positions_that_are_left_out_are_counted_beside_the_whole() {
    let bench = Bench::new(6);
    let text = score(&bench, "train.epd", &["--without", "random 2,random 5"]).success();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("solved ") && lines[0].contains(" of 6 ("),
        "{text}"
    );
    assert!(lines[1].starts_with("without 2 of them: solved ") && lines[1].contains(" of 4 ("));
    // The object stays what it is.
    let json = score(&bench, "train.epd", &["--json"]).success();
    let beside = score(&bench, "train.epd", &["--json", "--without", "random 2"]).success();
    assert_eq!(json, beside);
    let error = score(&bench, "train.epd", &["--without", "random 7"]).failure();
    assert!(
        error.contains("train.epd: no position has the id \"random 7\""),
        "{error}"
    );
}

#[test]
fn bad_suites_and_options_are_named() {
    let bench = Bench::new(2);
    let write = |text: &str| std::fs::write(bench.folder("bad.epd"), text).unwrap();
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    for (line, expected) in [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;",
            "bm: \"e5\" is illegal",
        ),
        (
            "4k3/8/8/8/8/4K3/8/R6R w - - bm Rd1;",
            "bm: \"Rd1\" is ambiguous",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; am e4;",
            "am leaves no move that solves it",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"x\";",
            "has neither bm nor am",
        ),
    ] {
        write(&format!("{good}# a comment\n{line}\n"));
        let error = score(&bench, "bad.epd", &[]).failure();
        assert!(
            error.contains(&format!("bad.epd: line 3: {expected}")),
            "{error}"
        );
    }
    let error = score(&bench, "train.epd", &["--max-plies", "1"]).wrong_line();
    assert!(error.contains("need --phase grandmaster"), "{error}");
}

#[test]
fn two_files_are_compared_by_rows_suites_and_games() {
    let bench = Bench::new(20);
    let file = |name: &str| {
        let path = tests::workspace().join("params").join(name);
        path.to_str().unwrap().to_string()
    };
    let (strong, weak) = (file("default.toml"), file("grandmaster.toml"));
    let (suite, pgn) = (bench.folder("train.epd"), bench.folder("games.pgn"));
    let cap = CAP.to_string();
    let compare = |first: &str, second: &str| {
        let games = ["--pairs", "4", "--nodes", "300", "--elo1", "500"];
        let mut args = vec!["compare", first, second, "--cap", &cap];
        args.extend(["--suite", suite.to_str().unwrap()]);
        args.extend(["--pgn", pgn.to_str().unwrap()]);
        bench.tuner(&[&args, &games[..]].concat()).success()
    };

    let said = compare(&strong, &weak);
    assert!(said.contains(" rows differ:"), "{said}");
    let mut solved = Vec::new();
    for params in [&strong, &weak] {
        let epd = suite.to_str().unwrap();
        let args = ["score", "--phase", "ecm", "--json", "--params", params];
        let more = ["--positions", epd, "--cap", &cap, "--hash", "1"];
        let json = bench.tuner(&[&args[..], &more].concat()).success();
        solved.push(number(&serde_json::from_str(&json).unwrap(), "solved"));
    }
    for (who, solved) in ["first", "second"].into_iter().zip(&solved) {
        let row = format!("\n  {who:<8} {solved:>8} ");
        assert!(said.contains(&row), "{row}: {said}");
    }
    let heading = ["row", "first", "second", "change"];
    let heading = |line: &str| line.split_whitespace().eq(heading);
    assert!(said.lines().any(heading), "{said}");
    // The match as its games have it.
    let games = std::fs::read_to_string(&pgn).unwrap();
    let tag = |game: &str, name: &str| {
        let rest = game.split(&format!("[{name} \"")).nth(1).unwrap();
        rest.split('"').next().unwrap().replace("\\\\", "\\")
    };
    let games: Vec<&str> = games.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 8);
    let points: Vec<usize> = games
        .iter()
        .map(
            |game| match (tag(game, "Result").as_str(), tag(game, "White")) {
                ("1/2-1/2", _) => 1,
                ("1-0", white) => 2 * usize::from(white == strong),
                ("0-1", white) => 2 * usize::from(white != strong),
                (other, _) => panic!("{other}"),
            },
        )
        .collect();
    let mut counts = [0; 5];
    for pair in points.chunks(2) {
        counts[pair.iter().sum::<usize>()] += 1;
    }
    assert!(
        said.contains("games        8\n") && said.contains(&format!("pairs        {counts:?} ")),
        "{counts:?} {said}"
    );

    // Who plays itself at fixed nodes plays each game twice, so nobody does.
    // A search alone is nothing to play with, but its rows can be compared.
    let search = bench.folder("search.toml").display().to_string();
    let text = ParamSet::default().to_toml(&[], &[], &[Table::Search]);
    std::fs::write(&search, text).unwrap();
    let error = bench.tuner(&["compare", &strong, &search]).failure();
    assert!(error.contains("search.toml: has no evaluation"), "{error}");
    let rows = bench.tuner(&["compare", &strong, &search, "--pairs", "0"]);
    assert!(rows.success().contains("rows differ"));
    let over = format!("{strong};{search}");
    let args = ["compare", &strong, &over, "--pairs", "2", "--nodes", "50"];
    bench.tuner(&args).success();

    let said = compare(&strong, &strong);
    assert!(said.starts_with("The parameters are the same.\n"), "{said}");
    assert!(said.contains("so there are none here"), "{said}");
    assert!(!said.contains("Match, "), "{said}");
    let kept = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(kept.matches("[Event ").count(), 8);
    // Even so, a file that isn't there is told.
    for option in ["--suite", "--book"] {
        let error = bench.tuner(&["compare", &strong, &strong, option, "nowhere.epd"]);
        let error = error.failure();
        assert!(error.contains("nowhere.epd"), "{option}: {error}");
    }

    // Two games that part at the ninth half move are two openings of nine half moves, and one of
    // eight.
    let book = bench.folder("book.pgn");
    let start = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6";
    let games = ["5. d3", "5. c3"].map(|fifth| format!("[Event \"a\"]\n\n{start} {fifth} *\n\n"));
    std::fs::write(&book, games.concat()).unwrap();
    let with_book = |plies: &[&str]| {
        let games = ["--pairs", "2", "--nodes", "300", "--elo1", "500"];
        let book = ["--book", book.to_str().unwrap()];
        bench.tuner(&[&["compare", &strong, &weak], &games[..], &book, plies].concat())
    };
    let error = with_book(&[]).failure();
    assert!(
        error.contains("2 pairs of games, but 1 different opening of 8 half moves"),
        "{error}"
    );
    let said = with_book(&["--plies", "9"]).success();
    assert!(said.contains("games        4\n"), "{said}");

    // Of twenty first moves some come again in fifteen pairs, and those pairs are no news.
    let games = ["--pairs", "15", "--nodes", "300", "--plies", "1"];
    // Far from what the match will show, so that nothing is decided before its end.
    let endless = ["--elo0", "1400", "--elo1", "1401"];
    let said = bench.tuner(&[&["compare", &strong, &weak], &games[..], &endless].concat());
    let said = said.success();
    assert!(said.contains("WARNING: "), "{said}");
    let number = |before: &str, after: &str| -> u64 {
        let rest = said.split(before).nth(1).unwrap();
        rest.split(after).next().unwrap().parse().unwrap()
    };
    let repeated = number("Not counted: ", " pair");
    let counted = number("most 200 moves:\n  games        ", "\n");
    assert_eq!(repeated + counted / 2, 15, "{said}");

    // What is known is told even if the games can't be kept.
    if cfg!(target_os = "linux") {
        let args = ["compare", &strong, &weak, "--cap", &cap, "--pairs", "4"];
        let files = ["--suite", suite.to_str().unwrap(), "--pgn", "/dev/full"];
        let output = bench.tuner_command(&[&args[..], &files].concat());
        let output = { output }.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && error.contains("cannot write /dev/full"),
            "{error}"
        );
        assert!(
            said.contains(" rows differ:") && said.contains("\n  second  "),
            "{said}"
        );
    }

    // A file that a later one hides is named.
    let hidden = format!("{weak};{strong}");
    let said = compare(&hidden, &strong);
    let warning = format!("WARNING: nothing of {weak} counts");
    assert!(said.starts_with(&warning), "{said}");
    assert!(said.contains("The parameters are the same."), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_says_how_it_stands_and_keeps_its_games() {
    let bench = Bench::new(1);
    let params = ["default.toml", "handmade.toml"].map(|name| {
        let path = tests::workspace().join("params").join(name);
        path.to_str().unwrap().to_string()
    });
    let pgn = bench.folder("games.pgn");
    let games = || std::fs::read_to_string(&pgn).unwrap_or_default();
    let count = || games().matches("[Event ").count();
    let match_of = |nodes, pgn: &std::path::Path| {
        // Hypotheses so near to each other that hardly anything decides between them.
        let rest = ["--elo1", "0.01", "--pairs", "100000", "--nodes", nodes];
        let mut command = bench.tuner_command(&["compare", &params[0], &params[1]]);
        command.args(rest).arg("--pgn").arg(pgn);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };

    // Where nothing can be written, nothing is played.
    let nowhere = bench.folder("nowhere/games.pgn");
    let error = Answer(match_of("1000000", &nowhere).output().unwrap()).failure();
    assert!(error.contains("cannot write"), "{error}");

    // A refusal leaves the games of before, and anything else than such games is refused: a slip of
    // the hand shall not cost a file of parameters.
    std::fs::write(&pgn, "[Event \"Comparison\"]").unwrap();
    let mut refused = match_of("300", &pgn);
    refused.args(["--book", "nowhere.epd"]);
    Answer(refused.output().unwrap()).failure();
    assert_eq!(games(), "[Event \"Comparison\"]");
    let other = bench.folder("other.toml");
    std::fs::write(&other, "format = 1\n").unwrap();
    let error = Answer(match_of("300", &other).output().unwrap()).failure();
    assert!(error.contains("something else than games"), "{error}");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "format = 1\n");

    let mut child = match_of("300", &pgn).spawn().unwrap();
    while count() < 3 {
        if child.try_wait().unwrap().is_some() {
            panic!("it has ended: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    tests::send_signal("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let played = count();
    assert!(
        said.contains(&format!("\n  games        {played}\n")),
        "{said}"
    );
    let last = format!("[Round \"{played}\"]");
    assert!(games().contains(&last), "{said}");
}
