//! `tuner label --depth`: one expert and several, what they come to, what is left out, what is remembered,
//! and what happens when one of them breaks down. Every number here is worked out by hand.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::Answer;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tuner::base::lock::open_alone;

/// A position with what three experts say of it.
type Position = (&'static str, [&'static str; 3]);

/// Positions: quiet ones, White in check, a promotion, a mated king,
/// and pawns.
const POSITIONS: [Position; 9] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        ["cp 30", "cp -10", "cp 41"],
    ),
    (
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
        ["cp 1", "cp 2", "cp 2"],
    ),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        ["cp -1", "cp -2", "cp -2"],
    ),
    (
        "rnbqk1nr/pppp1ppp/8/4p3/1b1P4/8/PPP1PPPP/RNBQKBNR w KQkq -",
        ["cp 100", "cp 0", "cp -1"],
    ),
    ("8/P6k/8/8/8/8/8/K7 w - -", ["cp 900", "cp 901", "cp 1500"]),
    ("7k/6Q1/6K1/8/8/8/8/8 b - -", ["", "", ""]),
    ("4k3/8/8/8/8/8/4P3/4K3 w - -", ["cp 1501", "cp 0", "cp 0"]),
    ("4k3/8/8/8/8/8/3P4/4K3 w - -", ["cp 0", "mate 3", "cp 0"]),
    ("4k3/8/8/8/8/8/2P5/4K3 w - -", ["cp 0", "cp -1500", "cp 5"]),
];

/// The positions in the file of all three, by their numbers, with these scores.
fn lines(scores: &[(usize, i32)]) -> Vec<String> {
    let line = |&(number, score): &(usize, i32)| {
        let position = POSITIONS[number - 1].0;
        format!("{position} ce {score}; id \"in.{number}\";")
    };
    scores.iter().map(line).collect()
}

fn board(number: usize) -> &'static str {
    POSITIONS[number - 1].0.split(' ').next().unwrap()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let text = |line: &dyn Fn(&Position) -> String| -> String {
            POSITIONS.iter().map(|one| line(one) + "\n").collect()
        };
        fs::write(folder.path("in.epd"), text(&|one| one.0.to_string())).unwrap();
        for expert in 0..3 {
            let said = text(&|(position, said)| {
                format!("{} {}", position.split(' ').next().unwrap(), said[expert])
            });
            fs::write(folder.path(&format!("says{}", expert + 1)), said).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command of the expert of this number, from 1.
    fn expert(&self, number: usize, more: &str) -> String {
        format!(
            "'{}' mode=ok name=Expert{number} says=says{number} calls=calls{number} {more}",
            tests::fake_engine().display()
        )
    }

    /// `tuner label` with these engines.
    fn label(&self, engines: &[String], line: &str) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command
            .args("label --positions in.epd --timeout 5".split(' '))
            .args(line.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null());
        for engine in engines {
            command.args(["--engine", engine]);
        }
        Answer(command.output().unwrap())
    }

    fn three(&self) -> [String; 3] {
        [1, 2, 3].map(|number| self.expert(number, ""))
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The positions of a file, and what its last line says.
    fn scored(&self, name: &str) -> (Vec<String>, String) {
        let text = self.text(name);
        let mut lines: Vec<String> = text.lines().skip(1).map(str::to_string).collect();
        let last = lines.pop().unwrap_or_default();
        (lines, last)
    }

    /// How often each expert has been asked.
    fn calls(&self) -> [usize; 3] {
        [1, 2, 3].map(|number| self.text(&format!("calls{number}")).lines().count())
    }
}

