//! Perft of each game from the standard start, in leaves a second.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use mawe_rules::games::draughts::{
    Brazilian, Drafti, DraughtsPosition, International, Pool, Russian, Variant,
};
use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// The depth that takes about a second at the expected speed.
fn depth(kind: GameKind) -> u32 {
    match kind {
        GameKind::Mawe => 5,
        GameKind::Reversi => 10,
        GameKind::Checkers => 11,
        GameKind::Kalah | GameKind::Oware => 10,
        GameKind::Congkak => 8,
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
    family::<Drafti>(&mut group, "drafti", 8);
    family::<Brazilian>(&mut group, "brazilian", 8);
    family::<Russian>(&mut group, "russian", 8);
    family::<Pool>(&mut group, "pool", 8);
    family::<International>(&mut group, "international", 7);
    group.finish();
}

/// A game of the draughts family, which has no kind yet.
fn family<V: Variant>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, depth: u32) {
    let start = DraughtsPosition::<V>::start();
    group.throughput(Throughput::Elements(start.perft(depth)));
    group.bench_function(name, |b| b.iter(|| black_box(&start).perft(depth)));
}

criterion_group!(benches, perft);
criterion_main!(benches);
