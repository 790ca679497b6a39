//! An evaluation evolved after an expert, by the binary: `tuner label` makes the positions, the
//! phase comes near to what they say, the same whatever the threads and however often it is killed.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither};
use engine::epd::{Epd, fields};
use engine::params::ParamSet;

const PROFILE: &str = r#"
format = 1
phase = "expert"
layout = "eval-2014"
decay = 0.01
[positions]
train = "train.epd"
test = "test.epd"
[chances]
expert = 150
own = 200
[evolution]
population = 20
generations = 120
crossover_rate = 0.75
mutation_rate = 0.004
elitism = 4
fitness = "linear"
selection = "rank"
[runs]
count = 2
seed = 1
"#;

/// Positions with what the engine's own evaluation says of them.
fn bench() -> Bench {
    let bench = Bench::new(300).profile(PROFILE);
    let weights = engine::eval::Weights::from(&ParamSet::default().eval);
    for name in ["train.epd", "test.epd"] {
        let path = bench.folder(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let label = |line: &str| {
            let position = Epd::parse(line).unwrap().position;
            let score = engine::eval::evaluate(&position, &weights).value();
            format!("{} ce {score};\n", fields(&position))
        };
        std::fs::write(&path, text.lines().map(label).collect::<String>()).unwrap();
    }
    bench
}

#[test]
fn the_evaluation_comes_near_and_killing_changes_nothing() {
    let bench = bench();
    let checked = bench.folder("small.toml");
    let said = bench.tuner(&["check", checked.to_str().unwrap()]).success();
    assert!(said.contains("of the engine's own evaluation"), "{said}");
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "1"]).success();
    assert!(said.contains("Nearest to the expert is run "), "{said}");

    let history = std::fs::read_to_string(whole.join("history.csv")).unwrap();
    let best = |row: &str| -> f64 { row.split(',').nth(2).unwrap().parse().unwrap() };
    let rows: Vec<&str> = history.lines().skip(1).collect();
    assert_eq!(rows.len(), 240);
    let lost = |row: &str| 300.0 * 10_000.0 - best(row);
    assert!(lost(rows[119]) < lost(rows[0]) / 2.0, "{history}");
    let champion = ParamSet::load(&[whole.join("best.toml")]).unwrap().params;
    assert!(champion.eval.queen_value > champion.eval.knight_value);
    let text = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    assert!(text.contains("test_error_percent = "), "{text}");
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    assert!(page.contains("Evaluation after an expert"));
    assert!(!page.contains("No run has finished"));
    assert!(whole.join("error.svg").is_file());

    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 4, |kill| dither(kill, 411));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
}

/// The profile with a covariance for its last generations.
fn with_covariance() -> String {
    PROFILE
        .replace("elitism = 4", "elitism = 4\nancestor_rate = 0.4")
        .replace("count = 2", "count = 1")
        + "[covariance]\nfrom = 60\n"
}

