//! Natural mistakes of a new user, and what the program answers. One table is the test, and the page
//! docs/guide/src/mistakes.md is made of it.
//!
//! `EYAS_WRITE_PAGES=1 cargo test -p tuner --test mistakes` writes the page anew.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, PROFILE};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A mistake. The answer has all these parts of text, in this order.
struct Mistake {
    what: &'static str,
    /// The command line, as in a shell.
    line: &'static str,
    code: i32,
    answer: &'static [&'static str],
    /// What to do, for the page.
    remedy: &'static str,
}

/// What is wrong with the command line itself.
const USAGE: i32 = 2;
/// Any other error.
const ERROR: i32 = 1;

const MISTAKES: &[Mistake] = &[
    Mistake {
        what: "The path of a profile is wrong",
        line: "tuner run profile/small.toml",
        code: ERROR,
        answer: &[
            "cannot read profile/small.toml",
            "No such file or directory",
        ],
        remedy: "Give the path as seen from the folder that you are in.",
    },
    Mistake {
        what: "A command is mistyped",
        line: "tuner rnu small.toml",
        code: USAGE,
        answer: &["unrecognized subcommand 'rnu'", "'run'"],
        remedy: "Use the command that the tip names; `tuner help` lists all.",
    },
    Mistake {
        what: "An option is mistyped",
        line: "tuner run small.toml --ot night",
        code: USAGE,
        answer: &["unexpected argument '--ot'", "'--out'"],
        remedy: "Use the option that the tip names; `tuner help run` lists all.",
    },
    Mistake {
        what: "A key of a profile is mistyped",
        line: "tuner check typo.toml",
        code: ERROR,
        answer: &[
            "typo.toml",
            "line 16",
            "elitsm = 1",
            "unknown field `elitsm`",
            "did you mean `elitism`?",
        ],
        remedy: "Correct the key; `tuner keys elitism` explains it.",
    },
    Mistake {
        what: "A key is in the wrong table of a profile",
        line: "tuner check table.toml",
        code: ERROR,
        answer: &[
            "table.toml",
            "max_plies = 4",
            "unknown field `max_plies`",
            "`max_plies` is a key of [quiescence]",
        ],
        remedy: "Move the key to the table that the answer names.",
    },
    Mistake {
        what: "A value is out of range",
        line: "tuner check range.toml",
        code: ERROR,
        answer: &[
            "range.toml",
            "crossover_rate = 75",
            "a probability from 0.0 to 1.0",
        ],
        remedy: "Use a value in the range; `tuner keys` has the range of each key.",
    },
    Mistake {
        what: "An option's value is out of range",
        line: "tuner run small.toml --threads 0",
        code: USAGE,
        answer: &["invalid value '0' for '--threads <N>'", "1..=1024"],
        remedy: "Use a value in the range.",
    },
    Mistake {
        what: "A profile is no valid TOML (an indented line without `=`)",
        line: "tuner check syntax.toml",
        code: ERROR,
        answer: &[
            "syntax.toml",
            "line 4",
            "layout \"eval-2014\"",
            "expected `=`",
        ],
        remedy: "Write `key = value`. Indentation, by spaces or tabs, makes no difference.",
    },
    Mistake {
        what: "A required key is missing",
        line: "tuner check missing.toml",
        code: ERROR,
        answer: &["missing.toml", "[evolution]", "missing field `population`"],
        remedy: "Add the key to the table that the answer shows.",
    },
    Mistake {
        what: "A profile is copied to another folder, its data are not",
        line: "tuner check elsewhere/small.toml",
        code: ERROR,
        answer: &[
            "cannot read elsewhere/train.epd",
            "The profile names this file",
            "counts from the profile's own folder, here",
            "elsewhere",
        ],
        remedy: "Change the paths in the copy, or give the files with `--positions` and `--test`.",
    },
    Mistake {
        what: "Games (PGN) are given for positions (EPD)",
        line: "tuner run small.toml --positions games.pgn",
        code: ERROR,
        answer: &[
            "games.pgn",
            "this is PGN (games), expected EPD",
            "tuner positions",
        ],
        remedy: "Make positions of the games: `tuner positions --pgn games.pgn --out train.epd`.",
    },
    Mistake {
        what: "Positions (EPD) are given for games (PGN)",
        line: "tuner positions --pgn train.epd --out out.epd",
        code: ERROR,
        answer: &[
            "train.epd",
            "this is EPD (a position a line), expected PGN (games)",
        ],
        remedy: "Give the games themselves.",
    },
    Mistake {
        what: "Parameters are given for a profile",
        line: "tuner run params.toml",
        code: ERROR,
        answer: &[
            "params.toml",
            "this is a parameter file, expected a run profile",
        ],
        remedy: "A profile says what to evolve; parameters are what evolves. Profiles are in `tuner/profiles/`.",
    },
    Mistake {
        what: "A profile is given for parameters",
        line: "tuner compare small.toml params.toml",
        code: ERROR,
        answer: &[
            "small.toml",
            "this is a run profile, expected a parameter file",
        ],
        remedy: "Give the `best.toml` of a run, or a file of `params/`.",
    },
    Mistake {
        what: "A required argument is missing",
        line: "tuner compare params.toml",
        code: USAGE,
        answer: &["required arguments were not provided", "<SECOND>"],
        remedy: "Add what the answer names.",
    },
    Mistake {
        what: "The folder for a run holds something already",
        line: "tuner run small.toml --out full",
        code: ERROR,
        answer: &["full is not empty", "a run needs a folder of its own"],
        remedy: "Name a new folder, or leave `--out` away: the tuner then finds a new name.",
    },
    Mistake {
        what: "A run is started in the folder of another run",
        line: "tuner run small.toml --out done",
        code: ERROR,
        answer: &[
            "done is not empty",
            "to go on with the run in it",
            "resume done",
        ],
        remedy: "Name a new folder to start again, or `tuner resume` to go on.",
    },
    Mistake {
        what: "A folder can't be made where it is wanted",
        line: "tuner run small.toml --out train.epd/run",
        code: ERROR,
        answer: &["cannot create the folder train.epd/run"],
        remedy: "Name a folder in a place where you may write.",
    },
    Mistake {
        what: "A file can't be written for lack of permission",
        line: "tuner positions --pgn games.pgn --out readonly/out.epd",
        code: ERROR,
        answer: &["readonly/out.epd", "Permission denied"],
        remedy: "Name a place where you may write.",
    },
    Mistake {
        what: "The folder of a run stands for its profile",
        line: "tuner run done",
        code: ERROR,
        answer: &["done: this is the folder of a run", "tuner resume done"],
        remedy: "Resume the run, or name a profile.",
    },
    Mistake {
        what: "The folder of a run stands for its parameters",
        line: "tuner compare done params.toml",
        code: ERROR,
        answer: &[
            "done: this is a folder, expected a parameter file",
            "done/best.toml is one",
        ],
        remedy: "Name `best.toml` in that folder.",
    },
    Mistake {
        what: "A path with spaces has no quotes",
        line: "tuner check with space/small.toml",
        code: USAGE,
        answer: &[
            "unexpected argument 'space/small.toml'",
            "needs quotes: 'with space/small.toml'",
        ],
        remedy: "Write the path in quotes.",
    },
    Mistake {
        what: "There are fewer positions than the profile asks for",
        line: "tuner check many.toml",
        code: ERROR,
        answer: &["train.epd: has 20 positions, expected the 5000 that are asked for"],
        remedy: "Make more positions, or lower `count` in `[positions]`.",
    },
    Mistake {
        what: "Positions for a suite have no solution (`bm` or `am`)",
        line: "tuner score --phase ecm --params params.toml --positions bare.epd",
        code: ERROR,
        answer: &["bare.epd: line 1", "has neither bm nor am"],
        remedy: "Use a test suite whose lines have `bm` (best move) or `am` (move to avoid).",
    },
    Mistake {
        what: "The command of an engine is wrong",
        line: "tuner label --positions train.epd --out out.epd --engine ./nowhere",
        code: ERROR,
        answer: &[
            "engine `./nowhere` can't be started",
            "expected the command of a UCI engine",
        ],
        remedy: "Give the engine's path, with its arguments in the same quotes.",
    },
    Mistake {
        what: "A program that is no UCI engine is given as engine",
        line: "tuner label --positions train.epd --out out.epd --engine TUNER",
        code: ERROR,
        answer: &[
            "has ended",
            "instead of answering `uci`",
            "it seems to be no UCI engine",
        ],
        remedy: "Give an engine that speaks UCI.",
    },
    Mistake {
        what: "`resume` gets a folder that is no run",
        line: "tuner resume full",
        code: ERROR,
        answer: &["full: there is no run in this folder", "journal.jsonl"],
        remedy: "Give the folder that `tuner run` named in its first line, such as `runs/quick-1`.",
    },
    Mistake {
        what: "`resume` is called while the run is under way",
        line: "tuner resume busy",
        code: ERROR,
        answer: &["busy is in use by process", "wait for it or stop it first"],
        remedy: "See how far the run is by `tuner status`, or stop it with Ctrl-C.",
    },
    Mistake {
        what: "The profile in a run's folder is edited, and the run resumed",
        line: "tuner resume edited",
        code: ERROR,
        answer: &[
            "the profile has changed",
            "the run's own copy",
            "A run goes on by its own copy",
            "start a new run",
        ],
        remedy: "Undo the change, or start a new run with the changed profile.",
    },
    Mistake {
        what: "`--phase` names a phase that the profile has not",
        line: "tuner run small.toml --phase ecm",
        code: ERROR,
        answer: &["profile small has no phase \"ecm\", only grandmaster"],
        remedy: "Use a name that the answer lists.",
    },
    Mistake {
        what: "A profile has another format number",
        line: "tuner check format.toml",
        code: ERROR,
        answer: &["format.toml", "format = 2", "expected 1"],
        remedy: "Use a profile that this version reads: `format = 1`.",
    },
    Mistake {
        what: "A parameter file has another format number",
        line: "tuner compare newer.toml params.toml",
        code: ERROR,
        answer: &["newer.toml", "format: is 9, this program reads format 1"],
        remedy: "Use the version of Eyas that wrote the file, or a newer one.",
    },
    Mistake {
        what: "An ending has a letter that is no piece",
        line: "tuner program starts KRKX",
        code: ERROR,
        answer: &["expected an ending such as KRKR or KQRKQR, found \"KRKX\""],
        remedy: "Name the men of both sides, each beginning with its king.",
    },
    Mistake {
        what: "A program of endgames has a mistyped terminal",
        line: "tuner program show mistyped.sexp",
        code: ERROR,
        answer: &[
            "mistyped.sexp",
            "line 3, column 17",
            "IsMat",
            "did you mean IsMate?",
        ],
        remedy: "Correct the name at that place.",
    },
    Mistake {
        what: "A program is to play an ending that it is not for",
        line: "tuner program match rooks.sexp random --ending KQKQ",
        code: ERROR,
        answer: &["rooks.sexp: a program for KRKR, expected one for KQKQ"],
        remedy: "Play one of its endings; if it is to play the other too, add that to `endings` in its file.",
    },
    Mistake {
        what: "Points of endgames are not in order",
        line: "tuner check points.toml",
        code: ERROR,
        answer: &[
            "points.toml",
            "mate = 6, advantage = 3, draw = 3",
            "each to be more than the next",
        ],
        remedy: "Give a mate more points than an advantage, and that more than a draw.",
    },
];

