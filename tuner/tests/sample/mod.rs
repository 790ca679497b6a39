//! A report that no run has made, for the tests of what a reader gets.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use engine::eval::params::{CORE, EvalParams};
use engine::params::{ParamSet, ParamTable};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tuner::report::{GenerationStats, Plays, Report, RunReport, Source, write};

/// Any reproducible number from 0 to below `bound` (a linear congruential generator's high bits).
fn any(state: &mut u64, bound: u32) -> u32 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % u64::from(bound)) as u32
}

/// A run that climbs from 21 % to about 31 %, like the real ones.
pub fn run(seed: u64, generations: u32) -> RunReport {
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

/// A report of these runs, of positions from nobody knows where.
pub fn report(runs: Vec<RunReport>) -> Report {
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
        plain: Vec::new(),
        suites: Vec::new(),
        night: None,
        order: Vec::new(),
        unfinished: None,
        positions: Source::Unknown,
        parameters: Vec::new(),
        compare: None,
    }
}

/// Every file of a report, by its path within the folder.
pub fn written(dir: &Path, report: &Report) -> BTreeMap<String, String> {
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
pub fn shown(name: &str, report: &Report) -> BTreeMap<String, String> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    written(&dir, report)
}

/// Every tag that is opened is closed, in order.
pub fn assert_well_formed(markup: &str) {
    let mut open: Vec<&str> = Vec::new();
    let style = markup.find("<style>").zip(markup.find("</style>"));
    let markup = match style {
        Some((start, end)) => markup[..start].to_string() + &markup[end + "</style>".len()..],
        None => markup.to_string(),
    };
    for piece in markup.split('<').skip(1) {
        // A comment is no tag.
        if piece.starts_with("!--") {
            continue;
        }
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
