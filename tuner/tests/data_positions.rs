//! `tuner positions` from end to end, on games made here: shares, order, duplicates, bounds.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use clap::Parser;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use tuner::data::pgn::SkipReason;
use tuner::data::positions::{PositionsArgs, extract};
use tuner::data::suite::Suite;
use tuner::data::summary::Summary;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: PositionsArgs,
}

/// Parses options as the command line would; `DIR` stands for the folder.
fn options(folder: &Path, text: &str) -> PositionsArgs {
    let text = text.replace("DIR", folder.to_str().unwrap());
    let words = std::iter::once("positions").chain(text.split_whitespace());
    Line::try_parse_from(words).unwrap().args
}

fn run(folder: &Path, text: &str) -> Summary {
    extract(&options(folder, text)).unwrap()
}

/// A random game as PGN; results alternate, every fourth is a draw.
fn random_game(number: u64, plies: usize) -> String {
    let text = tests::random_moves(number, plies);
    let result = ["1-0", "0-1", "1-0", "1/2-1/2"][(number % 4) as usize];
    format!(
        "[Event \"Test\"]\n[Date \"2026.01.{:02}\"]\n[Round \"{number}\"]\n[White \"W{number}, X\"]\n\
         [Black \"B\"]\n[Result \"{result}\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2600\"]\n\n{text}{result}\n\n",
        1 + number % 28
    )
}

fn games(numbers: impl Iterator<Item = u64>) -> String {
    numbers.map(|number| random_game(number, 60)).collect()
}

