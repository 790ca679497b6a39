//! How much memory the machine can give.

use crate::tt::TableError;
use std::path::Path;

/// Whether there can be tables of so many megabytes when so many are given back first.
///
/// # Errors
/// If there is less free memory.
pub(crate) fn check(megabytes: usize, given_back: usize) -> Result<(), TableError> {
    match available_megabytes().map(|free| free.saturating_add(given_back)) {
        Some(free) if megabytes > free => Err(TableError {
            megabytes,
            free: Some(free),
        }),
        _ => Ok(()),
    }
}

/// Free memory in megabytes, where the system tells. Linux grants more than there is and kills the
/// process later, so an allocation that succeeds proves nothing.
fn available_megabytes() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let free = free_of_the_machine();
    let own = free_of_the_group();
    match (free, own) {
        (Some(free), Some(own)) => Some(free.min(own)),
        (free, own) => free.or(own),
    }
}

fn free_of_the_machine() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// What is left to the control group of a container, if it has a limit.
fn free_of_the_group() -> Option<usize> {
    let bytes = |name: &str| -> Option<usize> {
        let text = std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(name)).ok()?;
        text.trim().parse().ok()
    };
    let limit = bytes("memory.max")?;
    let used = bytes("memory.current").unwrap_or(0);
    Some(limit.saturating_sub(used) >> 20)
}
