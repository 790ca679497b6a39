//! `tuner games` as a black box, against engines that behave and engines that don't.

// Clippy knows only functions marked as tests as such; the helpers here are test code too.
#![allow(clippy::unwrap_used)]

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command that starts the fake engine with these arguments.
fn fake(arguments: &str) -> String {
    format!("'{}' {arguments}", tests::fake_engine().display())
}

/// What the system calls this end of a process.
fn exit(code: i32) -> String {
    let name = if cfg!(windows) { "code" } else { "status" };
    format!("exit {name}: {code}")
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn games(out: &Path, engine: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command
        .args(["games", "--engine", engine, "--nodes", "100,10"])
        .args(["--resign", "900,2", "--seed", "5", "--out"])
        .arg(out)
        .args(more)
        .stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).to_string()
}

/// Replays a game's moves with shakmaty: the last position, the last comment and the result.
fn replay(movetext: &str) -> (Chess, String, String) {
    let (mut board, mut in_comment) = (Chess::default(), false);
    let (mut comment, mut result) = (String::new(), String::new());
    for word in movetext.split_whitespace() {
        if word.starts_with('{') {
            in_comment = true;
            comment.clear();
        }
        if in_comment {
            comment += word;
            in_comment = !word.ends_with('}');
        } else if ["1-0", "0-1", "1/2-1/2"].contains(&word) {
            result = word.to_string();
        } else if !word.ends_with('.') {
            let san: SanPlus = word.parse().unwrap();
            board.play_unchecked(san.san.to_move(&board).unwrap());
        }
    }
    (board, comment, result)
}

#[test]
fn games_are_legal_chess() {
    let folder = Folder::new();
    let out = folder.path("games.pgn");
    let more = ["--count", "8", "--comments", "--concurrency", "2"];
    let output = run(&mut games(&out, &fake("mode=noise"), &more));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("8 games, "));

    let text = fs::read_to_string(&out).unwrap();
    let mut strong_wins = 0;
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 8);
    for (index, game) in games.iter().enumerate() {
        let (tags, moves) = game.split_once("\n\n").unwrap();
        assert!(tags.contains(&format!("[Round \"{}\"]", index + 1)));
        let (board, comment, result) = replay(moves);
        assert!(tags.contains(&format!("[Result \"{result}\"]")));
        assert_eq!(board.is_checkmate(), comment == "{checkmate}");
        assert_eq!(board.is_stalemate(), comment == "{stalemate}");
        let normal = tags.contains("[Termination \"normal\"]");
        assert_eq!(normal, !comment.starts_with("{adjudicated:"));
        // The strong side has White in every other game, the first among them.
        let won = if index % 2 == 0 { "1-0" } else { "0-1" };
        strong_wins += u32::from(result == won);
    }
    assert!(strong_wins >= 6, "{strong_wins} of 8");
}

#[test]
fn threads_and_interruptions_change_no_byte() {
    let folder = Folder::new();
    let whole = folder.path("whole.pgn");
    let play = |out: &Path, more: &[&str]| {
        let output = run(&mut games(out, &fake("mode=ok"), more));
        assert!(output.status.success(), "{}", stderr(&output));
    };
    play(&whole, &["--count", "8", "--concurrency", "1"]);
    let expected = fs::read(&whole).unwrap();
    let other = folder.path("other.pgn");
    play(&other, &["--count", "8", "--concurrency", "3"]);
    assert_eq!(fs::read(&other).unwrap(), expected);

    let torn = folder.path("torn.pgn");
    let length = expected.len();
    for keep in [0, 900, length / 2, length - 1, length] {
        fs::write(&torn, &expected[..keep]).unwrap();
        play(&torn, &["--count", "8", "--concurrency", "2"]);
        assert_eq!(fs::read(&torn).unwrap(), expected, "kept {keep} bytes");
    }
    play(&torn, &["--count", "4", "--decisive", "3"]);
    assert_eq!(fs::read(&torn).unwrap(), expected, "nothing is left to do");

    let few = folder.path("few.pgn");
    play(&few, &["--decisive", "3"]);
    let few = fs::read(&few).unwrap();
    assert!(few.len() < length && expected.starts_with(&few));
}

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    let folder = Folder::new();
    let out = folder.path("games.pgn");
    let fake = fake("mode=ok");
    let foreign = "[Event \"My best game\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";
    for text in ["not a game at all", foreign, "[Event \"My"] {
        fs::write(&out, text).unwrap();
        let output = run(&mut games(&out, &fake, &["--count", "2"]));
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(1));
        assert!(shown.contains("choose another --out"), "{shown}");
        assert_eq!(fs::read_to_string(&out).unwrap(), text);
    }

    fs::remove_file(&out).unwrap();
    assert!(
        run(&mut games(&out, &fake, &["--count", "2"]))
            .status
            .success()
    );
    let before = fs::read(&out).unwrap();
    let output = run(&mut games(&out, &fake, &["--count", "4", "--plies", "6"]));
    let shown = stderr(&output);
    assert!(shown.contains("plies: 8 there, 6 here"), "{shown}");
    assert_eq!(fs::read(&out).unwrap(), before);

    let nowhere = folder.path("no/such/folder.pgn");
    let output = run(&mut games(&nowhere, &fake, &["--count", "2"]));
    assert!(stderr(&output).contains("cannot open for writing"));
}

