//! Several threads on one table ("lazy SMP",
//! <https://www.chessprogramming.org/Lazy_SMP>).
//!
//! Every thread searches the whole position; what one writes into the table, and learns of moves
//! after earlier moves, helps the others. Half of the threads search an iteration ahead, and one that has been
//! overtaken goes on from what the faster one found. The first thread alone reports and decides.

use super::history::History;
use super::limits::{Control, Limits};
use super::mate::MateSearch;
use super::ordering::MoveStack;
use super::pv::PvTable;
use super::reductions::Reductions;
use super::root::Line;
use super::stack::Stack;
use super::{Observer, Outcome, STACK_BYTES, Search, Stats};
use crate::eval::Weights;
use crate::free_memory::Room;
use crate::params::ParamSet;
use crate::position::Game;
use crate::tablebase::Probing;
use crate::tt::Table;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// What all threads of a search read.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub params: &'a ParamSet,
    pub weights: &'a Weights,
    pub reductions: &'a Reductions,
    pub table: &'a Table,
    pub endgames: Option<&'a Probing>,
    pub game: &'a Game,
    /// Whether there is room for another thread.
    pub room: fn() -> Option<Room>,
}

/// Tells the helpers to end when the first thread has ended, by a panic too: its panic would wait for
/// them for ever.
struct EndOfHelp<'a>(&'a AtomicBool);

impl Drop for EndOfHelp<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What the threads of a search know of each other.
struct LazySmpPool {
    /// Nodes of each thread, as far as it has told.
    counts: Vec<AtomicU64>,
    /// Positions that endgame tables knew, for all threads.
    table_hits: AtomicU64,
    /// The deepest iteration that any of them has finished.
    finished: AtomicUsize,
    /// How deep any of them has looked, in plies, in an iteration that it has finished.
    seldepth: AtomicUsize,
    /// The iteration that each thread is at.
    working: Vec<AtomicUsize>,
    /// The line of the deepest iteration that any has finished.
    line: Mutex<Option<Line>>,
}

/// A thread's place among the others.
pub(super) struct Member<'a> {
    pool: &'a LazySmpPool,
    number: usize,
}

impl Member<'_> {
    /// Tells the others how many nodes this thread has searched.
    pub fn tell(&self, nodes: u64) {
        self.pool.counts[self.number].store(nodes, Relaxed);
    }

    /// An endgame table has known a position.
    pub fn count_table_hit(&self) {
        self.pool.table_hits.fetch_add(1, Relaxed);
    }

    /// Positions that endgame tables have known.
    pub fn table_hits(&self) -> u64 {
        self.pool.table_hits.load(Relaxed)
    }

    /// Nodes of the other threads.
    pub fn others(&self) -> u64 {
        let others = self.pool.counts.iter().enumerate();
        others
            .filter(|(number, _)| *number != self.number)
            .map(|(_, count)| count.load(Relaxed))
            .sum()
    }

    /// The iteration to search next: the first that no thread has finished, or the one after it if
    /// fewer threads are at that, so that they do not all search the same thing; never one beyond
    /// the `last` while that is not finished. The thread that answers begins with the first, unless it
    /// has a deeper line from the others by then: stopped in any other it would have no answer.
    pub fn next_iteration(&self, last: usize) -> usize {
        let next = self.pool.finished.load(Relaxed) + 1;
        let on = |iteration: usize| {
            let others = self.pool.working.iter().enumerate();
            let others = others.filter(|(number, _)| *number != self.number);
            others
                .filter(|(_, on)| on.load(Relaxed) == iteration)
                .count()
        };
        let own = &self.pool.working[self.number];
        let mine = match self.number == 0 && own.load(Relaxed) == 0 && next <= 2 {
            true => 1,
            false => next + usize::from(next < last && on(next) > on(next + 1)),
        };
        own.store(mine, Relaxed);
        mine
    }

    /// Whether another thread has finished this iteration.
    pub fn is_superseded(&self, iteration: usize) -> bool {
        self.pool.finished.load(Relaxed) >= iteration
    }

    /// Tells the others what an iteration has found, after so many nodes of this thread.
    pub fn finish(&self, iteration: usize, nodes: u64, seldepth: usize, line: &Line) {
        self.tell(nodes);
        self.pool.seldepth.fetch_max(seldepth, Relaxed);
        // A thread that panicked while it held the lock has left a whole line.
        let mut slot = self
            .pool
            .line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.pool.finished.fetch_max(iteration, Relaxed) < iteration {
            *slot = Some(line.clone());
        }
    }

    /// How deep any thread has looked, in plies.
    pub fn seldepth(&self) -> usize {
        self.pool.seldepth.load(Relaxed)
    }

    /// The line of the deepest iteration that any thread has finished.
    pub fn line(&self) -> Option<Line> {
        let slot = self
            .pool
            .line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        slot.clone()
    }
}

