//! What a report says at first sight, and what it must not say: verdict, next steps, parameters, the
//! papers' figures, an unfinished run.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
mod sample;

use common::{Bench, NIGHT};
use engine::params::{ParamSet, Row};
use sample::{assert_well_formed, report, run, shown};
use std::path::Path;
use tuner::report::ecm::{EcmOutcome, EcmReport, EcmRun, EcmStats, Tally};
use tuner::report::night::{Night, Reached};
use tuner::report::parameters::{Parameter, Parameters};
use tuner::report::{Report, Section, Source};

fn page(name: &str, report: &Report) -> String {
    let page = shown(name, report).remove("report.html").unwrap();
    assert_well_formed(&page);
    page
}

/// Where texts begin; each of them is there.
fn places<const N: usize>(page: &str, texts: [&str; N]) -> [usize; N] {
    texts.map(|text| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text:?} is missing in {page}"))
    })
}

fn suite() -> EcmReport {
    let tally = |nodes| Tally {
        positions: 10,
        nodes,
        solved: 7,
        ..Tally::default()
    };
    let stats = |generation, nodes| EcmStats {
        generation,
        best: tally(nodes),
        mean_nodes: nodes as f64 * 1.1,
        worst_nodes: nodes * 2,
        mean_solved: 6.5,
        distinct: 4,
    };
    EcmReport {
        layout: "search-2014".into(),
        rows: Vec::new(),
        cap: 1000,
        found: "first".into(),
        positions: 10,
        sample: None,
        test_positions: 0,
        outcome: EcmOutcome {
            runs: vec![EcmRun {
                seed: 1,
                generations: vec![stats(0, 5000), stats(1, 4000)],
                champion: ParamSet::missing(),
                train: tally(4000),
                test: None,
                finished: true,
            }],
            plain: Some(tally(5000)),
            ..EcmOutcome::default()
        },
    }
}

fn parameters(name: &str) -> Parameters {
    let row = Row::named(name).unwrap();
    Parameters {
        title: match row.table {
            engine::params::Table::Eval => "Evaluation parameters",
            engine::params::Table::Search => "Search parameters",
        },
        rows: vec![Parameter {
            name: row.spec().name.into(),
            doc: row.spec().doc.into(),
            value: 32,
            default: row.spec().default,
            range: (*row.spec().range.start(), *row.spec().range.end()),
            ..Parameter::default()
        }],
        ..Parameters::default()
    }
}

/// Is it better, by how much, what next: before anything else, and in this order.
#[test]
fn the_first_screen_answers_three_questions() {
    let mut report = report(vec![run(1, 40), run(2, 40)]);
    report.suites = vec![suite()];
    report.order = vec![Section::Suite(0), Section::Moves];
    report.parameters = vec![
        parameters("bishop_pair"),
        parameters("futility_threshold_1"),
    ];
    report.compare = Some("grandmaster/best.toml".into());
    report.night = Some(Night {
        plays_match: true,
        verdicts: vec![Reached {
            phase: "validation".into(),
            word: "not proven".into(),
            amount: (
                "+36 Elo".into(),
                "95 % interval -29 to +104, in 96 games".into(),
            ),
            headline: "Not proven better than the start.".into(),
            sentence: "Against the start, the champion is not proven.".into(),
            is_early: true,
        }],
        ..Night::default()
    });
    let page = page("report-first-screen", &report);
    let order = places(
        &page,
        [
            "Is it better?",
            "<strong>Not proven better than the start.</strong>",
            "Against the start, the champion is not proven.",
            "By how much?",
            "<strong>+36 Elo</strong> 95 % interval -29 to +104, in 96 games; the test ended the match, so this is \
             probably too large",
            "What to do next",
            "<pre>eyas --params best.toml</pre>",
            "setoption name ParamsFile value best.toml",
            "tuner compare best.toml grandmaster/best.toml",
            "<dl class=\"tiles\">",
            // The phases in the order of the run.
            "<h2>Search on a suite</h2>",
            "20.0 % fewer than the plain search",
            "<h2>Moves from games</h2>",
            "<h2>Evaluation parameters</h2>",
            "<h2>Search parameters</h2>",
            "<h2>Resume and reproduce</h2>",
        ],
    );
    // The one that tells the gain stands above too.
    let sorted: Vec<usize> = order
        .iter()
        .copied()
        .filter(|at| *at != order[11])
        .collect();
    assert!(sorted.is_sorted(), "{order:?}");
    assert!(!page.contains("Not finished"), "{page}");
}

