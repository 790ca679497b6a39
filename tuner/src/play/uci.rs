//! A UCI engine as a child process: started, asked and watched, and never trusted.
//!
//! Whatever an engine does (crash, hang, flood, print bytes that are no text, answer with illegal
//! moves) ends as an [`EngineFailure`] that names the engine, its command, the position and its
//! last lines. Reads the clock and starts threads; plays no game itself (that is `game`).

mod lines;

use lines::forward_lines;
pub use lines::split_command;

use crate::base::room::{self, SMALL_STACK};
use crate::base::stop::Stop;
use crate::play::limit::Limit;
use crate::play::player::{Choice, EngineFailure, FailureKind, PlayError, Player};
use crate::play::said::{Declared, Info, Line, Said, is_refusal};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use engine::position::{Game, Position};
use engine::types::Move;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lines of an engine's output that a failure shows.
const KEPT_LINES: usize = 8;
/// Bytes of a line that are read; what goes beyond is passed over.
const MAX_LINE: u64 = 1 << 16;
/// Lines that wait unread before the engine has to wait.
const QUEUE: usize = 1024;
/// How long an engine may take to start where nobody says, in seconds.
pub const STARTUP_SECONDS: u64 = 10;
/// How often a wait looks whether the user has interrupted it.
const TICK: Duration = Duration::from_millis(50);
/// How long an engine may take to end by itself when it has been told to quit.
const QUIT_PATIENCE: Duration = Duration::from_millis(300);

/// What to start and how to set it up.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// Program and arguments, as the user wrote them: white space separates, quotes keep together.
    pub command: OsString,
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

