//! Nodes a second, a game: a search of a fixed number of nodes from the standard start.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mawe_ai::{Limits, think};
use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// A strong level's move, more or less.
const NODES: u64 = 300_000;

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(NODES));
    for kind in GameKind::ALL.iter().copied() {
        let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
        let limits = Limits::nodes(NODES);
        group.bench_function(kind.id(), |b| b.iter(|| think(black_box(&start), &limits)));
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