/// Every way to fail is an error that shows what is needed to find out why.
#[test]
fn engines_that_fail_are_reported() {
    let folder = Folder::new();
    let cases: &[(&str, &[&str])] = &[
        ("crash:9", &["ended", &exit(3), "boom: this is the end"]),
        (
            "illegal:9",
            &["\"e1e8\", which is illegal", "bestmove e1e8"],
        ),
        ("none:9", &["bestmove (none)", "which is no move"]),
        ("hang:9", &["no `bestmove` within 1 s of `go nodes 100`"]),
        ("flood:9", &["no `bestmove` within 1 s", "on and on"]),
    ];
    for (index, (mode, expected)) in cases.iter().enumerate() {
        let out = folder.path(&format!("{index}.pgn"));
        let fake = fake(&format!("mode={mode}"));
        // Who answers, or ends, is not to be late as well where the machine is busy.
        let late = expected[0].starts_with("no `bestmove`");
        let patience = if late { "1" } else { "60" };
        let more = ["--count", "2", "--concurrency", "1"];
        let mut command = games(&out, &fake, &more);
        let output = run(command.args(["--move-timeout", patience]));
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{mode}: {shown}");
        let common = [
            "game 1 failed twice",
            "engine Fake {1.0}",
            mode,
            "position: ",
        ];
        for text in expected.iter().chain(&common) {
            assert!(
                shown.contains(text),
                "{mode}: {text} is missing in:\n{shown}"
            );
        }
    }

    let out = folder.path("start.pgn");
    let count = ["--count", "2"];
    let mut silent = games(&out, &fake("mode=silent"), &count);
    let output = run(silent.args(["--startup-timeout", "1"]));
    assert!(stderr(&output).contains("no `uciok` within 1 s of `uci`"));
    let output = run(&mut games(&out, "/no/such/engine --x", &count));
    assert!(stderr(&output).contains("can't be started"));
    let mut option = games(&out, &fake("mode=ok"), &count);
    let output = run(option.args(["--option", "Hsh=1"]));
    assert!(stderr(&output).contains("has no option \"Hsh\"; it has: Clear Hash"));
    let mut option = games(&out, &fake("mode=ok"), &count);
    let output = run(option.args(["--option", "Style=wild"]));
    let said = "would not take \"wild\" for its option \"Style\", expected one of Solid, Risky";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    let mut option = games(&out, &fake("mode=ok"), &count);
    let output = run(option.args(["--option", "Style=risky"]));
    let said = stderr(&output);
    assert!(said.contains("Fake {1.0}: hears of an option"), "{said}");
}

