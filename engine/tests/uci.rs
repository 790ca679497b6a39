//! Black-box tests of the executable: a GUI on the other end of its pipes.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::position::{Game, Position};
use engine::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Far longer than anything here takes, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_eyas"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Engine {
            child,
            stdin,
            lines,
        }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Lines up to and with the first that starts like this.
    fn read_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{start:?} never came ({error}); {lines:#?}"),
            }
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// Everything that is printed from a line on until the next `readyok`.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.read_until("bestmove")
    }

    /// Closes stdin and returns the rest of the output, once the engine has ended well.
    fn finish(mut self) -> Vec<String> {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(line);
        }
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1)
}

/// What match managers check of a search's output.
fn assert_well_formed(lines: &[String], game: &Game) {
    let (last, infos) = lines.split_last().unwrap();
    let scored: Vec<&String> = infos.iter().filter(|l| l.contains(" score ")).collect();
    assert!(!scored.is_empty(), "{lines:#?}");
    for line in &scored {
        for key in ["depth", "seldepth", "nodes", "nps", "time", "hashfull"] {
            let number = value(line, key).unwrap_or_default();
            assert!(number.parse::<u64>().is_ok(), "{key} in {line}");
        }
        let score = value(line, "cp").or(value(line, "mate")).unwrap();
        assert!(score.parse::<i64>().is_ok(), "{line}");
        assert!(!line.contains("bound"), "{line}");
        let pv = line.split(" pv ").nth(1).unwrap();
        let mut game = game.clone();
        for text in pv.split(' ') {
            let mv = Move::parse_uci(text).unwrap();
            assert!(game.play(mv), "{text} in {line}");
        }
    }
    let best = value(last, "bestmove").unwrap();
    let first = scored.last().unwrap().split(" pv ").nth(1).unwrap();
    assert_eq!(first.split(' ').next(), Some(best));
}

#[test]
fn greeting_names_the_engine_and_its_options() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    assert!(lines[0].starts_with("id name Eyas "));
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash",
        "Clear Hash",
        "Threads",
        "Move Overhead",
        "ParamsFile",
    ] {
        let declared = format!("option name {option} type ");
        assert!(
            lines.iter().any(|line| line.starts_with(&declared)),
            "{option}"
        );
    }
    assert_eq!(engine.ask("ucinewgame"), [""; 0]);
    assert!(engine.finish().is_empty());
}

/// The four searches of fastchess' compliance test, and some more.
#[test]
fn short_clocks_get_a_move_and_an_exact_score() {
    let mut engine = Engine::start();
    let white = Game::new(Position::startpos());
    let mut black = white.clone();
    assert!(black.play(Move::parse_uci("e2e4").unwrap()));
    for (moves, game) in [("", &white), (" moves e2e4", &black)] {
        for go in [
            "go wtime 100",
            "go btime 100",
            "go wtime 100 winc 100 btime 100 binc 100",
            "go btime 100 binc 100 wtime 100 winc 100",
            "go wtime 1 btime 1",
            "go wtime -500 btime -500",
            "go wtime 0 btime 0 movestogo 1",
            "go movetime 1",
            "go movetime 30",
            "go depth 1",
            "go depth 0",
            "go nodes 1",
            "go nodes 0",
            "go nodes 1001",
            "go movestogo 0 wtime 50 btime 50",
            "go mate 1 depth 3",
            "go wtime 99999999999999999999 btime 5 depth 2 searchmoves",
        ] {
            engine.send(&format!("position startpos{moves}"));
            engine.send("isready");
            engine.read_until("readyok");
            let lines = engine.go(go);
            assert_well_formed(&lines, game);
        }
    }
    assert!(engine.finish().is_empty());
}

#[test]
fn same_nodes_same_answer() {
    let mut engine = Engine::start();
    for nodes in [1, 999, 12_345] {
        let mut answers = Vec::new();
        for _ in 0..2 {
            engine.send("ucinewgame");
            engine.send("position startpos moves d2d4 g8f6");
            let lines = engine.go(&format!("go nodes {nodes}"));
            let last = lines[lines.len() - 2].clone();
            assert_eq!(value(&last, "nodes"), Some(nodes.to_string().as_str()));
            answers.push((
                value(&last, "nodes").map(String::from),
                lines.last().cloned(),
            ));
        }
        assert_eq!(answers[0], answers[1]);
    }
}