/// A program of endgames.
const ROOKS: &str = "\
(program (version 1) (endings KRKR)
  (advantage EvaluateMaterial)
  (even    (If3 IsMate 1000/2 EvaluateMaterial))
  (disadvantage EvaluateMaterial))
";

/// A profile that evolves such programs, in which a draw is worth as much as an advantage.
const POINTS: &str = "\
format = 1
phase = \"endgames\"
endings = [\"KRKR\"]
[evolution]
population = 10
generations = 2
[games]
draw = 3
[runs]
count = 1
seed = 1
";

/// A folder in which each of the mistakes can be made, with a run that is under way.
struct Scene {
    bench: Bench,
    busy: Child,
}

impl Scene {
    fn new() -> Scene {
        let bench = Bench::new(20);
        let write = |name: &str, text: &str| std::fs::write(bench.folder(name), text).unwrap();
        let make = |name: &str| std::fs::create_dir(bench.folder(name)).unwrap();
        let profile = |name: &str, line: &str, by: &str| {
            assert!(PROFILE.contains(line), "{line}");
            write(name, &PROFILE.replacen(line, by, 1));
        };
        let params = std::fs::read_to_string(tests::workspace().join("params/default.toml"));
        let params = params.unwrap();
        let games = std::fs::read_to_string(tests::workspace().join("tuner/data/sample-games.pgn"));
        profile("typo.toml", "elitism", "elitsm");
        profile("table.toml", "elitism = 1", "elitism = 1\nmax_plies = 4");
        profile("range.toml", "crossover_rate = 0.75", "crossover_rate = 75");
        profile("syntax.toml", "layout =", "\tlayout");
        profile("missing.toml", "population = 10\n", "");
        profile("many.toml", "[quiescence]", "count = 5000\n[quiescence]");
        profile("format.toml", "format = 1", "format = 2");
        make("elsewhere");
        write("elsewhere/small.toml", PROFILE);
        make("with space");
        write("with space/small.toml", PROFILE);
        make("full");
        write("full/notes.txt", "mine\n");
        write("games.pgn", &games.unwrap());
        write("params.toml", &params);
        write(
            "newer.toml",
            &params.replacen("format = 1", "format = 9", 1),
        );
        write("rooks.sexp", ROOKS);
        write("mistyped.sexp", &ROOKS.replace("IsMate", "IsMat"));
        write("points.toml", POINTS);
        write("bare.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"bare\";\n");
        let done = bench.folder("done");
        bench.run(&done, &[]).success();
        make("edited");
        for name in ["journal.jsonl", "profile.toml"] {
            std::fs::copy(done.join(name), bench.folder("edited").join(name)).unwrap();
        }
        profile(
            "edited/profile.toml",
            "generations = 30",
            "generations = 40",
        );
        make("readonly");
        read_only(&bench.folder("readonly"), true);
        profile("long.toml", "generations = 30", "generations = 1000000");
        let mut command = bench.tuner_command(&["run"]);
        command
            .arg(bench.folder("long.toml"))
            .arg("--out")
            .arg(bench.folder("busy"));
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let busy = quiet.spawn().unwrap();
        // From here on it is ended and waited for, whatever happens.
        let scene = Scene { bench, busy };
        for _ in 0..3000 {
            let journal = std::fs::metadata(scene.bench.folder("busy/journal.jsonl"));
            if journal.is_ok_and(|journal| journal.len() > 0) {
                return scene;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the run has not begun within a minute");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.busy.kill();
        let _ = self.busy.wait();
        read_only(&self.bench.folder("readonly"), false);
    }
}

fn read_only(folder: &Path, is_read_only: bool) {
    let Ok(metadata) = std::fs::metadata(folder) else {
        return;
    };
    let mut permissions = metadata.permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(
        &mut permissions,
        if is_read_only { 0o555 } else { 0o755 },
    );
    #[cfg(not(unix))]
    permissions.set_readonly(is_read_only);
    let _ = std::fs::set_permissions(folder, permissions);
}

#[test]
fn each_mistake_has_its_answer() {
    let tuner = env!("CARGO_BIN_EXE_tuner");
    let scene = Scene::new();
    let folder = scene.bench.folder("");
    // The superuser may write anywhere.
    let probe = scene.bench.folder("readonly/probe");
    let may_write_anywhere = std::fs::write(&probe, "").is_ok();
    let mut wrong = String::new();
    for mistake in MISTAKES {
        if mistake.line.contains("readonly/") && may_write_anywhere {
            continue;
        }
        let words = mistake.line.split(' ').skip(1);
        let output = Command::new(tuner)
            .args(words.map(|word| if word == "TUNER" { tuner } else { word }))
            .current_dir(&folder)
            .output()
            .unwrap();
        let answer = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut rest = answer.as_str();
        let mut complaint = None;
        for part in mistake.answer {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => complaint = complaint.or(Some(format!("{part:?} is not there in order"))),
            }
        }
        if output.status.code() != Some(mistake.code) {
            complaint = Some(format!("ended with {}", output.status));
        }
        if !output.stdout.is_empty() {
            complaint = Some("stdout is for results".into());
        }
        if answer.contains("panicked") {
            complaint = Some("panicked".into());
        }
        if let Some(complaint) = complaint {
            let _ = writeln!(wrong, "{}: {complaint}:\n{answer}", mistake.line);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A run goes on by its own copy, and says so to whoever has edited the profile that it began with.
#[test]
fn a_run_whose_original_profile_was_edited_goes_on_and_says_by_what() {
    let bench = Bench::new(20);
    let out = bench.folder("run");
    bench.run(&out, &[]).success();
    let said = bench.resume(&out, &[]).warnings();
    assert!(!said.contains("its own copy"), "{said}");
    let changed = PROFILE.replacen("generations = 30", "generations = 31", 1);
    std::fs::write(bench.folder("small.toml"), changed).unwrap();
    let said = bench.resume(&out, &[]).warnings();
    assert!(
        said.contains("small.toml is not as it was when the run began"),
        "{said}"
    );
    assert!(said.contains("goes on by its own copy, "), "{said}");
}

const INTRODUCTION: &str = "\
# Mistakes and their answers

Everybody makes these mistakes. Each row has a command with a mistake, the answer in short, and what
helps. The exit code is 2 where the command line itself is wrong, and 1 for any other error; nothing is
written in either case. A test makes each of these mistakes.

In the examples, `small.toml` is a profile, `params.toml` a parameter file, `train.epd` a file of
positions, and `done` and `busy` are folders of runs.

| Mistake | Command | Answer | What helps |
|---|---|---|---|
";

/// The page of the guide has the rows of the table above.
#[test]
fn the_guides_page_is_made_of_the_table() {
    let mut page = INTRODUCTION.to_string();
    for mistake in MISTAKES {
        let line = mistake.line.replace("TUNER", "tuner");
        let answer = mistake.answer.join(" … ").replace('`', "");
        let _ = writeln!(
            page,
            "| {} | `{line}` | `{}` ({}) | {} |",
            mistake.what,
            answer.trim(),
            mistake.code,
            mistake.remedy
        );
    }
    let path = tests::workspace().join("docs/guide/src/mistakes.md");
    if std::env::var_os("EYAS_WRITE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/guide/src/mistakes.md is not as the table: write it anew by EYAS_WRITE_PAGES=1"
    );
}
