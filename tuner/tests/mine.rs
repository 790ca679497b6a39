//! `tuner mine` as a black box: the same file on any number of threads and however often it is cut
//! off, positions as asked for, and errors that say what is wrong.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use engine::epd::Epd;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The command that starts the fake engine with these arguments.
fn fake(arguments: &str) -> String {
    format!("'{}' {arguments}", tests::fake_engine().display())
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// With a file of eight random games, one of them drawn and one twice.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let game = |seed: u64| {
            let result = if seed == 3 { "1/2-1/2" } else { "1-0" };
            let moves = tests::random_moves(seed.min(7), 60);
            format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
        };
        fs::write(
            folder.path("games.pgn"),
            (1..=8).map(game).collect::<String>(),
        )
        .unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn mine(&self, engine: &str, out: &str, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command
            .args([
                "mine",
                "--shallow",
                "10",
                "--screen",
                "100",
                "--deep",
                "100",
            ])
            .args(["--decided", "3000", "--engine", engine, "--pgn"])
            .arg(self.path("games.pgn"))
            .arg("--out")
            .arg(self.path(out))
            .args(more)
            .stdin(Stdio::null());
        command.output().unwrap()
    }
}

fn succeed(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.success(), "{said}");
    said
}

fn failure(output: &Output) -> String {
    refused(output, 1)
}

fn refused(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

fn positions(path: &Path) -> Vec<Epd> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Epd::parse(line).unwrap()).collect()
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let folder = Folder::new();
    let engine = fake("mode=multi");
    let said = succeed(&folder.mine(&engine, "one.epd", &["--concurrency", "1"]));
    let whole = fs::read(folder.path("one.epd")).unwrap();
    let found = positions(&folder.path("one.epd"));
    assert!(found.len() > 20, "{said}");
    assert!(
        said.contains(&format!("{} positions in", found.len())),
        "{said}"
    );
    // One move each, named after file, game and ply; no position twice, none of the drawn game or
    // of the opening.
    let keys: HashSet<u64> = found.iter().map(|each| each.position.key()).collect();
    assert_eq!(keys.len(), found.len());
    for each in &found {
        assert_eq!(each.best.len(), 1);
        let id: Vec<&str> = each.id.as_deref().unwrap().split('.').collect();
        assert_eq!(id[0], "games");
        assert!(["1", "2", "4", "5", "6", "7"].contains(&id[1]), "{id:?}");
        assert!(id[2].parse::<u32>().unwrap() >= 16, "{id:?}");
        assert!(each.operation("c0").unwrap().contains(", gid "));
    }

    succeed(&folder.mine(&engine, "three.epd", &["--concurrency", "3"]));
    assert_eq!(fs::read(folder.path("three.epd")).unwrap(), whole);
    // Nothing is left to be done, and so nothing changes.
    let said = succeed(&folder.mine(&engine, "three.epd", &[]));
    assert!(said.contains("0 of them new"), "{said}");
    assert_eq!(fs::read(folder.path("three.epd")).unwrap(), whole);
    for cut in [1, 30, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.path("cut.epd"), &whole[..cut]).unwrap();
        succeed(&folder.mine(&engine, "cut.epd", &["--concurrency", "2"]));
        assert_eq!(
            fs::read(folder.path("cut.epd")).unwrap(),
            whole,
            "cut at {cut}"
        );
    }
    // A count ends it early, with the same beginning, and a greater one goes on from there.
    for count in [5, 9] {
        let said = succeed(&folder.mine(&engine, "few.epd", &["--count", &count.to_string()]));
        assert_eq!(positions(&folder.path("few.epd")).len(), count, "{said}");
        let few = fs::read(folder.path("few.epd")).unwrap();
        assert!(whole.starts_with(&few));
    }
}

#[test]
fn the_parts_of_a_split_are_the_whole() {
    let folder = Folder::new();
    let engine = fake("mode=multi");
    succeed(&folder.mine(&engine, "all.epd", &[]));
    let ids = |name: &str| -> Vec<String> {
        let found = positions(&folder.path(name));
        found.into_iter().map(|each| each.id.unwrap()).collect()
    };
    let mut parts = Vec::new();
    for part in ["train", "dev", "test"] {
        let out = format!("{part}.epd");
        let split = ["--part", part, "--split", "1,1,1", "--seed", "4"];
        succeed(&folder.mine(&engine, &out, &split));
        parts.push(ids(&out));
    }
    assert!(parts.iter().filter(|part| !part.is_empty()).count() > 1);
    let mut together = parts.concat();
    let mut all = ids("all.epd");
    together.sort();
    all.sort();
    assert_eq!(together, all);
}