#[test]
fn the_covariance_goes_on_where_genomes_were_and_killing_changes_nothing() {
    let bench = bench().profile(&with_covariance());
    let whole = bench.folder("whole");
    bench.run(&whole, &["--threads", "1"]).success();
    let history = std::fs::read_to_string(whole.join("history.csv")).unwrap();
    let rows: Vec<&str> = history.lines().skip(1).collect();
    assert_eq!(rows.len(), 120);
    let lost = |row: &str| -> f64 {
        let best: f64 = row.split(',').nth(2).unwrap().parse().unwrap();
        300.0 * 10_000.0 - best
    };
    // The best whole one is kept from the first generation to the last.
    let lost: Vec<f64> = rows.iter().map(|row| lost(row)).collect();
    assert!(
        lost.is_sorted_by(|before, after| before >= after),
        "{lost:?}"
    );
    assert!(lost[119] < lost[59] * 0.95, "{lost:?}");
    // What is told of the champion is what the engine's own evaluation makes of the file.
    let text = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    let told = format!("{:.2}", 100.0 * (lost[119] / (300.0 * 10_000.0)).sqrt());
    assert!(text.contains("test_error_percent = "), "{text}");
    let champion = ParamSet::load(&[whole.join("best.toml")]).unwrap().params;
    let weights = engine::eval::Weights::from(&champion.eval);
    let chance = |score: i32, scale: f64| 1.0 / (1.0 + (-f64::from(score) / scale).exp());
    let train = std::fs::read_to_string(bench.folder("train.epd")).unwrap();
    let squares = train.lines().map(|line| {
        let epd = Epd::parse(line).unwrap();
        let said = line
            .split("ce ")
            .nth(1)
            .unwrap()
            .trim_end_matches(';')
            .parse();
        let own = engine::eval::evaluate(&epd.position, &weights).value();
        (chance(said.unwrap(), 150.0) - chance(own, 200.0)).powi(2)
    });
    let error = 100.0 * (squares.sum::<f64>() / 300.0).sqrt();
    // The cost of the parameters' size is told apart, and small here.
    assert!(
        (error - told.parse::<f64>().unwrap()).abs() < 0.3,
        "{error} {told}"
    );

    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 4, |kill| dither(kill, 412));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
}

#[test]
fn a_covariance_that_has_nothing_to_begin_with_is_refused() {
    let bench = bench();
    let out = bench.folder("out");
    let alone = with_covariance().replace("ancestor_rate = 0.4\n", "");
    let bench = bench.profile(&alone);
    let said = bench.run(&out, &[]).failure();
    assert!(said.contains("expected `ancestor_rate`"), "{said}");
    let few = with_covariance().replace("elitism = 4", "elitism = 16");
    let bench = bench.profile(&few);
    let said = bench.run(&out, &[]).failure();
    assert!(
        said.contains("which are 3") && said.contains("4 or more"),
        "{said}"
    );
    let late = with_covariance().replace("from = 60", "from = 900000");
    let bench = bench.profile(&late);
    let said = bench.run(&out, &[]).failure();
    assert!(said.contains("from is 900000, beyond the last"), "{said}");
}

#[test]
fn what_is_no_evaluation_or_no_score_is_refused() {
    let bench = bench();
    let out = bench.folder("out");
    let other = PROFILE.replace("eval-2014", "search-2014");
    let bench = bench.profile(&other);
    let said = bench.run(&out, &[]).failure();
    assert!(
        said.contains("\"search-2014\" is no evaluation's"),
        "{said}"
    );
    let bench = bench.profile(PROFILE);
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    std::fs::write(bench.folder("train.epd"), line).unwrap();
    let said = bench.run(&out, &[]).failure();
    assert!(
        said.contains("train.epd: line 1: has no score of an expert: ce"),
        "{said}"
    );
}

