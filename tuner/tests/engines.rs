//! Engines that keep to the letter of the protocol in ways that are rare, and such that can't do what
//! they are asked: `tuner label`, `mine` and `games` with them.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::Answer;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The command that starts the fake engine in a mode.
fn fake(mode: &str) -> String {
    format!("'{}' mode={mode}", tests::fake_engine().display())
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// With positions of quiet openings, and games.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        ];
        folder.positions(positions.map(str::to_string).as_ref());
        let game = |seed| {
            let moves = tests::random_moves(seed, 60);
            format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
        };
        let games: String = (1..=3).map(game).collect();
        fs::write(folder.path("games.pgn"), games).unwrap();
        folder
    }

    fn positions(&self, positions: &[String]) {
        let lines: Vec<String> = positions.iter().map(|one| format!("{one}\n")).collect();
        fs::write(self.path("in.epd"), lines.concat()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command in the folder, with the fake engine in a mode.
    fn tuner(&self, line: &str, mode: &str) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command
            .args(line.split(' '))
            .args(["--engine", &fake(mode)])
            .current_dir(&self.0)
            .stdin(Stdio::null());
        Answer(command.output().unwrap())
    }

    /// The lines of a file but for the first, which names the engine.
    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap();
        text.lines().skip(1).map(str::to_string).collect()
    }
}

const LABEL: &str = "label --positions in.epd --plies 0 --nodes 200 --concurrency 1 --out";
const MOVES: &str = "label --positions in.epd --moves --nodes 200 --concurrency 1 --out";
const MINE: &str = "mine --pgn games.pgn --shallow 10 --screen 100 --deep 100 --decided 3000 --concurrency 1 --out";
const GAMES: &str = "games --nodes 50 --count 2 --seed 3 --concurrency 1 --out";

#[test]
fn white_space_of_any_kind_changes_nothing() {
    let folder = Folder::new();
    for (number, line) in [LABEL, MOVES, MINE].iter().enumerate() {
        let (plain, spaced) = (format!("plain{number}"), format!("spaced{number}"));
        folder.tuner(&format!("{line} {plain}"), "multi").success();
        folder
            .tuner(&format!("{line} {spaced}"), "spaces")
            .success();
        assert!(!folder.lines(&plain).is_empty());
        assert_eq!(folder.lines(&plain), folder.lines(&spaced), "{line}");
    }
    folder.tuner(&format!("{GAMES} g.pgn"), "spaces").success();
}

#[test]
fn engines_that_start_slowly_have_as_long_as_they_are_given() {
    let folder = Folder::new();
    for line in [LABEL, MINE, GAMES] {
        let begun = Instant::now();
        let line = format!("{line} out --startup-timeout 1");
        let said = folder.tuner(&line, "late:60000").failure();
        let expected = "no `uciok` within 1 s of `uci`; --startup-timeout gives it longer";
        assert!(said.contains(expected), "{said}");
        assert!(begun.elapsed().as_secs() < 10);
        assert!(!folder.path("out").exists());
    }
    let line = format!("{LABEL} out --startup-timeout 20");
    folder.tuner(&line, "late:1100").success();
}

/// White's king has one move, then Black's has one, and neither is in check.
fn forced() -> Vec<String> {
    let blocked = |file: usize| {
        let row = |pawn: char| {
            let (left, right) = (file.to_string(), (7 - file).to_string());
            format!("{left}{pawn}{right}").replace('0', "")
        };
        format!("7k/7p/7P/{}/{}/p7/P7/K7 w - -", row('p'), row('P'))
    };
    (1..=6).map(blocked).collect()
}

#[test]
fn an_only_move_may_come_without_a_score() {
    let folder = Folder::new();
    folder.positions(&forced());
    let said = folder.tuner(&format!("{LABEL} all"), "multi").warnings();
    assert!(said.contains("6 positions in all, of 6"), "{said}");
    let said = folder.tuner(&format!("{LABEL} some"), "forced").warnings();
    assert!(
        !said.contains("failed twice") && !said.contains("began anew"),
        "{said}"
    );
    // After one move of the engine Black has a single move, after two White has three.
    let (all, some) = (folder.lines("all"), folder.lines("some"));
    let scored: Vec<String> = all
        .iter()
        .filter(|line| line.contains(" w "))
        .cloned()
        .collect();
    assert_eq!(some, scored);
    let left = all.len() - some.len();
    assert!((1..6).contains(&left), "{all:?}");
    let expected = format!("{left} of them left out: the engine told no score of their only move");
    assert!(said.contains(&expected), "{said}");
    // Where the engine is asked what a position is worth, it has to say it.
    let said = folder.tuner(&format!("{LABEL} none"), "mute").warnings();
    assert!(said.contains("and told no score of it"), "{said}");
}

