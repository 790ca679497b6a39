//! Lessons from perfect play: programs learn from them without games, the same whatever the threads and processes and
//! however often the run is killed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod common;

use common::{Bench, assert_same, dither};
use std::path::Path;

const PROFILE: &str = r#"
format = 1
phase = "endgames"
endings = ["KRKR"]
with = ["OppCannotCheckAndWin", "IsPieceWonNext"]
[evolution]
population = 30
generations = 8
tournament = 5
max_depth = 8
max_nodes = 60
disadvantage_depth = 5
disadvantage_nodes = 20
parsimony = true
[lessons]
train = ["LESSONS/lessons-krkr.epd.zst"]
test = ["LESSONS/lessons-krkr-test.epd.zst", "few.epd"]
sample = 150
[games]
peers = 0
moves = 10
[gauge]
every = 3
starts = 2
last_starts = 5
[runs]
count = 2
seed = 1
"#;

/// Rxd8 alone wins; of the quiet moves Rd2, Rg7 and Rg8 lose the rook.
const FEW: &str = "3r3k/8/8/8/3R4/8/8/K7 w - - bm Rxd8+;\n\
                   3r3k/8/8/8/8/8/6R1/K7 w - - bm Ra2 Rb2 Rc2 Re2 Rf2 Rg1 Rg3 Rg4 Rg5 Rg6 Rh2+ Ka2 Kb1 Kb2;\n";

fn bench(profile: &str) -> Bench {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let bench = Bench::new(2).profile(&profile.replace("LESSONS", data.to_str().unwrap()));
    std::fs::write(bench.folder("few.epd"), FEW).unwrap();
    bench
}

#[test]
fn programs_learn_from_lessons_alone_and_killing_changes_nothing() {
    let bench = bench(PROFILE);
    let checked = bench.folder("small.toml");
    let said = bench.tuner(&["check", checked.to_str().unwrap()]).success();
    assert!(
        said.contains("0 games each, 150 of 4,000 lessons each time"),
        "{said}"
    );
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "1"]).success();
    assert!(
        said.contains("% of held-out lessons known, score 0."),
        "{said}"
    );

    let history = std::fs::read_to_string(whole.join("history.csv")).unwrap();
    let heading: Vec<&str> = history.lines().next().unwrap().split(',').collect();
    assert_eq!(heading.last(), Some(&"score_lessons"));
    let mut first = None;
    for row in history.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |name: &str| -> f64 {
            let at = heading.iter().position(|known| *known == name).unwrap();
            cells[at].parse().unwrap()
        };
        // Nobody plays for fitness; all points are a share of the 1000 for all lessons.
        assert_eq!(
            number("mates") + number("advantages") + number("draws"),
            0.0
        );
        assert!(number("best_points") <= 1000.0 && number("mean_points") > 0.0);
        // Generations 0, 3, 6 and the last are tried.
        let is_tried = [0.0, 3.0, 6.0, 7.0].contains(&number("generation"));
        assert_eq!(!cells.last().unwrap().is_empty(), is_tried, "{row}");
        let first = *first.get_or_insert(number("mean_points"));
        if number("generation") == 7.0 {
            assert!(
                number("mean_points") > 1.2 * first,
                "they have learnt: {row}"
            );
        }
    }
    // The champion is the one that knows most of what nobody learns from, not the best in games.
    let known = |row: &str| row.rsplit(',').next().unwrap().parse().unwrap_or(0.0);
    let most = history.lines().skip(1).map(known).fold(0.0, f64::max);
    let best = std::fs::read_to_string(whole.join("best.sexp")).unwrap();
    let said = best.split(" % of held-out lessons known").next().unwrap();
    let percent: f64 = said.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((percent - 100.0 * most).abs() < 0.02, "{percent} {most}");

    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for part in [
        "by 150 lessons a generation, without games",
        "A lesson is a position",
        "lessons\n",
    ] {
        assert!(page.contains(part), "{part}");
    }

    let killed = bench.folder("killed");
    bench.killed(&killed, &whole, 6, |kill| dither(kill, 65));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
    let apart = bench.folder("apart");
    bench.run(&apart, &["--processes", "2"]).success();
    assert_same(&whole, &apart);

    // Other lessons would have other answers.
    std::fs::write(bench.folder("few.epd"), FEW.lines().next().unwrap()).unwrap();
    let said = bench.resume(&whole, &[]).failure();
    assert!(
        said.contains("held-out lessons 2 of endgames have changed"),
        "{said}"
    );
}

