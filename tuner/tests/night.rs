//! A whole night in miniature: all phases in one folder, killed and resumed, with its report.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod common;

use common::{Bench, NIGHT, assert_same, files_of, journal_lines};

#[test]
fn a_night_in_miniature() {
    let bench = Bench::new(40).profile(NIGHT);
    let check = bench.tuner(&["check", bench.folder("small.toml").to_str().unwrap()]);
    let said = check.success();
    for phase in ["grandmaster", "coevolution", "ecm", "validation"] {
        assert!(said.contains(&format!("Phase {phase}")), "{said}");
    }
    let whole = bench.folder("whole");
    let said = bench.run(&whole, &["--threads", "2"]).success();
    assert!(said.contains("the champion is "), "{said}");
    let lines = journal_lines(&whole);
    let status =
        |folder: &std::path::Path| bench.tuner(&["status", folder.to_str().unwrap()]).success();
    assert!(status(&whole).contains("complete"), "{}", status(&whole));

    let killed = bench.folder("killed");
    let kills: usize = if tests::is_long() { 40 } else { 8 };
    bench.killed(&killed, lines, kills, |kill| {
        if kill == 3 {
            // Asking takes no lock.
            let said = status(&killed);
            assert!(said.contains("under way"), "{said}");
        }
    });
    assert!(status(&killed).contains("stopped"), "{}", status(&killed));
    bench.resume(&killed, &["--threads", "2"]).success();
    assert_same(&whole, &killed);
    for file in [
        "best.toml",
        "report.html",
        "timing.csv",
        "grandmaster/history.csv",
        "grandmaster/champions/run-03.toml",
        "coevolution/games/generation-002.pgn",
        "coevolution/best.toml",
        "ecm/history.csv",
        "validation/verdict.txt",
        "validation/games/match-001.pgn",
        "figures/elo-coevolution.svg",
    ] {
        assert!(whole.join(file).is_file(), "{file} is missing");
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    for words in [
        "class=\"lede verdict",
        "Elo of the elite",
        "Lost at",
        "Figure 4",
        "Wall time",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("src=\"http"));
    // Every link leads somewhere.
    for target in page.split("<a href=\"").skip(1) {
        let target = target.split('"').next().unwrap();
        assert!(whole.join(target).is_file(), "{target}");
    }
    let best = std::fs::read_to_string(whole.join("best.toml")).unwrap();
    assert!(
        best.contains("[eval]") && best.contains("[search]"),
        "{best}"
    );
}

#[test]
fn hours_end_every_phase_cleanly_and_for_good() {
    let profile = NIGHT.replace("format = 1\n", "format = 1\nhours = 0.000001\n");
    let bench = Bench::new(40).profile(&profile);
    let out = bench.folder("out");
    bench.run(&out, &[]).success();
    let history = std::fs::read_to_string(out.join("grandmaster/history.csv")).unwrap();
    // Every run has one generation, coevolution and ecm as well.
    assert_eq!(history.lines().count(), 1 + 3);
    let history = std::fs::read_to_string(out.join("coevolution/history.csv")).unwrap();
    assert_eq!(history.lines().count(), 1 + 1);
    assert!(out.join("best.toml").is_file());
    let before = files_of(&out);
    bench.resume(&out, &[]).success();
    assert_eq!(before, files_of(&out));
}