#[test]
fn an_engine_that_fails_once_is_forgiven() {
    let folder = Folder::new();
    let (good, bad) = (folder.path("good.pgn"), folder.path("bad.pgn"));
    let once = format!("mode=once:{}", folder.path("crashed").display());
    let more = ["--count", "3", "--concurrency", "1"];
    let output = run(&mut games(&bad, &fake(&once), &more));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("warning: game 1 began anew"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 started anew"));
    run(&mut games(&good, &fake("mode=ok"), &more));
    // All but the settings, which name the command, is the same.
    let games = |path| {
        let text = fs::read_to_string(path).unwrap();
        let (_, moves) = text.split_once("comments=false}").unwrap();
        moves.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(games(good), games(bad));
}

/// A game that an engine can't take is left out; the others are the same, and whoever goes on finds
/// it counted.
#[test]
fn a_game_that_fails_twice_is_abandoned() {
    let folder = Folder::new();
    let (good, bad) = (folder.path("good.pgn"), folder.path("bad.pgn"));
    run(&mut games(&good, &fake("mode=ok"), &["--count", "6"]));
    // The games behind the settings, one a line.
    let played = |path: &Path| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        let games = text.split("[Event ").skip(1);
        let moves = games.map(|game| game.split("\n\n").nth(1).unwrap().replace('\n', " "));
        moves
            .map(|moves| match moves.split_once("comments=false} ") {
                Some((_, moves)) => moves.to_string(),
                None => moves,
            })
            .collect()
    };
    let expected = played(&good);
    let first_move = |game: &str| {
        let san: SanPlus = game.split(' ').nth(1).unwrap().parse().unwrap();
        let mv = san.san.to_move(&Chess::default()).unwrap();
        mv.to_uci(shakmaty::CastlingMode::Standard).to_string()
    };
    let first_moves: Vec<String> = expected.iter().map(|game| first_move(game)).collect();
    let hated = (first_moves.iter().skip(1)).find(|mv| **mv != first_moves[0]);
    let hated = hated.unwrap();
    let fails = |game: usize| first_moves[game] == *hated;
    let engine = fake(&format!("mode=hates:{hated}"));
    let mut said = String::new();
    for count in ["4", "6"] {
        let output = run(&mut games(&bad, &engine, &["--count", count]));
        assert!(output.status.success(), "{}", stderr(&output));
        said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    }
    let left = (0..6).filter(|&game| fails(game)).count();
    assert!(
        left > 0 && said.contains(&format!("{left} abandoned")),
        "{said}"
    );
    for (game, moves) in played(&bad).iter().enumerate() {
        match fails(game) {
            true => assert!(moves.contains(&exit(5)) && moves.ends_with(" *"), "{moves}"),
            false => assert_eq!(*moves, expected[game]),
        }
    }
}

#[cfg(target_os = "linux")]
mod signals {
    use super::*;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Whether any of these processes is there and no zombie.
    fn any_alive(pids: &Path) -> bool {
        let pids = fs::read_to_string(pids).unwrap();
        pids.lines().any(|pid| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            !status.is_empty() && !status.contains("State:\tZ")
        })
    }

    fn wait_until(holds: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < deadline, "waited in vain");
            sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn ctrl_c_keeps_the_games_and_ends_the_engines() {
        let folder = Folder::new();
        for (name, mode) in [("slow", "slow"), ("hang", "hang:150")] {
            let (out, pids) = (folder.path(name), folder.path(&format!("{name}.pids")));
            let fake = fake(&format!("mode={mode} pids={}", pids.display()));
            let mut command = games(&out, &fake, &["--count", "500", "--concurrency", "2"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let child = command.spawn().unwrap();
            wait_until(|| fs::metadata(&out).is_ok_and(|file| file.len() > 0));
            tests::send_signal("INT", child.id());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
            assert!(stderr(&output).contains("the same command goes on from here"));
            assert!(fs::read_to_string(&out).unwrap().ends_with("\n\n"));
            assert!(!any_alive(&pids), "{mode}");
        }
    }

    /// A script that starts an engine is not the engine, and both end.
    #[test]
    fn no_engine_behind_a_script_is_left() {
        let folder = Folder::new();
        let [out, pids, script] = ["games.pgn", "pids", "engine.sh"].map(|name| folder.path(name));
        let engine = fake(&format!("mode=hang:9 pids={}", pids.display()));
        fs::write(&script, format!("{engine}\ntrue\n")).unwrap();
        let command = format!("sh '{}'", script.display());
        let more = ["--count", "2", "--move-timeout", "1", "--concurrency", "1"];
        let output = run(&mut games(&out, &command, &more));
        assert!(
            stderr(&output).contains("no `bestmove` within 1 s"),
            "{}",
            stderr(&output)
        );
        // The script's child is nobody's to wait for: it dies of its signal when it is next on.
        wait_until(|| !any_alive(&pids));
    }

    #[test]
    fn a_killed_run_goes_on_and_leaves_no_engine() {
        let folder = Folder::new();
        let (out, whole) = (folder.path("killed.pgn"), folder.path("whole.pgn"));
        let pids = folder.path("pids");
        let fake = fake(&format!("mode=slow pids={}", pids.display()));
        let count = ["--count", "8", "--concurrency", "1"];
        assert!(run(&mut games(&whole, &fake, &count)).status.success());
        for patience in [150, 400, 700] {
            let mut command = games(&out, &fake, &count);
            let mut child = command.stdout(Stdio::null()).spawn().unwrap();
            sleep(Duration::from_millis(patience));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(run(&mut games(&out, &fake, &count)).status.success());
        assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
        // Nobody is left to end these engines: they end with their input.
        wait_until(|| !any_alive(&pids));
    }
}
