//! One search from `go` to `bestmove`: its thread, its clock, and what is added around it:
//! endgame tables, a book's move, an endgame program, limited strength.

use super::describe;
use super::output::{note, say};
use crate::free_memory;
use crate::position::Game;
use crate::program::{Ahead, Program, look_ahead};
use crate::score::Score;
use crate::search::{Clock, Control, Event, Info, Limits, Outcome, STACK_BYTES, Searcher};
use crate::strength::{self, Strength};
use crate::tablebase::{Probing, Verdict};
use crate::tt::Bound;
use crate::types::Move;
use crossbeam_channel::{Receiver, bounded};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Root moves are reported one by one after this time, as the protocol wishes, and scores that are bounds.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

/// The time of a search. While the opponent thinks, the clock that bounds the search stands
/// still; it starts with `ponderhit`.
struct GameClock {
    start: Instant,
    /// When our own time began to run.
    own: OnceLock<Instant>,
}

impl GameClock {
    fn start(ponders: bool, start: Instant) -> GameClock {
        let own = OnceLock::new();
        if !ponders {
            let _ = own.set(start);
        }
        GameClock { start, own }
    }

    fn ponderhit(&self) {
        let _ = self.own.set(Instant::now());
    }
}

impl Clock for GameClock {
    fn elapsed(&self, _nodes: u64) -> Duration {
        self.own.get().map_or(Duration::ZERO, Instant::elapsed)
    }

    fn with_pondering(&self, _nodes: u64) -> Duration {
        self.start.elapsed()
    }

    fn ponders(&self) -> bool {
        self.own.get().is_none()
    }
}

/// What is to be searched, and how it is told.
pub(super) struct Task {
    pub game: Game,
    pub limits: Limits,
    /// Whether the opponent is thinking, and this is only what he may play.
    pub ponders: bool,
    /// Whether the answer has to wait for `stop`.
    pub waits: bool,
    pub show_wdl: bool,
    pub strength: Option<Strength>,
    /// Endgame tables.
    pub endgames: Option<Probing>,
    /// The endgame program that chooses the move.
    pub program: Option<ProgramTurn>,
}

/// An endgame program whose turn it is.
pub(super) struct ProgramTurn {
    /// The name of its file.
    pub name: Arc<str>,
    pub program: Arc<Program>,
    /// Plies that it looks ahead.
    pub plies: usize,
}

impl ProgramTurn {
    /// Its choice, told as it is made; `None` without a legal move. It looks no deeper once it is told to stop,
    /// or the time or the nodes of the move are used up. Equal moves are drawn by the number of the move in the
    /// game, so that the same game is played again from the same position.
    fn choose(&self, task: &Task, stop: &AtomicBool, clock: &GameClock) -> Option<Move> {
        let limits = &task.limits;
        let plies = limits
            .depth
            .map_or(self.plies, |depth| depth.min(self.plies));
        let seed = task.game.keys().len() as u64;
        let mut nodes = 0;
        let is_over = || {
            nodes += 1;
            let spent = limits
                .time
                .is_some_and(|budget| clock.elapsed(nodes) >= budget.soft);
            spent || stop.load(Relaxed) || limits.nodes.is_some_and(|most| nodes > most)
        };
        let found = look_ahead(
            &self.program,
            task.game.position(),
            plies.max(1),
            seed,
            is_over,
        )?;
        let Ahead { mv, plies, leaves } = found;
        let plural = if plies == 1 { "ply" } else { "plies" };
        note(&format!(
            "endgame program {} moves {mv}: {plies} {plural}, {leaves} positions",
            self.name
        ));
        Some(mv)
    }
}

/// A search under way.
pub(super) struct Running {
    stop: Arc<AtomicBool>,
    clock: Arc<GameClock>,
    pub done: Receiver<Box<(Searcher, Outcome)>>,
    thread: Option<JoinHandle<()>>,
    /// Its best move is not to be told before `ponderhit` or `stop`.
    ponders: bool,
    /// Its best move is not to be told before `stop`.
    waits: bool,
    /// Whether something else than `stop` will end it.
    is_bounded: bool,
    /// What came out, while it waits.
    pub outcome: Option<Outcome>,
}

