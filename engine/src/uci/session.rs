//! The session: three threads and stdout.
//!
//! A reader thread turns stdin into commands, a search thread thinks, and this thread decides. It
//! answers what must be answered at once (`isready`, `stop`, `quit`) also while a search is under
//! way, and puts off whatever has to wait for its end. Nothing else in the library prints, and
//! this thread sleeps in a channel whenever there is nothing to do.

use super::command::{self, Command, GoCommand, PositionCommand};
use super::describe;
use super::input::{self, Input};
use super::options::{self, Setting};
use super::parameters::Source;
use crate::bench;
use crate::position::{Game, Position};
use crate::search::{Budget, Clock, Control, Event, Limits, Outcome, Searcher};
use crate::time::{Clocks, WallClock};
use crate::types::{Color, Move};
use crossbeam_channel::{Receiver, Select, bounded};
use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Name and version, as `id name` gives them.
pub const NAME: &str = concat!("Eyas ", env!("CARGO_PKG_VERSION"));

const AUTHOR: &str = "the Eyas authors";

/// Commands that may wait for the end of a search; more than that no GUI sends.
const MOST_DEFERRED: usize = 4096;

/// The search thread's stack: far more than MAX_PLY frames take, in debug builds too.
const STACK_BYTES: usize = 16 << 20;

/// Root moves are reported one by one after this time, as the protocol wishes.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

const HELP: &str = "\
Eyas is a chess engine that speaks UCI: it is meant to be run by a chess program with a board
(load this executable there as an engine). By hand, these commands are of use:

  position startpos moves e2e4 e7e5    set up a position
  position fen <FEN>                   the same from a FEN
  d                                    show it
  eval                                 static evaluation, term by term
  go depth 10 | go movetime 5000       search; go infinite searches until stop
  go perft 5                           count the leaves of the move tree
  setoption name ParamsFile value F    play with the parameters in F (two files: F;G)
  params                               show the parameters and where they come from
  bench [depth]                        search the fixed positions, print nodes and speed
  uci                                  list the options
  quit";

/// Runs a session on stdin and stdout until `quit` or the end of input.
///
/// # Errors
/// If there is no memory for the smallest table, or no thread can be started.
pub fn run() -> anyhow::Result<()> {
    let (sender, lines) = bounded(64);
    thread::Builder::new()
        .name("reader".to_string())
        .spawn(move || {
            let mut source = BufReader::new(std::io::stdin());
            loop {
                let input = input::read(&mut source);
                let last = input == Input::End;
                if sender.send(input).is_err() || last {
                    return;
                }
            }
        })?;
    Session::new()?.serve(&lines)
}

/// Writes a line and flushes it. An error means that nobody listens any more; the end of input
/// follows.
fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{}", text.trim_end());
    let _ = stdout.flush();
}

/// Tells a person something, line by line, in a way that GUIs understand.
fn note(text: &str) {
    for line in text.lines() {
        say(&format!("info string {line}"));
    }
}

/// A search under way.
struct Running {
    stop: Arc<AtomicBool>,
    done: Receiver<Box<(Searcher, Outcome)>>,
    /// Its best move is not to be told before `stop`.
    waits: bool,
    /// What came out, while it waits.
    outcome: Option<Outcome>,
}

struct Session {
    game: Game,
    /// `None` while it is searching.
    searcher: Option<Searcher>,
    running: Option<Running>,
    parameters: Source,
    overhead: i64,
    debug: bool,
    quitting: bool,
    /// Commands that wait for the end of the search.
    deferred: VecDeque<Command>,
}

/// What happened next.
enum Happening {
    Input(Input),
    SearchEnded(Box<(Searcher, Outcome)>),
}

impl Session {
    fn new() -> anyhow::Result<Session> {
        let parameters = Source::compiled();
        let (least, default, _) = options::HASH;
        let searcher = Searcher::new(parameters.params().clone(), default as usize)
            .or_else(|_| Searcher::new(parameters.params().clone(), least as usize))?;
        Ok(Session {
            game: Game::new(Position::startpos()),
            searcher: Some(searcher),
            running: None,
            parameters,
            overhead: options::MOVE_OVERHEAD.0,
            debug: false,
            quitting: false,
            deferred: VecDeque::new(),
        })
    }

