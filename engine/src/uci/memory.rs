//! How much memory the machine can give.

use std::path::Path;

/// Why there can be no table of this size, if there can't, when so many megabytes are given back
/// first.
pub(super) fn refusal(megabytes: usize, given_back: usize) -> Option<String> {
    let available = available_megabytes()?.saturating_add(given_back);
    (megabytes > available)
        .then(|| format!("{megabytes} MB of hash are more than the {available} MB of free memory"))
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
