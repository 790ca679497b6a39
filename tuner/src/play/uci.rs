//! A UCI engine as a child process: started, asked and watched, and never trusted.
//!
//! Whatever an engine does (crash, hang, flood, print bytes that are no text, answer with illegal
//! moves) ends as an [`EngineFailure`] that names the engine, its command, the position and its
//! last lines. Reads the clock and starts threads; plays no game itself (that is `game`).

use crate::play::player::{Choice, EngineFailure, FailureKind, PlayError, Player};
use crate::stop::Stop;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use engine::position::{Game, Position};
use engine::score::Score;
use engine::search::MAX_PLY;
use engine::types::Move;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lines of an engine's output that a failure shows.
const KEPT_LINES: usize = 8;
/// Bytes of a line that are read as one; a longer line counts as several.
const MAX_LINE: u64 = 1 << 16;
/// Lines that wait unread before the engine has to wait.
const QUEUE: usize = 1024;
/// How often a wait looks whether the user has interrupted it.
const TICK: Duration = Duration::from_millis(50);
/// How long an engine may take to end by itself when it has been told to quit.
const QUIT_PATIENCE: Duration = Duration::from_millis(300);

/// What to start and how to set it up.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// Program and arguments, as the user wrote them: white space separates, quotes keep together.
    pub command: String,
    /// UCI options by name, set in this order.
    pub options: Vec<(String, String)>,
    /// Nodes a move.
    pub nodes: u64,
    /// Longest time for starting, and for being ready.
    pub startup_timeout: Duration,
    /// Longest time for one move.
    pub move_timeout: Duration,
}

/// The last lines of an engine, shared by the threads that read them.
type Recent = Arc<Mutex<VecDeque<String>>>;

/// A running engine. Dropping it ends the process.
pub struct UciEngine {
    spec: EngineSpec,
    name: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    recent: Recent,
    /// The options that it has declared.
    declared: Vec<Declared>,
    /// What it has said to people while its options were set.
    remarks: Vec<String>,
    /// Lines that it reports.
    lines_wanted: usize,
    stop: Stop,
}

/// What an engine thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The move that it would play.
    pub best: Move,
    /// The lines that it has told, best first: the first is rarely, in a search that was broken off,
    /// another move than `best`.
    pub lines: Vec<Line>,
    /// The last that it has told of each move. In a search that was broken off, a move may have lost
    /// its place among the lines to another that is there twice.
    pub moves: Vec<Line>,
}

/// A move with what an engine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its score for the side to move.
    pub score: Score,
    /// What the engine expects in reply, if it has said so.
    pub reply: Option<Move>,
}

