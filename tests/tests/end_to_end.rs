//! From positions to a player: `tuner run` evolves a file, `tuner score` counts what it solves,
//! `eyas` plays with it.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use engine::position::Position;
use engine::types::Move;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Positions from random games with a move that was played.
fn positions(folder: &Path) {
    let pgn: String = (0..150)
        .map(|number| {
            let moves = tests::random_moves(number, 60);
            format!("[White \"{number}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves}1-0\n\n")
        })
        .collect();
    std::fs::write(folder.join("games.pgn"), pgn).unwrap();
    succeed(tuner(folder).args([
        "positions",
        "--pgn",
        "games.pgn",
        "--out",
        "train.epd",
        "--test",
        "test.epd",
    ]));
}

fn tuner(folder: &Path) -> Command {
    let mut command = Command::new(tests::binary("tuner"));
    command.current_dir(folder);
    command
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    output
}

/// What the engine says to these lines.
fn eyas(lines: &str) -> String {
    let mut engine = Command::new(tests::binary("eyas"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Dropped with the statement: the end of input ends the session.
    engine
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_become_positions_become_a_player() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    positions(folder);
    let profile = tests::workspace().join("tuner/profiles/smoke.toml");
    let profile = std::fs::read_to_string(profile).unwrap();
    let profile = profile.replace("count = 200", "count = 20");
    std::fs::write(folder.join("small.toml"), profile).unwrap();
    // Where the tuner looks for it whatever folder has been built in.
    std::fs::create_dir(folder.join("params")).unwrap();
    for file in ["params/search-full.toml", "params/default.toml"] {
        std::fs::copy(tests::workspace().join(file), folder.join(file)).unwrap();
    }
    let said = succeed(tuner(folder).args([
        "run",
        "small.toml",
        "--out",
        "run",
        "--positions",
        "train.epd",
        "--test",
        "test.epd",
    ]));
    let said = String::from_utf8(said.stdout).unwrap();

    // The lines to paste are there, with files that exist: evaluation and search.
    let below = |title: &str| {
        let mut lines = said.lines().skip_while(|line| !line.starts_with(title));
        lines.nth(1).unwrap_or_default().trim()
    };
    let value = below("In a chess GUI");
    let (path, search) = value.split_once(';').unwrap();
    assert!(
        Path::new(path).is_file() && Path::new(search).is_file(),
        "{said}"
    );
    assert!(said.contains("A demonstration."), "{said}");
    if cfg!(unix) {
        let shell = |line: &str| succeed(Command::new("sh").args(["-c", line]));
        let answer = shell(&format!("echo quit | {}", below("In a shell")));
        let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
        let expected = format!("info string parameters from {path} and {search}");
        assert!(answer.starts_with(&expected), "{answer}");
        let answer = shell(&format!("{} --pairs 0", below("A match")));
        let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
        assert!(!answer.trim().is_empty());
    }
    assert!(said.contains("report.html") && folder.join("run/report.html").is_file());

    // `--json` prints one object and nothing else; the engine's own searches solve of the first
    // positions what the run's fast evaluation wrote down.
    let train = std::fs::read_to_string(folder.join("train.epd")).unwrap();
    let first: String = train.split_inclusive('\n').take(20).collect();
    std::fs::write(folder.join("first.epd"), first).unwrap();
    let output = succeed(tuner(folder).args([
        "score",
        "--phase",
        "grandmaster",
        "--params",
        path,
        "--positions",
        "first.epd",
        "--json",
    ]));
    let json = String::from_utf8(output.stdout).unwrap();
    assert_eq!(json.lines().count(), 1, "{json}");
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut keys: Vec<_> = object.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["percent", "positions", "solved"]);
    let [percent, count, solved] =
        ["percent", "positions", "solved"].map(|key| object[key].as_f64().unwrap());
    assert!(count == 20.0 && solved <= count, "{json}");
    assert!((percent - 100.0 * solved / count).abs() < 0.006, "{json}");
    let best = std::fs::read_to_string(path).unwrap();
    let recorded = format!("train_solved = {solved}\n");
    assert!(best.contains(&recorded), "{json}\n{best}");
    let said = eyas(&format!(
        "uci\nsetoption name ParamsFile value {value}\nisready\nposition startpos moves e2e4\n\
         go nodes 1000\n"
    ));
    assert!(
        said.contains(&format!("info string parameters from {path} and {search}")),
        "{said}"
    );
    let best = said
        .lines()
        .find_map(|line| line.strip_prefix("bestmove "))
        .unwrap();
    let best = Move::parse_uci(best.split(' ').next().unwrap()).unwrap();
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(Position::from_fen(after).unwrap().is_legal(best));
}

#[test]
fn every_shipped_parameter_file_plays() {
    let files = tests::files("params", "toml");
    assert!(!files.is_empty());
    for path in files {
        let said = eyas(&format!(
            "setoption name ParamsFile value {}\nposition startpos\ngo nodes 1000\n",
            path.display()
        ));
        assert!(
            said.contains("bestmove ") && said.contains("info string parameters from"),
            "{said}"
        );
    }
}
