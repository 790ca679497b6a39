//! Several threads on one table ("lazy SMP",
//! <https://www.chessprogramming.org/Lazy_SMP>).
//!
//! Every thread searches the whole position with a memory of its own; what one writes into the
//! table helps the others. The first thread alone reports and decides; half of the others begin
//! one iteration ahead, so that they do not all search the same thing.

use super::history::History;
use super::limits::{Control, Limits};
use super::ordering::MoveStack;
use super::pv::PvTable;
use super::reductions::Reductions;
use super::stack::Stack;
use super::{Event, Outcome, Search, Stats};
use crate::eval::Weights;
use crate::params::ParamSet;
use crate::position::Game;
use crate::tt::Table;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::Builder;

/// Bytes of stack for a thread: a line of [`super::MAX_PLY`] nodes needs well under a megabyte.
const STACK: usize = 8 << 20;

/// What all threads of a search read.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub params: &'a ParamSet,
    pub weights: &'a Weights,
    pub reductions: &'a Reductions,
    pub table: &'a Table,
    pub game: &'a Game,
}

/// A thread's place among the others.
pub(super) struct Member<'a> {
    counts: &'a [AtomicU64],
    number: usize,
}

impl Member<'_> {
    /// Tells the others how many nodes this thread has searched.
    pub fn tell(&self, nodes: u64) {
        self.counts[self.number].store(nodes, Relaxed);
    }

    /// Nodes of the other threads.
    pub fn others(&self) -> u64 {
        let others = self.counts.iter().enumerate();
        others
            .filter(|(number, _)| *number != self.number)
            .map(|(_, count)| count.load(Relaxed))
            .sum()
    }

    /// Whether this thread begins an iteration ahead.
    pub fn is_ahead(&self) -> bool {
        self.number % 2 == 1
    }
}

impl<'a> Shared<'a> {
    fn search(
        self,
        history: &'a mut History,
        limits: &'a Limits,
        control: Control<'a>,
        team: Member<'a>,
    ) -> Search<'a> {
        history.new_search(&self.params.search);
        Search {
            params: self.params,
            weights: self.weights,
            reductions: self.reductions,
            table: self.table,
            history,
            pv: PvTable::new(),
            stack: Stack::new(),
            keys: self.game.keys().to_vec(),
            moves: MoveStack::new(),
            nodes: 0,
            stats: Stats::default(),
            seldepth: 0,
            next_poll: 0,
            iteration: 0,
            limits,
            control,
            team,
        }
    }
}

/// Searches with as many threads as there are memories, at least one.
pub(super) fn search(
    shared: Shared<'_>,
    histories: &mut [Box<History>],
    limits: &Limits,
    control: Control<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Outcome {
    let counts: Vec<AtomicU64> = histories.iter().map(|_| AtomicU64::new(0)).collect();
    let counts = counts.as_slice();
    let done = AtomicBool::new(false);
    let mut memories = histories.iter_mut();
    let Some(first) = memories.next() else {
        unreachable!("a searcher has at least one thread")
    };
    let endless = &Limits {
        depth: limits.depth.map(|depth| depth.saturating_add(1)),
        moves: limits.moves.clone(),
        ..Limits::default()
    };
    std::thread::scope(|scope| {
        for (number, history) in (1..).zip(memories) {
            let control = Control {
                stop: &done,
                clock: control.clock,
            };
            let team = Member { counts, number };
            let help = move || {
                let search = shared.search(history, endless, control, team);
                search.run(shared.game.position(), &mut |_| {});
            };
            // A system without room for another thread searches with those that it has.
            let thread = Builder::new().stack_size(STACK);
            if thread.spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let team = Member { counts, number: 0 };
        let search = shared.search(first, limits, control, team);
        let outcome = search.run(shared.game.position(), on_event);
        done.store(true, Relaxed);
        outcome
    })
}
