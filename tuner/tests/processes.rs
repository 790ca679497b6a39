//! Work in processes of their own: who kills them changes nothing.
//!
//! That processes give the bytes that threads give is shown for every kind of phase by `golden.rs`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

#[path = "common/helped.rs"]
mod helped;

use helped::{PROFILE, run_folder, same};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

fn tuner(folder: &Path, arguments: &[&str]) -> Child {
    let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
    tuner.args(["run", "profile.toml"]).args(arguments);
    tuner.current_dir(folder).stdout(Stdio::null());
    tuner.stderr(Stdio::piped()).spawn().unwrap()
}

/// Ends well, or says what it has said.
fn ends_well(child: Child) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<String> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let children = std::fs::read_to_string(path).unwrap_or_default();
    children.split_whitespace().map(str::to_string).collect()
}

#[test]
fn whoever_is_killed_is_replaced_and_the_bytes_are_the_same() {
    let folder = run_folder();
    let folder = folder.path();
    // There is to be time enough to be killed.
    let longer = PROFILE.replace("generations = 20", "generations = 30");
    std::fs::write(folder.join("profile.toml"), longer).unwrap();
    ends_well(tuner(folder, &["--out", "threads", "--threads", "2"]));

    let mut by_processes = tuner(folder, &["--out", "processes", "--processes", "3"]);
    let mut killed = 0;
    // Every other time that one is seen, at moments that nobody has chosen.
    while by_processes.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(35));
        let found = children(by_processes.id());
        if let Some(child) = found.get(killed % 3).filter(|_| killed < 12) {
            let kill = Command::new("kill").args(["-9", child]).status();
            killed += usize::from(kill.unwrap().success());
        }
    }
    ends_well(by_processes);
    assert!(
        killed >= 3,
        "the run was over after {killed} had been killed"
    );
    same(folder, ["threads", "processes"]);
}