impl<'a> Shared<'a> {
    fn search(
        self,
        history: &'a mut History,
        limits: &'a Limits,
        control: Control<'a>,
        pool: Member<'a>,
    ) -> Search<'a> {
        history.new_search(&self.params.search);
        Search {
            params: self.params,
            weights: self.weights,
            reductions: self.reductions,
            table: self.table,
            endgames: self.endgames,
            game: self.game,
            history,
            pv: PvTable::new(),
            stack: Stack::new(),
            keys: self.game.keys().to_vec(),
            moves: MoveStack::new(),
            nodes: 0,
            root_nodes: Vec::new(),
            stats: Stats::default(),
            seldepth: 0,
            next_poll: 0,
            superseded: false,
            broken_off_at: None,
            is_ready: false,
            iteration: 0,
            limits,
            mate: limits.mate.map(|moves| MateSearch::new(self.game, moves)),
            control,
            pool,
        }
    }
}

/// Searches with as many threads as there are memories, at least one, or as have room, and says with
/// how many.
pub(super) fn search(
    shared: Shared<'_>,
    histories: &mut [Box<History>],
    limits: &Limits,
    control: Control<'_>,
    observer: &mut Observer<'_>,
) -> (Outcome, usize) {
    let pool = &LazySmpPool {
        counts: histories.iter().map(|_| AtomicU64::new(0)).collect(),
        table_hits: AtomicU64::new(0),
        finished: AtomicUsize::new(0),
        seldepth: AtomicUsize::new(0),
        working: histories.iter().map(|_| AtomicUsize::new(0)).collect(),
        line: Mutex::new(None),
    };
    let done = AtomicBool::new(false);
    let mut memories = histories.iter_mut();
    let Some(first) = memories.next() else {
        unreachable!("a searcher has at least one thread")
    };
    let endless = &Limits {
        depth: limits.depth,
        moves: limits.moves.clone(),
        ..Limits::default()
    };
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        let end = EndOfHelp(&done);
        for (number, history) in (1..).zip(memories) {
            let control = Control {
                stop: &done,
                clock: control.clock,
            };
            let member = Member { pool, number };
            // A system without room for another thread searches with those that it has.
            let Some(room) = (shared.room)() else { break };
            let (help, started) = room.hold(move |starting| {
                let search = shared.search(history, endless, control, member);
                drop(starting);
                search.run(&mut |_| ControlFlow::Continue(()));
            });
            let thread = Builder::new().stack_size(STACK_BYTES);
            match thread.spawn_scoped(scope, help) {
                Ok(helper) => helpers.push(helper),
                Err(_) => break,
            }
            started.wait();
        }
        let at_work = 1 + helpers.len();
        let member = Member { pool, number: 0 };
        let search = shared.search(first, limits, control, member);
        let mut outcome = search.run(observer);
        drop(end);
        for helper in helpers {
            // What has come out is not lost if one that helped has panicked, which stderr says.
            let _ = helper.join();
        }
        let nodes = pool.counts.iter().map(|count| count.load(Relaxed));
        outcome.nodes = nodes.sum();
        (outcome, at_work)
    })
}
