//! One generation of phase 1: a population of 100 on positions of the embedded sample.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::eval::TermSet;
use engine::one_ply::{Quiescence, choose_one_ply};
use std::path::Path;
use tuner::commands::bench::random_individuals;
use tuner::data::suite::Suite;
use tuner::fitness::grandmaster::TreeCache;

const POSITIONS: usize = 500;

fn generation(criterion: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample-train.epd");
    let Ok(suite) = Suite::load(&path, Some(POSITIONS)) else {
        eprintln!("{} is missing", path.display());
        return;
    };
    let individuals = random_individuals(100, 1);
    let quiescence = Quiescence::default();
    let forest = TreeCache::build(&suite.problems, &quiescence, TermSet::Of2014);
    forest.solved(&individuals);

    let mut group = criterion.benchmark_group("one-ply searches");
    group.sample_size(10);
    group.throughput(Throughput::Elements((POSITIONS * individuals.len()) as u64));
    group.bench_function("shared trees", |bencher| {
        bencher.iter(|| forest.solved(&individuals))
    });
    group.throughput(Throughput::Elements(POSITIONS as u64));
    group.bench_function("engine's own search", |bencher| {
        bencher.iter(|| {
            let choose = |problem: &engine::epd::Epd| {
                choose_one_ply(&problem.position, &individuals[0], &quiescence)
            };
            suite.problems.iter().filter_map(choose).count()
        });
    });
    group.finish();
}

criterion_group!(benches, generation);
criterion_main!(benches);
