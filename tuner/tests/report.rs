//! The report as a reader gets it: complete, self-contained, the same bytes every time.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use engine::eval::params::{CORE, EvalParams};
use engine::params::{ParamSet, ParamTable};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tuner::report::{GenerationStats, Plays, Report, RunReport, write};

/// Any reproducible number from 0 to below `bound` (a linear congruential generator's high bits).
fn any(state: &mut u64, bound: u32) -> u32 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % u64::from(bound)) as u32
}

/// A run that climbs from 21 % to about 31 %, like the real ones.
fn run(seed: u64, generations: u32) -> RunReport {
    let mut state = seed;
    let end = 1500 + any(&mut state, 60);
    let mut best = 0;
    let history = (0..generations).map(|generation| {
        let reached = 1.0 - (-f64::from(generation) / 35.0).exp();
        best = best.max(1050 + (f64::from(end - 1050) * reached) as u32 + any(&mut state, 8));
        GenerationStats {
            generation,
            best,
            mean: f64::from(best) * (0.76 + 0.18 * reached) - f64::from(any(&mut state, 25)),
            worst: best / 2,
            standard_deviation: 30.0,
            distinct: 100,
        }
    });
    let generations: Vec<GenerationStats> = history.collect();
    let mut state = 7 * seed;
    let mut champion = ParamSet::missing();
    champion.eval.pawn_value = 100;
    for (index, spec) in EvalParams::SPECS[..CORE].iter().enumerate().skip(1) {
        let spread = 1 + (spec.default as u32) / 3;
        let value = (spec.default + any(&mut state, spread) as i32 - spread as i32 / 2).max(0);
        champion.eval.set(index, value.min(*spec.range.end()));
    }
    champion.eval.backward_pawn_penalty = (seed % 2) as i32;
    RunReport {
        seed,
        positions: 5000,
        test_positions: Some(5000),
        champion,
        train_solved: generations.last().map_or(0, |last| last.best),
        test_solved: (!generations.is_empty()).then_some(end - 20),
        generations,
    }
}

fn report(runs: Vec<RunReport>) -> Report {
    let provenance = [
        (
            "profile",
            "paper-2014.toml, SHA-256 4d5fd8a3c1f06b28c7e5e0a9f6d2b7f1e3a4c5d6978899aabbccddeeff001122",
        ),
        (
            "training positions",
            "train.epd, 5,000 positions, SHA-256 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        ),
        ("held-out positions", "test.epd, 5,000 positions"),
        ("layout", "eval-2014, 224 bits"),
        ("version", "tuner 0.1.0"),
    ];
    Report {
        title: "Grandmaster moves: paper-2014".into(),
        provenance: provenance.map(|(a, b)| (a.into(), b.into())).into(),
        command: None,
        best: Some(Plays::Plainly),
        runs,
        mean: None,
        experts: Vec::new(),
        suites: Vec::new(),
        night: None,
    }
}

/// Every file of a report, by its path within the folder.
fn written(dir: &Path, report: &Report) -> BTreeMap<String, String> {
    write(dir, report).unwrap();
    let figures = fs::read_dir(dir.join("figures")).unwrap();
    let names = figures.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.map(|name| format!("figures/{name}"));
    names
        .chain(["report.html".to_string()])
        .map(|name| (name.clone(), fs::read_to_string(dir.join(name)).unwrap()))
        .collect()
}

/// The report, written where it can be looked at after the test.
fn shown(name: &str, report: &Report) -> BTreeMap<String, String> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    written(&dir, report)
}

/// Every tag that is opened is closed, in order.
fn assert_well_formed(markup: &str) {
    let mut open: Vec<&str> = Vec::new();
    let style = markup.find("<style>").zip(markup.find("</style>"));
    let markup = match style {
        Some((start, end)) => markup[..start].to_string() + &markup[end + "</style>".len()..],
        None => markup.to_string(),
    };
    for piece in markup.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).next().unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "closing tag");
        } else if !tag.ends_with('/') && !["!DOCTYPE", "meta", "br", "wbr"].contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn ten_runs() {
    let report = report((1..=10).map(|seed| run(seed, 201)).collect());
    let files = shown("report-10", &report);
    assert_eq!(
        files.len(),
        1 + 1 + 10 + 2,
        "page, overlay, ten runs, two of weights"
    );
    let page = &files["report.html"].replace("<wbr>", "");
    for run in &report.runs {
        assert!(page.contains(&format!("seed {}", run.seed)));
    }
    for number in 1..=10 {
        assert!(files.contains_key(&format!("figures/solved-run-{number:02}.svg")));
        assert!(page.contains(&format!("id=\"solved-run-{number:02}-title\"")));
        assert!(page.contains(&format!(
            "<tr><th scope=\"row\">{number}</th><td>{number}</td>"
        )));
    }
    for spec in &EvalParams::SPECS[..CORE] {
        assert!(
            page.contains(&format!(">{}</code>", spec.name)),
            "{}",
            spec.name
        );
    }
    assert!(page.contains("mean ± s.d."));
    assert!(
        page.contains("29.2–31.7"),
        "Wilson's interval of the paper's 1,521 of 5,000"
    );
    assert!(page.contains(">backward_pawn_penalty</code> <span class=\"flag\">near 0</span>"));
    for (name, text) in &files {
        assert_well_formed(text);
        let references = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!references.contains("http://"), "{name}");
        assert!(!references.contains("https://"), "{name}");
        for fetching in ["src=", "href", "url(", "@import", "<script"] {
            assert!(!text.contains(fetching), "{name}: {fetching}");
        }
    }
    assert!(!page.contains("xmlns"));
}

