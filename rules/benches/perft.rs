//! Leaves a second, a game: perft from the standard start.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// The depth at which the speed of Mawe! is promised.
const DEPTH: u32 = 5;

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for kind in GameKind::ALL.iter().copied() {
        let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
        group.throughput(Throughput::Elements(start.perft(DEPTH, 1)));
        group.bench_function(kind.id(), |b| b.iter(|| black_box(&start).perft(DEPTH, 1)));
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