impl UciEngine {
    /// Starts the engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// The command can't be run, or what it runs doesn't behave like a UCI engine.
    pub fn start(spec: &EngineSpec, stop: &Stop) -> Result<UciEngine, PlayError> {
        let fail = |kind| EngineFailure {
            engine: String::new(),
            command: spec.command.display().to_string(),
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
            name: String::new(),
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
            match Said::of(&line) {
                Said::Name(name) if !name.is_empty() => named = Some(name),
                Said::Option(option) => self.declared.push(option),
                Said::UciOk => break,
                _ => {}
            }
        }
        self.name = named.unwrap_or_else(|| self.spec.command.display().to_string());
        // Games are to be the same on every run: one thread, and a table that the user may resize.
        for (name, number) in [("Threads", 1), ("Hash", 16)] {
            let Some(declared) = self.declared(name) else {
                continue;
            };
            let option = (name.to_string(), declared.nearest(number).to_string());
            let mut options = self.spec.options.iter();
            if !options.any(|(chosen, _)| declared.is_named(chosen)) {
                self.spec.options.push(option);
            }
        }
        for (name, value) in self.spec.options.clone() {
            if name.eq_ignore_ascii_case("MultiPV") {
                self.lines_wanted = value.trim().parse().unwrap_or(0);
            }
            self.need_value(&name, &value)?;
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.remarks = self.wait_until_ready()?;
        // It would go on with other settings than the ones that are written down.
        match self.remarks.iter().any(|remark| is_refusal(remark)) {
            true => Err(self.failure(FailureKind::OptionRefused)),
            false => Ok(()),
        }
    }

    /// Tells the user what the engine has said of its options: where its parameters are from, say.
    pub fn tell_remarks(&self) {
        for remark in &self.remarks {
            eprintln!("{}: {remark}", self.name);
        }
    }

    /// The options that have been set, the defaults of this module among them.
    pub fn options(&self) -> &[(String, String)] {
        &self.spec.options
    }

    /// The same as one text.
    pub fn options_text(&self) -> String {
        let options = self.options().iter().map(|(n, v)| format!("{n}={v}"));
        options.collect::<Vec<_>>().join(", ")
    }

    fn has_option(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    fn declared(&self, name: &str) -> Option<&Declared> {
        let mut declared = self.declared.iter();
        declared.find(|option| option.is_named(name))
    }

    /// Waits, and comes back with what the engine has said to people in the meantime.
    fn wait_until_ready(&mut self) -> Result<Vec<String>, PlayError> {
        self.send("isready")?;
        let deadline = Instant::now() + self.spec.startup_timeout;
        let mut remarks = Vec::new();
        loop {
            let line = self.line("isready", "readyok", deadline)?;
            match Said::of(&line) {
                Said::ReadyOk => return Ok(remarks),
                Said::Remark(text) => remarks.push(text),
                _ => {}
            }
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
            command: self.spec.command.display().to_string(),
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
        let limit = Limit::Nodes(self.spec.nodes);
        let mut info = Info::default();
        let (text, mv) = self.go(limit, |line| info.read(line))?;
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
        limit: Limit,
        mut on_info: impl FnMut(&str),
    ) -> Result<(String, Move), PlayError> {
        let go = format!("go {limit}");
        self.send(&go)?;
        let deadline = Instant::now() + self.spec.move_timeout;
        loop {
            let line = self.line(&go, "bestmove", deadline)?;
            match Said::of(&line) {
                Said::Info(text) => on_info(text),
                Said::BestMove(text) => match Move::parse_uci(text) {
                    Some(mv) => return Ok((text.to_string(), mv)),
                    None => return Err(self.failure(FailureKind::NoMove(line))),
                },
                _ => {}
            }
        }
    }

    /// What a search that remembers nothing of earlier ones thinks of a position. More than one
    /// line needs the option `MultiPV`. An only move may come without a line.
    ///
    /// # Errors
    /// The engine is out of order, or has no score or no legal move to offer.
    pub fn analyse(
        &mut self,
        position: &Position,
        limit: impl Into<Limit>,
        lines: usize,
    ) -> Result<Analysis, PlayError> {
        let found = self.analyse_lines(position, limit.into(), lines);
        let found = found.and_then(|found| {
            match found.lines.is_empty() && position.legal_moves().len() > 1 {
                true => Err(self.failure(FailureKind::NoScore(found.best.to_string()))),
                false => Ok(found),
            }
        });
        found.map_err(|error| error.at(position.to_fen()))
    }

    /// The move that a search that remembers nothing of earlier ones would play, whether or not it
    /// tells what it is worth.
    ///
    /// # Errors
    /// The engine is out of order, or has no legal move to offer.
    pub fn best_move(&mut self, position: &Position, nodes: u64) -> Result<Move, PlayError> {
        let found = self.analyse_lines(position, nodes.into(), 1);
        let found = found.map_err(|error| error.at(position.to_fen()))?;
        Ok(found.best)
    }

    /// Refuses an engine that can't show so many lines at once.
    ///
    /// # Errors
    /// It has no option `MultiPV`, or one that ends below.
    pub fn need_lines(&self, lines: usize) -> Result<(), PlayError> {
        match lines {
            0 | 1 => Ok(()),
            _ => self.need_value("MultiPV", &lines.to_string()),
        }
    }

    fn analyse_lines(
        &mut self,
        position: &Position,
        limit: Limit,
        lines: usize,
    ) -> Result<Analysis, PlayError> {
        if lines != self.lines_wanted {
            self.need_value("MultiPV", &lines.to_string())?;
            self.send(&format!("setoption name MultiPV value {lines}"))?;
            self.lines_wanted = lines;
        }
        self.new_game()?;
        self.send(&format!("position fen {}", position.to_fen()))?;
        let mut infos = vec![Info::default(); lines];
        let mut moves: Vec<Line> = Vec::new();
        let (_, best) = self.go(limit, |line| {
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
        Ok(Analysis { best, lines, moves })
    }

    /// Refuses an engine without an option of this name, or with one that doesn't take this value.
    fn need_value(&self, name: &str, value: &str) -> Result<(), PlayError> {
        let known = || -> Vec<&str> { self.declared.iter().map(|one| &one.name[..]).collect() };
        let taken = self.declared(name).map(|option| option.takes(value));
        let name = name.to_string();
        match taken {
            Some(Ok(())) => Ok(()),
            Some(Err(expected)) => Err(self.failure(FailureKind::BadOption {
                name,
                value: value.to_string(),
                expected,
            })),
            None => Err(self.failure(FailureKind::UnknownOption {
                name,
                known: known().join(", "),
            })),
        }
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

#[cfg(test)]
mod tests;
