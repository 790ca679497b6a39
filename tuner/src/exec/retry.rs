//! One task done by one worker, who may panic.

use super::error::{ExecError, WorkError};
use super::task::{Task, Worker};
use crate::base::names::PROGRAM;
use crate::base::workers::message;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once};
use std::thread;

/// A task's answer, and what went wrong on the way to it.
pub struct Done<A> {
    /// The answer.
    pub answer: A,
    /// What is known of a panic.
    pub fault: Option<String>,
}

/// Does a task; after a panic once more, with another worker, and then takes the worst answer.
pub fn retry<T: Task, W: Worker<T>>(
    worker: &mut Option<W>,
    spawn: &impl Fn() -> Result<W, WorkError>,
    task: &T,
    seed: u64,
) -> Result<Done<T::Answer>, ExecError> {
    let mut faults = String::new();
    for is_second in [false, true] {
        let able = match worker {
            Some(worker) => worker,
            None => worker.insert(spawn()?),
        };
        let trying = AssertUnwindSafe(|| -> Result<_, WorkError> {
            match is_second {
                false => Ok((able.answer(task)?, String::new())),
                true => able.answer_again(task),
            }
        });
        match catch_unwind(trying) {
            Ok(answered) => {
                let (answer, said) = answered?;
                let fault = is_second.then(|| dossier(task, seed, &faults, &said));
                return Ok(Done { answer, fault });
            }
            Err(payload) => {
                let place = catch_unwind(AssertUnwindSafe(|| able.place())).unwrap_or_default();
                let said = last_panic().unwrap_or_else(|| message(payload.as_ref()));
                faults.push_str(&format!("{said}\nin position: {place}\n"));
                // Whatever it was about to do, its state is not to be trusted.
                *worker = None;
            }
        }
    }
    let answer = task.worst();
    if !task.fits(&answer) {
        return Err(ExecError::Panicked {
            task: task.key(),
            said: faults,
        });
    }
    Ok(Done {
        answer,
        fault: Some(dossier(task, seed, &faults, "scored worst")),
    })
}

fn dossier(task: &impl Task, seed: u64, faults: &str, end: &str) -> String {
    let (key, about) = (task.key(), task.describe());
    format!("program: {PROGRAM}\ntask: {key}\nseed: {seed}\n{faults}{end}\n\n{about}\n")
}

thread_local! {
    /// What the last panic of this thread said, and where it was.
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The same of any thread: a worker may have threads of its own, and then works alone.
static LAST_PANIC_ANYWHERE: Mutex<Option<String>> = Mutex::new(None);

/// What the panic that has just been caught said, and where it was.
fn last_panic() -> Option<String> {
    let anywhere = || LAST_PANIC_ANYWHERE.lock().ok()?.take();
    LAST_PANIC.with(RefCell::take).or_else(anywhere)
}

/// From now on panics of tasks are kept for their record, not printed into the progress display.
pub fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            LAST_PANIC.with(|last| *last.borrow_mut() = Some(info.to_string()));
            if let Ok(mut last) = LAST_PANIC_ANYWHERE.lock() {
                *last = Some(info.to_string());
            }
            if thread::current().name().is_some() {
                before(info);
            }
        }));
    });
}
