//! Room below a limit on addresses (`ulimit -v`), where it has one; without one everybody has room.
//!
//! An allocation that fails ends the process, and so may a thread that starts. So whatever is large asks
//! here first: threads, tables, tree caches. Some addresses are always left for what is small. Who asks has
//! the only turn until he has taken what he asked for, or two would take the same room. What glibc's
//! `malloc` would set aside for each thread (64 MB) it does not where [`share_one_heap`] was called.

use crate::base::progress::note;
use engine::free_memory::free_addresses;
use engine::tt::TableError;
use std::cell::Cell;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle, Scope};

/// Megabytes of addresses that are left for what is small.
const RESERVE: usize = 24;

/// Megabytes that a job takes beside its stack: the threads that read what two engines say, small tables.
const JOB: usize = 16;

/// Stack of a thread that doesn't search, in bytes.
pub const SMALL_STACK: usize = 2 << 20;

/// Megabytes that are left beside the reserve, where addresses are limited. Where they were not at first, nobody looks
/// again: to look is to read a file, and a tree cache asks a hundred times a generation.
fn free() -> Option<usize> {
    static IS_LIMITED: OnceLock<bool> = OnceLock::new();
    if !*IS_LIMITED.get_or_init(|| free_addresses().is_some()) {
        return None;
    }
    Some(free_addresses()?.saturating_sub(RESERVE))
}

/// Begins this program once more, with one heap for all its threads, if addresses are limited and
/// nobody has said how many there shall be. Comes back if there is nothing to be done, or it can't be.
pub fn share_one_heap() {
    #[cfg(target_os = "linux")]
    {
        const HEAPS: &str = "MALLOC_ARENA_MAX";
        use std::os::unix::process::CommandExt as _;
        let mut words = std::env::args_os();
        if free_addresses().is_some()
            && std::env::var_os(HEAPS).is_none()
            && let (Ok(program), Some(called)) = (std::env::current_exe(), words.next())
        {
            let mut again = std::process::Command::new(program);
            let _ = again.arg0(called).args(words).env(HEAPS, "1").exec();
        }
    }
}

/// Why something large is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no room for this: the limit on addresses (`ulimit -v`) leaves {free} MB; fewer threads at a \
     time, smaller tables or fewer positions need less"
)]
pub struct NoRoom {
    free: usize,
}

/// Whether so many megabytes are left; with none, whether the reserve is untouched.
///
/// # Errors
/// They are not.
pub fn ask(megabytes: usize) -> Result<(), NoRoom> {
    let free = free();
    match free {
        Some(free) if free <= megabytes => Err(NoRoom { free }),
        _ => Ok(()),
    }
}

/// The turn of whoever takes something large.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes something with a hash table of so many megabytes.
///
/// # Errors
/// There is no room for the table, or no memory.
pub fn with_table<T>(
    megabytes: usize,
    make: impl FnOnce() -> Result<T, TableError>,
) -> Result<T, TableError> {
    let _turn = turn();
    match ask(megabytes) {
        Ok(()) => make(),
        Err(NoRoom { free }) => Err(TableError {
            megabytes,
            free: Some(free),
            threads: 0,
        }),
    }
}

/// Starts a thread and waits until it has taken what the system adds to its stack.
fn start<T>(
    stack: usize,
    spawn: impl FnOnce(Builder, Sender<()>) -> io::Result<T>,
) -> io::Result<T> {
    let _turn = turn();
    let refused = |no_room| io::Error::new(io::ErrorKind::OutOfMemory, no_room);
    ask((stack >> 20) + 1).map_err(refused)?;
    let (sender, started) = channel();
    let spawned = spawn(Builder::new().stack_size(stack), sender)?;
    // An error only if it has ended already.
    let _ = started.recv();
    Ok(spawned)
}

thread_local! {
    /// Bytes of this thread's stack, if it was started here.
    static STACK: Cell<usize> = const { Cell::new(0) };
}

/// Whether this thread was started here with a stack of so many bytes or more.
pub fn has_stack(bytes: usize) -> bool {
    STACK.get() >= bytes
}

/// A thread with a stack of so many bytes, within a scope.
///
/// # Errors
/// There is no room for it, or the system refuses it.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack: usize,
    run: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    start(stack, |builder, sender| {
        let run = move || {
            let _ = sender.send(());
            STACK.set(stack);
            run();
        };
        builder.spawn_scoped(scope, run).map(drop)
    })
}

/// The same without a scope.
///
/// # Errors
/// As there.
pub fn spawn(stack: usize, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    start(stack, |builder, sender| {
        let run = move || {
            let _ = sender.send(());
            STACK.set(stack);
            run();
        };
        builder.spawn(run)
    })
}

/// How many of so many threads with a stack of so many bytes each, that do jobs, have room; one at
/// least. Fewer than were wanted are said.
pub fn for_jobs(wanted: usize, stack: usize) -> usize {
    fitting(wanted, (stack >> 20) + JOB)
}

fn fitting(wanted: usize, megabytes: usize) -> usize {
    let room = free().map_or(wanted, |free| free / megabytes);
    let fitting = wanted.min(room.max(1));
    if fitting < wanted {
        say_fewer(fitting, wanted);
    }
    fitting
}

/// Threads that this machine has for one process.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A pool of so many threads; of fewer, as is said, where no more have room.
///
/// # Errors
/// There is no room for one.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    // Twice a stack, for what such a thread takes while it works.
    let mut wanted = fitting(threads, (2 * SMALL_STACK) >> 20);
    loop {
        let mut started = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(wanted);
        let pool = pool.spawn_handler(|thread| {
            started.push(spawn(SMALL_STACK, || thread.run())?);
            Ok(())
        });
        match pool.build() {
            Err(_) if !started.is_empty() => {
                wanted = started.len();
                say_fewer(wanted, threads);
                // They end by themselves, and give back what they had.
                started.into_iter().for_each(|thread| drop(thread.join()));
            }
            built => return built,
        }
    }
}

/// Says once that fewer threads work than were wanted.
pub fn say_fewer(threads: usize, wanted: usize) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        note(&format!(
            "warning: {threads} of {wanted} threads work; no more have room below the limit on addresses \
             (`ulimit -v`) or are allowed"
        ));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_everybody_has_room() {
        if free_addresses().is_none() {
            assert_eq!(ask(usize::MAX), Ok(()));
        }
        let pool = pool(3).unwrap();
        assert_eq!(pool.install(rayon::current_num_threads), 3);
        let (sender, said) = channel();
        let thread = spawn(SMALL_STACK, move || sender.send(7).unwrap());
        assert_eq!(said.recv(), Ok(7));
        thread.unwrap().join().unwrap();
    }
}