#[test]
fn a_search_without_end_waits_for_stop() {
    let mut engine = Engine::start();
    // Mate in one: nothing is left to search, and yet no answer may come before it is asked for.
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    for go in ["go infinite", "go", "go ponder wtime 10 btime 10"] {
        engine.send(go);
        std::thread::sleep(Duration::from_millis(200));
        let lines = engine.ask("");
        assert!(
            !lines.iter().any(|l| l.starts_with("bestmove")),
            "{go}: {lines:#?}"
        );
        let told = Instant::now();
        engine.send("stop");
        assert_eq!(
            engine.read_until("bestmove").last().unwrap(),
            "bestmove d1d8"
        );
        assert!(told.elapsed() < Duration::from_secs(1));
    }
    // Idle stops do nothing; a search that is stopped at once still answers.
    assert_eq!(engine.ask("stop"), [""; 0]);
    engine.send("position startpos");
    engine.send_bytes(b"go infinite\nstop\n");
    let lines = engine.read_until("bestmove");
    assert_well_formed(&lines, &Game::new(Position::startpos()));
    // Each stop is for the search before it, also for one that has not begun.
    engine.send_bytes(&b"go infinite\nstop\n".repeat(5));
    for _ in 0..5 {
        engine.read_until("bestmove");
    }
}

#[test]
fn readiness_and_order_are_kept_during_a_search() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos\ngo infinite\nisready\n");
    assert!(
        !engine
            .read_until("readyok")
            .iter()
            .any(|l| l.starts_with("bestmove"))
    );
    // What comes during a search is done after it: one bestmove a go, in order.
    engine.send_bytes(
        b"position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 2\nsetoption name Hash value 2\n\
          position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 2\nd\nstop\n",
    );
    engine.read_until("bestmove");
    assert_eq!(
        engine.read_until("bestmove").last().unwrap(),
        "bestmove d1d8"
    );
    assert_eq!(
        engine.read_until("bestmove").last().unwrap(),
        "bestmove (none)"
    );
    engine.read_until("FEN: 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
}

#[test]
fn quitting_during_a_search_tells_the_move_first() {
    for end in [
        &b"quit\n"[..],
        b"",
        b"go depth 3\nquit\n",
        b"go infinite\nquit\n",
    ] {
        let mut engine = Engine::start();
        engine.send_bytes(b"position startpos\ngo infinite\nisready\n");
        engine.read_until("readyok");
        engine.send_bytes(end);
        let rest = engine.finish();
        let moves = rest.iter().filter(|l| l.starts_with("bestmove")).count();
        assert_eq!(moves, if end.starts_with(b"go") { 2 } else { 1 });
        assert!(rest.last().unwrap().starts_with("bestmove"), "{rest:#?}");
    }
}

#[test]
fn perft_divides_before_anything_else() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos\ngo perft 3\nquit\n");
    let rest = engine.finish();
    assert_eq!(rest.len(), 22);
    assert!(rest.contains(&"e2e4: 600".to_string()));
    assert_eq!(rest.last().unwrap(), "Nodes searched: 8902");
}

