//! The time of every list with 20,000 players and 200,000 matches, on both databases, and the query plans:
//! `cargo bench -p mawe-server --bench lists -- [PLAYERS] [MATCHES] [CALLS]`; 500 calls of each kind by default.
//!
//! Busy players are queried more often: every fourth call is for the busiest one, who has some 14,000 matches. Calls run one after the
//! other, each with its own parameters. The plans are of the calls for the busiest player: from `EXPLAIN QUERY PLAN` on SQLite; on Postgres
//! from `auto_explain`, with the rows actually read (`ANALYZE`, `BUFFERS`). If `MAWE_TEST_POSTGRES` names a server, its user must be a
//! superuser for that.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use mawe_store::Store;
use sqlx::AssertSqlSafe;

#[path = "../tests/common/crowd.rs"]
mod crowd;
#[path = "../tests/common/lists.rs"]
mod lists;
#[path = "../tests/common/postgres.rs"]
mod postgres;

use crowd::{Crowd, Database};
use lists::KINDS;

/// Connection options with which a session reports the plan of every statement.
const EXPLAINED: &str = "options[session_preload_libraries]=auto_explain&options[auto_explain.log_min_duration]=0\
    &options[auto_explain.log_analyze]=on&options[auto_explain.log_buffers]=on&options[client_min_messages]=log";

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok());
    let mut number = |usual: usize| numbers.next().unwrap_or(usual);
    let (players, matches, calls) = (number(20_000), number(200_000), number(500));

    let directory = tempfile::tempdir().expect("a temporary directory");
    let sqlite = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    let server = postgres::Postgres::durable();
    let postgres = server.fresh_database().await;
    let mut crowds = Vec::new();
    for url in [&sqlite, &postgres] {
        let began = Instant::now();
        let store = mawe_store::open(url).await.expect("the store opens");
        let mut database = Database::open(url).await;
        let crowd = Crowd::fill(&mut database, players, matches).await;
        println!(
            "\n{}: {players} players and {matches} matches written in {:.1?}",
            backend(url),
            began.elapsed()
        );
        measure(&store, &crowd, calls).await;
        store.close().await;
        crowds.push(crowd);
    }

    lists::listen();
    explain_sqlite(&sqlite, &crowds[0]).await;
    explain_postgres(&format!("{postgres}&{EXPLAINED}"), &crowds[1]).await;
}

fn backend(url: &str) -> &str {
    url.split(':').next().expect("it begins so")
}

async fn measure(store: &Arc<dyn Store>, crowd: &Crowd, calls: usize) {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "the machine's load: {load}{:<52} {:>9} {:>9} {:>9}",
        "", "p50", "p99", "slowest"
    );
    for kind in KINDS {
        let mut rng = Rng::with_seed(3);
        let mut took: Vec<Duration> = Vec::with_capacity(calls);
        for call in 0..calls {
            let index = if call % 4 == 0 {
                0
            } else {
                crowd.draw(&mut rng)
            };
            let list = (kind.draw)(crowd, &mut rng, index);
            let start = Instant::now();
            list.ask(store.as_ref()).await;
            took.push(start.elapsed());
        }
        took.sort_unstable();
        let ms = |index: usize| took[index].as_secs_f64() * 1e3;
        println!(
            "{:<52} {:>6.2} ms {:>6.2} ms {:>6.2} ms",
            kind.name,
            ms(calls / 2),
            ms(calls * 99 / 100),
            ms(calls - 1)
        );
    }
}

async fn explain_sqlite(url: &str, crowd: &Crowd) {
    let store = mawe_store::open(url).await.expect("the store opens");
    let Database::Sqlite(mut connection) = Database::open(url).await else {
        unreachable!("its address says SQLite");
    };
    println!("\nPlans of SQLite");
    let mut rng = Rng::with_seed(3);
    for kind in KINDS {
        println!("\n{}", kind.name);
        let list = (kind.draw)(crowd, &mut rng, 0);
        for statement in lists::heard(store.as_ref(), &list, is_select).await {
            let sql = format!("EXPLAIN QUERY PLAN {statement}");
            let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(AssertSqlSafe(sql))
                .fetch_all(&mut connection)
                .await
                .expect("a plan");
            for (.., step) in plan {
                println!("    {step}");
            }
        }
    }
    store.close().await;
}

async fn explain_postgres(url: &str, crowd: &Crowd) {
    let store = mawe_store::open(url).await.expect("the store opens");
    println!("\nPlans of Postgres");
    let mut rng = Rng::with_seed(3);
    for kind in KINDS {
        println!("\n{}", kind.name);
        let list = (kind.draw)(crowd, &mut rng, 0);
        for told in lists::heard(store.as_ref(), &list, is_plan).await {
            // The statement is above the plan.
            let plan = told.lines().skip_while(|line| !line.contains("(cost="));
            for line in plan {
                println!("    {line}");
            }
        }
    }
    store.close().await;
}

fn is_select(statement: &str) -> bool {
    statement.starts_with("SELECT")
}

fn is_plan(told: &str) -> bool {
    told.contains("plan:")
}