/// Without a search, and without a file left behind.
#[test]
fn an_option_that_ends_too_soon_is_named_with_its_range() {
    let folder = Folder::new();
    for (line, mode, expected) in [
        (MOVES, "few:5", "position 2 has 30 moves"),
        (MOVES, "few:5", "a whole number from 1 to 5"),
        (
            MINE,
            "few:1",
            "\"MultiPV\", expected a whole number from 1 to 1",
        ),
        (MOVES, "ok", "has no option \"MultiPV\""),
        (MINE, "ok", "has no option \"MultiPV\""),
    ] {
        let said = folder.tuner(&format!("{line} out"), mode).failure();
        assert!(
            said.contains(expected) && said.contains("MultiPV"),
            "{said}"
        );
        assert!(!folder.path("out").exists(), "{line}");
    }
    folder.tuner(&format!("{MOVES} out"), "few:30").success();
    assert_eq!(folder.lines("out").len(), 3);
    // What this program sets by itself lies in the engine's range, what the user sets has to.
    folder.tuner(&format!("{LABEL} small"), "small").success();
    let first = fs::read_to_string(folder.path("small")).unwrap();
    assert!(
        first.starts_with("# tuner label: engine=Fake | options=Hash=8 |"),
        "{first}"
    );
    for line in [LABEL, GAMES] {
        let said = folder
            .tuner(&format!("{line} large --option Hash=16"), "small")
            .failure();
        assert!(
            said.contains("\"Hash\", expected a whole number from 1 to 8"),
            "{said}"
        );
    }
}

/// Files and folders that are not there: the engine says so only to people, and would go on without them.
#[test]
fn an_option_that_was_not_set_is_an_error() {
    let folder = Folder::new();
    let eyas = format!("'{}'", tests::binary("eyas").display());
    for line in [LABEL, MINE, GAMES] {
        for option in ["ParamsFile", "EndgameProgram", "SyzygyPath", "Book File"] {
            let output = Command::new(env!("CARGO_BIN_EXE_tuner"))
                .args(line.split(' '))
                .arg("out")
                .arg("--engine")
                .arg(&eyas)
                .args(["--option", &format!("{option}=nowhere")])
                .current_dir(&folder.0)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let said = Answer(output).failure();
            assert!(
                said.contains("has not set an option as it was told to")
                    && said.contains("nowhere"),
                "{option}: {said}"
            );
            assert!(!folder.path("out").exists(), "{option}: {line}");
        }
    }
}

#[test]
fn nothing_plain_is_written_under_the_name_of_a_packed_file() {
    let folder = Folder::new();
    for line in [LABEL, MINE, GAMES] {
        for name in ["out.gz", "out.ZST"] {
            let said = folder.tuner(&format!("{line} {name}"), "multi").failure();
            assert!(said.contains("expected a name that does not end"), "{said}");
            assert!(!folder.path(name).exists(), "{line}");
        }
    }
}

/// What is wrong with the command line is told by the exit code, whoever sees it.
#[test]
fn options_that_do_not_go_together_are_a_wrong_command_line() {
    let folder = Folder::new();
    for line in [
        "games --nodes 50,60,70 --count 2 --out out",
        "games --nodes 50 --option Hash --count 2 --out out",
    ] {
        let said = folder.tuner(line, "ok").wrong_line();
        assert!(
            said.contains(", expected ") || said.contains(": expected "),
            "{said}"
        );
    }
    let score = "score --phase grandmaster --threads 1 --params p.toml --positions in.epd";
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command.args(score.split(' ')).current_dir(&folder.0);
    let said = Answer(command.output().unwrap()).wrong_line();
    assert!(said.contains("--threads needs --phase ecm"), "{said}");
}

#[test]
fn two_engines_of_one_name_are_told_apart() {
    let folder = Folder::new();
    let said = folder
        .tuner(&format!("{GAMES} same.pgn"), "multi")
        .success();
    assert!(said.contains("\nFake (50 nodes): "), "{said}");
    assert!(
        said.contains(" lost against Fake (50 nodes) (2)\n"),
        "{said}"
    );
    let games = fs::read_to_string(folder.path("same.pgn")).unwrap();
    let players: Vec<&str> = games
        .lines()
        .filter(|line| line.starts_with("[White ") || line.starts_with("[Black "))
        .collect();
    let (first, second) = ("\"Fake (50 nodes)\"]", "\"Fake (50 nodes) (2)\"]");
    let expected = [
        ("White", first),
        ("Black", second),
        ("White", second),
        ("Black", first),
    ];
    assert_eq!(
        players,
        expected.map(|(color, name)| format!("[{color} {name}"))
    );
}
