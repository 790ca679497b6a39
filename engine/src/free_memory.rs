//! How much memory the machine can give, and whether another thread has room.
//!
//! Where addresses are limited (`ulimit -v`), a thread takes more than its memory: its stack, and what
//! `malloc` sets aside for it. An allocation that fails then ends the process, so what is large is
//! asked for here before, and some addresses are always left for what is small.

use crate::tt::TableError;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::{hint, io};

/// Megabytes that one search thread has at most, mostly histories. (2.9 for the first with the
/// defaults, 3.7 with `pawn_history_use`; every further thread shares 1.2 of it.)
const A_THREAD: usize = 4;

/// Stack for a thread that searches, in bytes: a line of [`crate::score::MAX_PLY`] nodes needs well
/// under a megabyte, in debug builds more.
pub const STACK_BYTES: usize = STACK << 20;

/// The same in megabytes.
const STACK: usize = 16;

/// Megabytes of addresses that glibc's `malloc` sets aside for a new thread as soon as that asks for
/// memory, if there are so many; otherwise the thread does without.
const ARENA: usize = 64;

/// Megabytes of memory that are left for whatever else this process and others will want.
const RESERVE: usize = 32;

/// The same of addresses.
const RESERVED_ADDRESSES: usize = 16;

/// Megabytes of addresses that are left when a thread has started.
const LEAST: usize = 8;

/// What is free, in megabytes, where the system tells.
pub(crate) struct Free {
    memory: Option<usize>,
    addresses: Option<usize>,
}

impl Free {
    /// What is free now, where so many threads are to have room whose stacks are not there yet.
    pub fn now(threads: usize) -> Free {
        let spare = |free: Option<usize>, kept| free.map(|free| free.saturating_sub(kept));
        let addresses = RESERVED_ADDRESSES + threads * STACK;
        Free {
            memory: spare(free_memory(), RESERVE),
            addresses: spare(free_addresses(), addresses),
        }
    }

    /// The same when so many megabytes are given back.
    pub fn with(self, megabytes: usize) -> Free {
        Free {
            memory: self.memory.map(|free| free.saturating_add(megabytes)),
            addresses: self.addresses.map(|free| free.saturating_add(megabytes)),
        }
    }

    /// What a table can have.
    pub fn megabytes(&self) -> Option<usize> {
        self.memory.into_iter().chain(self.addresses).min()
    }

    /// How many of these new threads have room beside so many megabytes.
    pub fn threads(&self, wanted: usize, megabytes: usize) -> usize {
        let spare = |free: Option<usize>| free.map(|free| free.saturating_sub(megabytes));
        let by_memory = spare(self.memory).map_or(wanted, |free| free / A_THREAD);
        let wanted = wanted.min(by_memory);
        let Some(mut free) = spare(self.addresses) else {
            return wanted;
        };
        for room in 0..wanted {
            if free < A_THREAD + STACK {
                return room;
            }
            free -= A_THREAD + STACK;
            // What happens when a thread starts; see [`Room`].
            free -= if free >= ARENA { ARENA } else { 0 };
        }
        wanted
    }

    /// Most megabytes that each of these threads takes.
    pub fn a_thread(&self) -> usize {
        match self.addresses {
            Some(_) => A_THREAD + STACK + ARENA,
            None => A_THREAD,
        }
    }
}

/// Whether there can be tables of so many megabytes beside so many new threads.
///
/// # Errors
/// If there is less free memory.
pub(crate) fn check(megabytes: usize, threads: usize) -> Result<(), TableError> {
    let free = Free::now(0);
    let has_room = free.megabytes().is_none_or(|free| megabytes <= free)
        && free.threads(threads, megabytes) == threads;
    has_room.then_some(()).ok_or(TableError {
        megabytes,
        threads,
        free: free.megabytes(),
    })
}

/// Room for a thread that is going to start. It holds on to addresses that `malloc` would otherwise set
/// aside for that thread, should too few be left then; they are free again when the thread has ended.
pub(crate) struct Room {
    is_limited: bool,
    kept: Vec<u8>,
}

impl Room {
    /// Room without a look at what is left.
    pub fn unlimited() -> Option<Room> {
        Some(Room {
            is_limited: false,
            kept: Vec::new(),
        })
    }

    /// Room for a thread with a stack of [`STACK_BYTES`] or less; `None` if too few addresses are left.
    pub fn look() -> Option<Room> {
        let Some(free) = free_addresses() else {
            return Room::unlimited();
        };
        let megabytes = kept_for(free)?;
        let mut kept = Vec::new();
        kept.try_reserve_exact(megabytes << 20).ok()?;
        Some(Room {
            is_limited: true,
            kept: hint::black_box(kept),
        })
    }