impl UciEngine {
    /// Starts the engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// The command can't be run, or what it runs doesn't behave like a UCI engine.
    pub fn start(spec: &EngineSpec, stop: &Stop) -> Result<UciEngine, PlayError> {
        let fail = |kind| EngineFailure {
            engine: "(not yet named)".to_string(),
            command: spec.command.clone(),
            kind,
            fen: None,
            output: Vec::new(),
        };
        let words = split_command(&spec.command).map_err(|e| fail(FailureKind::Command(e)))?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(fail(FailureKind::Command("is an empty command".to_string())).into());
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A Ctrl-C at the terminal is for us, who then end the engines; it must not look like a
        // crash of theirs.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| fail(FailureKind::Spawn(e)))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            let reason = std::io::Error::other("its pipes are missing");
            return Err(fail(FailureKind::Spawn(reason)).into());
        };
        let recent = Recent::default();
        let (sender, lines) = bounded(QUEUE);
        let mut engine = UciEngine {
            spec: spec.clone(),
            name: "(not yet named)".to_string(),
            child,
            stdin,
            lines,
            recent: Arc::clone(&recent),
            declared: Vec::new(),
            remarks: Vec::new(),
            lines_wanted: 1,
            stop: stop.clone(),
        };
        forward_lines(stdout, Arc::clone(&recent), Some(sender))
            .and_then(|()| forward_lines(stderr, recent, None))
            .map_err(|e| fail(FailureKind::Spawn(e)))?;
        engine.handshake()?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), PlayError> {
        self.send("uci")?;
        let deadline = Instant::now() + self.spec.startup_timeout;
        let mut named = None;
        loop {
            let line = self.line("uci", "uciok", deadline)?;
            if let Some(name) = line.strip_prefix("id name ") {
                named = Some(name.trim().to_string());
            } else if let Some(option) = line.strip_prefix("option ") {
                self.declared.extend(Declared::parse(option));
            } else if line.trim() == "uciok" {
                break;
            }
        }
        self.name = named.unwrap_or_else(|| self.spec.command.clone());
        // Games are to be the same on every run: one thread, and a table that the user may resize.
        for (name, value) in [("Threads", "1"), ("Hash", "16")] {
            let chosen = |(n, _): &(String, String)| n.eq_ignore_ascii_case(name);
            if self.has_option(name) && !self.spec.options.iter().any(chosen) {
                let option = (name.to_string(), value.to_string());
                self.spec.options.push(option);
            }
        }
        for (name, value) in self.spec.options.clone() {
            if name.eq_ignore_ascii_case("MultiPV") {
                self.lines_wanted = value.trim().parse().unwrap_or(0);
            }
            let declared = self.need_option(&name)?;
            if let Err(expected) = declared.takes(&value) {
                return Err(self.failure(FailureKind::BadOption {
                    name,
                    value,
                    expected,
                }));
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.remarks = self.wait_until_ready()?;
        Ok(())
    }

    /// Tells the user what the engine has said of its options: that a file can't be read, say.
    pub fn tell_remarks(&self) {
        for remark in &self.remarks {
            eprintln!("{}: {remark}", self.name);
        }
    }

    /// The options that have been set, the defaults of this module among them.
    pub fn options(&self) -> &[(String, String)] {
        &self.spec.options
    }

    fn has_option(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    fn declared(&self, name: &str) -> Option<&Declared> {
        let mut declared = self.declared.iter();
        declared.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Waits, and comes back with what the engine has said to people in the meantime.
    fn wait_until_ready(&mut self) -> Result<Vec<String>, PlayError> {
        self.send("isready")?;
        let deadline = Instant::now() + self.spec.startup_timeout;
        let mut remarks = Vec::new();
        loop {
            let line = self.line("isready", "readyok", deadline)?;
            if line.trim() == "readyok" {
                return Ok(remarks);
            }
            remarks.extend(line.strip_prefix("info string ").map(str::to_string));
        }
    }

    fn send(&mut self, command: &str) -> Result<(), PlayError> {
        let sent = writeln!(self.stdin, "{command}").and_then(|()| self.stdin.flush());
        match sent {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended(command)),
        }
    }

    /// The next line, or why there is none.
    fn line(
        &mut self,
        request: &str,
        expected: &'static str,
        deadline: Instant,
    ) -> Result<String, PlayError> {
        loop {
            if self.stop.requested() {
                return Err(PlayError::Interrupted);
            }
            // An engine that floods us with lines runs into its deadline all the same.
            let now = Instant::now();
            if now >= deadline {
                let after = match expected {
                    "bestmove" => self.spec.move_timeout,
                    _ => self.spec.startup_timeout,
                };
                return Err(self.failure(FailureKind::Timeout {
                    request: request.to_string(),
                    expected,
                    after,
                }));
            }
            match self.lines.recv_timeout(TICK.min(deadline - now)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(request)),
            }
        }
    }

    /// The failure of an engine whose pipes are closed.
    fn ended(&mut self, request: &str) -> PlayError {
        let deadline = Instant::now() + QUIT_PATIENCE;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => break "it has closed its pipes".to_string(),
            }
        };
        // What it wrote at the very end may still be on its way through the reading threads.
        thread::sleep(Duration::from_millis(20));
        self.failure(FailureKind::Ended {
            request: request.to_string(),
            status,
        })
    }

    fn failure(&self, kind: FailureKind) -> PlayError {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        EngineFailure {
            engine: self.name.clone(),
            command: self.spec.command.clone(),
            kind,
            fen: None,
            output: recent.iter().cloned().collect(),
        }
        .into()
    }

    fn search(&mut self, moves: &[Move]) -> Result<(String, Choice), PlayError> {
        let mut command = String::from("position startpos");
        for (index, mv) in moves.iter().enumerate() {
            command.push_str(if index == 0 { " moves " } else { " " });
            command.push_str(&mv.to_string());
        }
        self.send(&command)?;
        let nodes = self.spec.nodes;
        let mut info = Info::default();
        let (text, mv) = self.go(nodes, |line| info.read(line))?;
        let choice = Choice {
            mv,
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
        };
        Ok((text, choice))
    }

    /// Searches the position that has been set up, shows each `info` line, and returns the move,
    /// also as it was written.
    fn go(
        &mut self,
        nodes: u64,
        mut on_info: impl FnMut(&str),
    ) -> Result<(String, Move), PlayError> {
        let go = format!("go nodes {nodes}");
        self.send(&go)?;
        let deadline = Instant::now() + self.spec.move_timeout;
        loop {
            let line = self.line(&go, "bestmove", deadline)?;
            if let Some(text) = line.strip_prefix("info ") {
                on_info(text);
            } else if let Some(rest) = line.strip_prefix("bestmove") {
                let text = rest.split_whitespace().next().unwrap_or("").to_string();
                return match Move::parse_uci(&text) {
                    Some(mv) => Ok((text, mv)),
                    None => Err(self.failure(FailureKind::NoMove(line))),
                };
            }
        }
    }

    /// What a search that remembers nothing of earlier ones thinks of a position. More than one
    /// line needs the option `MultiPV`.
    ///
    /// # Errors
    /// The engine is out of order, or has no score or no legal move to offer.
    pub fn analyse(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
    ) -> Result<Analysis, PlayError> {
        let found = self.analyse_lines(position, nodes, lines);
        found.map_err(|error| error.at(position.to_fen()))
    }

    fn analyse_lines(
        &mut self,
        position: &Position,
        nodes: u64,
        lines: usize,
    ) -> Result<Analysis, PlayError> {
        if lines != self.lines_wanted {
            self.need_option("MultiPV")?;
            self.send(&format!("setoption name MultiPV value {lines}"))?;
            self.lines_wanted = lines;
        }
        self.new_game()?;
        self.send(&format!("position fen {}", position.to_fen()))?;
        let mut infos = vec![Info::default(); lines];
        let mut moves: Vec<Line> = Vec::new();
        let (text, best) = self.go(nodes, |line| {
            for (place, info) in (1..).zip(&mut infos) {
                if let Some(line) = info.read_line(line, place) {
                    moves.retain(|other| other.mv != line.mv);
                    moves.push(line);
                }
            }
        })?;
        let lines: Vec<Line> = infos.iter().filter_map(Info::line).collect();
        let named = moves.iter().map(|line| line.mv).chain([best]);
        if let Some(illegal) = named.into_iter().find(|&mv| !position.is_legal(mv)) {
            return Err(self.failure(FailureKind::IllegalMove(illegal.to_string())));
        }
        match lines.is_empty() {
            true => Err(self.failure(FailureKind::NoScore(text))),
            false => Ok(Analysis { best, lines, moves }),
        }
    }

    /// Refuses an engine without an option of this name.
    fn need_option(&self, name: &str) -> Result<&Declared, PlayError> {
        let known = || -> Vec<&str> { self.declared.iter().map(|one| &one.name[..]).collect() };
        self.declared(name).ok_or_else(|| {
            self.failure(FailureKind::UnknownOption {
                name: name.to_string(),
                known: known().join(", "),
            })
        })
    }
}