#[test]
fn a_crowd_is_combined_as_by_hand() {
    let folder = Folder::new();
    let engines = folder.three();
    for (out, how, scores) in [
        // 61/3, 5/3, −5/3, 99/3, 3301/3, −1495/3.
        ("mean", "", [20, 2, -2, 33, 1100, -498]),
        ("median", "--combine median", [30, 2, -2, 0, 901, 0]),
        // 91/4, 6/4, −6/4, 199/4, 4201/4, −1495/4: halves away from zero.
        (
            "weights",
            "--weight 2 --weight 1 --weight 1",
            [23, 2, -2, 50, 1050, -374],
        ),
    ] {
        let line = format!("--depth 2 --cache scores --out {out} {how}");
        let said = folder.label(&engines, &line).warnings();
        let expected: Vec<(usize, i32)> = [1, 2, 3, 4, 5, 9].into_iter().zip(scores).collect();
        let (found, end) = folder.scored(out);
        assert_eq!(found, lines(&expected), "{how}");
        let told = "1 left out where the game is over; 1 left out with a mate; 1 left out beyond 1500 \
                    cp; 3 kept with scores of both signs";
        assert_eq!(end, format!("# end: 6 of 9 positions; {told}"));
        for one in told.split("; ") {
            assert!(said.contains(one), "{said}");
        }
        // Whoever combines them, nobody is asked twice, nor where the game is over.
        assert_eq!(folder.calls(), [8, 8, 8], "{how}");
    }
    let line = "--depth 2 --cache scores --agree --out agree";
    folder.label(&engines, line).success();
    let (found, end) = folder.scored("agree");
    assert_eq!(found, lines(&[(2, 2), (3, -2), (5, 1100)]));
    assert!(
        end.ends_with("; 3 left out with scores of both signs"),
        "{end}"
    );
    // One of them alone leaves out what it says itself.
    let line = "--depth 2 --cache scores --max-score 899 --out one";
    folder.label(&engines[2..], line).success();
    let (found, end) = folder.scored("one");
    let expected = [(1, 41), (2, 2), (3, -2), (4, -1), (7, 0), (8, 0), (9, 5)];
    assert_eq!(found, lines(&expected));
    let expected =
        "# end: 7 of 9 positions; 1 left out where the game is over; 1 left out beyond 899 cp";
    assert_eq!(end, expected);
    assert_eq!(folder.calls(), [8, 8, 8]);
    // Another limit is another expert, and so are other options; those of one engine are its own.
    let line = "--depth 3 --cache scores --out deeper";
    folder.label(&engines[..1], line).success();
    assert_eq!(folder.calls(), [16, 8, 8]);
    let line = "--depth 2 --cache scores --out risky --option 2:Style=Risky";
    folder.label(&engines[..2], line).success();
    assert_eq!(folder.calls(), [16, 16, 8]);
    let heading = folder.text("risky");
    let heading = heading.lines().next().unwrap();
    assert!(heading.contains("options 1= |"), "{heading}");
    assert!(heading.contains("options 2=Style=Risky |"), "{heading}");
    assert!(
        heading.contains("| depth=2 | max score=1500 | combine=mean |"),
        "{heading}"
    );
}

#[test]
fn threads_cuts_and_damage_change_nothing() {
    let folder = Folder::new();
    let engines = folder.three();
    let label = |more: &str| folder.label(&engines, &format!("--depth 2 --out out {more}"));
    label("--concurrency 1").success();
    let (whole, cache) = (folder.text("out"), folder.text("out.cache.jsonl"));
    assert_eq!(cache.lines().count(), 3 + 3 * 8, "{cache}");
    // What is finished is not made again.
    let said = label("").warnings();
    assert!(
        said.contains("out: 6 positions, finished already"),
        "{said}"
    );
    fs::remove_file(folder.path("out")).unwrap();
    fs::remove_file(folder.path("out.cache.jsonl")).unwrap();
    label("--concurrency 3").success();
    assert_eq!(folder.text("out"), whole);
    for cut in [0, 1, 40, cache.len() / 2, cache.len() - 1] {
        fs::write(folder.path("out.cache.jsonl"), &cache[..cut]).unwrap();
        let torn = whole.len() * cut / cache.len();
        fs::write(folder.path("out"), &whole[..torn]).unwrap();
        let before: usize = folder.calls().iter().sum();
        label("--concurrency 2").success();
        assert_eq!(folder.text("out"), whole, "cut at {cut}");
        assert_eq!(folder.text("out.cache.jsonl").lines().count(), 27);
        let complete = cache[..cut]
            .rsplit_once('\n')
            .map_or("", |(lines, _)| lines);
        let kept = complete.lines().filter(|line| line.contains("said"));
        let asked = folder.calls().iter().sum::<usize>() - before;
        assert_eq!(asked, 24 - kept.count(), "cut at {cut}");
    }
    let damaged = cache.replacen("\"cp\":900", "\"cp\":9*0", 1);
    fs::write(folder.path("out.cache.jsonl"), damaged).unwrap();
    fs::remove_file(folder.path("out")).unwrap();
    let before: usize = folder.calls().iter().sum();
    let said = label("").warnings();
    assert!(said.contains("1 damaged lines are passed over"), "{said}");
    assert_eq!(folder.text("out"), whole);
    assert_eq!(folder.calls().iter().sum::<usize>(), before + 1);
}