#[test]
fn illegal_positions_and_moves_are_told() {
    let mut engine = Engine::start();
    let told = engine.ask("position startpos moves e2e4 e7e5 e4e5 d7d5");
    assert!(
        told[0].starts_with("info string illegal move \"e4e5\""),
        "{told:?}"
    );
    let shown = engine.ask("d");
    let fen = "FEN: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert!(shown.contains(&fen.to_string()), "{shown:#?}");
    for bad in [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen not a fen at all moves e2e4",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999999999 1",
    ] {
        let told = engine.ask(bad);
        assert!(
            told[0].starts_with("info string position refused"),
            "{bad}: {told:?}"
        );
    }
    assert!(engine.ask("d").contains(&fen.to_string()));
    engine.ask("position fen 4k3/8/8/8/8/8/8/4K3\tw  -   - moves\te1e2\r");
    assert!(
        engine
            .ask("d")
            .iter()
            .any(|line| line == "FEN: 4k3/8/8/8/8/8/4K3/8 b - - 1 1")
    );
}

#[test]
fn nothing_on_stdin_ends_the_session() {
    let mut engine = Engine::start();
    let mut long = vec![b'x'; 5 << 20];
    long.push(b'\n');
    engine.send_bytes(&long);
    engine.send_bytes(b"position startpos moves \xff\xfe e2e4\n\x00\x01\x02\n\xc3\x28\n");
    for line in [
        "setoption",
        "setoption name Hash value abc",
        "setoption name OwnBook value true",
        "setoption name Hash value 99999999999999999999999999",
        "setoption name hash value 4",
        "setoption name CLEAR hash",
        "setoption name Threads value 64",
        "setoption name Move Overhead value -1",
        "setoption name ParamsFile value /nowhere/at/all.toml",
        "ponderhit",
        "register later",
        "joho debug on",
        "debug off",
        "params",
        "eval",
        "help",
    ] {
        engine.ask(line);
    }
    // A search may outlast the answer to `isready`: wait for its move.
    for line in [
        "go depth 18446744073709551616 nodes 20",
        "go depth 256 nodes 20",
        "go movestogo 256 wtime 10 btime 10 ",
        "go nodes -1",
    ] {
        engine.go(line);
    }
    engine.send("isready");
    engine.read_until("readyok");
    assert!(engine.finish().is_empty());
}

/// Lines of the protocol's words in any order, each search stopped, and a live session after all.
#[test]
fn no_sequence_of_lines_ends_the_session() {
    let words = [
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "a7a8q",
        "0000",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "movestogo",
        "searchmoves",
        "ponder",
        "infinite",
        "mate",
        "1",
        "0",
        "-1",
        "256",
        "99999999999999999999",
        "setoption",
        "name",
        "value",
        "Hash",
        "ParamsFile",
        "é",
        "Clear",
        "ucinewgame",
        "isready",
        "uci",
        "d",
        "eval",
        "params",
        "debug",
        "on",
        "ponderhit",
        "stop",
        "4k3/8/8/8/8/8/8/4K2R",
        "8/8/8/8/8/8/8/8",
        "w",
        "b",
        "K",
        "-",
        "\t",
        "\r",
        "\0",
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2014);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut engine = Engine::start();
    for _ in 0..if tests::is_long() { 200 } else { 2 } {
        let mut text = String::new();
        for _ in 0..500 {
            // Most lines begin with a command, or few would be understood.
            let first = [
                "position startpos",
                "position fen",
                "go",
                "setoption name",
                "",
            ][below(5)];
            text.push_str(first);
            for _ in 0..below(8) {
                text += &format!(" {}", words[below(words.len())]);
            }
            text += "\nstop\n";
        }
        engine.send(&text);
        engine.send("position startpos\ngo nodes 10\nd\nstop");
        engine.read_until("FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
    engine.finish();
}

#[test]
fn a_bad_parameter_file_leaves_the_old_ones() {
    let folder = std::env::temp_dir().join(format!("eyas-uci-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let eval = file("eval.toml", "format = 1\n[eval]\nknight_value = 333\n");
    let search = file("search.toml", "format = 1\n[search]\nnull_move_use = 1\n");
    let bad = file("bad.toml", "format = 1\n[eval]\nknight_value = 99999\n");

    let mut engine = Engine::start();
    let shows = |engine: &mut Engine, name: &str, number: &str| {
        let lines = engine.ask("params");
        let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some(number), "{line}");
    };
    engine.ask(&format!("setoption name ParamsFile value {eval};{search}"));
    shows(&mut engine, "knight_value", "333");
    shows(&mut engine, "null_move_use", "1");
    shows(&mut engine, "check_extension", "0");
    let told = engine.ask(&format!("setoption name ParamsFile value {bad}"));
    assert!(
        told[0].contains("line 3") && told[0].contains("knight_value"),
        "{told:?}"
    );
    shows(&mut engine, "knight_value", "333");
    engine.ask("setoption name ParamsFile value <empty>");
    shows(&mut engine, "check_extension", "4");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Two processes play each other, and neither ever loses on time or plays an illegal move.
#[test]
fn fast_games_are_legal_and_in_time() {
    const START: i64 = 1500;
    const INCREMENT: i64 = 20;
    let mut players = [Engine::start(), Engine::start()];
    let openings = ["e2e4", "d2d4 g8f6"];
    let games = if tests::is_long() { 100 } else { 2 };
    for opening in openings.into_iter().cycle().take(games) {
        let mut game = Game::new(Position::startpos());
        let mut moves: Vec<String> = opening.split(' ').map(String::from).collect();
        for text in &moves {
            assert!(game.play(Move::parse_uci(text).unwrap()));
        }
        let mut clocks = [START; 2];
        for player in &mut players {
            player.ask("ucinewgame");
        }
        while game.outcome().is_none() && moves.len() < 300 {
            let side = game.position().side_to_move().index();
            let player = &mut players[side];
            player.ask(&format!("position startpos moves {}", moves.join(" ")));
            let start = Instant::now();
            let lines = player.go(&format!(
                "go wtime {} btime {} winc {INCREMENT} binc {INCREMENT}",
                clocks[0], clocks[1]
            ));
            clocks[side] -= start.elapsed().as_millis() as i64;
            // A busy test machine may lose a second between two processes; the engine may not.
            assert!(clocks[side] > -1000, "{clocks:?} after {}", moves.len());
            clocks[side] = clocks[side].max(50) + INCREMENT;
            assert_well_formed(&lines, &game);
            let best = value(lines.last().unwrap(), "bestmove")
                .unwrap()
                .to_string();
            assert!(game.play(Move::parse_uci(&best).unwrap()), "{best}");
            moves.push(best);
        }
    }
}
