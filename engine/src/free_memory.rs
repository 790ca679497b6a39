//! How much memory the machine can give.

use crate::search::Searcher;
use crate::tt::TableError;
use std::path::Path;

/// Whether there can be tables of so many megabytes beside so many new threads, when so many megabytes
/// are given back first.
///
/// # Errors
/// If there is less free memory.
pub(crate) fn check(megabytes: usize, threads: usize, given_back: usize) -> Result<(), TableError> {
    let threads = threads.saturating_mul(Searcher::MEGABYTES_A_THREAD);
    let free = available_megabytes().map(|free| free.saturating_add(given_back));
    match free.map(|free| free.saturating_sub(threads)) {
        Some(free) if megabytes > free => Err(TableError {
            megabytes,
            free: Some(free),
        }),
        _ => Ok(()),
    }
}

/// Free memory in megabytes, where the system tells. Linux grants more than there is and kills the
/// process later, so an allocation that succeeds proves nothing.
pub(crate) fn available_megabytes() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let own = free_of_the_groups(Path::new("/sys/fs/cgroup"), &text("/proc/self/cgroup"));
    let limited = free_of_the_limit(&text("/proc/self/limits"), &text("/proc/self/status"));
    let free = [free_of_the_machine(), own, limited].into_iter().flatten();
    free.min().map(|free| free.saturating_sub(RESERVE))
}

/// What is left below a limit on addresses (`ulimit -v`).
fn free_of_the_limit(limits: &str, status: &str) -> Option<usize> {
    let behind = |text: &str, name: &str| -> Option<usize> {
        let row = text.lines().find_map(|line| line.strip_prefix(name))?;
        row.split_whitespace().next()?.parse().ok()
    };
    let bytes = behind(limits, "Max address space")?;
    let used = behind(status, "VmSize:")?.saturating_mul(1024);
    Some(bytes.saturating_sub(used) >> 20)
}

/// Megabytes that are left for whatever else this process and others will want.
const RESERVE: usize = 32;

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
        let limits = |limit: &str| {
            format!("Limit  Soft  Hard  Units\nMax address space  {limit}  x  bytes\n")
        };
        let free = |limit: &str, status: &str| free_of_the_limit(&limits(limit), status);
        assert_eq!(free("unlimited", "VmSize:\t 1024 kB\n"), None);
        assert_eq!(free("10485760", ""), None);
        assert_eq!(
            free("10485760", "VmPeak:\t 9999 kB\nVmSize:\t 3072 kB\n"),
            Some(7)
        );
        assert_eq!(free("1024", "VmSize:\t 3072 kB\n"), Some(0));
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