    /// What the thread is to run, and what its starter waits for: the work drops what it is given once it
    /// has the memory that it needs, for only then it shows how much is left for the next thread.
    pub fn hold<T>(self, work: impl FnOnce(Starting) -> T) -> (impl FnOnce() -> T, Started) {
        let (sender, started) = channel();
        let (sender, started) = match self.is_limited {
            true => (Some(sender), Some(started)),
            false => (None, None),
        };
        let work = move || {
            let kept = self.kept;
            // Now `malloc` sets aside what it wants to.
            drop(hint::black_box(Box::new(0u8)));
            let result = work(Starting { _sender: sender });
            drop(kept);
            result
        };
        (work, Started(started))
    }
}

/// How many megabytes to hold on to while a thread runs, if it may start where so many are left. It
/// takes a stack, unless that of an earlier thread is at hand, or an arena, or both. What would not
/// leave enough must not be there to take: without an arena it gets on, and without a stack it does not
/// start.
fn kept_for(free: usize) -> Option<usize> {
    let takes = [STACK, ARENA, STACK + ARENA];
    let too_much = takes
        .into_iter()
        .find(|&taken| (taken..taken + LEAST).contains(&free));
    let kept = too_much.map_or(0, |taken| free + 1 - taken);
    (free >= LEAST).then_some(kept)
}

/// Held by a thread that has not yet all the memory that it needs.
pub(crate) struct Starting {
    _sender: Option<Sender<()>>,
}

/// Tells whether a thread has all the memory that it needs.
pub(crate) struct Started(Option<Receiver<()>>);

impl Started {
    /// Waits for the thread, where addresses are limited.
    pub fn wait(self) {
        if let Some(started) = self.0 {
            // Nothing is ever sent; the other end is dropped.
            let _ = started.recv();
        }
    }
}

/// Starts a thread with a name and a stack of so many bytes, [`STACK_BYTES`] at most.
///
/// # Errors
/// If it has no room.
pub(crate) fn start(
    name: &str,
    stack: usize,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let no_room = || io::Error::other("there is no room for another thread");
    let room = Room::look().ok_or_else(no_room)?;
    let (work, started) = room.hold(move |starting| {
        drop(starting);
        work();
    });
    let thread = Builder::new().name(name.to_string());
    let thread = thread.stack_size(stack).spawn(work)?;
    started.wait();
    Ok(thread)
}

/// Free memory in megabytes, where the system tells. Linux grants more than there is and kills the
/// process later, so an allocation that succeeds proves nothing.
fn free_memory() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = free_of_the_groups(Path::new("/sys/fs/cgroup"), &groups);
    free_of_the_machine().into_iter().chain(own).min()
}

/// Megabytes of addresses that are left, where they are limited (`ulimit -v`, `ulimit -d`).
pub fn free_addresses() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    free_of_the_limits(&text("/proc/self/limits"), || text("/proc/self/status"))
}

/// What is left below a limit on addresses (`ulimit -v`), or on those that can be written to
/// (`ulimit -d`).
fn free_of_the_limits(limits: &str, status: impl Fn() -> String) -> Option<usize> {
    let behind = |text: &str, name: &str| -> Option<usize> {
        let row = text.lines().find_map(|line| line.strip_prefix(name))?;
        row.split_whitespace().next()?.parse().ok()
    };
    let rows = [
        ("Max address space", "VmSize:"),
        ("Max data size", "VmData:"),
    ];
    let left = rows.into_iter().filter_map(|(limit, used)| {
        let bytes = behind(limits, limit)?;
        let used = behind(&status(), used)?.saturating_mul(1024);
        Some(bytes.saturating_sub(used) >> 20)
    });
    left.min()
}

/// What is left to the control groups that a process is in, as `/proc/self/cgroup` names them: the
/// second version has one tree (`0::/path`), the first one a tree for memory.
fn free_of_the_groups(root: &Path, groups: &str) -> Option<usize> {
    let mut free = None;
    for group in groups.lines() {
        let mut parts = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let tree = match controllers {
            "" => root.to_path_buf(),
            names if names.split(',').any(|name| name == "memory") => root.join("memory"),
            _ => continue,
        };
        // A limit of a group holds for those within it. In a container the path may be one of the
        // world outside, and the tree's own root is the container's group.
        for folder in tree.join(path.trim_start_matches('/')).ancestors() {
            if folder.starts_with(&tree) {
                free = free.into_iter().chain(free_of_the_group(folder)).min();
            }
        }
    }
    free
}