/// With games the points of both are added up; without a file to be tried on, games decide and nothing is told of it.
#[test]
fn lessons_and_games_may_count_together() {
    let both = PROFILE
        .replace(
            "peers = 0",
            "peers = 2\nstarts = 1\nmate = 3\nadvantage = 2",
        )
        .replace("test = [", "# test = [")
        .replace("sample = 150", "points = 100_000")
        .replace("count = 2", "count = 1")
        .replace("generations = 8", "generations = 2")
        .replace("LESSONS/lessons-krkr.epd.zst", "few.epd");
    let bench = bench(&both);
    let out = bench.folder("out");
    bench.run(&out, &["--threads", "2"]).success();
    let history = std::fs::read_to_string(out.join("history.csv")).unwrap();
    assert!(
        history.lines().next().unwrap().ends_with(",score_rival"),
        "{history}"
    );
    for row in history.lines().skip(1) {
        let cells: Vec<f64> = row
            .split(',')
            .take(12)
            .map(|cell| cell.parse().unwrap())
            .collect();
        // 30 programs with 2 peers each, 2 games an encounter.
        assert_eq!(cells[9..12].iter().sum::<f64>(), 60.0);
        assert!(cells[3] > 10_000.0, "{row}");
    }
    let best = std::fs::read_to_string(out.join("best.sexp")).unwrap();
    assert!(!best.contains("held-out"), "{best}");
}

#[test]
fn lessons_that_do_not_fit_are_refused() {
    let bench = bench(PROFILE);
    let out = bench.folder("out");
    let refused = |from: &str, to: &str| {
        let profile = std::fs::read_to_string(bench.folder("small.toml")).unwrap();
        assert!(profile.contains(from), "{from}");
        std::fs::write(bench.folder("small.toml"), profile.replace(from, to)).unwrap();
        let said = bench.run(&out, &[]).failure();
        std::fs::write(bench.folder("small.toml"), profile).unwrap();
        assert!(!out.exists(), "{said}");
        said
    };
    let said = refused("\"few.epd\"", "\"none.epd\"");
    assert!(said.contains("none.epd"), "{said}");
    let said = refused("[\"KRKR\"]", "[\"KQKQ\"]");
    assert!(said.contains("lessons-krkr.epd.zst: line "), "{said}");
    assert!(
        said.contains("expected one of KQKQ or what captures leave of it"),
        "{said}"
    );
    let said = refused("train = [", "train = []\n# train = [");
    assert!(said.contains("train = [] has nothing to learn"), "{said}");
    std::fs::write(bench.folder("few.epd"), FEW.replace("Rxd8+", "Rd9")).unwrap();
    let said = refused("seed = 1", "seed = 2");
    assert!(said.contains("few.epd: line 1: bm: "), "{said}");
    let said = refused("[lessons]", "[gauge.lessons]");
    assert!(said.contains("lessons"), "{said}");
    let none = PROFILE.split_once("[lessons]").unwrap();
    let none = format!(
        "{}[games]{}",
        none.0,
        none.1.split_once("[games]").unwrap().1
    );
    std::fs::write(bench.folder("small.toml"), none).unwrap();
    let said = bench.run(&out, &[]).failure();
    assert!(
        said.contains("peers = 0 leaves nothing to be fit for"),
        "{said}"
    );
}
