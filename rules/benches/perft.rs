//! Perft of each game from the standard start, in leaves a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// The depth that takes about a second at the expected speed.
fn depth(kind: GameKind) -> u32 {
    match kind {
        GameKind::Mawe => 5,
        GameKind::Reversi => 10,
        GameKind::Checkers => 11,
        GameKind::Kalah | GameKind::Oware | GameKind::Drafti | GameKind::Brazilian => 10,
        GameKind::Russian | GameKind::Pool => 10,
        GameKind::International | GameKind::Congkak | GameKind::Bao => 8,
        GameKind::Pallanguzhi => 14,
    }
}

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for kind in GameKind::ALL.iter().copied() {
        let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
        let depth = depth(kind);
        group.throughput(Throughput::Elements(start.perft(depth, 1)));
        group.bench_function(kind.id(), |b| b.iter(|| black_box(&start).perft(depth, 1)));
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