fn free_of_the_machine() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// What is left to a control group, if it has a limit. Files that the kernel keeps in memory count as
/// used there, but it gives them up for whoever needs the room.
fn free_of_the_group(folder: &Path) -> Option<usize> {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let bytes = |names: [&str; 2]| -> Option<usize> {
        names.into_iter().find_map(text)?.trim().parse().ok()
    };
    let limit = bytes(["memory.max", "memory.limit_in_bytes"])?;
    let used = bytes(["memory.current", "memory.usage_in_bytes"]).unwrap_or(0);
    let kept = text("memory.stat").map_or(0, |text| {
        let rows = text.lines().filter_map(|line| line.split_once(' '));
        let files = rows.filter(|(name, _)| matches!(*name, "active_file" | "inactive_file"));
        files
            .filter_map(|(_, bytes)| bytes.trim().parse::<usize>().ok())
            .fold(0, usize::saturating_add)
    });
    Some(limit.saturating_sub(used.saturating_sub(kept)) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_take_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        let free = || free_of_the_group(folder);
        assert_eq!(free(), None);
        write("memory.max", "max\n");
        assert_eq!(free(), None);
        write("memory.max", "104857600\n");
        assert_eq!(free(), Some(100));
        write("memory.current", "94371840\n");
        assert_eq!(free(), Some(10));
        write(
            "memory.stat",
            "anon 31457280\nfile 62914560\ninactive_file 41943040\nactive_file 20971520\nslab 5\n",
        );
        assert_eq!(free(), Some(70));
    }

    #[test]
    fn a_limit_on_addresses_counts() {
        let free = |addresses: &str, data: &str, status: &str| {
            let limits = format!(
                "Limit  Soft  Hard  Units\nMax data size  {data}  x  bytes\n\
                 Max address space  {addresses}  x  bytes\n"
            );
            free_of_the_limits(&limits, || status.to_string())
        };
        let status = "VmPeak:\t 9999 kB\nVmSize:\t 3072 kB\nVmData:\t 1024 kB\n";
        assert_eq!(free("unlimited", "unlimited", status), None);
        assert_eq!(free("10485760", "unlimited", ""), None);
        assert_eq!(free("10485760", "unlimited", status), Some(7));
        assert_eq!(free("unlimited", "5242880", status), Some(4));
        assert_eq!(free("10485760", "5242880", status), Some(4));
        assert_eq!(free("1024", "unlimited", status), Some(0));
    }

    /// Whatever is left before a thread starts, some is left after, or it does not start: its stack takes
    /// 16 MB or none, and `malloc` 64 where there are so many.
    #[test]
    fn addresses_are_left_when_a_thread_has_started() {
        assert_eq!([0, 4, 7].map(kept_for), [None; 3]);
        for free in 8..300 {
            let before = free - kept_for(free).unwrap();
            for stack in [0, 16] {
                if let Some(left) = before.checked_sub(stack) {
                    let left = if left >= 64 { left - 64 } else { left };
                    assert!(left >= 8, "{free}");
                }
            }
        }
        let kept = [15, 16, 23, 24, 63, 64, 71, 72, 79, 80, 87, 88].map(kept_for);
        let expected = [0, 1, 8, 0, 0, 1, 8, 0, 0, 1, 8, 0];
        assert_eq!(kept, expected.map(Some));
    }

    #[test]
    fn threads_are_counted_by_what_they_take() {
        let free = |memory, addresses| Free { memory, addresses };
        assert_eq!(free(None, None).threads(256, 1000), 256);
        assert_eq!(free(Some(100), None).threads(256, 0), 25);
        assert_eq!(free(Some(100), None).threads(256, 90), 2);
        assert_eq!(free(Some(100), None).threads(1, 200), 0);
        // Two with 84 MB each, one with the 20 that it needs.
        assert_eq!(free(None, Some(199)).threads(256, 0), 3);
        assert_eq!(free(Some(9), Some(199)).threads(256, 0), 2);
        assert_eq!(free(None, Some(199)).threads(256, 180), 0);
        assert_eq!(free(None, Some(199)).with(1).threads(256, 180), 1);
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let write = |name: &str, megabytes: usize| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{}\n", megabytes << 20)).unwrap();
        };
        let free = |groups: &str| free_of_the_groups(root, groups);
        assert_eq!(free("0::/a/b\n"), None);
        write("memory.max", 900);
        write("a/memory.max", 300);
        write("a/b/memory.max", 500);
        assert_eq!(free("0::/\n"), Some(900));
        assert_eq!(free("0::/a/b\n"), Some(300));
        assert_eq!(free("0::/../elsewhere\n"), Some(900));
        // The first version, beside which the second may have a tree without limits.
        write("memory/memory.limit_in_bytes", 200);
        write("memory/c/memory.limit_in_bytes", 100);
        assert_eq!(free("4:cpu,cpuacct:/c\n3:memory:/c\n"), Some(100));
        assert_eq!(
            free("4:cpu,cpuacct:/c\n3:memory:/outside\n0::/x\n"),
            Some(200)
        );
        assert_eq!(free("no group\n"), None);
    }
}
