//! An evaluation evolved after an expert by the method of the 2011 paper, by the binary: it comes near, the same
//! whatever the threads and however often it is killed, and what it says of itself is what the engine makes of it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither};
use engine::epd::{Epd, fields};
use engine::eval::{Weights, evaluate};
use engine::one_ply::Quiescence;
use engine::params::ParamSet;
use engine::score::Score;

const PROFILE: &str = r#"
format = 1
phase = "expert-2011"
layout = "eval-2011"
score = "quiescence"
sample = 100
[positions]
train = "train.epd"
test = "test.epd"
[evolution]
population = 60
generations = 80
crossover_rate = 0.75
crossover = "single-point"
mutation_rate = 0.002
elitism = 1
exclude_worst = true
fitness = "linear"
selection = "roulette"
[runs]
count = 2
seed = 1
"#;

/// The score of a position by quiescence.
fn quiescence(position: &engine::position::Position, weights: &Weights) -> i32 {
    let (low, high) = (-Score::INFINITE, Score::INFINITE);
    let score = Quiescence::default().search(position, weights, 0, low, high);
    score.value()
}

/// Positions with what the engine's own evaluation says of them; every tenth with a score that is none.
fn bench() -> Bench {
    let bench = Bench::new(300).profile(PROFILE);
    let weights = Weights::from(&ParamSet::default().eval);
    for name in ["train.epd", "test.epd"] {
        let path = bench.folder(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let label = |(number, line): (usize, &str)| {
            let position = Epd::parse(line).unwrap().position;
            let score = match number % 20 {
                0 => 32_000,
                10 => -1_501,
                _ => evaluate(&position, &weights).value().clamp(-1_500, 1_500),
            };
            format!("{} ce {score};\n", fields(&position))
        };
        let text: String = text.lines().enumerate().map(label).collect();
        std::fs::write(&path, text).unwrap();
    }
    bench
}

/// The mean error of a parameter file on a file of positions, in centipawns, and how many positions count.
fn error(bench: &Bench, file: &str, champion: &ParamSet) -> (f64, usize) {
    let weights = Weights::from(&champion.eval);
    let text = std::fs::read_to_string(bench.folder(file)).unwrap();
    let errors = text.lines().filter_map(|line| {
        let problem = Epd::parse(line).unwrap();
        let expert: i32 = problem.operation("ce").unwrap().trim().parse().unwrap();
        let own = quiescence(&problem.position, &weights);
        (expert.abs() <= 1_500).then(|| f64::from((own - expert).abs().min(10_000)))
    });
    let errors: Vec<f64> = errors.collect();
    (
        errors.iter().sum::<f64>() / errors.len() as f64,
        errors.len(),
    )
}

#[test]
fn the_scores_come_near_and_killing_changes_nothing() {
    let bench = bench();
    let checked = bench.folder("small.toml");
    let said = bench.tuner(&["check", checked.to_str().unwrap()]).success();
    assert!(said.contains("of who says 0 of everything"), "{said}");
    assert!(said.contains("30 positions left out"), "{said}");
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "1"]).success();
    assert!(said.contains("Nearest to the expert is run "), "{said}");

    let history = std::fs::read_to_string(whole.join("history.csv")).unwrap();
    assert!(history.starts_with("run,generation,best_error,mean_error,worst_error,"));
    let rows: Vec<Vec<f64>> = (history.lines().skip(1))
        .map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 160);
    for row in &rows {
        assert!(row[2] <= row[3] && row[3] <= row[4], "{row:?}");
    }
    assert!(rows[79][3] < rows[0][3] / 2.0, "{history}");

    // What is told of the champion is what the engine makes of its file, without the positions left out.
    let champion = ParamSet::load(&[whole.join("best.toml")]).unwrap().params;
    let text = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    for (role, file, count) in [("train", "train.epd", 270), ("test", "test.epd", 135)] {
        let (error, counted) = error(&bench, file, &champion);
        assert_eq!(counted, count);
        let line = format!("{role}_error_centipawns = ");
        let told = text.split(&line).nth(1).unwrap().lines().next().unwrap();
        let told: f64 = told.parse().unwrap();
        assert!((told - error).abs() < 0.006, "{role}: {told} {error}");
        assert!(
            text.contains(&format!("{role}_positions = {count}\n")),
            "{text}"
        );
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for part in ["Evaluation after an expert", "left out", "centipawns"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("No run has finished"));
    assert!(whole.join("error.svg").is_file());

    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 5, |kill| dither(kill, 2011));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
}

/// A static score is the evaluation itself, which says what the expert says if the expert is of its kind.
#[test]
fn a_static_score_is_learnt_too() {
    let text = PROFILE.replace("\"quiescence\"", "\"static\"");
    let bench = bench().profile(&text.replace("count = 2", "count = 1"));
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let champion = ParamSet::load(&[out.join("best.toml")]).unwrap().params;
    let weights = Weights::from(&champion.eval);
    let train = std::fs::read_to_string(bench.folder("train.epd")).unwrap();
    let mut errors = Vec::new();
    for line in train.lines() {
        let problem = Epd::parse(line).unwrap();
        let expert: i32 = problem.operation("ce").unwrap().trim().parse().unwrap();
        if expert.abs() <= 1_500 {
            errors.push((evaluate(&problem.position, &weights).value() - expert).abs());
        }
    }
    let error = f64::from(errors.iter().sum::<i32>()) / errors.len() as f64;
    let text = std::fs::read_to_string(out.join("best.toml")).unwrap();
    let told = format!(
        "train_error_centipawns = {}",
        (error * 100.0).round() / 100.0
    );
    assert!(text.contains(&told), "{told}: {text}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let bench = bench();
    let out = bench.folder("out");
    let refused = |from: &str, to: &str| {
        std::fs::write(bench.folder("small.toml"), PROFILE.replace(from, to)).unwrap();
        bench.run(&out, &[]).failure()
    };
    let said = refused("sample = 100", "sample = 271");
    assert!(
        said.contains("has 270 positions, expected 271 or more whose score is no mate"),
        "{said}"
    );
    let said = refused("sample = 100", "sample = 0");
    assert!(said.contains("a whole number from 1 to"), "{said}");
    let said = refused("\"eval-2011\"", "\"eval-full\"");
    assert!(said.contains("can't be evolved from positions"), "{said}");
    let said = refused("\"single-point\"", "\"two-point\"");
    assert!(said.contains("unknown variant `two-point`"), "{said}");
    let said = refused("\"quiescence\"", "\"deep\"");
    assert!(said.contains("expected `static` or `quiescence`"), "{said}");
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    std::fs::write(bench.folder("train.epd"), line).unwrap();
    let said = refused("seed = 1", "seed = 2");
    assert!(
        said.contains("line 1: has no score of an expert: ce"),
        "{said}"
    );
}