fn folder_with(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn text(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn gid(line: &str) -> &str {
    let at = line.find("gid ").unwrap() + 4;
    &line[at..at + 12]
}

const THREE: &str = "--out DIR/train.epd --dev DIR/dev.epd --test DIR/test.epd --list DIR/list";

#[test]
fn three_disjoint_files_come_out() {
    let folder = folder_with(&[("g.pgn", games(0..400))]);
    let summary = run(folder.path(), &format!("--pgn DIR/g.pgn {THREE}"));
    assert_eq!(summary.games, 400);
    assert_eq!(summary.skipped_for(SkipReason::Draw), 100);
    let mut ids = HashSet::new();
    let mut list = BTreeSet::new();
    let mut lines = 0;
    for part in ["train", "dev", "test"] {
        let name = format!("{part}.epd");
        for problem in Suite::load(&folder.path().join(&name), None)
            .unwrap()
            .problems
        {
            assert_eq!(problem.best.len(), 1);
            assert!(
                problem
                    .operation("c0")
                    .unwrap()
                    .contains("(2700)-B(2600), Test, 2026.01.")
            );
        }
        for line in text(&folder, &name).lines() {
            lines += 1;
            assert!(ids.insert(gid(line).to_string()), "{line}");
            list.insert(format!("{part} {}", gid(line)));
            let ply: u32 = line
                .split("ply ")
                .nth(1)
                .unwrap()
                .split(',')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            assert!((16..=100).contains(&ply), "{line}");
            let winner_is_white = line.contains(", 1-0, ");
            assert_eq!(winner_is_white, ply.is_multiple_of(2), "{line}");
            assert_eq!(winner_is_white, line.contains(" w "), "{line}");
        }
    }
    let listed: BTreeSet<String> = text(&folder, "list").lines().map(str::to_string).collect();
    assert_eq!(listed, list);
    let skipped: u64 = summary.skipped.iter().sum();
    let dropped = summary.duplicate_positions + summary.duplicate_games;
    assert_eq!(lines, summary.games - skipped - dropped);
    let counts: Vec<usize> = summary.written.iter().map(|file| file.positions).collect();
    assert!((150..210).contains(&counts[0]), "{counts:?}");
    assert!(
        (40..85).contains(&counts[1]) && (40..85).contains(&counts[2]),
        "{counts:?}"
    );
    let shown = summary.to_string();
    assert!(shown.contains("100 skipped: drawn"), "{shown}");
    let digest = tuner::base::files::sha256_of_file(&folder.path().join("dev.epd")).unwrap();
    assert_eq!(summary.written[1].sha256, digest);
}

#[test]
fn order_of_files_and_games_does_not_matter() {
    let backwards = games((0..400).rev());
    let folder = folder_with(&[
        ("a.pgn", games(0..200)),
        ("b.pgn", games(200..400)),
        ("back.pgn", backwards),
    ]);
    for more in [
        "",
        "--count 50",
        "--count 60 --per-game 3 --dev-count 7 --test-count 9",
    ] {
        let mut seen = BTreeSet::new();
        for pgn in [
            "DIR/a.pgn DIR/b.pgn",
            "DIR/b.pgn DIR/a.pgn",
            "DIR/back.pgn",
            "DIR/back.pgn DIR/a.pgn",
        ] {
            run(folder.path(), &format!("--pgn {pgn} {THREE} {more}"));
            let all = ["train.epd", "dev.epd", "test.epd", "list"].map(|name| text(&folder, name));
            seen.insert(all);
        }
        assert_eq!(seen.len(), 1, "{more}");
    }
}

#[test]
fn counts_bound_each_file() {
    let folder = folder_with(&[("g.pgn", games(0..400))]);
    let more = "--count 60 --per-game 3 --dev-count 7 --test-count 9";
    let summary = run(folder.path(), &format!("--pgn DIR/g.pgn {THREE} {more}"));
    let counts: Vec<usize> = summary.written.iter().map(|file| file.positions).collect();
    assert_eq!(counts, [60, 7, 9]);
    assert!(summary.written[0].games < 40);
    assert!(!summary.to_string().contains("fewer"), "{summary}");
    // Of all others nothing was needed, also of those that were kept in reserve.
    let train = &summary.written[0];
    let all = run(
        folder.path(),
        &format!("--pgn DIR/g.pgn {THREE} --per-game 3"),
    );
    assert_eq!(all.written[0].not_needed, 0);
    let games = train.games as u64 + train.not_needed;
    assert_eq!(games, all.written[0].games as u64);
}

#[test]
fn fewer_positions_than_were_asked_for_are_told() {
    let folder = folder_with(&[("g.pgn", games(0..40))]);
    let told =
        |more: &str| run(folder.path(), &format!("--pgn DIR/g.pgn {THREE} {more}")).to_string();
    assert!(!told("").contains("fewer"));
    let said = told("--count 5000 --dev-count 1");
    // The development file has what was asked for; the test file wants as many as the first.
    let fewer = "  fewer than the 5000 asked for: the games have no more";
    assert_eq!(said.matches(fewer).count(), 2, "{said}");
}

#[test]
fn more_positions_a_game_extend_the_files() {
    let folder = folder_with(&[("g.pgn", games(0..200))]);
    run(folder.path(), &format!("--pgn DIR/g.pgn {THREE}"));
    let one = text(&folder, "train.epd");
    run(
        folder.path(),
        &format!("--pgn DIR/g.pgn {THREE} --per-game 5"),
    );
    let five = text(&folder, "train.epd");
    assert!(five.starts_with(&one));
    assert!(five.lines().count() > 4 * one.lines().count());
    run(folder.path(), &format!("--pgn DIR/g.pgn {THREE} --seed 2"));
    assert_ne!(one, text(&folder, "train.epd"));
}

/// A drawn game of four plies, after each of which the position is known by heart.
#[test]
fn any_position_of_any_game_may_be_drawn() {
    let game = |result: &str| {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 {result}\n\n"
        )
    };
    let all = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; 0",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - bm Nc6; 3",
    ];
    let folder = folder_with(&[
        ("draw.pgn", game("1/2-1/2")),
        ("black.pgn", game("0-1")),
        ("open.pgn", game("*")),
    ]);
    let drawn = |pgn: &str, more: &str| -> Vec<String> {
        let line = format!("--pgn DIR/{pgn} --out DIR/o.epd --min-ply 0 {more}");
        run(folder.path(), &line);
        let short = |line: &str| {
            let (position, comment) = line.split_once(" c0 ").unwrap();
            let ply = comment.split("ply ").nth(1).unwrap();
            format!("{position} {}", ply.split(',').next().unwrap())
        };
        text(&folder, "o.epd").lines().map(short).collect()
    };
    let sorted = |mut lines: Vec<String>| {
        lines.sort_by_key(|line| line.chars().next_back());
        lines
    };
    let any = "--any-side --any-result";
    // No position twice, and none behind the last move.
    let four = drawn("draw.pgn", &format!("{any} --per-game 9"));
    assert_eq!(sorted(four), all);
    assert!(text(&folder, "o.epd").contains(", 1/2-1/2, ply "));
    // One a game is one of these, the seed says which, and each has its turn.
    let seeds: Vec<Vec<String>> = (1..=40)
        .map(|seed| drawn("draw.pgn", &format!("{any} --seed {seed}")))
        .collect();
    assert!(seeds.iter().all(|one| one.len() == 1));
    let met: BTreeSet<&String> = seeds.iter().flatten().collect();
    assert_eq!(met, all.map(str::to_string).iter().collect());
    assert_eq!(seeds[6], drawn("draw.pgn", &format!("{any} --seed 7")));
    // Who has won doesn't matter, and without --any-side it is the winner who is to move.
    let black = drawn("black.pgn", "--any-side --per-game 9");
    assert_eq!(sorted(black), all);
    let black = drawn("black.pgn", "--per-game 9");
    assert_eq!(sorted(black), [all[1], all[3]]);
    for (pgn, more, expected) in [
        ("draw.pgn", "--any-side", "1 skipped: drawn"),
        ("open.pgn", any, "1 skipped: without a result"),
    ] {
        let line = format!("--pgn DIR/{pgn} --out DIR/none.epd --min-ply 0 {more}");
        let error = extract(&options(folder.path(), &line)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let line = "positions --pgn g --out o --any-result";
    assert!(Line::try_parse_from(line.split(' ')).is_err());
}

#[test]
fn duplicates_are_dropped_and_counted() {
    let once = games(0..40);
    // The same games with other headers; the first moves of other games are one position.
    let again = once
        .replace("Test", "Another event")
        .replace(", X", ",Xaver")
        .replace("2700", "2701");
    let transposed: String = [
        "1. Nf3 Nf6 2. c4 e6 3. g3 d5",
        "1. c4 Nf6 2. g3 e6 3. Nf3 d5",
    ]
    .iter()
    .map(|moves| {
        format!(
            "[White \"{}\"]\n[Result \"1-0\"]\n\n{moves} 4. Bg2 1-0\n\n",
            moves.len()
        )
    })
    .collect();
    let folder = folder_with(&[("a.pgn", once), ("b.pgn", again), ("t.pgn", transposed)]);
    let summary = run(folder.path(), "--pgn DIR/a.pgn DIR/b.pgn --out DIR/o.epd");
    let kept = summary.written[0].games as u64;
    assert!(kept > 25);
    assert_eq!(summary.duplicate_games, kept);
    assert_eq!(
        summary.games - summary.skipped.iter().sum::<u64>(),
        2 * kept
    );
    let same = run(
        folder.path(),
        "--pgn DIR/t.pgn --out DIR/o.epd --min-ply 6 --max-ply 6",
    );
    assert_eq!((same.duplicate_games, same.duplicate_positions), (0, 1));
    assert_eq!(text(&folder, "o.epd").lines().count(), 1);
}

#[test]
fn shares_can_be_given() {
    let folder = folder_with(&[("g.pgn", games(0..200))]);
    let half = run(
        folder.path(),
        "--pgn DIR/g.pgn --out DIR/o.epd --split 1,0,1",
    );
    assert!((50..100).contains(&half.written[0].games));
    assert_eq!(
        half.without_file + half.written[0].games as u64 + half.duplicate_positions,
        half.games - half.skipped.iter().sum::<u64>()
    );
    // Whatever the shares, the file a game is in depends on it alone.
    let other = run(
        folder.path(),
        "--pgn DIR/g.pgn --out DIR/t.epd --test DIR/o2.epd --split 1,0,1",
    );
    assert_eq!(text(&folder, "o.epd"), text(&folder, "t.epd"));
    assert_eq!(other.without_file, 0);
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let draws = random_game(3, 60);
    let folder = folder_with(&[
        ("g.pgn", games(0..20)),
        ("draws.pgn", draws),
        ("blank.pgn", "\n \n".into()),
        ("empty.pgn", String::new()),
        ("epd.pgn", games(0..20)),
    ]);
    let packed = zstd::encode_all(games(0..200).as_bytes(), 3).unwrap();
    fs::write(
        folder.path().join("cut.pgn.zst"),
        &packed[..packed.len() / 2],
    )
    .unwrap();
    for (line, expected) in [
        ("--pgn DIR/none.pgn --out DIR/o.epd", "none.pgn: "),
        ("--pgn DIR/g.pgn DIR/none.pgn --out DIR/o.epd", "none.pgn: "),
        (
            "--pgn DIR/empty.pgn --out DIR/o.epd",
            "empty.pgn: the file is empty",
        ),
        (
            "--pgn DIR/g.pgn DIR/blank.pgn --out DIR/o.epd",
            "blank.pgn: the file has no game",
        ),
        ("--pgn DIR/draws.pgn --out DIR/o.epd", "1 skipped: drawn"),
        (
            "--pgn DIR/g.pgn DIR/cut.pgn.zst --out DIR/o.epd",
            "cut.pgn.zst: ",
        ),
        (
            "--pgn DIR --out DIR/o.epd",
            if cfg!(windows) {
                "(os error 5)"
            } else {
                "directory"
            },
        ),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --min-ply 50 --max-ply 40",
            "--min-ply 50 is greater",
        ),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd.gz",
            "expected a name that does not end in .gz",
        ),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --list DIR/l.zst",
            "expected a name that does not end in .zst",
        ),
        ("--pgn DIR/g.pgn --out DIR/g.pgn", "is named twice"),
        ("--pgn DIR/g.pgn --out DIR/./g.pgn", "is named twice"),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --dev DIR/o.epd",
            "is named twice",
        ),
        ("--pgn DIR/g.pgn --out DIR/o.epd --count 0", "is 0"),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --test DIR/t.epd --split 1,1,0",
            "gives test no games",
        ),
        ("--pgn DIR/g.pgn --out DIR/no/o.epd", "no/o.epd"),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --min-elo 2650",
            "of too low ratings",
        ),
        (
            "--pgn DIR/g.pgn --out DIR/o.epd --min-ply 90",
            "without a position in range",
        ),
    ] {
        let error = format!("{:#}", extract(&options(folder.path(), line)).unwrap_err());
        assert!(error.contains(expected), "{line}\n{error}");
        assert!(!folder.path().join("o.epd").exists(), "{line}");
    }
    for bad in [
        "--split 1,1",
        "--split 0,0,0",
        "--split 1,-1,1",
        "--split a,b,c",
        "--split nan,1,1",
        "--per-game 0",
    ] {
        let line = format!("positions --pgn g --out o {bad}");
        assert!(
            Line::try_parse_from(line.split_whitespace()).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn damaged_games_are_shown() {
    let bad = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 Ke7 2. d4 1-0\n\n";
    let folder = folder_with(&[("g.pgn", format!("{}{bad}", games(0..9)))]);
    let summary = run(folder.path(), "--pgn DIR/g.pgn --out DIR/o.epd");
    assert_eq!(summary.skipped_for(SkipReason::IllegalMove), 1);
    let shown = summary.to_string();
    assert!(
        shown.contains("g.pgn: line 100: game 10 with an illegal move: on line 103, Ke7 can't"),
        "{shown}"
    );
}

/// A pipe of this name, which somebody fills with a text once it is read.
#[cfg(unix)]
fn pipe_with(path: &Path, text: String) -> std::thread::JoinHandle<()> {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
    let path = path.to_path_buf();
    std::thread::spawn(move || fs::write(path, text).unwrap())
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_from_its_beginning() {
    let pgn = games(0..40);
    let folder = folder_with(&[("g.pgn", pgn.clone())]);
    run(folder.path(), "--pgn DIR/g.pgn --out DIR/file.epd");
    let writer = pipe_with(&folder.path().join("pipe"), pgn);
    let summary = run(folder.path(), "--pgn DIR/pipe --out DIR/piped.epd");
    writer.join().unwrap();
    assert_eq!(summary.games, 40);
    assert_eq!(text(&folder, "piped.epd"), text(&folder, "file.epd"));
}

/// Each of the four files is looked at before a game is read: what this command made may be made
/// again, and nothing else is lost.
#[test]
fn what_others_have_made_is_not_written_over() {
    let folder = folder_with(&[("g.pgn", games(0..60))]);
    let line = format!("--pgn DIR/g.pgn {THREE}");
    let files = ["train.epd", "dev.epd", "test.epd", "list"];
    run(folder.path(), &line);
    let made = files.map(|name| text(&folder, name));
    // A file of its own, also with blank lines or none at all behind it, is made again.
    fs::write(folder.path().join("train.epd"), made[0].clone() + "\n \r\n").unwrap();
    fs::write(folder.path().join("dev.epd"), "").unwrap();
    run(folder.path(), &line);
    assert_eq!(files.map(|name| text(&folder, name)), made);

    let first = made[0].lines().next().unwrap();
    let mined = first.replace("; c0", "; id \"g.1.20\"; c0");
    let own = |foreign: &str| format!("{}{foreign}\n", made[0]);
    let lines = made[0].lines().count() as u64;
    for (name, foreign, at) in [
        ("train.epd", "my notes\n".to_string(), 1),
        ("train.epd", own("# and what I think of them"), lines + 1),
        ("dev.epd", format!("# tuner mine: x=1\n{mined}\n"), 1),
        (
            "test.epd",
            "7k/8/8/8/8/8/5q2/K7 b - - id \"a\";\n".to_string(),
            1,
        ),
        ("list", own(""), 1),
        ("list", "train of thought\n".to_string(), 1),
    ] {
        fs::write(folder.path().join(name), &foreign).unwrap();
        let missing = line.replace("g.pgn", "none.pgn");
        let error = extract(&options(folder.path(), &missing)).unwrap_err();
        let expected = format!("{name}: line {at} is none that `tuner positions` writes here");
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(error.to_string().ends_with("or add --force"), "{error}");
        assert_eq!(text(&folder, name), foreign);
        run(folder.path(), &format!("{line} --force"));
        assert_eq!(files.map(|name| text(&folder, name)), made);
    }
    // The sample is of this form, but whoever loses it loses what `make evolve` begins with.
    let sample = tests::workspace().join("tuner/data/sample-train.epd");
    let sample = fs::read_to_string(sample).unwrap();
    fs::write(folder.path().join("train.epd"), &sample).unwrap();
    let error = extract(&options(folder.path(), &line))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("train.epd: this is the shipped sample"),
        "{error}"
    );
    assert_eq!(text(&folder, "train.epd"), sample);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_written_over() {
    let folder = folder_with(&[("g.pgn", games(0..40))]);
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for out in [
        "--out DIR/pipe",
        "--out DIR/o.epd --test DIR/pipe",
        "--out DIR/o.epd --list DIR/pipe",
    ] {
        let line = format!("--pgn DIR/none.pgn {out}");
        let error = format!("{:#}", extract(&options(folder.path(), &line)).unwrap_err());
        // It is said before any game is read.
        assert!(
            error.ends_with("pipe: this is a pipe or a device, expected a regular file"),
            "{error}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
