//! The report as a reader gets it: complete, self-contained, the same bytes every time.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod sample;

use engine::eval::params::{CORE, EvalParams};
use engine::params::ParamTable;
use sample::{assert_well_formed, report, run, shown, written};
use std::fs;
use tuner::report::{Plays, write};

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
        for fetching in ["src=", "url(", "@import", "<script"] {
            assert!(!text.contains(fetching), "{name}: {fetching}");
        }
        // What it links is in its own folder.
        for link in text.split("href=\"").skip(1) {
            assert!(link.starts_with("best.toml\""), "{name}: {link:.40}");
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