impl Player for UciEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayError> {
        self.send("ucinewgame")?;
        // The protocol doesn't say that a new game empties the hash table.
        if self.has_option("Clear Hash") {
            self.send("setoption name Clear Hash")?;
        }
        self.wait_until_ready().map(|_| ())
    }

    fn choose(&mut self, game: &Game, moves: &[Move]) -> Result<Choice, PlayError> {
        let found = self.search(moves).and_then(|(text, choice)| {
            if game.position().is_legal(choice.mv) {
                Ok(choice)
            } else {
                Err(self.failure(FailureKind::IllegalMove(text)))
            }
        });
        found.map_err(|error| error.at(game.position().to_fen()))
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        let asked = !self.stop.requested()
            && writeln!(self.stdin, "quit").is_ok()
            && self.stdin.flush().is_ok();
        let deadline = Instant::now() + QUIT_PATIENCE;
        while asked && Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        // Either fails only if the process has ended already, which is what is wanted. A script may
        // have started the engine, which would go on without it: the whole group ends.
        // Not of a process whose end is known: its number may be another's by now.
        #[cfg(unix)]
        if matches!(self.child.try_wait(), Ok(None)) {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a stream in a thread of its own until it ends or nobody listens any more.
fn forward_lines(
    stream: impl Read + Send + 'static,
    recent: Recent,
    to: Option<Sender<String>>,
) -> std::io::Result<()> {
    let forward = move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
            let shown: String = line.chars().take(200).collect();
            {
                let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
                if recent.len() == KEPT_LINES {
                    recent.pop_front();
                }
                recent.push_back(shown);
            }
            if let Some(sender) = &to
                && sender.send(line).is_err()
            {
                return;
            }
        }
    };
    thread::Builder::new().spawn(forward).map(drop)
}

