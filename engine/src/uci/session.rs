//! The session: what is done with each command, and when.
//!
//! A reader thread turns stdin into lines, a search thread thinks, and this thread decides. It
//! does what can be done at once (`isready`, `stop`, `ponderhit`, `quit`, `uci`, `debug`) also while a
//! search is under way, and puts off whatever has to wait for its end. It sleeps in a channel
//! whenever there is nothing to do.

use super::command::{self, Command, GoCommand, PositionCommand};
use super::describe;
use super::go;
use super::input::{self, Input, LONGEST_LINE};
use super::options;
use super::output::{note, say};
use super::parameters::Source;
use super::settings::Settings;
use super::thinking::{Running, Task};
use super::tools::{PATIENCE, Tool};
use crate::free_memory::{self, Room};
use crate::position::{Game, Position};
use crate::score::Score;
use crate::search::{Limits, Outcome, Searcher, Stats};
use crate::tt::TableError;
use crate::types::Move;
use crossbeam_channel::{Receiver, Select, bounded};
use std::collections::VecDeque;
use std::io::BufReader;
use std::time::{Duration, Instant};
use vampirc_uci::UciMessage;

/// Name and version, as `id name` gives them.
pub const NAME: &str = concat!("Eyas ", env!("CARGO_PKG_VERSION"));

const AUTHOR: &str = "the Eyas authors";

/// Lines that are read before those before them are obeyed.
const MOST_READ: usize = 8;

/// Stack of the thread that reads, in bytes.
const READER_STACK: usize = 1 << 20;

/// Commands that may wait for the end of a search; more than that no GUI sends.
const MOST_DEFERRED: usize = 4096;

/// Bytes of their lines.
const MOST_DEFERRED_BYTES: usize = 4 * LONGEST_LINE;

/// Nodes of a search that has no thread of its own: some milliseconds.
const SHORT_LOOK: u64 = 5000;

/// What is sent so soon after a command was sent with it.
const AT_ONCE: Duration = Duration::from_secs(1);

const HELP: &str = "\
Eyas is a chess engine that speaks UCI: it is meant to be run by a chess program with a board
(load this executable there as an engine). By hand, these commands are of use:

  position startpos moves e2e4 e7e5    set up a position
  position fen <FEN>                   the same from a FEN
  d                                    show it
  eval                                 static evaluation by term (eval --all: with all terms)
  go depth 10 | go movetime 5000       search; go infinite searches until stop
  go perft 5                           count the leaves of the move tree
  setoption name ParamsFile value F    play with the parameters in F (two files: F;G)
  setoption name knight_value value N  change one parameter
  params                               show the parameters and where they come from
  bench [depth] [hash] [threads]       search the fixed positions, print nodes and speed
  uci                                  list the options
  quit";

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No memory for the smallest table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A thread can't be started.
    #[error(transparent)]
    Thread(#[from] std::io::Error),
}

/// Runs a session on stdin and stdout until `quit` or the end of input, playing with these
/// parameters until another file is loaded. With `for_tuning`, `uci` also lists every row of the
/// parameter tables.
///
/// # Errors
/// If there is no memory for the smallest table, or no thread can be started.
pub fn run(for_tuning: bool, parameters: Source) -> Result<(), SessionError> {
    // The table first: addresses may be few, and `malloc` sets some aside for a thread.
    let mut session = Session::new(for_tuning, parameters)?;
    let (sender, lines) = bounded(MOST_READ);
    free_memory::start("reader", READER_STACK, move || {
        let mut source = BufReader::new(std::io::stdin());
        loop {
            let input = input::read(&mut source);
            let last = input == Input::End;
            if sender.send(input).is_err() || last {
                return;
            }
        }
    })?;
    session.serve(&lines)
}

struct Session {
    game: Game,
    /// `None` while it is searching.
    searcher: Option<Searcher>,
    running: Option<Running>,
    tool: Option<Tool>,
    settings: Settings,
    /// The options as `uci` lists them: their defaults are what the session began with.
    declared: Vec<UciMessage>,
    debug: bool,
    quitting: bool,
    /// Threads of which it has been told that they have no room.
    without_room: usize,
    /// Commands that wait for the end of the search.
    deferred: VecDeque<Command>,
    /// Bytes of the lines that these and those before them came in, since last none waited.
    deferred_bytes: usize,
}

/// What happened next.
enum Happening {
    Input(Input),
    /// The search has ended; `None` if its thread has died.
    SearchEnded(Option<Box<(Searcher, Outcome)>>),
    ToolEnded,
    /// Nothing, for as long as anybody waits for a search or a tool after the end.
    Timeout,
}

