//! `eyas analyse`: suites of positions, solved or not.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use std::process::{Command, Output};
use tempfile::TempPath;

/// A mate in one, a hanging queen, a move to avoid, and a position whose answer is wrong.
const SUITE: &str = "\
# A comment, and an empty line.

6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"mate\";
7k/8/8/3q4/8/8/3R4/K7 w - - bm Rxd5; id \"queen\";
7k/8/8/3q4/8/8/3R4/K7 w - - am Rxd5; id \"avoid\";
7k/8/8/3q4/8/8/3R4/K7 w - - 3 9 bm Kb1 Kb2; id \"wrong\";
";

/// A file with this text, which goes when this does.
fn suite(text: &str) -> TempPath {
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    std::fs::write(&path, text).unwrap();
    path
}

fn analyse(file: &str, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eyas"))
        .args(["analyse", "--epd", file])
        .args(words.split_whitespace())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn solved_positions_are_counted() {
    let path = suite(SUITE);
    let file = path.display().to_string();
    for words in [
        "--depth 4",
        "--nodes 3000",
        "--movetime 60",
        "--depth 4 --jobs 3 --hash 1",
        "--depth 4 --threads 2",
    ] {
        let output = analyse(&file, words);
        assert!(output.status.success(), "{words}: {output:?}");
        let stdout = text(&output.stdout);
        assert!(stdout.starts_with("solved 2/4 in "), "{words}: {stdout}");
        let stderr = text(&output.stderr);
        assert_eq!(stderr.lines().count(), 4, "{stderr}");
        for (id, verdict) in [
            ("mate", "solved"),
            ("queen", "solved"),
            ("avoid", "missed"),
            ("wrong", "missed"),
        ] {
            let line = stderr.lines().find(|line| line.contains(id)).unwrap();
            assert!(line.contains(verdict), "{words}: {line}");
        }
        let output = analyse(&file, &format!("{words} --json"));
        assert_eq!(text(&output.stdout), "{\"positions\": 4, \"solved\": 2}\n");
    }
}

/// A file as Windows writes it: a mark of the byte order, and lines that end in two characters. And
/// one as old Macintoshes did.
#[test]
fn suites_from_elsewhere_are_read() {
    for end in ["\r\n", "\r"] {
        let path = suite(&format!("\u{feff}{}", SUITE.replace('\n', end)));
        let output = analyse(&path.display().to_string(), "--depth 4");
        let stdout = text(&output.stdout);
        assert!(stdout.starts_with("solved 2/4 in "), "{output:?}");
    }
}

/// The whole limit is used, also where there is nothing to choose: one move is legal here.
#[test]
fn the_limit_is_used_up() {
    let only = "rnb1kbnr/pppp1ppp/8/4p3/5P1q/8/PPPPP1PP/RNBQKBNR w KQkq - bm g3;\n";
    let path = suite(only);
    let used = |limit: &str, unit: &str| -> u64 {
        let output = analyse(&path.display().to_string(), limit);
        let line = text(&output.stderr);
        assert!(output.status.success(), "{limit}: {line}");
        let mut words = line.split_whitespace().rev();
        words.find(|word| *word == unit).unwrap();
        words.next().unwrap().parse().unwrap()
    };
    assert_eq!(used("--nodes 1000", "nodes"), 1000);
    // A busy machine is late, but not by minutes.
    assert!((300..60_000).contains(&used("--movetime 300", "ms")));
}

#[test]
fn a_missing_file_is_told_once() {
    let why = std::fs::read("none").unwrap_err().to_string();
    let good = suite(SUITE);
    for (file, words) in [
        ("none", "--depth 1"),
        (good.to_str().unwrap(), "--depth 1 --params none"),
    ] {
        let told = text(&analyse(file, words).stderr);
        assert!(told.starts_with("eyas: none: "), "{words}: {told}");
        assert_eq!(told.matches(&why).count(), 1, "{words}: {told}");
    }
}

/// On Unix a file's name is any bytes. Of a position, castling may be written as the king taking its
/// own rook.
#[cfg(unix)]
#[test]
fn files_are_opened_whose_names_are_no_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    let (epd, params) = (path(b"caf\xe9.epd"), path(b"\xff.toml"));
    let mate = "4k3/R7/8/8/8/8/8/4K2R w K - bm e1h1 Rh8; id \"mate\";\n";
    if std::fs::write(&epd, mate).is_err() {
        return; // A file system that has none but UTF-8.
    }
    let rows = "format = 1\n[eval]\nknight_value = 333\n";
    std::fs::write(&params, rows).unwrap();
    let eyas = |words: &[&std::ffi::OsStr]| {
        let output = Command::new(env!("CARGO_BIN_EXE_eyas"))
            .args(words)
            .output();
        let output = output.unwrap();
        text(&output.stdout) + &text(&output.stderr)
    };
    let words = ["analyse", "--depth", "3", "--params", "--epd"].map(std::ffi::OsStr::new);
    let [analyse, depth, three, with, of] = words;
    let told = eyas(&[
        analyse,
        depth,
        three,
        with,
        params.as_ref(),
        of,
        epd.as_ref(),
    ]);
    assert!(
        told.contains("solved 1/1") && told.contains("expected O-O Rh8#"),
        "{told}"
    );
    let none = path(b"no\xe9.epd");
    let told = eyas(&[analyse, depth, three, of, none.as_ref()]);
    assert!(
        told.starts_with("eyas: ") && told.contains("no\u{fffd}.epd: "),
        "{told}"
    );
    let told = eyas(&[none.as_ref()]);
    assert!(
        told.contains("no\u{fffd}.epd\" is not understood"),
        "{told}"
    );
}

