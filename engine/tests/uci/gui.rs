//! A GUI on the other end of the engine's pipes.

use engine::position::Game;
use engine::types::Move;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Far longer than anything here takes, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::spawn(&mut Command::new(env!("CARGO_BIN_EXE_eyas")))
    }

    pub fn start_for_tuning() -> Engine {
        Engine::spawn(Command::new(env!("CARGO_BIN_EXE_eyas")).arg("--tune"))
    }

    pub fn spawn(command: &mut Command) -> Engine {
        let mut child = command
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

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Lines up to and with the first that starts like this.
    pub fn read_until(&mut self, start: &str) -> Vec<String> {
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
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.read_until("bestmove")
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What has come so far, without waiting for more.
    pub fn printed(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// The next line, if one comes in time.
    pub fn next_line(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// Closes stdin and returns the rest of the output, once the engine has ended well.
    pub fn finish(mut self) -> Vec<String> {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end: {rest:?}"),
            }
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

pub fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1)
}

/// What match managers check of a search's output: numbers, lines that can be played to their end
/// and no further, mates of the length announced, and the first line's first move at last.
pub fn assert_well_formed(lines: &[String], game: &Game) {
    let (last, infos) = lines.split_last().unwrap();
    let scored: Vec<&String> = infos.iter().filter(|l| l.contains(" score ")).collect();
    assert!(!scored.is_empty(), "{lines:#?}");
    let last_scored = scored[scored.len() - 1];
    for (i, line) in scored.iter().enumerate() {
        for key in [
            "depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits",
        ] {
            let number = value(line, key).unwrap_or_default();
            assert!(number.parse::<u64>().is_ok(), "{key} in {line}");
        }
        let score = value(line, "cp").or(value(line, "mate")).unwrap();
        assert!(score.parse::<i64>().is_ok(), "{line}");
        // Bounds are of use to those who wait long. What is told last of a place among the lines is one if a better move
        // was found for it and not searched to its end.
        let is_bound = line.contains("bound");
        let is_long = value(line, "time").unwrap().parse::<u64>().unwrap() >= 3000;
        let place = value(line, "multipv");
        let is_last = scored[i + 1..]
            .iter()
            .all(|later| value(later, "multipv") != place);
        let is_better = is_last && line.contains(" lowerbound ");
        assert!(!is_bound || is_long || is_better, "{line}");
        assert_playable(line, game);
    }
    assert!(!last_scored.contains("upperbound"), "{lines:#?}");
    assert!(
        scored.iter().any(|line| !line.contains("bound")),
        "{lines:#?}"
    );
    let best = value(last, "bestmove").unwrap();
    let mut first_lines = scored.iter().filter(|l| value(l, "multipv") == Some("1"));
    assert_eq!(first_moves(first_lines.next_back().unwrap())[0], best);
    if let Some(ponder) = value(last, "ponder") {
        let mut game = game.clone();
        for text in [best, ponder] {
            assert!(game.play(Move::parse_uci(text).unwrap()), "{last}");
        }
        // A repetition may end the game as well; no GUI stumbles over that.
        assert!(game.position().has_legal_move(), "{last} ends the game");
    }
}

/// The moves of a line.
pub fn first_moves(line: &str) -> Vec<&str> {
    let pv = line.split(" pv ").nth(1).unwrap();
    pv.split(' ').collect()
}

fn assert_playable(line: &str, game: &Game) {
    let moves = first_moves(line);
    let mut game = game.clone();
    for (number, text) in moves.iter().enumerate() {
        let over = game.outcome().filter(|_| number > 0);
        assert_eq!(over, None, "before {text} in {line}");
        assert!(
            game.play(Move::parse_uci(text).unwrap()),
            "{text} in {line}"
        );
    }
    if let Some(mate) = value(line, "mate") {
        let mate: i64 = mate.parse().unwrap();
        let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
        assert_eq!(moves.len() as i64, plies, "{line}");
        assert!(
            game.position().in_check() && !game.position().has_legal_move(),
            "{line}"
        );
    }
}