impl Session {
    fn new(for_tuning: bool, parameters: Source) -> Result<Session, SessionError> {
        let declared = options::declarations(for_tuning, &parameters);
        if parameters.is_from_files() {
            note(&parameters.summary());
        }
        let mut settings = Settings::new(parameters);
        Ok(Session {
            game: Game::new(Position::startpos()),
            searcher: Some(new_searcher(&mut settings)?),
            running: None,
            tool: None,
            settings,
            declared,
            debug: false,
            quitting: false,
            without_room: 0,
            deferred: VecDeque::new(),
            deferred_bytes: 0,
        })
    }

    fn serve(&mut self, lines: &Receiver<Input>) -> Result<(), SessionError> {
        loop {
            if self.is_idle() {
                match self.deferred.pop_front() {
                    Some(command) => {
                        self.obey(command)?;
                        continue;
                    }
                    None if self.quitting => return Ok(()),
                    None => self.deferred_bytes = 0,
                }
            } else if !self.counts() {
                // The count that these had to wait for is over, and a search waits for no answer.
                let waiting = self.deferred.len();
                self.deferred.retain(|command| *command != Command::IsReady);
                for _ in self.deferred.len()..waiting {
                    say("readyok");
                }
            }
            match self.wait(lines) {
                Happening::Input(Input::Line(line)) => self.hear(&line)?,
                Happening::Input(Input::TooLong) => note("a line of more than 1 MiB was ignored"),
                Happening::Input(Input::End) => self.quit(),
                Happening::SearchEnded(result) => self.end_search(result)?,
                Happening::ToolEnded => {
                    if let Some(tool) = self.tool.take() {
                        tool.join();
                    }
                }
                Happening::Timeout => {
                    note(
                        "stopped: after the end of input nothing goes on for more than five minutes",
                    );
                    self.stop_tool();
                    self.stop();
                }
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.running.is_none() && self.tool.is_none()
    }

    /// Whether a search waits for `ponderhit`.
    fn ponders(&self) -> bool {
        self.running.as_ref().is_some_and(Running::ponders)
    }

    /// Whether a move tree is being counted, or will be next: that is answered before anything
    /// else.
    fn counts(&self) -> bool {
        let waits = |command: &Command| matches!(command, Command::Perft(_));
        self.tool
            .as_ref()
            .is_some_and(|tool| tool.answers_first || self.deferred.iter().any(waits))
    }

    /// Whether no more commands can wait for the end of what is under way.
    fn is_full(&self) -> bool {
        self.deferred.len() >= MOST_DEFERRED || self.deferred_bytes > MOST_DEFERRED_BYTES
    }

    /// Whether what is under way ends without another command.
    fn ends_by_itself(&self) -> bool {
        self.running.as_ref().is_none_or(Running::ends_by_itself)
            && self.tool.as_ref().is_none_or(Tool::ends_by_itself)
    }

    /// Sleeps until a line comes, for which there must be room, or what is under way ends.
    fn wait(&self, lines: &Receiver<Input>) -> Happening {
        let searching = self.running.as_ref().filter(|run| run.outcome.is_none());
        let mut select = Select::new();
        // After `quit` and after the end of input nothing is read any more.
        let is_deaf = self.quitting || (self.is_full() && self.ends_by_itself());
        let line = (!is_deaf).then(|| select.recv(lines));
        let search = searching.map(|running| select.recv(&running.done));
        let tool = self.tool.as_ref().map(|tool| select.recv(&tool.done));
        let started = match (&self.tool, searching) {
            (Some(tool), _) => Some(tool.started),
            (None, Some(running)) => Some(running.started()),
            (None, None) => None,
        };
        let operation = match started.filter(|_| self.quitting) {
            Some(started) => match select.select_deadline(started + PATIENCE) {
                Ok(operation) => operation,
                Err(_) => return Happening::Timeout,
            },
            None => select.select(),
        };
        let ready = Some(operation.index());
        match (searching, &self.tool) {
            _ if ready == line => Happening::Input(operation.recv(lines).unwrap_or(Input::End)),
            (Some(running), _) if ready == search => {
                Happening::SearchEnded(operation.recv(&running.done).ok())
            }
            (_, Some(running)) if ready == tool => {
                let _ = operation.recv(&running.done);
                Happening::ToolEnded
            }
            _ => Happening::Timeout,
        }
    }

    /// Obeys a line now, or puts it off until the search has ended.
    fn hear(&mut self, line: &[u8]) -> Result<(), SessionError> {
        let command = command::parse(line);
        let waits_for_go = |command: &Command| matches!(command, Command::Go(_));
        let go_is_deferred = self.deferred.iter().any(waits_for_go);
        // A benchmark or a count waits for another's end, which comes a little after its answer. Of
        // one that waits for a search, `stop` is not meant.
        let is_tool = |command: &Command| matches!(command, Command::Bench(_) | Command::Perft(_));
        let tool_is_deferred = self.running.is_none() && self.deferred.iter().any(is_tool);
        match command {
            Command::IsReady if !self.counts() => {
                // What takes time is done before the clock runs.
                if self.is_idle() {
                    self.settle();
                }
                say("readyok");
            }
            Command::Stop => {
                let is_work_deferred = go_is_deferred || tool_is_deferred;
                if is_work_deferred && self.deferred.back() != Some(&Command::Stop) {
                    self.deferred.push_back(Command::Stop);
                }
                self.stop_tool();
                self.stop();
            }
            // Of two searches that wait for it, it is the first one's.
            Command::PonderHit if go_is_deferred && !self.ponders() => self.defer(command, line),
            Command::PonderHit => {
                if let Some(running) = &mut self.running {
                    running.ponderhit();
                }
                self.tell_if_due();
            }
            Command::Quit => self.quit(),
            Command::Unknown => {
                let short: String = String::from_utf8_lossy(line).chars().take(40).collect();
                note(&format!("unknown command {short:?}; try help"));
            }
            Command::Nothing | Command::Register => {}
            // They need nothing that a search has.
            Command::Uci | Command::Debug(_) => self.obey(command)?,
            _ if self.is_idle() => self.obey(command)?,
            _ => self.defer(command, line),
        }
        Ok(())
    }

    /// Puts a command off. Once there is no room for another, nothing is read until there is, and what
    /// would go on until it is told to stop is stopped, since no `stop` could come.
    fn defer(&mut self, command: Command, line: &[u8]) {
        self.deferred.push_back(command);
        self.deferred_bytes += line.len();
        if self.is_full() && !self.ends_by_itself() {
            note("too many commands wait for this to end, so it is stopped");
            self.stop_tool();
            self.stop();
        }
    }

    /// Obeys a command; no search is under way.
    fn obey(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::Uci => {
                say(&format!("id name {NAME}"));
                say(&format!("id author {AUTHOR}"));
                for option in &self.declared {
                    say(&option.to_string());
                }
                say("uciok");
            }
            Command::Debug(on) => self.debug = on,
            Command::IsReady => {
                self.settle();
                say("readyok");
            }
            Command::SetOption { name, value } => {
                if let Some(searcher) = &mut self.searcher {
                    let setting = options::parse(&name, &value);
                    match setting.and_then(|setting| self.settings.apply(setting, searcher)) {
                        Ok(None) => {}
                        Ok(Some(text)) | Err(text) => note(&text),
                    }
                }
            }
            Command::NewGame => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear();
                }
            }
            Command::Position(position) => self.set_position(position),
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.use_tool(Tool::perft(*self.game.position(), depth)),
            Command::Display => say(&describe::board(self.game.position())),
            Command::Eval { all } => say(&describe::evaluation(
                self.game.position(),
                self.settings.parameters.params(),
                all,
            )),
            Command::Bench(settings) => {
                let params = self.settings.parameters.params().clone();
                self.use_tool(Tool::bench(params, settings));
            }
            Command::Params => say(&self.settings.parameters.table()),
            Command::Help => say(HELP),
            // What these are about has ended by now.
            Command::Stop | Command::PonderHit => {}
            // These are never put off.
            Command::Quit | Command::Register | Command::Nothing | Command::Unknown => {}
        }
        Ok(())
    }

    /// Sets up a position. An illegal move ends the list: the position before it stays.
    fn set_position(&mut self, command: PositionCommand) {
        let start = match command.start {
            Ok((start, dropped)) => {
                for error in dropped {
                    note(&format!("dropped from the position: {error}"));
                }
                start
            }
            Err(error) => {
                note(&format!("position refused: {error}; the old one stays"));
                return;
            }
        };
        if !command.unread.is_empty() {
            note(&format!(
                "position: not understood and passed over: {}; moves follow the word moves",
                command.unread.join(" ")
            ));
        }
        self.game = Game::new(start);
        for text in &command.moves {
            let mv = Move::parse_uci(text).and_then(|mv| self.game.position().meant_by(mv));
            if !mv.is_some_and(|mv| self.game.play(mv)) {
                let short: String = text.chars().take(16).collect();
                note(&format!(
                    "illegal move {short:?}; the position is the one before it: {}",
                    self.game.position().to_fen()
                ));
                return;
            }
        }
    }

    /// Lets the searcher have what parameters were set.
    fn settle(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            self.settings.settle(searcher);
        }
    }

    /// Starts a search.
    fn go(&mut self, go: &GoCommand) -> Result<(), SessionError> {
        // What has to be done before the search takes its time from the clock.
        let asked = Instant::now();
        if !go.unread.is_empty() {
            note(&format!(
                "go: not understood and passed over: {}",
                go.unread.join(" ")
            ));
        }
        self.settle();
        let Some(searcher) = self.searcher.take() else {
            return Ok(());
        };
        let position = self.game.position();
        let overhead = self.settings.overhead;
        let params = &searcher.params().search;
        let budget = go::budget(go, position.side_to_move(), overhead, params);
        let moves = go.searchmoves.iter();
        let moves = moves.filter_map(|&mv| position.meant_by(mv)).collect();
        let mut limits = go::limits(go, budget, self.settings.multi_pv, moves);
        let waits = go::waits_for_stop(go, &limits);
        if self.debug {
            note(&format!("budget {budget:?}"));
        }
        if limits.moves.is_empty() && !go.searchmoves.is_empty() {
            note("none of the searchmoves is legal here; all moves are searched");
        }
        let mut program = None;
        if go::is_of_a_game(go, &limits) {
            program = self.settings.program_turn(&self.game);
            match self.settings.book_move(position) {
                Ok(None) => {}
                // The search is left no choice, and tells a score and a line as for any move.
                Ok(Some(mv)) => {
                    note(&format!("book move {mv}"));
                    program = None;
                    limits = Limits {
                        moves: vec![mv],
                        ..Limits::depth(1)
                    };
                }
                Err(problem) => note(&problem),
            }
        }
        let short_look = Limits {
            moves: limits.moves.clone(),
            threads: Some(1),
            ..Limits::nodes(SHORT_LOOK)
        };
        let task = Task {
            game: self.game.clone(),
            limits,
            ponders: go.ponder,
            waits,
            show_wdl: self.settings.show_wdl,
            strength: self.settings.strength(),
            endgames: self.settings.endgames(),
            program,
        };
        let mut running = match Running::start(searcher, task, asked) {
            Ok(running) => running,
            Err((problem, mut searcher)) => {
                note(&format!("no search can be started: {problem}"));
                // A short look by this thread, which hears nothing meanwhile.
                let outcome = searcher.search_quietly(&self.game, &short_look);
                self.searcher = Some(*searcher);
                say(&describe::best_move(&outcome));
                return Ok(());
            }
        };
        // What came for a search that had to wait for another has come already.
        let mut up_to_next = self
            .deferred
            .iter()
            .take_while(|command| !matches!(command, Command::Go(_)));
        if up_to_next.any(|command| *command == Command::PonderHit) {
            running.ponderhit();
        }
        if self.deferred.contains(&Command::Stop) {
            running.stop();
        }
        self.running = Some(running);
        if self.quitting {
            self.stop_last();
        }
        Ok(())
    }

    /// Takes the searcher back, and tells the move unless it has to wait.
    fn end_search(&mut self, result: Option<Box<(Searcher, Outcome)>>) -> Result<(), SessionError> {
        if let Some(running) = &mut self.running {
            running.join();
        }
        let outcome = match result {
            Some(result) => {
                let (searcher, outcome) = *result;
                self.tell_of_threads(searcher.threads_without_room());
                self.searcher = Some(searcher);
                outcome
            }
            // A fault of ours.
            None => {
                note("the search has failed; please report this with the lines before");
                self.go_without()?
            }
        };
        if let Some(running) = &mut self.running {
            running.outcome = Some(outcome);
        }
        self.tell_if_due();
        Ok(())
    }

    /// Says with how many threads is searched, when that has changed.
    fn tell_of_threads(&mut self, without_room: usize) {
        let threads = self.settings.threads;
        if std::mem::replace(&mut self.without_room, without_room) != without_room {
            let at_work = threads.saturating_sub(without_room);
            note(&format!(
                "{at_work} of {threads} threads have room to search"
            ));
        }
    }

    /// After a search that was lost with its searcher: any legal move is better than to leave the
    /// game.
    fn go_without(&mut self) -> Result<Outcome, SessionError> {
        self.searcher = Some(new_searcher(&mut self.settings)?);
        let best = self.game.position().legal_moves().first().copied();
        Ok(unsearched(best))
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stop();
        }
        self.tell_if_due();
    }

    /// Lets a tool work, unless it could not be started or its end has been asked for already.
    fn use_tool(&mut self, tool: std::io::Result<Tool>) {
        match tool {
            Ok(tool) => self.tool = Some(tool),
            Err(problem) => note(&format!("this can't be started: {problem}")),
        }
        if self.deferred.contains(&Command::Stop) {
            self.stop_tool();
        }
    }

    fn stop_tool(&self) {
        if let Some(tool) = &self.tool {
            tool.stop();
        }
    }

    /// Nothing is read any more. What has been read is done first.
    fn quit(&mut self) {
        self.quitting = true;
        self.stop_last();
        // Who has watched a benchmark for some time has given it up; a script has sent this at once.
        let given_up = |tool: &Tool| !tool.answers_first && tool.started.elapsed() > AT_ONCE;
        if self.tool.as_ref().is_some_and(given_up) {
            self.stop_tool();
        }
    }

    /// Stops the search under way, unless others come after it, and it ends by itself: of searches
    /// that a script has sent together it is the last one that `quit` or the end of input ends.
    fn stop_last(&mut self) {
        let goes_on = self.running.as_ref().is_some_and(Running::ends_by_itself);
        let is_go = |command: &Command| matches!(command, Command::Go(_));
        if !(goes_on && self.deferred.iter().any(is_go)) {
            self.stop();
        }
    }

    /// Tells the best move of a search that has ended, unless something has to come first.
    fn tell_if_due(&mut self) {
        let due = self.running.take_if(|running| running.is_due());
        if let Some(outcome) = due.and_then(|running| running.outcome) {
            if self.debug {
                note(&format!("{} nodes", outcome.nodes));
            }
            say(&describe::best_move(&outcome));
        }
    }
}