/// Where addresses are few, what has no room is refused in words, and what has is done.
#[cfg(target_os = "linux")]
#[test]
fn nothing_aborts_where_addresses_are_few() {
    let path = suite(SUITE);
    for (kilobytes, words, is_done) in [
        (120_000, "--hash 1 --jobs 1", true),
        (120_000, "--hash 1 --jobs 200 --threads 8", false),
        (200_000, "--hash 16 --jobs 2 --threads 64", false),
        (200_000, "--hash 200", false),
        (700_000, "--hash 16 --jobs 2 --threads 2", true),
    ] {
        let eyas = env!("CARGO_BIN_EXE_eyas");
        let script =
            format!("ulimit -v {kilobytes}; exec {eyas} analyse --depth 3 {words} --epd $0");
        let output = Command::new("sh")
            .arg("-c")
            .arg(script)
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(output.status.success(), is_done, "{words}: {output:?}");
        let told = text(&output.stderr);
        assert!(
            is_done || told.contains(" MB of free memory"),
            "{words}: {told}"
        );
    }
}

#[test]
fn bad_suites_and_arguments_are_told() {
    let no_answer = suite("6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"x\";\n");
    let illegal = suite("\n6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd9;\n");
    let empty = suite("# nothing\n");
    let good = suite(SUITE);
    for (file, words, problem) in [
        (&no_answer, "--depth 1", "line 1: neither bm nor am"),
        (&illegal, "--depth 1", "line 2: bm: \"Rd9\""),
        (&empty, "--depth 1", "no positions"),
        (&good, "", "exactly one of"),
        (&good, "--depth 1 --nodes 5", "exactly one of"),
        (
            &good,
            "--depth x",
            "--depth is \"x\", expected a whole number from 1 to",
        ),
        (&good, "--depth 1 --jobs 0", "--jobs is \"0\""),
        (&good, "--depth", "--depth needs a value"),
        (&good, "--depth 1 --depth 2", "--depth is given 2 times"),
        (
            &good,
            "--depth 1 --frobnicate",
            "--frobnicate is not understood",
        ),
        (&good, "--depth 1 --params nothing.toml", "nothing.toml"),
    ] {
        let output = analyse(&file.display().to_string(), words);
        assert!(!output.status.success(), "{words}");
        let told = text(&output.stderr);
        assert!(
            told.starts_with("eyas: ") && told.contains(problem),
            "{words}: {told}"
        );
        assert!(output.stdout.is_empty());
    }
}
