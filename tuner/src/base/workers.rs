//! Many tasks on several threads, their answers in order, whoever is done first.
//!
//! Knows nothing of chess or genetics. A task is a number, so that tasks may be as small as one
//! likes, and no thread waits for another before the last of them.

use crate::base::room;
use crate::base::stop::Stop;
use crossbeam_channel::{Sender, unbounded};
use engine::search::STACK_BYTES;
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Answers the tasks with these numbers. Each thread calls `start` once and then `work` for one
/// number after the other; `accept` gets the answers here, in order of their numbers, and may end
/// it all. So does `stop`, after the tasks in hand; those that are done by then and follow without
/// a gap are accepted.
///
/// # Errors
/// The first error in the order of the numbers, `accept`'s included; whatever came before it has
/// been accepted.
pub fn in_order<W, A: Send, E: Send>(
    threads: usize,
    tasks: Range<usize>,
    stop: &Stop,
    start: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, usize) -> Result<A, E> + Sync,
    mut accept: impl FnMut(A) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    in_batches(threads, tasks, stop, start, work, |answers| {
        for answer in answers {
            if accept(answer)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// [`in_order`], but `accept` gets all answers at once that are next in order: for who has to pay
/// for each call. One thread is this one if its stack allows: where other programs want the same cores, a thread that
/// has just been started waits for its turn.
///
/// # Errors
/// As there.
pub fn in_batches<W, A: Send, E: Send>(
    threads: usize,
    tasks: Range<usize>,
    stop: &Stop,
    start: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, usize) -> Result<A, E> + Sync,
    mut accept: impl FnMut(Vec<A>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = &AtomicUsize::new(tasks.start);
    let over = &AtomicBool::new(false);
    let (start, work) = (&start, &work);
    let threads = threads.clamp(1, tasks.len().max(1));
    if threads == 1 && room::has_stack(STACK_BYTES) {
        let mut worker = None;
        for number in tasks {
            if stop.requested() {
                break;
            }
            if accept(vec![answered(&mut worker, number, start, work)?])?.is_break() {
                break;
            }
        }
        return Ok(());
    }
    let threads = room::for_jobs(threads, STACK_BYTES);
    thread::scope(|scope| {
        let (sender, answers) = unbounded();
        for number in 0..threads {
            let (sender, last) = (sender.clone(), tasks.end);
            let run = move || toil(next, last, &[over, stop.flag()], start, work, &sender);
            // A system without room for another thread works with those that it has.
            if room::spawn_scoped(scope, STACK_BYTES, run.clone()).is_err() {
                match number {
                    0 => run(),
                    _ => room::say_fewer(number, threads),
                }
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = tasks.start;
        while let Ok((number, answer)) = answers.recv() {
            waiting.insert(number, answer);
            waiting.extend(answers.try_iter());
            let mut batch = Vec::new();
            let mut failed = Ok(ControlFlow::Continue(()));
            while let (Ok(_), Some(answer)) = (&failed, waiting.remove(&due)) {
                due += 1;
                match answer {
                    Ok(answer) => batch.push(answer),
                    Err(error) => failed = Err(error),
                }
            }
            let accepted = match batch.is_empty() {
                true => Ok(ControlFlow::Continue(())),
                false => accept(batch),
            };
            let next = match accepted {
                Ok(ControlFlow::Continue(())) => failed,
                ended => ended,
            };
            if !matches!(next, Ok(ControlFlow::Continue(()))) {
                over.store(true, Relaxed);
                return next.map(drop);
            }
        }
        Ok(())
    })
}

/// One thread: takes the next number until there is none.
fn toil<W, A, E>(
    next: &AtomicUsize,
    last: usize,
    ends: &[&AtomicBool],
    start: &(impl Fn() -> Result<W, E> + Sync),
    work: &(impl Fn(&mut W, usize) -> Result<A, E> + Sync),
    sender: &Sender<(usize, Result<A, E>)>,
) {
    let mut worker = None;
    while !ends.iter().any(|end| end.load(Relaxed)) {
        let number = next.fetch_add(1, Relaxed);
        if number >= last {
            return;
        }
        let answer = answered(&mut worker, number, start, work);
        let goes_on = answer.is_ok();
        if sender.send((number, answer)).is_err() || !goes_on {
            return;
        }
    }
}

/// The answer of a task, by a worker that is made when he is wanted first.
fn answered<W, A, E>(
    worker: &mut Option<W>,
    number: usize,
    start: &impl Fn() -> Result<W, E>,
    work: &impl Fn(&mut W, usize) -> Result<A, E>,
) -> Result<A, E> {
    match worker {
        Some(worker) => work(worker, number),
        None => start().and_then(|fresh| work(worker.insert(fresh), number)),
    }
}

/// What came of a task that may panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded<T> {
    /// Its answer, of the first or the second try.
    pub answer: Option<T>,
    /// What the first panic said, if there was one.
    pub trouble: Option<String>,
}

/// Runs a task, and once again if it panics.
pub fn guarded<T>(mut task: impl FnMut() -> T) -> Guarded<T> {
    let mut attempt = || catch_unwind(AssertUnwindSafe(&mut task));
    match attempt() {
        Ok(answer) => Guarded {
            answer: Some(answer),
            trouble: None,
        },
        Err(panic) => Guarded {
            answer: attempt().ok(),
            trouble: Some(message(panic.as_ref())),
        },
    }
}

/// What a panic said.
pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: usize = 999;

    fn collect(threads: usize, stop_at: usize, end_at: usize) -> Result<Vec<usize>, String> {
        let stop = Stop::default();
        let mut seen = Vec::new();
        in_order(
            threads,
            3..200,
            &stop,
            || Ok(0),
            |worked, number| {
                *worked += 1;
                // Later tasks are done sooner.
                thread::sleep(std::time::Duration::from_micros((200 - number as u64) * 3));
                if number == stop_at {
                    stop.request();
                }
                match number {
                    // Who is slow to stop may get here.
                    150 if stop_at == NEVER => Err("150 fails".to_string()),
                    _ => Ok(number),
                }
            },
            |number| {
                seen.push(number);
                Ok(match number == end_at {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        )
        .map(|()| seen)
    }

    #[test]
    fn answers_come_in_order_until_somebody_ends_it() {
        let check = |threads: usize| {
            let all: Vec<usize> = (3..=100).collect();
            assert_eq!(collect(threads, NEVER, 100), Ok(all));
            let stopped = collect(threads, 50, NEVER).unwrap();
            // How many more are begun before the others look is a matter of time.
            assert!(stopped.len() >= 48, "{stopped:?}");
            assert!(stopped.iter().copied().eq(3..3 + stopped.len()));
            assert_eq!(collect(threads, NEVER, NEVER), Err("150 fails".to_string()));
        };
        for threads in [1, 2, 7] {
            check(threads);
        }
        // Where the work is done by who wants it.
        thread::scope(|scope| room::spawn_scoped(scope, STACK_BYTES, || check(1))).unwrap();
    }

    /// One thread is no other thread than the one that wants the work, if its stack is as large.
    #[test]
    fn a_single_thread_is_this_one_if_its_stack_allows() {
        let is_this_one = || {
            let this = thread::current().id();
            let mut all = Vec::new();
            let work = |(): &mut (), _| Ok::<_, ()>(thread::current().id() == this);
            let accept = |answer| {
                all.push(answer);
                Ok(ControlFlow::Continue(()))
            };
            in_order(1, 0..2, &Stop::default(), || Ok(()), work, accept).unwrap();
            all
        };
        thread::scope(|scope| {
            room::spawn_scoped(scope, STACK_BYTES, || {
                assert_eq!(is_this_one(), [true, true]);
            })?;
            room::spawn_scoped(scope, STACK_BYTES - 1, || {
                assert_eq!(is_this_one(), [false, false]);
            })
        })
        .unwrap();
    }

    #[test]
    fn a_panic_has_a_second_try() {
        let tries = |failures: usize| {
            let mut count = 0;
            guarded(|| {
                count += 1;
                assert!(count > failures, "try {count}");
                count
            })
        };
        assert_eq!(tries(0).answer, Some(1));
        let once = tries(1);
        assert_eq!(
            (once.answer, once.trouble.as_deref()),
            (Some(2), Some("try 1"))
        );
        assert_eq!(tries(2).answer, None);
    }
}
