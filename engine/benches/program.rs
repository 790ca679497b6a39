//! Speed of endgame programs, in positions scored: `cargo bench -p engine --bench program`.
//!
//! Each of 80 programs, the paper's population, chooses at each position. *naive* computes every terminal afresh
//! and evaluates every argument; *alone* shares nothing between programs; *population* computes the terminals of
//! a position once for all. The programs are those that ship, half GPEC190, half MASTER. All three choose the same.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::position::Position;
use engine::program::{Candidates, Program, choose, naive, starts};
use std::hint::black_box;
use std::path::Path;

/// Programs that look at each position.
const POPULATION: usize = 80;

/// Starts of each ending.
const STARTS: usize = 10;

fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let files = ["gpec190.sexp", "master.sexp"];
    let programs = files.iter().map(|file| Program::load(&folder.join(file)));
    programs.filter_map(Result::ok).collect()
}

fn positions() -> Vec<Position> {
    let endings = ["KRKR", "KRRKRR", "KQKQ", "KQRKQR"];
    let endings = endings.iter().filter_map(|name| name.parse().ok());
    let starts = endings.filter_map(|ending| starts(&ending, 1, STARTS).ok());
    starts.flatten().collect()
}

fn scoring(criterion: &mut Criterion) {
    let (programs, positions) = (programs(), positions());
    let population: Vec<&Program> = programs.iter().cycle().take(POPULATION).collect();
    let moves: usize = positions.iter().map(|p| p.legal_moves().len()).sum();
    let shared = |position: &Position| {
        let mut candidates = Candidates::new(position);
        let choices = population
            .iter()
            .map(|program| choose(program, &mut candidates, 1));
        choices.collect::<Vec<_>>()
    };
    for position in &positions {
        let alike = population.iter().zip(shared(position));
        let alike = alike
            .take(2)
            .all(|(program, mv)| naive::choose(program, position, 1) == mv);
        assert!(alike, "{}", position.to_fen());
    }
    let mut group = criterion.benchmark_group("program");
    group.sample_size(10);
    group.throughput(Throughput::Elements((moves * 2) as u64));
    group.bench_function("naive", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                for program in &programs {
                    black_box(naive::choose(program, black_box(position), 1));
                }
            }
        });
    });
    group.bench_function("alone", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                for program in &programs {
                    let mut candidates = Candidates::new(black_box(position));
                    black_box(choose(program, &mut candidates, 1));
                }
            }
        });
    });
    group.throughput(Throughput::Elements((moves * POPULATION) as u64));
    group.bench_function("population", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|p| shared(black_box(p)).len())
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, scoring);
criterion_main!(benches);