    fn serve(&mut self, lines: &Receiver<Input>) -> anyhow::Result<()> {
        loop {
            if self.running.is_none() {
                match self.deferred.pop_front() {
                    Some(command) => {
                        self.obey(command)?;
                        continue;
                    }
                    None if self.quitting => return Ok(()),
                    None => {}
                }
            }
            match self.wait(lines)? {
                Happening::Input(Input::Line(line)) => self.hear(&line)?,
                Happening::Input(Input::TooLong) => note("a line of more than 1 MiB was ignored"),
                Happening::Input(Input::End) => self.quit(),
                Happening::SearchEnded(result) => {
                    let (searcher, outcome) = *result;
                    self.searcher = Some(searcher);
                    if let Some(running) = &mut self.running {
                        running.outcome = Some(outcome);
                    }
                    self.tell_if_due();
                }
            }
        }
    }

    /// Sleeps until a line comes or the search ends.
    fn wait(&self, lines: &Receiver<Input>) -> anyhow::Result<Happening> {
        let searching = self.running.as_ref().filter(|run| run.outcome.is_none());
        let mut select = Select::new();
        // After `quit` and after the end of input nothing is read any more.
        let line_ready = (!self.quitting).then(|| select.recv(lines));
        if let Some(running) = searching {
            select.recv(&running.done);
        }
        let operation = select.select();
        if Some(operation.index()) == line_ready {
            let input = operation.recv(lines).unwrap_or(Input::End);
            return Ok(Happening::Input(input));
        }
        match searching {
            Some(running) => {
                let result = operation
                    .recv(&running.done)
                    .map_err(|_| anyhow::anyhow!("the search thread has died"))?;
                Ok(Happening::SearchEnded(result))
            }
            None => Ok(Happening::Input(Input::End)),
        }
    }

    /// Obeys a line now, or puts it off until the search has ended.
    fn hear(&mut self, line: &str) -> anyhow::Result<()> {
        let command = command::parse(line);
        match command {
            Command::IsReady => say("readyok"),
            Command::Stop | Command::PonderHit => {
                let waits = |command: &Command| matches!(command, Command::Go(_));
                let told = self.deferred.back() == Some(&Command::Stop);
                if !told && self.deferred.iter().any(waits) {
                    self.deferred.push_back(Command::Stop);
                }
                self.stop();
            }
            Command::Quit => self.quit(),
            Command::Unknown => {
                let short: String = line.chars().take(40).collect();
                note(&format!("unknown command {short:?}; try help"));
            }
            Command::Nothing | Command::Register => {}
            _ if self.running.is_none() => self.obey(command)?,
            _ if self.deferred.len() < MOST_DEFERRED => self.deferred.push_back(command),
            _ => note("too many commands during a search; this one is ignored"),
        }
        Ok(())
    }