#[test]
fn who_dies_in_the_middle_loses_nothing() {
    let folder = Folder::new();
    let well = folder.three();
    let line = "--depth 2 --concurrency 1 --out";
    folder.label(&well, &format!("{line} well")).success();
    let (lines_of_well, end_of_well) = folder.scored("well");
    for number in 1..=3 {
        fs::remove_file(folder.path(&format!("calls{number}"))).unwrap();
    }
    // At three positions in a row the second is out of order.
    let dies = format!("dies={},{},{} unless=flag", board(3), board(4), board(5));
    let engines = [
        folder.expert(1, ""),
        folder.expert(2, &dies),
        folder.expert(3, ""),
    ];
    let said = folder.label(&engines, &format!("{line} out")).failure();
    assert!(
        said.contains("what Expert2 has said so far is kept"),
        "{said}"
    );
    assert!(said.contains("has ended"), "{said}");
    assert_eq!(folder.text("out"), "");
    let [first, second, third] = folder.calls();
    // It may have been at the next one when it was clear that it is out of order.
    assert!(first == 8 && (2..=3).contains(&second) && third == 0);
    fs::write(folder.path("flag"), "").unwrap();
    let said = folder.label(&engines, &format!("{line} out")).warnings();
    assert!(
        said.contains("Expert2: 2 scores are known, 6 are asked for"),
        "{said}"
    );
    assert_eq!(
        folder.scored("out"),
        (lines_of_well.clone(), end_of_well.clone())
    );
    assert_eq!(folder.calls(), [8, 8, 8]);

    // At a single one it is left out, and asked about again.
    fs::remove_file(folder.path("flag")).unwrap();
    let dies = format!("dies={} unless=flag", board(3));
    let engines = [
        folder.expert(1, ""),
        folder.expert(2, &dies),
        folder.expert(3, ""),
    ];
    let said = folder.label(&engines, &format!("{line} again")).warnings();
    assert!(
        said.contains("warning: position 3 is left out, it failed twice"),
        "{said}"
    );
    let (found, end) = folder.scored("again");
    assert_eq!(found.len(), 5);
    assert!(
        end.starts_with("# not finished: 5 of 9 positions; "),
        "{end}"
    );
    assert!(
        end.contains("1 left out over which an expert broke down"),
        "{end}"
    );
    fs::write(folder.path("flag"), "").unwrap();
    folder.label(&engines, &format!("{line} again")).success();
    assert_eq!(folder.scored("again"), (lines_of_well, end_of_well));
}

/// Who could not begin leaves nothing behind.
#[test]
fn a_cache_that_another_has_leaves_no_file() {
    let folder = Folder::new();
    let [one, ..] = folder.three();
    let cache = open_alone(&folder.path("scores")).unwrap();
    let line = "--depth 2 --cache scores --out out";
    let said = folder.label(std::slice::from_ref(&one), line).failure();
    assert!(
        said.contains("scores: another run is writing to it"),
        "{said}"
    );
    assert!(!folder.path("out").exists());
    drop(cache);
    folder.label(&[one], line).success();
}

#[test]
fn experts_that_cannot_be_asked_are_named() {
    let folder = Folder::new();
    let [one, two, _] = folder.three();
    let fake = |mode: &str| format!("'{}' mode={mode}", tests::fake_engine().display());
    for (engines, line, expected) in [
        (
            vec![one.clone(), "./nowhere".to_string()],
            "--depth 2",
            "`./nowhere` can't be started",
        ),
        (
            vec![one.clone()],
            "--depth 2 --cache in.epd",
            "in.epd is named twice",
        ),
        (
            vec![one.clone()],
            "--depth 2 --cache says1",
            "says1: this is no file of scores",
        ),
    ] {
        let said = folder
            .label(&engines, &format!("{line} --out never"))
            .failure();
        assert!(said.contains(expected), "{said}");
        assert!(!folder.path("never").exists(), "{line}");
    }
    for (engines, line, expected) in [
        (
            vec![one.clone(), two.clone()],
            "",
            "a crowd of engines needs --depth",
        ),
        (
            vec![one.clone(), two.clone()],
            "--depth 2 --weight 1",
            "given 1 times, expected 2",
        ),
        (
            vec![one.clone(), two.clone()],
            "--depth 2 --weight 1 --weight 1 --combine mean",
            "given 2 times, expected 0",
        ),
        (
            vec![one.clone()],
            "--depth 2 --option 2:Style=Risky",
            "--option 2:Style=Risky: there are 1",
        ),
    ] {
        let answer = folder.label(&engines, &format!("{line} --out never"));
        let said = answer.wrong_line();
        assert!(said.contains(expected), "{said}");
        assert!(!folder.path("never").exists(), "{line}");
    }
    for (mode, expected) in [
        ("hang:1", "sent no `bestmove` within 1 s"),
        ("illegal:1", "which is illegal"),
        ("none:1", "which is no move"),
        ("mute", "told no score of it"),
    ] {
        let line = "--depth 2 --timeout 1 --concurrency 1 --out bad";
        let line = line.replace("bad", &mode.replace(':', ""));
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command
            .args(["label", "--positions", "in.epd", "--engine", &fake(mode)])
            .args(line.split(' '))
            .current_dir(&folder.0);
        let said = Answer(command.output().unwrap()).failure();
        assert!(said.contains(expected), "{said}");
        // It has said nothing.
        assert!(!said.contains("is kept"), "{said}");
    }
    // Nonsense between the lines that count is passed over.
    folder
        .label(&[fake("noise")], "--depth 2 --out noise")
        .success();
    // A file of other settings stays.
    folder
        .label(std::slice::from_ref(&one), "--depth 2 --out out")
        .success();
    let there = folder.text("out");
    let said = folder.label(&[one], "--depth 3 --out out").failure();
    assert!(said.contains("depth: 2 there, 3 here"), "{said}");
    assert_eq!(folder.text("out"), there);
}