/// What the `info` lines of one search have told so far.
#[derive(Clone, Default)]
struct Info {
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    /// The first move of the line that has the score.
    first: Option<Move>,
    /// The second one.
    second: Option<Move>,
}

impl Info {
    /// Takes over what a line says; lines of other variations and mere bounds give no score.
    fn read(&mut self, text: &str) {
        let _ = self.read_line(text, 1);
    }

    /// The same for the line in this place, from 1; what it says, if it says a move and a score.
    fn read_line(&mut self, text: &str, place: usize) -> Option<Line> {
        let mut words = text.split_whitespace();
        let mut line = Info {
            score: None,
            depth: self.depth,
            nodes: self.nodes,
            first: None,
            second: None,
        };
        let mut told = None;
        let mut exact = true;
        let mut number_of_line = 1;
        while let Some(word) = words.next() {
            match word {
                "depth" => line.depth = number(words.next()).unwrap_or(line.depth),
                "nodes" => line.nodes = number(words.next()).unwrap_or(line.nodes),
                "multipv" => number_of_line = number(words.next()).unwrap_or(0),
                "lowerbound" | "upperbound" => exact = false,
                "score" => {
                    line.score = match words.next() {
                        Some("cp") => number(words.next()).map(Score::cp),
                        Some("mate") => number(words.next()).map(mate),
                        _ => None,
                    }
                }
                // All that follows is moves.
                "pv" => {
                    line.first = words.next().and_then(Move::parse_uci);
                    line.second = words.next().and_then(Move::parse_uci);
                    break;
                }
                // All that follows is free text.
                "string" => break,
                _ => {}
            }
        }
        if exact && number_of_line == place && line.score.is_some() {
            self.score = line.score;
            (self.first, self.second) = (line.first, line.second);
            self.depth = line.depth;
            told = self.line();
        }
        self.nodes = line.nodes;
        told
    }

    /// The line, if it has a move and a score.
    fn line(&self) -> Option<Line> {
        let (mv, score) = (self.first?, self.score?);
        Some(Line {
            mv,
            score,
            reply: self.second,
        })
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|w| w.parse().ok())
}

/// The score of a mate in so many full moves (negative: against the side to move).
fn mate(moves: i32) -> Score {
    let moves_away = moves.unsigned_abs() as usize;
    if moves > 0 {
        Score::mate_in((2 * moves_away - 1).min(MAX_PLY))
    } else {
        Score::mated_in((2 * moves_away).min(MAX_PLY))
    }
}

/// An option that an engine has.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    kind: OptionKind,
}

#[derive(Debug, PartialEq, Eq)]
enum OptionKind {
    Check,
    /// A whole number from one to the other.
    Spin(i64, i64),
    /// One of these.
    Combo(Vec<String>),
    /// A button, a text, or what the protocol does not know.
    Other,
}

