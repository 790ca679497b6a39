//! The evaluation of 2013 evolved by evolutionary programming with a memory, by the binary: the same whatever the
//! threads and however often it is killed, on positions that are the same, others or more in each generation, and what
//! it says of its champion is what the engine makes of its file.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither};
use engine::epd::Epd;
use engine::eval::params::FIRST_2013;
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::{ParamSet, ParamTable as _};

const PROFILE: &str = r#"
format = 1
phase = "grandmaster"
layout = "eval-2013"
sample = 90
draw = "fixed"
[positions]
train = "train.epd"
test = "test.epd"
[evolution]
method = "evolutionary-programming"
population = 20
generations = 60
fitness = "linear"
history = 0.2
[runs]
count = 2
seed = 1
"#;

fn bench(draw: &str) -> Bench {
    Bench::new(120).profile(&PROFILE.replace("\"fixed\"", &format!("{draw:?}")))
}

/// How many of the first positions of a file the engine solves with a champion.
fn solved(bench: &Bench, file: &str, count: usize, champion: &ParamSet) -> usize {
    let text = std::fs::read_to_string(bench.folder(file)).unwrap();
    let problems = text
        .lines()
        .take(count)
        .map(|line| Epd::parse(line).unwrap());
    let is_solved = |problem: &Epd| {
        let chosen = choose_one_ply(&problem.position, &champion.eval, &Quiescence::default());
        chosen.is_some_and(|mv| problem.is_solved_by(mv))
    };
    problems.filter(is_solved).count()
}

/// Whatever the positions of a generation, a run is the same on one thread, on two, and killed five times; the champion
/// solves what its file says, of all the positions that a generation may have.
#[test]
fn killed_and_on_two_threads_it_is_the_same() {
    for (draw, used) in [("fixed", 90), ("fresh", 120), ("growing", 90)] {
        let bench = bench(draw);
        let whole = bench.folder("whole");
        bench.run(&whole, &["--threads", "1"]).success();
        let killed = bench.folder("killed");
        bench.killed(&killed, &whole, 5, |kill| dither(kill, 2013));
        bench.resume(&killed, &["--threads", "2"]).success();
        assert_same(&whole, &killed);

        let loaded = ParamSet::load(&[whole.join("best.toml")]).unwrap();
        assert_eq!(loaded.layouts, ["eval-2013"], "{draw}");
        let champion = loaded.params;
        assert_eq!(champion.eval.pawn_value, 100);
        let of_2013 = FIRST_2013..engine::eval::params::term::COUNT;
        assert!(
            of_2013
                .into_iter()
                .filter(|&row| champion.eval.get(row) != 0)
                .count()
                > 20
        );
        assert!((200..=400).contains(&champion.eval.knight_value), "{draw}");
        let text = std::fs::read_to_string(whole.join("best.toml")).unwrap();
        for (role, file, count) in [("train", "train.epd", used), ("test", "test.epd", 60)] {
            let solved = solved(&bench, file, count, &champion);
            for line in [
                format!("{role}_positions = {count}\n"),
                format!("{role}_solved = {solved}\n"),
            ] {
                assert!(text.contains(&line), "{draw}: {line}{text}");
            }
        }
    }
}

/// On the same positions nobody is valued twice; on others everybody is, in every generation.
#[test]
fn who_has_stayed_is_valued_again_on_other_positions() {
    let evaluated = |draw| {
        let bench = bench(draw);
        let experiment = "format = 1\nprofile = \"small.toml\"\nseeds = 2\n";
        std::fs::write(bench.folder("e.toml"), experiment).unwrap();
        bench.tuner_inside("experiment e.toml --out out").success();
        let csv = std::fs::read_to_string(bench.folder("out/results.csv")).unwrap();
        let row = csv.lines().nth(1).unwrap();
        let evaluations: u32 = row.rsplit(',').next().unwrap().parse().unwrap();
        evaluations
    };
    // 20 and then at most 10 children, of whom a fifth come back; or 20 of whom some are alike.
    let (fixed, fresh) = (evaluated("fixed"), evaluated("fresh"));
    assert!((200..=20 + 59 * 10).contains(&fixed), "{fixed}");
    assert!((fixed + 100..=60 * 20).contains(&fresh), "{fresh}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |from: &str, to: &str| {
        let bench = Bench::new(60).profile(&PROFILE.replace(from, to));
        bench.run(&bench.folder("out"), &[]).failure()
    };
    let fresh = "draw = \"fresh\"";
    let cases = [
        (
            "sample = 90",
            "sample = 61",
            "has 60 positions, expected the 61",
        ),
        (
            "sample = 90\ndraw = \"fixed\"",
            fresh,
            "expected `sample` too",
        ),
        (
            "draw = \"fixed\"",
            fresh,
            "has 60 positions, expected 90 or more, as `sample` says",
        ),
        (
            "sample = 90",
            "decay = 1",
            "known for the terms of 2014 alone",
        ),
        (
            "history = 0.2",
            "history = 10",
            "expected a probability from 0.0 to 1.0",
        ),
        ("\"eval-2013\"", "\"eval-2012\"", "eval-2013-24"),
        ("\"fixed\"", "\"stale\"", "unknown variant `stale`"),
    ];
    for (from, to, expected) in cases {
        let said = refused(from, to);
        assert!(said.contains(expected), "{to}: {said}");
    }
}
