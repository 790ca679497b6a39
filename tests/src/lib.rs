//! What the tests of all crates share: settings of property tests, made-up games, endgame tables,
//! data files and the two binaries. Imports neither engine nor tuner, which use it in their own tests.
//!
//! `tests/tests` tests the binaries together and the layering of the sources.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod mates;
pub mod syzygy;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// Whether soaks, deep counts and many more cases are asked for: `EYAS_LONG=1`.
pub fn is_long() -> bool {
    std::env::var_os("EYAS_LONG").is_some()
}

/// A property test of so many cases, the same on every run; `EYAS_LONG=1` takes a hundred times
/// as many, and others each time.
pub fn cases(count: u32) -> ProptestConfig {
    let (cases, rng_seed) = match is_long() {
        true => (count * 100, RngSeed::Random),
        false => (count, RngSeed::Fixed(2014)),
    };
    ProptestConfig {
        cases,
        rng_seed,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The movetext of a random game of at most so many plies, without a result.
pub fn random_moves(seed: u64, plies: usize) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Chess::default();
    let mut text = String::new();
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[(rng.next_u64() % moves.len() as u64) as usize];
        if ply % 2 == 0 {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        let _ = write!(text, "{} ", SanPlus::from_move(position.clone(), mv));
        position.play_unchecked(mv);
    }
    text
}

/// A text has all of these in it.
///
/// # Panics
/// It lacks one.
pub fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in:\n{text}");
    }
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The text of a file in `tests/data`.
pub fn data(name: &str) -> String {
    let path = workspace().join("tests/data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder of the workspace whose names end like this, sorted; none if there is
/// no such folder.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![workspace().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A binary of the workspace, `eyas` or `tuner`, of the profile that the running test has. Cargo
/// tells its path to tests of the same package only; `cargo test --workspace` has built it, and
/// with `cargo test -p tests` it is built here if a source is newer.
pub fn binary(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        // target/<profile>/deps/<test>
        let folder = test.ancestors().nth(2).unwrap().to_path_buf();
        let engine = files("engine/src", "rs");
        let both = [&engine[..], &files("tuner/src", "rs")].concat();
        let stale = |name, sources: &[PathBuf]| is_stale(&executable(&folder, name), sources);
        if stale("eyas", &engine) || stale("tuner", &both) {
            build(&folder, &["--workspace", "--bins"]);
        }
        folder
    });
    executable(folder, name)
}

/// The engine that misbehaves on demand, `tuner/examples/fake_engine.rs`. `cargo test` has built it;
/// with `cargo test --test` of some tests alone it is built here if a source is newer.
pub fn fake_engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let folder = test.ancestors().nth(2).unwrap();
        let engine = executable(&folder.join("examples"), "fake_engine");
        let sources = [files("engine/src", "rs"), files("tuner/examples", "rs")].concat();
        if is_stale(&engine, &sources) {
            build(folder, &["--package", "tuner", "--example", "fake_engine"]);
        }
        engine
    })
}

/// Sends a process that a test has started a signal, as `INT`. Every shell has this command; as a
/// program of its own it is not everywhere.
#[cfg(unix)]
pub fn send_signal(name: &str, process: u32) {
    let kill = format!("kill -{name} {process}");
    let status = Command::new("sh").args(["-c", &kill]).status();
    assert!(status.unwrap().success(), "{kill}");
}

fn executable(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn is_stale(binary: &Path, sources: &[PathBuf]) -> bool {
    let changed = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    let built = changed(binary);
    built.is_none() || sources.iter().any(|source| changed(source) > built)
}

fn build(folder: &Path, what: &[&str]) {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.arg("build").args(what);
    cargo.arg("--target-dir").arg(folder.parent().unwrap());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.current_dir(workspace()).status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "cargo build failed"
    );
}
