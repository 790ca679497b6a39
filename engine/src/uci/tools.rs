//! What the session does for people beside playing: counting move trees and measuring speed, in a
//! thread of its own so that `stop` is heard.

use super::describe;
use super::output::{note, say};
use crate::bench;
use crate::free_memory;
use crate::params::ParamSet;
use crate::position::Position;
use crate::search::{Control, NoClock, STACK_BYTES};
use crossbeam_channel::{Receiver, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A tool, or a search that others come after, goes on for so long after `quit` or the end of input:
/// what is piped into the engine is answered, and no process is left behind for days.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);

/// Depth in plies of the subtrees that are counted in one go, without a look at `stop`: well below
/// a second.
const UNDISTURBED: u32 = 3;

/// A count or a measurement under way.
pub(super) struct Tool {
    stop: Arc<AtomicBool>,
    /// Disconnected at the end.
    pub done: Receiver<()>,
    thread: JoinHandle<()>,
    pub started: Instant,
    /// Whether even `isready` has to wait for its end.
    pub answers_first: bool,
}

impl Tool {
    /// Counts the leaves below each move, before any later input is acted on.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn perft(position: Position, depth: u32) -> std::io::Result<Tool> {
        Tool::start(true, move |stop| {
            if divide(&position, depth, stop).is_none() {
                note("stopped");
            }
        })
    }

    /// Searches the benchmark's positions and prints nodes and speed.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn bench(params: ParamSet, settings: bench::Settings) -> std::io::Result<Tool> {
        Tool::start(false, move |stop| {
            let control = Control {
                stop,
                clock: &NoClock,
            };
            match bench::run(&params, &settings, control) {
                Ok(_) if stop.load(Relaxed) => note("stopped"),
                Ok(report) => say(&describe::speed(report.nodes, report.searching)),
                Err(error) => note(&error.to_string()),
            }
        })
    }

    fn start(
        answers_first: bool,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> std::io::Result<Tool> {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, done) = bounded(1);
        let (stopped, started) = (Arc::clone(&stop), Instant::now());
        let thread = free_memory::start("tool", STACK_BYTES, move || {
            work(&stopped);
            drop(sender);
        })?;
        Ok(Tool {
            stop,
            done,
            thread,
            started,
            answers_first,
        })
    }

    /// Waits for its thread, which has come to its end, so that another has its room.
    pub fn join(self) {
        let _ = self.thread.join();
    }

    /// Whether its end is near, or is not to be hastened. A benchmark may have any depth.
    pub fn ends_by_itself(&self) -> bool {
        self.answers_first || self.stop.load(Relaxed)
    }

    /// Tells it to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// Prints the number of leaves below each move and their sum; `None` when stopped.
fn divide(position: &Position, depth: u32, stop: &AtomicBool) -> Option<()> {
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for &mv in position.legal_moves().iter() {
            if stop.load(Relaxed) {
                return None;
            }
            let leaves = count(&position.play(mv), depth - 1, stop)?;
            total += leaves;
            say(&format!("{mv}: {leaves}"));
        }
    }
    say(&format!("\nNodes searched: {total}"));
    Some(())
}

fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if depth <= UNDISTURBED {
        return Some(position.perft(depth));
    }
    let mut leaves = 0;
    for &mv in position.legal_moves().iter() {
        if stop.load(Relaxed) {
            return None;
        }
        leaves += count(&position.play(mv), depth - 1, stop)?;
    }
    Some(leaves)
}
