//! Nodes a second for each game and number of threads: searches of a fixed number of nodes from a
//! position in mid-game. The table is cleared before each search.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::{AnyPosition, GameKind, Record};

/// The nodes of a move of a strong level.
const NODES: u64 = 1_000_000;

/// For each game a position of a game in which the engine played both sides; `tests/browser/engine-speed.js` reads them, too.
const MID_GAME: &str = include_str!("mid_game.txt");

fn mid_game(kind: GameKind) -> AnyPosition {
    let mut lines = MID_GAME.lines().filter_map(|line| line.split_once(' '));
    let (_, text) = lines
        .find(|(game, _)| *game == kind.id())
        .expect("a position of every game");
    AnyPosition::parse(kind, text).expect("a position")
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(NODES));
    for kind in GameKind::ALL.iter().copied() {
        let game = Record::from_position(mid_game(kind));
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
