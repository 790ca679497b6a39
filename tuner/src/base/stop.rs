//! Ctrl-C and its kin: the first signal asks to stop after the task in hand, a second one
//! ends the process at once. Nothing is lost either way; the journal has every finished task, and a
//! file of games goes on behind its last one, with the same games.
//!
//! SIGHUP counts unless it was ignored when the process began: that is how `nohup` asks for a night
//! that goes on when its terminal is closed.

use crate::base::progress::note;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was interrupted: 128 + SIGINT, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// Whether someone asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that SIGINT, SIGTERM and, where there is one, SIGHUP raise. Calls this process's signal handlers into
    /// being, so once per process.
    ///
    /// # Errors
    /// The system refuses the handlers.
    pub fn on_signals() -> io::Result<Stop> {
        let stop = Stop::default();
        let signals = [
            SIGINT,
            SIGTERM,
            #[cfg(unix)]
            SIGHUP,
        ];
        #[cfg(unix)]
        answer(&signals)?;
        for signal in signals {
            #[cfg(unix)]
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            // In this order: the first signal finds the flag down and only raises it.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&stop.0))?;
            flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Raises the flag.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for a loop that looks at several.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether to stop after the task in hand.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says at the first signal what comes now: a task may take a while.
#[cfg(unix)]
fn answer(signals: &[i32]) -> io::Result<()> {
    let heard = signals
        .iter()
        .filter(|signal| !(**signal == SIGHUP && is_ignored(SIGHUP)));
    let mut first = signal_hook::iterator::Signals::new(heard)?;
    let wait = move || {
        if first.forever().next().is_some() {
            note(
                "Finishing the task in hand. The same signal again ends the program at once; nothing is lost.",
            );
        }
    };
    std::thread::Builder::new().spawn(wait)?;
    Ok(())
}

/// Whether the process began with this signal ignored; where the system doesn't say, it is not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