/// What `tuner label` writes of the training positions, with this engine as the expert.
fn label(bench: &Bench, out: &str, more: &[&str]) -> String {
    let out = bench.folder(out);
    let engine = tests::binary("eyas").display().to_string();
    let positions = bench.folder("train.epd").display().to_string();
    let shown = out.display().to_string();
    let arguments = ["label", "--engine", &engine, "--nodes", "200"];
    let files = ["--positions", &positions, "--out", &shown];
    let all = [&arguments[..], &files, &["--concurrency", "2"], more].concat();
    bench.tuner(&all).success();
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn leaves_come_with_either_side_to_move_and_go_on_where_they_ended() {
    let bench = Bench::new(120);
    let label = |out: &str| label(&bench, out, &["--leaves", "400"]);
    let whole = label("whole.epd");
    let lines: Vec<&str> = whole.lines().skip(1).collect();
    assert!(lines.len() > 16 && lines.len().is_multiple_of(2), "{whole}");
    for pair in lines.chunks(2) {
        let [one, other] = [pair[0], pair[1]].map(|line| Epd::parse(line).unwrap());
        assert_eq!(one.id, other.id);
        let [one, other] = [one.position, other.position];
        assert_ne!(one.side_to_move(), other.side_to_move(), "{pair:?}");
        assert_eq!(one.occupied(), other.occupied(), "{pair:?}");
    }
    // Cut within the first line of a pair, between the two and within the second.
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in [ends[8] + 5, ends[9], ends[9] + 5] {
        std::fs::write(bench.folder("cut.epd"), &whole[..cut]).unwrap();
        assert!(label("cut.epd") == whole, "cut at {cut}");
    }
}

/// What is written has no clocks, so what is told of it must not come from any.
#[test]
fn moves_are_weighed_without_clocks() {
    let bench = Bench::new(20);
    let pawn = "8/8/8/3k4/8/8/3PK3/8 w - -";
    let text = format!("{pawn} 98 120\n{pawn} hmvc 98;\n{pawn}\n");
    std::fs::write(bench.folder("train.epd"), text).unwrap();
    let said = label(&bench, "moves.epd", &["--moves"]);
    let worths = said.lines().skip(1);
    let mut worths = worths.map(|line| {
        Epd::parse(line)
            .unwrap()
            .operation("c8")
            .unwrap()
            .to_string()
    });
    let (first, second, third) = (worths.next(), worths.next(), worths.next());
    assert!(
        first.is_some() && first == second && second == third,
        "{said}"
    );
}

/// Else a file could be of the positions with few moves alone, and nobody would know.
#[test]
fn nodes_that_are_too_few_for_all_moves_are_told() {
    let bench = Bench::new(6);
    let engine = tests::binary("eyas").display().to_string();
    let (positions, out) = (bench.folder("train.epd"), bench.folder("moves.epd"));
    let files = [&positions, &out].map(|path| path.display().to_string());
    let command = ["label", "--moves", "--engine", &engine, "--nodes", "5"];
    let names = ["--positions", &files[0], "--out", &files[1]];
    let output = bench.tuner(&[&command[..], &names].concat());
    let said = output.warnings();
    assert!(
        said.contains("--nodes 5 did not get the engine through all"),
        "{said}"
    );
}

#[test]
fn labels_are_the_engines_and_go_on_where_they_ended() {
    let bench = Bench::new(60);
    let positions = bench.folder("train.epd");
    let label = |out: &str, plies: &str| label(&bench, out, &["--plies", plies]);
    let whole = label("whole.epd", "2");
    let lines: Vec<&str> = whole.lines().collect();
    assert!(
        lines[0].starts_with("# tuner label: engine=Eyas"),
        "{whole}"
    );
    assert!(lines.len() > 8, "{whole}");
    for line in &lines[1..] {
        let epd = Epd::parse(line).unwrap();
        assert!(!epd.position.in_check(), "{line}");
        let score: i32 = epd.operation("ce").unwrap().parse().unwrap();
        assert!(score.abs() < 30_000, "{line}");
    }
    // Cut within a line.
    let cut: String = whole.chars().take(whole.len() * 2 / 3).collect();
    std::fs::write(bench.folder("cut.epd"), cut).unwrap();
    assert_eq!(label("cut.epd", "2"), whole);
    // Without random moves it is the engine alone that plays, now one move, now two.
    let roots = std::fs::read_to_string(&positions).unwrap();
    let roots: Vec<Epd> = roots
        .lines()
        .map(|line| Epd::parse(line).unwrap())
        .collect();
    let unmoved = label("plain.epd", "0");
    let same_turn = unmoved.lines().skip(1).filter(|line| {
        let epd = Epd::parse(line).unwrap();
        let number: usize = epd.id.unwrap().split_once('.').unwrap().1.parse().unwrap();
        epd.position.side_to_move() == roots[number - 1].position.side_to_move()
    });
    let (all, same_turn) = (unmoved.lines().count() - 1, same_turn.count());
    assert!(
        same_turn > all / 4 && same_turn < all - all / 4,
        "{same_turn} of {all}"
    );
}