/// Without a match, nobody is told that the result is stronger.
#[test]
fn without_a_match_it_is_not_called_better() {
    let page = page("report-no-match", &report(vec![run(1, 40)]));
    let [word, amount] = places(
        &page,
        ["Not tested in games.", "of 5,000 held-out positions solved"],
    );
    assert!(word < amount && !page.contains("Better than"), "{page}");
}

#[test]
fn an_unfinished_run_says_so_and_links_the_best_so_far() {
    let mut report = report(vec![run(1, 40)]);
    report.unfinished = Some("phase 2 of 3 (ecm) has done generation 7 of 20".into());
    let said = page("report-unfinished", &report);
    let [state, link, better] = places(
        &said,
        [
            "<strong>Not finished:</strong> phase 2 of 3 (ecm) has done generation 7 of 20.",
            "The best so far is <a href=\"best.toml\">best.toml</a>",
            "Is it better?",
        ],
    );
    assert!(state < link && link < better, "it comes first");
    // Of a run that has no best yet, none is linked.
    report.best = None;
    let said = page("report-unfinished-none", &report);
    assert!(said.contains("There are no parameters yet.") && !said.contains("href=\"best.toml\""));
}

/// Each row has its default, its range, its place there as a bar, and what it means.
#[test]
fn parameters_have_default_range_bar_and_meaning() {
    let mut report = report(vec![run(1, 3)]);
    report.parameters = vec![parameters("bishop_pair")];
    let page = page("report-parameters", &report);
    let spec = Row::named("bishop_pair").unwrap().spec();
    assert_eq!((spec.default, spec.range.clone()), (28, 0..=63));
    let row = page.split("<code>bishop_<wbr>pair</code>").nth(1).unwrap();
    let (row, _) = row.split_once("</tr>").unwrap();
    for part in [
        "<small>Two bishops or more.</small>",
        "<td>32</td><td>28</td>",
        "<span>0</span>",
        "<span>63</span>",
        "aria-label=\"51 % of the range, default 44 %\"",
        "<b style=\"left:50.8%\">",
        "<i style=\"left:44.4%\">",
    ] {
        assert!(row.contains(part), "{part}: {row}");
    }
}

/// 37 % on engines' games beside the paper's 32.4 % on grandmasters' would be read as a gain.
#[test]
fn no_figure_of_the_papers_stands_beside_engine_games() {
    let mut report = report(vec![run(1, 40), run(2, 40)]);
    let figures = [
        "32.4 %",
        "1,620",
        "1,521",
        ">521<",
        "paper’s best",
        "class=\"paper\"",
    ];
    let files = shown("report-unknown-games", &report);
    let all: String = files.values().cloned().collect();
    for figure in figures {
        assert!(all.contains(figure), "{figure}: this test tests nothing");
    }
    assert!(all.contains("only if these positions are from grandmasters’ games too"));

    report.positions = Source::Engines;
    let files = shown("report-engine-games", &report);
    for (name, text) in &files {
        for figure in figures {
            assert!(!text.contains(figure), "{name}: {figure}");
        }
    }
    assert!(files["report.html"].contains("are not comparable and are left out"));
}

#[test]
fn long_seeds_are_cut() {
    let page = page(
        "report-seeds",
        &report(vec![run(5_103_132_997_656_651, 5), run(7, 5)]),
    );
    assert!(page.contains("seed 510313…") && page.contains("<td>510313…</td>"));
    assert!(
        !page.contains("5103132997656651") && page.contains("seed 7<"),
        "{page}"
    );
}