#[test]
fn same_bytes_again() {
    let report = report(vec![run(1, 30), run(2, 12)]);
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = written(first.path(), &report);
    assert_eq!(files, written(second.path(), &report.clone()));
    assert_eq!(
        files,
        written(first.path(), &report),
        "over an older report"
    );
    let entries = fs::read_dir(first.path()).unwrap().count();
    assert_eq!(entries, 2, "no partial file stays behind");
}

/// A full search that has evolved is not to be hidden behind the one set by hand.
#[test]
fn how_to_play_depends_on_what_has_evolved() {
    let page = |best| {
        let mut report = report(vec![run(1, 3)]);
        report.best = best;
        let dir = tempfile::tempdir().unwrap();
        written(dir.path(), &report)["report.html"].clone()
    };
    for (best, plays, adds) in [
        (None, false, false),
        (Some(Plays::Plainly), true, true),
        (Some(Plays::AsThePapers), true, true),
        (Some(Plays::Fully), true, false),
    ] {
        let page = page(best);
        assert_well_formed(&page);
        assert_eq!(page.contains("ParamsFile"), plays, "{best:?}");
        assert_eq!(page.contains("search-full.toml"), adds, "{best:?}");
    }
}

#[test]
fn the_papers_counts_say_of_how_many_where_that_differs() {
    let mut small = run(1, 3);
    small.positions = 300;
    let page = &shown("report-300", &report(vec![small]))["report.html"];
    assert!(page.contains("Train of 300"));
    assert!(page.contains("<td>1,620 of 5,000</td>"));
    // The held-out ones are as many as the paper's.
    assert!(page.contains("<td>1,521</td>"));
}

#[test]
fn one_run_without_held_out_positions() {
    let mut one = run(42, 201);
    one.test_positions = None;
    one.test_solved = None;
    let files = shown("report-1", &report(vec![one]));
    let page = &files["report.html"];
    assert_well_formed(page);
    assert!(page.contains("id=\"solved-title\""));
    assert!(
        !page.contains("solved-run-01"),
        "the only run is in the first figure"
    );
    assert!(!page.contains("mean ± s.d.</th>"), "no mean of one run");
    assert!(!page.contains("the same champion"));
    assert!(!page.contains("NaN"));
}

#[test]
fn just_started() {
    for runs in [
        vec![],
        vec![run(1, 0)],
        vec![run(1, 1)],
        vec![run(1, 40), run(2, 1), run(3, 0)],
    ] {
        let report = report(runs);
        let files = shown(&format!("report-started-{}", report.runs.len()), &report);
        for text in files.values() {
            assert_well_formed(text);
            assert!(!text.contains("NaN") && !text.contains("inf "));
        }
        let champions = report.runs.iter().any(|run| !run.generations.is_empty());
        assert_eq!(files.contains_key("figures/solved.svg"), champions);
        assert_eq!(
            files["report.html"].contains("champions’ weights</h2>"),
            champions
        );
    }
}

#[test]
fn numbers_that_no_run_should_have() {
    let mut odd = run(7, 3);
    odd.seed = u64::MAX;
    odd.positions = 0;
    odd.test_positions = Some(0);
    odd.train_solved = u32::MAX;
    odd.generations[0].mean = f64::NAN;
    odd.generations[1].mean = f64::INFINITY;
    odd.generations[2].generation = u32::MAX;
    odd.generations[2].best = u32::MAX;
    let dir = tempfile::tempdir().unwrap();
    for text in written(dir.path(), &report(vec![odd, run(1, 2)])).values() {
        assert_well_formed(text);
    }
}

#[test]
fn hostile_text_is_only_text() {
    let mut report = report(vec![run(1, 5)]);
    let hostile = "<script>alert('x')</script><img src=\"https://example.org\"> & \"'";
    report.title = hostile.into();
    report.provenance.push((hostile.into(), hostile.into()));
    let dir = tempfile::tempdir().unwrap();
    let page = &written(dir.path(), &report)["report.html"];
    assert_well_formed(page);
    assert!(!page.contains("<script") && !page.contains("<img"));
    let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;img \
                   src=&quot;https://example.org&quot;&gt; &amp; &quot;&#39;";
    assert_eq!(
        page.matches(escaped).count(),
        4,
        "title twice, name and value once"
    );
}

#[test]
fn unwritable_folder_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = write(&file.join("run"), &report(vec![run(1, 2)])).unwrap_err();
    assert!(
        error
            .to_string()
            .contains(&file.join("run").display().to_string())
    );

    // A folder where the page should be is refused, and nothing is left behind.
    fs::create_dir_all(dir.path().join("other/report.html/full")).unwrap();
    let error = write(&dir.path().join("other"), &report(vec![])).unwrap_err();
    assert!(error.to_string().contains("report.html: "), "{error}");
    let left = fs::read_dir(dir.path().join("other")).unwrap();
    assert_eq!(
        left.count(),
        2,
        "the folder of the figures and the one in the way"
    );
}

/// The paper's names are matched by name, so none may be missing from the table.
#[test]
fn paper_rows_are_the_tables() {
    let page = &shown("report-paper", &report(vec![run(1, 3)]))["report.html"];
    let rows = page.split("class=\"weights\"").nth(1).unwrap();
    let rows = rows.split("</table>").next().unwrap();
    assert_eq!(rows.matches("<tr").count(), 1 + 35);
    assert!(
        !rows.contains("<td>–</td><td>–</td>"),
        "each has the paper's value"
    );
}