impl Running {
    /// Starts a search in a thread of its own, which gives the searcher back at the end. It was asked
    /// for at a time from which its clock runs.
    ///
    /// # Errors
    /// If no thread can be started; the searcher comes back.
    pub fn start(
        searcher: Searcher,
        task: Task,
        asked: Instant,
    ) -> Result<Running, (std::io::Error, Box<Searcher>)> {
        let (give, work) = bounded::<(Searcher, Task)>(1);
        let (sender, done) = bounded(1);
        let mut running = Running {
            stop: Arc::new(AtomicBool::new(false)),
            clock: Arc::new(GameClock::start(task.ponders, asked)),
            done,
            thread: None,
            ponders: task.ponders,
            waits: task.waits,
            is_bounded: task.limits.is_bounded(),
            outcome: None,
        };
        let (stop, clock) = (Arc::clone(&running.stop), Arc::clone(&running.clock));
        let started = free_memory::start("search", STACK_BYTES, move || {
            if let Ok((mut searcher, task)) = work.recv() {
                let outcome = think(&mut searcher, task, &stop, &clock);
                // The session waits for this, unless it has failed itself.
                let _ = sender.send(Box::new((searcher, outcome)));
            }
        });
        match started {
            Ok(thread) => running.thread = Some(thread),
            Err(problem) => return Err((problem, Box::new(searcher))),
        }
        // It waits for this.
        let _ = give.send((searcher, task));
        Ok(running)
    }

    /// Waits for its thread, which has come to its end, so that another has its room.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// One whose thread has died without an answer.
    #[cfg(test)]
    pub fn dead() -> Running {
        let (_, done) = bounded(1);
        Running {
            stop: Arc::default(),
            clock: Arc::new(GameClock::start(false, Instant::now())),
            done,
            thread: None,
            ponders: false,
            waits: false,
            is_bounded: true,
            outcome: None,
        }
    }

    /// Ends the search, and its answer need not wait any more.
    pub fn stop(&mut self) {
        self.waits = false;
        self.ponders = false;
        self.is_bounded = true;
        self.stop.store(true, Relaxed);
    }

    /// The opponent has played the expected move: from now on our own time runs.
    pub fn ponderhit(&mut self) {
        self.ponders = false;
        self.clock.ponderhit();
    }

    /// When it began.
    pub fn started(&self) -> Instant {
        self.clock.start
    }

    /// Whether its answer comes without another command.
    pub fn ends_by_itself(&self) -> bool {
        self.is_bounded && !self.waits && !self.ponders
    }

    /// Whether neither `ponderhit` nor `stop` has come to a search that ponders.
    pub fn ponders(&self) -> bool {
        self.ponders
    }

    /// Whether the answer is there and may be told.
    pub fn is_due(&self) -> bool {
        self.outcome.is_some() && !self.waits && !self.ponders
    }
}

