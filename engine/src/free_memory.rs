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
    let own = free_of_the_group(Path::new("/sys/fs/cgroup"));
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

/// What is left to the control group of a container, if it has a limit. Files that the kernel keeps
/// in memory count as used there, but it gives them up for whoever needs the room.
fn free_of_the_group(folder: &Path) -> Option<usize> {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let bytes = |name: &str| -> Option<usize> { text(name)?.trim().parse().ok() };
    let limit = bytes("memory.max")?;
    let used = bytes("memory.current").unwrap_or(0);
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
        let folder = std::env::temp_dir().join(format!("eyas-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        let free = || free_of_the_group(&folder);
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
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