/// Labels of levels stand at the right of the plot, so no curve can cross them.
#[test]
fn no_curve_comes_where_labels_are() {
    let mut report = report(vec![run(1, 60), run(2, 60)]);
    report.suites = vec![suite()];
    let files = shown("report-labels", &report);
    let page = &files["report.html"];
    for (figure, label) in [
        (&files["figures/solved.svg"][..], "paper’s best"),
        (&files["figures/solved.svg"][..], "paper’s mean"),
        (
            page.split("id=\"nodes-title\"").nth(1).unwrap(),
            "plain search",
        ),
    ] {
        let (figure, _) = figure.split_once("</svg>").unwrap();
        let (before, _) = figure.split_once(&format!("\n{label}\n")).unwrap();
        let text = before.rsplit("<text x=\"").next().unwrap();
        let left: f64 = text.split('"').next().unwrap().parse().unwrap();
        let points = figure.split("points=\"").skip(1).flat_map(|line| {
            let (points, _) = line.split_once('"').unwrap();
            points.split_whitespace().map(|point| {
                let (x, y) = point.split_once(',').unwrap();
                (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
            })
        });
        // The samples of the legend are in the row of the heading.
        let curves = points.filter(|(_, y)| *y > 20.0);
        let right = curves.fold(0.0, |right, (x, _)| x.max(right));
        assert!(right > 100.0 && right < left, "{label}: {right} {left}");
    }
}

/// A match against the first champion as it was: two phases that share an evaluation differ by their
/// search, and without the key there would be nothing to compare.
fn with_own_search() -> String {
    let (head, rest) = NIGHT
        .split_once("\n[[phase]]\nkind = \"coevolution\"")
        .unwrap();
    let (_, ecm) = rest.split_once("\n[[phase]]\nkind = \"ecm\"").unwrap();
    let own = "kind = \"validation\"\nopponent_search = \"own\"";
    let ecm = ecm.replace("kind = \"validation\"", own);
    format!("{head}\n[[phase]]\nkind = \"ecm\"{ecm}")
}

#[test]
fn a_run_says_what_it_has_come_to() {
    let profile = with_own_search();
    let bench = Bench::new(40).profile(&profile);
    let whole = bench.folder("whole");
    bench.run(&whole, &[]).success();
    let read = |folder: &Path| std::fs::read_to_string(folder.join("report.html")).unwrap();
    let page = read(&whole);
    assert_well_formed(&page);
    let against = "Against the first phase’s champion with its own search, the champion is ";
    places(
        &page,
        [
            against,
            " games</li>",
            "tuner compare best.toml grandmaster/best.toml",
            "<h2>Moves from games</h2>",
            "<h2>Search on a suite</h2>",
        ],
    );
    assert!(!page.contains("Not finished"));
    let [evaluation, search, knight, null] = places(
        &page,
        [
            "<h2>Evaluation parameters</h2>",
            "<h2>Search parameters</h2>",
            "<code>knight_<wbr>value</code><small>Worth of a knight.",
            "<code>null_<wbr>move_<wbr>use</code><small>Null-move pruning",
        ],
    );
    assert!(evaluation < knight && knight < search && search < null);

    // Killed in the second phase, it has done a part of it.
    let stopped = bench.folder("stopped");
    bench.killed_at(&stopped, 25);
    bench
        .tuner(&["report", stopped.to_str().unwrap()])
        .success();
    let page = read(&stopped);
    let state = page
        .split("<strong>Not finished:</strong> ")
        .nth(1)
        .unwrap();
    assert!(state.starts_with("phase 2 of 3 (ecm) "), "{state:.80}");
    assert!(
        page.contains("The best so far is <a href=\"best.toml\">"),
        "{page}"
    );
    assert!(page.contains("Not known yet."), "{page}");

    // The same line compares what anybody finds in the folder.
    let compared = bench.tuner_command(&[
        "compare",
        "best.toml",
        "grandmaster/best.toml",
        "--pairs",
        "0",
    ]);
    let mut compared = compared;
    assert!(
        compared
            .current_dir(&whole)
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn the_opponents_search_is_not_told_twice() {
    let own = "opponent_search = \"own\"";
    let profile = with_own_search().replace(own, &format!("{own}\nagainst = [\"x.toml\"]"));
    let bench = Bench::new(4).profile(&profile);
    let error = bench.run(&bench.folder("out"), &[]).failure();
    assert!(
        error.contains("opponent_search is for the first phase's champion"),
        "{error}"
    );
}

/// The demo ends in a verdict of its own, on both halves of what it evolved.
#[test]
fn the_demo_plays_a_match_against_where_it_began() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles/quick.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let profile: toml::Table = text.parse().unwrap();
    let phases = profile["phase"].as_array().unwrap();
    let last = phases.last().unwrap();
    assert_eq!(last["kind"].as_str(), Some("validation"));
    assert_eq!(last["opponent_search"].as_str(), Some("own"));
    assert!(
        last["sprt"]["pairs"].as_integer().unwrap() >= 30,
        "fewer have no normal interval"
    );
    assert!(
        profile.get("hours").is_none(),
        "the demo is the same everywhere"
    );
}
