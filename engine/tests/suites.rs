//! The suites of this project's own, `tests/data/suites`: zugzwang, and mates (which `mate.rs` asks for).
//!
//! Of each every fifth position is asked, and of the zugzwangs with fewer nodes; `EYAS_LONG=1` asks all,
//! with a million.

#![allow(clippy::unwrap_used, clippy::panic)] // In a test, a panic is the report.

use engine::analyse::{self, Settings};
use engine::epd::Epd;
use engine::params::ParamSet;
use engine::search::Limits;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use std::collections::HashSet;
use tests::mates::Prover;

/// Right of the 100 zugzwangs with a million nodes each, and of every fifth with 200,000.
const ZUGZWANGS_RIGHT: usize = 98;
const ZUGZWANGS_RIGHT_OF_FIFTH: usize = 19;

const NODES: u64 = 1_000_000;

fn suite(name: &str) -> Vec<Epd> {
    let path = tests::workspace().join("tests/data/suites").join(name);
    analyse::load(&path).unwrap()
}

/// What is asked of a suite: all, or every fifth.
fn asked(mut suite: Vec<Epd>) -> Vec<Epd> {
    let mut number = 0;
    suite.retain(|_| {
        number += 1;
        number % 5 == 0 || tests::is_long()
    });
    suite
}

fn mate_moves(epd: &Epd) -> Option<u32> {
    epd.operation("dm").map(|moves| moves.parse().unwrap())
}

#[test]
fn suites_are_whole() {
    let mut seen = HashSet::new();
    for (name, mate) in [
        ("zugzwang.epd", None),
        ("mate-2.epd", Some(2)),
        ("mate-3.epd", Some(3)),
    ] {
        let suite = suite(name);
        assert_eq!(suite.len(), 100, "{name}");
        let white = |epd: &&Epd| epd.position.side_to_move() == engine::types::Color::White;
        let white = suite.iter().filter(white).count();
        assert!((30..=70).contains(&white), "{name}: {white} for White");
        for epd in &suite {
            let id = epd.id.as_deref().unwrap();
            assert!(!epd.best.is_empty() && epd.avoid.is_empty(), "{id}");
            assert!(mate.is_none() || mate_moves(epd) == mate, "{id}");
            assert!(seen.insert(epd.position.key()), "{id} has been there");
        }
    }
}

/// Whoever tries everything finds these moves, and no mate in fewer.
#[test]
fn mates_are_what_the_suites_say() {
    let zugzwangs = suite("zugzwang.epd").into_iter();
    let composed = zugzwangs.filter(|epd| mate_moves(epd).is_some());
    let all = [composed.collect(), suite("mate-2.epd"), suite("mate-3.epd")];
    for epd in all.into_iter().flat_map(asked) {
        let fen: Fen = epd.position.to_fen().parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let moves = mate_moves(&epd).unwrap();
        let (shortest, keys) = Prover::default().shortest(&position, moves).unwrap();
        let keys: HashSet<String> = keys
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
            .collect();
        let best = epd.best.iter().map(ToString::to_string).collect();
        assert_eq!((shortest, &keys), (moves, &best), "{:?}", epd.id);
    }
}

#[test]
fn zugzwangs_are_seen() {
    let suite = asked(suite("zugzwang.epd"));
    let (nodes, wanted) = match tests::is_long() {
        true => (NODES, ZUGZWANGS_RIGHT),
        false => (NODES / 5, ZUGZWANGS_RIGHT_OF_FIFTH),
    };
    let settings = Settings {
        limits: Limits::nodes(nodes),
        hash: 64,
        threads: 1,
        jobs: 1,
    };
    let mut missed = Vec::new();
    analyse::run(&suite, &ParamSet::default(), &settings, |answer| {
        if !answer.solved {
            missed.push(suite[answer.number].id.clone());
        }
    })
    .unwrap();
    let right = suite.len() - missed.len();
    assert!(right >= wanted, "{right} of {}: {missed:?}", suite.len());
}
