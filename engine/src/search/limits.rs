//! What bounds a search, and how it learns that it is to stop.
//!
//! The search reads no clock of its own: whoever starts it hands one in (architecture
//! invariant 2).

use crate::types::Move;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// When to stop. The default never does, but for the depth of [`super::MAX_DEPTH`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<usize>,
    /// Moves made, quiescence included; never exceeded by one thread, and by several only by what
    /// they make between two looks at each other.
    pub nodes: Option<u64>,
    /// The same, but the first iteration is searched to its end however many they are: for a player who
    /// chooses among several lines.
    pub nodes_after_first: Option<u64>,
    /// Stop when a mate by either side in at most this many moves is proved, or that there is none.
    pub mate: Option<u32>,
    /// Time on the clock that is handed in.
    pub time: Option<Budget>,
    /// Lines to be reported, the best ones; 0 counts as 1.
    pub multi_pv: usize,
    /// Look at these moves alone at the root; illegal ones don't count, and none means all.
    pub moves: Vec<Move>,
    /// Most threads to use; `None` means all that the searcher has.
    pub threads: Option<usize>,
    /// Whether an iteration that is broken off may end in a loss that only the moves searched by then have.
    /// Nobody is to be told such a loss; but so the games of journals have been played, and they are to
    /// come out as they were.
    pub trusts_unproved_losses: bool,
}

impl Limits {
    /// Limits of nodes alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Limits of depth alone, in plies.
    pub fn depth(depth: usize) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Whether anything but a mate or a wish ends the search before the last iteration of all.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.nodes_after_first.is_some()
            || self.time.is_some()
    }
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration starts after this time, which the search stretches or shrinks by how stable the
    /// best move is and by its share of the nodes.
    pub soft: Duration,
    /// The search breaks off at this.
    pub hard: Duration,
    /// Whether to answer at once when there is nothing to think about: a single legal move, or a
    /// mate that is proved.
    pub may_answer_early: bool,
}

/// Something that knows how much time has passed since the search was asked for.
pub trait Clock: Sync {
    /// Own time used so far, not counting pondering. `nodes` is the number searched so far, for clocks
    /// that run on nodes.
    fn elapsed(&self, nodes: u64) -> Duration;

    /// The same with the time in which the opponent thought.
    fn with_pondering(&self, nodes: u64) -> Duration {
        self.elapsed(nodes)
    }

    /// Whether the opponent is thinking, so that there can be no answer yet.
    fn ponders(&self) -> bool {
        false
    }
}

/// A clock that stands still, for searches that are not bounded by time.
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self, _nodes: u64) -> Duration {
        Duration::ZERO
    }
}

/// How a search is told to stop from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to stop the search.
    pub stop: &'a AtomicBool,
    /// The time.
    pub clock: &'a dyn Clock,
}

impl Control<'_> {
    pub(super) fn stop_requested(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// The search was broken off; what it was about to return means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;
