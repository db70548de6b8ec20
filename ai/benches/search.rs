//! Nodes a second for each game and number of threads: searches of a fixed number of nodes from a
//! position in mid-game. The table is cleared before each search.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::{AnyPosition, GameKind, Record};

/// The nodes of a move of a strong level.
const NODES: u64 = 1_000_000;

/// A position of a game in which the engine played both sides.
fn mid_game(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Mawe => "B2W2BB/B2BB3/3B4/8/B7/W2W4/W3W3/W5WW w",
        GameKind::Reversi => "---OX-----OOXX---XXOXX---XOXOXX--OOOOO--O--O-------------------- X",
        GameKind::Checkers => "B:W17,19,22,25,28,29,30,32:B1,2,3,4,5,6,10,12",
        GameKind::Kalah => "6,6,1,2,7,2,4/2,1,7,0,7,0,3 s",
        GameKind::Oware => "1,7,7,6,0,3,0/0,1,8,7,6,2,0 s",
        GameKind::Congkak => "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s1",
    }
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(NODES));
    for kind in GameKind::ALL.iter().copied() {
        let pos = AnyPosition::parse(kind, mid_game(kind)).expect("a position");
        let game = Record::from_position(pos);
        let limits = Limits::nodes(NODES);
        for threads in [1, 2] {
            let options = EngineOptions {
                threads,
                ..EngineOptions::default()
            };
            let engine = Engine::new(options).expect("memory");
            let id = BenchmarkId::new(kind.id(), threads);
            group.bench_function(id, |b| {
                b.iter_batched(
                    || engine.forget(),
                    |()| engine.think(black_box(&game), &limits, &mut |_| ()),
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