#[test]
fn an_engine_that_breaks_down_has_a_second_try_and_one_that_cannot_is_named() {
    let folder = Folder::new();
    let engine = fake("mode=multi");
    succeed(&folder.mine(&engine, "well.epd", &["--concurrency", "1"]));
    let once = fake(&format!("mode=again:{}", folder.path("flag").display()));
    let said = succeed(&folder.mine(&once, "again.epd", &["--concurrency", "1"]));
    assert!(said.contains("warning: game 1 began anew after"), "{said}");
    assert_eq!(
        fs::read(folder.path("again.epd")).unwrap(),
        fs::read(folder.path("well.epd")).unwrap()
    );
    // A game with a position that the engine can't take is left out.
    let well = fs::read_to_string(folder.path("well.epd")).unwrap();
    let found: Vec<&str> = well.lines().skip(1).collect();
    let game = |line: &str| line.split('.').nth(1).unwrap().to_string();
    let last = found.last().unwrap();
    assert_ne!(game(found[0]), game(last));
    let dreads = fake(&format!("mode=dreads:{}", last.split(' ').next().unwrap()));
    let said = succeed(&folder.mine(&dreads, "dreads.epd", &[]));
    let warning = format!("warning: game {} is left out", game(last));
    assert!(said.contains(&warning), "{said}");
    let left = fs::read_to_string(folder.path("dreads.epd")).unwrap();
    let expected = found.iter().filter(|line| game(line) != game(last));
    assert!(left.lines().skip(1).eq(expected.copied()), "{left}");
    // Without the option for two lines nothing can be compared.
    let error = failure(&folder.mine(&fake("mode=ok"), "none.epd", &[]));
    assert!(error.contains("has no option \"MultiPV\""), "{error}");
    let error = failure(&folder.mine("/no/such/engine", "never.epd", &[]));
    assert!(error.contains("/no/such/engine"), "{error}");
    assert!(!folder.path("never.epd").exists());
}

#[test]
fn files_that_are_not_ours_are_refused() {
    let folder = Folder::new();
    let engine = fake("mode=multi");
    succeed(&folder.mine(&engine, "out.epd", &["--count", "3"]));
    let before = fs::read(folder.path("out.epd")).unwrap();
    let error = failure(&folder.mine(&engine, "out.epd", &["--gap", "77"]));
    assert!(error.contains("out.epd: can't be continued"), "{error}");
    assert!(error.contains("gap: 150 there, 77 here"), "{error}");
    assert_eq!(fs::read(folder.path("out.epd")).unwrap(), before);
    fs::write(
        folder.path("other.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n",
    )
    .unwrap();
    let error = failure(&folder.mine(&engine, "other.epd", &[]));
    assert!(error.contains("doesn't say with which settings"), "{error}");
    let error = refused(&folder.mine(&engine, "never.epd", &["--gap", "6001"]), 2);
    let words = "--gap 6001: scores count at most --decided 3000 on either side";
    assert!(error.contains(words), "{error}");
    let mut shallow = Command::new(env!("CARGO_BIN_EXE_tuner"));
    shallow
        .args(["mine", "--shallow", "100", "--deep", "100", "--engine"])
        .args([&engine, "--out", "never.epd", "--pgn"])
        .arg(folder.path("games.pgn"));
    let error = refused(&shallow.output().unwrap(), 2);
    let words = "--shallow 100 is not less than --deep 100";
    assert!(error.contains(words), "{error}");
    assert!(!folder.path("never.epd").exists());
    fs::write(folder.path("games.pgn"), "").unwrap();
    let error = failure(&folder.mine(&engine, "new.epd", &[]));
    assert!(error.contains("games.pgn"), "{error}");
    fs::write(folder.path("games.pgn"), "format = 1\n[evolution]\n").unwrap();
    let error = failure(&folder.mine(&engine, "new.epd", &[]));
    let words = "games.pgn: this is a run profile, expected PGN (games)";
    assert!(error.contains(words), "{error}");
    assert!(!folder.path("new.epd").exists());
}

/// Its games are read more than once.
#[cfg(unix)]
#[test]
fn games_from_a_pipe_are_refused() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let more = ["--pgn", pipe.to_str().unwrap()];
    let said = failure(&folder.mine(&fake(""), "out.epd", &more));
    assert!(said.contains("pipe: this is a pipe or a device"), "{said}");
    assert!(!folder.path("out.epd").exists());
}
