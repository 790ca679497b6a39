//! Speed of reading games: `cargo bench -p tuner --bench pgn`. The games are made here, in memory:
//! random, all decisive, 80 plies each, about as long as those of grandmasters.

#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::source::Source;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Cursor;
use tuner::data::pgn::Games;

const GAMES: u64 = 2000;

fn random_games() -> String {
    let mut text = String::new();
    for number in 0..GAMES {
        let _ = write!(
            text,
            "[Event \"Benchmark\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"{number}\"]\n\
             [White \"White, {number}\"]\n[Black \"Black\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n\
             [BlackElo \"2700\"]\n\n"
        );
        text += &tests::random_moves(number, 80);
        text.push_str("1-0\n\n");
    }
    text
}

fn read_all(bytes: &[u8]) -> u64 {
    let source = Source::from_reader("bench", Cursor::new(bytes.to_vec()));
    let mut games = Games::new(source.expect("text"), Some(2600));
    let mut ids = 0;
    while let Some(game) = games.next_game().expect("readable") {
        ids ^= game.expect("sound").id().bits;
    }
    ids
}

fn benchmark(criterion: &mut Criterion) {
    let text = random_games().into_bytes();
    let packed = zstd::encode_all(&text[..], 3).expect("compresses");
    let mut group = criterion.benchmark_group("pgn");
    group.throughput(Throughput::Elements(GAMES));
    group.sample_size(20);
    group.bench_function("plain", |bencher| {
        bencher.iter(|| read_all(black_box(&text)))
    });
    group.bench_function("zstd", |bencher| {
        bencher.iter(|| read_all(black_box(&packed)))
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
