//! Speed of the engine's parts on positions of `eyas bench`: `cargo bench -p engine`.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::bench::POSITIONS;
use engine::eval::{Weights, evaluate, features};
use engine::one_ply::{Quiescence, choose_one_ply};
use engine::params::ParamSet;
use engine::position::{Game, Position};
use engine::search::{Limits, Searcher};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Depth, in plies, of the search.
const DEPTH: usize = 6;

/// Every how many positions one is searched.
const STRIDE: usize = 6;

/// Size of the table, in megabytes.
const HASH: usize = 16;

fn positions() -> Vec<Position> {
    let positions = POSITIONS.iter().map(|fen| Position::from_fen(fen));
    positions.filter_map(Result::ok).collect()
}

/// One search after another, each with an empty table; the unit is a node.
fn search(criterion: &mut Criterion) {
    let games: Vec<Game> = positions()
        .into_iter()
        .step_by(STRIDE)
        .map(Game::new)
        .collect();
    let Ok(mut searcher) = Searcher::new(ParamSet::default(), HASH) else {
        eprintln!("no memory for a table of {HASH} MB");
        return;
    };
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (number, game) in games.iter().enumerate() {
        let limits = Limits::depth(DEPTH);
        searcher.clear();
        let nodes = searcher.search_quietly(game, &limits).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("position {}", STRIDE * number + 1), |bencher| {
            // Emptying the table takes no part in the time.
            bencher.iter_custom(|rounds| {
                let mut time = Duration::ZERO;
                for _ in 0..rounds {
                    searcher.clear();
                    let clock = Instant::now();
                    black_box(searcher.search_quietly(game, &limits));
                    time += clock.elapsed();
                }
                time
            });
        });
    }
    group.finish();
}

/// What every node costs; the unit is a position.
fn node(criterion: &mut Criterion) {
    let positions = positions();
    let params = ParamSet::default();
    let weights = Weights::from(&params.eval);
    let mut group = criterion.benchmark_group("node");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(evaluate(black_box(position), &weights));
            }
        });
    });
    group.bench_function("features", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(features(black_box(position)));
            }
        });
    });
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(black_box(position).legal_moves());
            }
        });
    });
    group.bench_function("one-ply choice", |bencher| {
        let quiescence = Quiescence::default();
        bencher.iter(|| {
            for position in &positions {
                black_box(choose_one_ply(
                    black_box(position),
                    &params.eval,
                    &quiescence,
                ));
            }
        });
    });
    group.finish();
}

/// Move generation and making of moves; the unit is a leaf.
fn perft(criterion: &mut Criterion) {
    const PLIES: u32 = 3;
    let positions = positions();
    let leaves = |positions: &[Position]| -> u64 {
        positions.iter().map(|position| position.perft(PLIES)).sum()
    };
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(leaves(&positions)));
    group.bench_function("3 plies", |bencher| bencher.iter(|| leaves(&positions)));
    group.finish();
}

criterion_group!(benches, search, node, perft);
criterion_main!(benches);