/// The outcome of a search that has not taken place.
fn unsearched(best: Option<Move>) -> Outcome {
    Outcome {
        best,
        ponder: None,
        score: Score::DRAW,
        depth: 0,
        seldepth: 0,
        nodes: 0,
        pv: best.into_iter().collect(),
        broken_off_at: None,
        stats: Stats::default(),
    }
}

/// A searcher with what is set. Where there is no room for that, it has one thread and a smaller table,
/// and so do the settings then.
fn new_searcher(settings: &mut Settings) -> Result<Searcher, SessionError> {
    let least = options::HASH.0 as usize;
    let wanted = settings.hash;
    loop {
        let params = settings.parameters.params().clone();
        let made = free_memory::check(settings.hash, settings.threads)
            .and_then(|()| Searcher::new(params, settings.hash));
        match made {
            Ok(mut searcher) => {
                searcher.set_threads(settings.threads);
                searcher.look_for_room(Room::look);
                if settings.hash < wanted {
                    let (hash, threads) = (settings.hash, settings.threads);
                    note(&format!(
                        "there is no memory for a table of {wanted} MB; it has {hash} MB now, \
                         and Threads is {threads}"
                    ));
                }
                return Ok(searcher);
            }
            Err(error) if settings.hash <= least && settings.threads <= 1 => {
                return Err(error.into());
            }
            Err(_) => {
                settings.threads = 1;
                settings.hash = (settings.hash / 2).max(least);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault of ours costs the search, not the game: any legal move is played, and the next search is
    /// like any other.
    #[test]
    fn a_search_that_dies_leaves_a_session_that_plays() {
        let mut session = Session::new(false, Source::compiled()).unwrap();
        let (_sender, lines) = bounded(1);
        session.searcher = None;
        session.running = Some(Running::dead());
        let Happening::SearchEnded(None) = session.wait(&lines) else {
            panic!("nobody notices");
        };
        session.end_search(None).unwrap();
        assert!(session.is_idle() && session.searcher.is_some());
        let legal = session.game.position().legal_moves();
        assert_eq!(session.go_without().unwrap().best, Some(legal[0]));

        session.hear(b"go nodes 100").unwrap();
        let Happening::SearchEnded(Some(result)) = session.wait(&lines) else {
            panic!("no search");
        };
        assert!(result.1.best.is_some_and(|mv| legal.contains(&mv)));
        session.end_search(Some(result)).unwrap();
        assert!(session.is_idle());
    }
}
