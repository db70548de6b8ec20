//! Perft of each game from the standard start, in leaves a second.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use mawe_rules::games::draughts::{DraughtsPosition, International, Pool, Russian, Variant};
use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// The depth that takes about a second at the expected speed.
fn depth(kind: GameKind) -> u32 {
    match kind {
        GameKind::Mawe => 5,
        GameKind::Reversi => 10,
        GameKind::Checkers => 11,
        GameKind::Kalah | GameKind::Oware | GameKind::Drafti | GameKind::Brazilian => 10,
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
    family::<Russian>(&mut group, "russian", 8);
    family::<Pool>(&mut group, "pool", 8);
    family::<International>(&mut group, "international", 7);
    group.finish();
}

/// A game of the draughts family, which has no kind yet.
fn family<V: Variant>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, depth: u32) {
    let start = DraughtsPosition::<V>::start();
    group.throughput(Throughput::Elements(leaves(&start, depth)));
    group.bench_function(name, |b| b.iter(|| leaves(black_box(&start), depth)));
}

fn leaves<V: Variant>(position: &DraughtsPosition<V>, depth: u32) -> u64 {
    let mut moves = Vec::with_capacity(32);
    position.list_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        let mut next = position.clone();
        next.play_ply(m);
        leaves(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

criterion_group!(benches, perft);
criterion_main!(benches);