/// The search itself, with what people have set.
fn think(searcher: &mut Searcher, task: Task, stop: &AtomicBool, clock: &GameClock) -> Outcome {
    let chosen = task.program.as_ref();
    let chosen = chosen.and_then(|turn| turn.choose(&task, stop, clock));
    // The search is left no choice, and tells a score and a line as for any move.
    let mut limits = match chosen {
        Some(mv) => Limits {
            moves: vec![mv],
            ..Limits::depth(1)
        },
        None => task.limits,
    };
    let (game, strength) = (&task.game, task.strength);
    // A weaker player knows no tables. Who wants several lines, or looks at some moves alone,
    // wants to see those that tables rule out, too.
    let mut endgames = task.endgames.filter(|_| strength.is_none());
    let tables = endgames.as_ref().map(|endgames| endgames.tables.clone());
    let wants_all = !limits.moves.is_empty() || limits.multi_pv > 1;
    let known = endgames.as_ref().filter(|_| !wants_all);
    let known = known.and_then(|endgames| endgames.root_moves(game));
    let (mut hits, mut verdict) = (0, None);
    if let Some(probe) = known {
        (hits, verdict) = (probe.hits, Some(probe.verdict));
        limits.moves = probe.moves;
        // These moves hold the result. Within the search, tables would only hide the way to it,
        // unless nothing else says which of them makes progress.
        if probe.makes_progress || probe.verdict <= Verdict::Draw {
            endgames = None;
        }
    }
    searcher.set_endgames(endgames);
    let wanted_lines = limits.multi_pv.max(1);
    if let Some(strength) = strength {
        limits.nodes_after_first = Some(strength.nodes);
        limits.multi_pv = wanted_lines.max(strength::LINES);
        // The strengths were measured with one, and others would make the answer one of chance.
        limits.threads = Some(1);
    }
    let tell = |info: &Info| {
        let elapsed = clock.start.elapsed();
        let wdl = task.show_wdl.then(|| game.position());
        let mut info = info.clone();
        info.table_hits += hits;
        // What tables know is no bound.
        if let Some(verdict) = verdict {
            (info.score, info.bound) = (judged(verdict, info.score), Bound::Exact);
        }
        say(&describe::info(&info, elapsed, wdl));
    };
    let is_long = || clock.start.elapsed() >= DETAILS_AFTER;
    let mut lines: Vec<Info> = Vec::new();
    let control = Control { stop, clock };
    let mut outcome = searcher.search(game, &limits, control, &mut |event| match event {
        Event::Info(info) => {
            if strength.is_some() {
                remember(&mut lines, info);
            }
            if info.multi_pv <= wanted_lines {
                tell(info);
            }
        }
        // Of a known result there is nothing to wait for, and a weaker player's moves are not those of its search.
        Event::Bound(info) if is_long() && verdict.is_none() && strength.is_none() => tell(info),
        Event::CurrentMove { mv, number, depth } if is_long() => {
            say(&describe::current_move(mv, number, depth));
        }
        Event::Bound(_) | Event::CurrentMove { .. } | Event::BestMove { .. } => {}
    });
    if outcome.best.is_none() {
        say(&describe::no_move(&outcome));
    }
    for fault in tables.iter().flat_map(|tables| tables.take_faults()) {
        note(&fault);
    }
    if let Some(strength) = strength
        && let Some(mut chosen) = choose(strength, game, &lines)
        && chosen.pv.first() != outcome.best.as_ref()
    {
        chosen.multi_pv = 1;
        chosen.nodes = outcome.nodes;
        tell(&chosen);
        outcome.best = chosen.pv.first().copied();
        outcome.ponder = None;
        outcome.score = chosen.score;
        outcome.pv = chosen.pv;
    }
    outcome
}

/// The score of a root position of which tables know the result: theirs, unless the search has
/// found the mate.
fn judged(verdict: Verdict, score: Score) -> Score {
    match verdict {
        _ if score.is_mate() => score,
        Verdict::Win => Score::table_win(0),
        Verdict::Loss => Score::table_loss(0),
        Verdict::CursedWin | Verdict::Draw | Verdict::BlessedLoss => Score::DRAW,
    }
}

/// Keeps the newest of each line.
fn remember(lines: &mut Vec<Info>, info: &Info) {
    let place = info.multi_pv.max(1) - 1;
    match lines.get_mut(place) {
        Some(line) => *line = info.clone(),
        None => lines.push(info.clone()),
    }
}

/// The line that a weaker player takes. A move of which an older line is left over from before
/// it moved up counts once.
fn choose(strength: Strength, game: &Game, lines: &[Info]) -> Option<Info> {
    let mut candidates: Vec<(Move, &Info)> = Vec::new();
    for line in lines {
        if let Some(&mv) = line.pv.first()
            && candidates.iter().all(|(known, _)| *known != mv)
        {
            candidates.push((mv, line));
        }
    }
    let scored: Vec<_> = candidates
        .iter()
        .map(|(mv, line)| (*mv, line.score))
        .collect();
    let choice = strength.choose(game.position(), &scored);
    candidates.get(choice).map(|(_, line)| (*line).clone())
}