impl Declared {
    /// Reads what follows `option`: `name Hash type spin default 16 min 1 max 1024`.
    fn parse(text: &str) -> Option<Declared> {
        let rest = text.trim().strip_prefix("name ")?;
        let (name, kind) = rest.split_once(" type ")?;
        let words: Vec<&str> = kind.split_whitespace().collect();
        let number = |key: &str| -> Option<i64> {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match words.first() {
            Some(&"check") => OptionKind::Check,
            Some(&"spin") => OptionKind::Spin(
                number("min").unwrap_or(i64::MIN),
                number("max").unwrap_or(i64::MAX),
            ),
            Some(&"combo") => {
                let values = kind.split(" var ").skip(1);
                OptionKind::Combo(values.map(|value| value.trim().to_string()).collect())
            }
            _ => OptionKind::Other,
        };
        Some(Declared {
            name: name.trim().to_string(),
            kind,
        })
    }

    /// Whether it takes this value, or what it would take: most engines pass over all others without
    /// a word.
    fn takes(&self, value: &str) -> Result<(), String> {
        let value = value.trim();
        match &self.kind {
            OptionKind::Check if !["true", "false"].contains(&value) => {
                Err("true or false".to_string())
            }
            OptionKind::Spin(low, high) => match value.parse::<i64>() {
                Ok(number) if (*low..=*high).contains(&number) => Ok(()),
                _ => Err(format!("a whole number from {low} to {high}")),
            },
            OptionKind::Combo(values)
                if !values.iter().any(|known| known.eq_ignore_ascii_case(value)) =>
            {
                Err(format!("one of {}", values.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// Splits a command at white space; single or double quotes keep a word together.
///
/// # Errors
/// A quote that is not closed.
pub fn split_command(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    match quote {
        Some(open) => Err(format!("has a quote {open} that is never closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let split = |text| split_command(text).unwrap();
        assert_eq!(split("  eyas  --x 1 "), ["eyas", "--x", "1"]);
        assert_eq!(split("'/a b/c' \"\" d'e f'g"), ["/a b/c", "", "de fg"]);
        assert!(split("").is_empty());
        assert!(split_command("a 'b").is_err());
    }

    #[test]
    fn the_last_exact_score_counts() {
        let mut info = Info::default();
        info.read("depth 5 seldepth 7 multipv 1 score cp 31 nodes 900 pv e2e4 score cp 9");
        info.read("depth 6 score cp 99 lowerbound nodes 950");
        info.read("depth 5 multipv 2 score cp -5 nodes 960");
        info.read("depth x score cp");
        info.read("string score cp 1000");
        assert_eq!(info.score, Some(Score::cp(31)));
        assert_eq!((info.depth, info.nodes), (5, 960));
        info.read("depth 7 score mate -2");
        assert_eq!(info.score.unwrap().mate_moves(), Some(-2));
        info.read("depth 7 score mate 2147483647");
        assert!(info.score.unwrap().is_mate());
        info.read("depth 7 score mate -2147483648");
        assert!(info.score.unwrap().is_mate());
    }

    #[test]
    fn option_names_may_have_blanks() {
        let option = Declared::parse("name Clear Hash type button").unwrap();
        assert_eq!(
            (&option.name[..], option.kind),
            ("Clear Hash", OptionKind::Other)
        );
        assert_eq!(Declared::parse("name broken"), None);
    }

    #[test]
    fn options_take_what_they_declare() {
        for (option, taken, expected) in [
            (
                "name a type spin default 16 min 1 max 64",
                &["1", " 64"][..],
                "a whole number from 1 to 64",
            ),
            (
                "name a type check default false",
                &["true", "false"],
                "true or false",
            ),
            (
                "name a type combo default Risky One var Solid var Risky One",
                &["solid", "Risky One"],
                "one of Solid, Risky One",
            ),
        ] {
            let option = Declared::parse(option).unwrap();
            for value in taken {
                assert_eq!(option.takes(value), Ok(()), "{option:?} {value}");
            }
            for value in ["", "0", "65", "abc", "99999999999999999999"] {
                assert_eq!(
                    option.takes(value),
                    Err(expected.to_string()),
                    "{option:?} {value}"
                );
            }
        }
        let text = Declared::parse("name a type string default <empty>").unwrap();
        assert_eq!(text.takes("anything"), Ok(()));
    }
}
