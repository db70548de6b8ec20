//! Durable entries a second of each backend, by the size of the batch: `cargo bench -p mawe-server --bench store`.
//!
//! One entry a match and append, as on a busy server. The figures depend on the disk as much as on the database.

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use mawe_play::room::entry::StoredEntry;
use mawe_rules::{BySide, GameKind};
use mawe_store::{Append, Appended, NewMatch, Store};
use mawe_wire::ids::MatchId;
use mawe_wire::{MatchOptions, Speed, TimeControl};
use tokio::runtime::Runtime;

#[path = "../tests/common/postgres.rs"]
mod postgres;

/// More than any batch has, so that consecutive batches append to different matches, as in use.
const MATCHES: usize = 4096;

fn main() {
    let runtime = Runtime::new().expect("a runtime");
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
        .configure_from_args();

    let directory = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    bench(&mut criterion, &runtime, "sqlite", &url);

    let postgres = postgres::Postgres::durable();
    let url = runtime.block_on(postgres.fresh_database());
    bench(&mut criterion, &runtime, "postgres", &url);
    criterion.final_summary();
}

fn bench(criterion: &mut Criterion, runtime: &Runtime, backend: &str, url: &str) {
    let store = runtime
        .block_on(mawe_store::open(url))
        .expect("the store opens");
    let ids = runtime.block_on(matches(&store));
    let mut heads = vec![0; MATCHES];
    let mut next = 0;
    let mut group = criterion.benchmark_group(format!("append/{backend}"));
    for size in [1, 16, 256, 1024] {
        group.throughput(Throughput::Elements(size as u64));
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut spent = Duration::ZERO;
                for _ in 0..iterations {
                    let batch: Vec<Append> = (0..size)
                        .map(|_| {
                            next = (next + 1) % MATCHES;
                            heads[next] += 1;
                            entry(&ids[next], heads[next] - 1)
                        })
                        .collect();
                    let start = Instant::now();
                    let answers = runtime
                        .block_on(store.append(&batch))
                        .expect("the store answers");
                    spent += start.elapsed();
                    assert!(answers.iter().all(|answer| *answer == Appended::Done));
                }
                spent
            });
        });
    }
    group.finish();
    runtime.block_on(store.close());
}

fn entry(id: &MatchId, head: u64) -> Append {
    let entry = StoredEntry {
        seq: head + 1,
        epoch: 0,
        kind: "move".into(),
        payload: r#"{"kind":"move","side":"first","move":"c3-c4","clock_ms":178250,"spent_ms":1750,"lag_ms":45}"#.into(),
        client_id: Some(format!("first:0193b1c2-8f4e-7a61-{head:012}")),
        at_ms: 1_700_000_000_000,
    };
    Append {
        match_id: id.clone(),
        head,
        epoch: 0,
        entries: vec![entry],
        finish: None,
        due_ms: None,
    }
}

async fn matches(store: &Arc<dyn Store>) -> Vec<MatchId> {
    // Computer opponents, because the number of running matches of a person is limited.
    let mut players = Vec::new();
    for (level, name) in [(1, "One"), (2, "Other")] {
        let bot = store.ensure_bot(level, name, 0).await;
        players.push(bot.expect("a computer opponent").id);
    }
    let mut ids = Vec::with_capacity(MATCHES);
    for created_ms in 0..MATCHES as i64 {
        let id = MatchId::random();
        let new = NewMatch {
            id: id.clone(),
            game: GameKind::Mawe,
            setup: String::new(),
            rated: false,
            time_control: TimeControl::Realtime {
                base_ms: 180_000,
                increment_ms: 2_000,
            },
            speed: Speed::Blitz,
            extra_ms: BySide::default(),
            options: MatchOptions::usual(false),
            private: false,
            players: BySide::new(players[0].clone(), players[1].clone()),
            ratings: BySide::default(),
            rematch_of: None,
            due_ms: None,
            created_ms,
        };
        store.create_match(&new).await.expect("a match");
        ids.push(id);
    }
    ids
}