    /// Obeys a command; no search is under way.
    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Uci => {
                say(&format!("id name {NAME}"));
                say(&format!("id author {AUTHOR}"));
                for option in options::declarations() {
                    say(&option.to_string());
                }
                say("uciok");
            }
            Command::Debug(on) => {
                self.debug = on;
            }
            Command::SetOption { name, value } => match options::parse(&name, &value) {
                Ok(setting) => self.set(setting),
                Err(problem) => note(&problem),
            },
            Command::NewGame => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear();
                }
            }
            Command::Position(position) => self.set_position(position),
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => perft(self.game.position(), depth),
            Command::Display => say(&describe::board(self.game.position())),
            Command::Eval => say(&describe::evaluation(
                self.game.position(),
                &self.parameters.params().eval,
            )),
            Command::Bench(depth) => benchmark(&self.parameters, depth)?,
            Command::Params => say(&self.parameters.table()),
            Command::Help => say(HELP),
            // These are never put off.
            Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Register
            | Command::Nothing
            | Command::Unknown => {}
        }
        Ok(())
    }

    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Hash(megabytes) => {
                let result = match available_megabytes() {
                    Some(available) if megabytes > available => Err(format!(
                        "{megabytes} MB of hash are more than the {available} MB of free memory"
                    )),
                    _ => self.searcher.as_mut().map_or(Ok(()), |searcher| {
                        searcher.resize(megabytes).map_err(|e| e.to_string())
                    }),
                };
                match result {
                    Ok(()) => {}
                    Err(problem) => note(&format!("{problem}; the table stays as it is")),
                }
            }
            Setting::ClearHash => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear();
                }
            }
            Setting::Threads => {}
            Setting::MoveOverhead(milliseconds) => self.overhead = milliseconds,
            Setting::ParamsFile(names) => match Source::load(&names) {
                Ok(source) => {
                    note(&source.summary());
                    if let Some(searcher) = &mut self.searcher {
                        searcher.set_params(source.params().clone());
                    }
                    self.parameters = source;
                }
                Err(error) => note(&format!("{error}\nthe parameters stay as they are")),
            },
        }
    }

    /// Sets up a position. An illegal move ends the list: the position before it stays.
    fn set_position(&mut self, command: PositionCommand) {
        let start = match command.start {
            Ok(start) => start,
            Err(error) => {
                note(&format!("position refused: {error}; the old one stays"));
                return;
            }
        };
        self.game = Game::new(start);
        for text in &command.moves {
            let played = Move::parse_uci(text).is_some_and(|mv| self.game.play(mv));
            if !played {
                let short: String = text.chars().take(16).collect();
                note(&format!(
                    "illegal move {short:?}; the position is the one before it: {}",
                    self.game.position().to_fen()
                ));
                return;
            }
        }
    }

    /// Starts a search.
    fn go(&mut self, go: &GoCommand) -> anyhow::Result<()> {
        let clock = WallClock::start();
        let Some(mut searcher) = self.searcher.take() else {
            return Ok(());
        };
        let position = self.game.position();
        let time = clocks(go, position.side_to_move()).budget(self.overhead);
        let limits = limits(go, time);
        let unbounded = limits.depth.is_none() && limits.nodes.is_none() && time.is_none();
        // A search that had to wait for another may have been stopped before it began.
        let stopped = self.quitting || self.deferred.contains(&Command::Stop);
        let stop = Arc::new(AtomicBool::new(stopped));
        let (sender, done) = bounded(1);
        self.running = Some(Running {
            stop: Arc::clone(&stop),
            done,
            waits: !stopped && (go.infinite || go.ponder || (unbounded && go.mate.is_none())),
            outcome: None,
        });
        let game = self.game.clone();
        thread::Builder::new()
            .name("search".to_string())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let control = Control {
                    stop: &stop,
                    clock: &clock,
                };
                let outcome = searcher.search(&game, &limits, control, &mut |event| {
                    report(&event, clock.elapsed());
                });
                // The session waits for this, unless it has failed itself.
                let _ = sender.send(Box::new((searcher, outcome)));
            })?;
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.waits = false;
            running.stop.store(true, Relaxed);
        }
        self.tell_if_due();
    }

    fn quit(&mut self) {
        self.quitting = true;
        self.stop();
    }

    /// Tells the best move of a search that has ended, unless `stop` has to come first.
    fn tell_if_due(&mut self) {
        let Some(running) = &self.running else {
            return;
        };
        if let Some(outcome) = running.outcome.as_ref().filter(|_| !running.waits) {
            if self.debug {
                note(&format!("{} nodes", outcome.nodes));
            }
            say(&describe::best_move(outcome));
            self.running = None;
        }
    }
}

/// Prints what the search has to say.
fn report(event: &Event<'_>, elapsed: Duration) {
    match event {
        Event::Info(info) => say(&describe::info(info, elapsed)),
        Event::CurrentMove { mv, number, depth } if elapsed >= CURRENT_MOVE_AFTER => {
            say(&describe::current_move(*mv, *number, *depth));
        }
        Event::CurrentMove { .. } | Event::BestMove { .. } => {}
    }
}

/// The clocks of the side to move. Should only the opponent's be given, it stands in.
fn clocks(go: &GoCommand, side: Color) -> Clocks {
    let (own, other, increment) = match side {
        Color::White => (go.wtime, go.btime, go.winc),
        Color::Black => (go.btime, go.wtime, go.binc),
    };
    Clocks {
        remaining: own.or(other),
        increment: increment.unwrap_or(0),
        moves_to_go: go.movestogo,
        move_time: go.movetime,
    }
}

fn limits(go: &GoCommand, time: Option<Budget>) -> Limits {
    Limits {
        multi_pv: 1,
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        time: time.filter(|_| !go.infinite && !go.ponder),
        moves: go.searchmoves.clone(),
    }
}

/// Counts the leaves below each move.
fn perft(position: &Position, depth: u32) {
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for &mv in position.legal_moves().iter() {
            let leaves = position.play(mv).perft(depth - 1);
            total += leaves;
            say(&format!("{mv}: {leaves}"));
        }
    }
    say(&format!("\nNodes searched: {total}"));
}

/// Searches the benchmark's positions and prints nodes and speed.
fn benchmark(parameters: &Source, depth: Option<usize>) -> anyhow::Result<()> {
    let clock = WallClock::start();
    let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
    let nodes = bench::run(parameters.params(), depth)?;
    say(&bench_line(nodes, clock.elapsed()));
    Ok(())
}

/// `N nodes M nps`.
pub fn bench_line(nodes: u64, elapsed: Duration) -> String {
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
    format!("{nodes} nodes {speed:.0} nps")
}

/// Free memory of the machine, where the system tells. Linux grants more than there is and kills
/// the process later, so an allocation that succeeds proves nothing.
fn available_megabytes() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}
