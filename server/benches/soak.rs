//! Continuous load for some minutes, and the resources of the server after each minute: memory, descriptors, rows.
//!
//! `cargo bench -p mawe-server --bench soak -- [MINUTES] [PAIRS]`; 20 and 12 by default. It starts the program itself on an SQLite file in
//! a temporary directory. Each pair is two new guests who play some plies of a match and end it in one of four ways: a resignation, leaving
//! without a message, a match without a move, and a match that is played out. Beside them a spectator joins and leaves, an account logs in,
//! and a visitor reads lists and files. After each minute everything older than two minutes is made 40 days older in the database and `mawe
//! admin prune` runs: a month of load in some minutes, so that data that is never removed shows.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/usage.rs"]
mod usage;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::play::Pair;
use common::process::{Process, mawe, run};
use common::socket::Socket;
use common::{PASSWORD, Person};
use mawe_wire::Command;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use usage::resident_kib;

/// The counted rows: those that must stay, because a move was played, and those that must be deleted.
const COUNTS: [(&str, &str); 6] = [
    (
        "matches with moves",
        "matches WHERE plies > 0 OR finished_ms IS NULL",
    ),
    (
        "matches without",
        "matches WHERE plies = 0 AND finished_ms IS NOT NULL",
    ),
    (
        "players of one with moves",
        "players p WHERE EXISTS (SELECT 1 FROM matches WHERE first_id = p.id AND plies > 0) OR EXISTS (SELECT 1 FROM matches WHERE second_id = p.id AND plies > 0)",
    ),
    ("players", "players"),
    ("sessions", "sessions"),
    ("challenges", "challenges"),
];

/// The age added to rows, in milliseconds: beyond every age at which `mawe admin prune` deletes a row.
const AGED_MS: i64 = 40 * 24 * 60 * 60 * 1_000;

/// The age below which rows are left unchanged, in milliseconds, such as matches and sessions in use.
const YOUNG_MS: i64 = 2 * 60 * 1_000;

/// The pause of each task between two rounds: the server is busy, but not saturated.
const PAUSE: Duration = Duration::from_millis(100);

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok());
    let minutes: u64 = numbers.next().unwrap_or(20);
    let pairs: u64 = numbers.next().unwrap_or(12);

    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let address = server.address;
    let played = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for number in 0..pairs {
        let played = Arc::clone(&played);
        tasks.spawn(async move {
            let mut round = number;
            loop {
                let people = [
                    Person::guest_at(address).await,
                    Person::guest_at(address).await,
                ];
                play(people, round).await;
                played.fetch_add(1, Ordering::Relaxed);
                round += 1;
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
    tasks.spawn(async move {
        loop {
            visit(Person::at(address)).await;
            tokio::time::sleep(PAUSE).await;
        }
    });
    tasks.spawn(async move {
        let mut owner = Person::at(address);
        let account = json!({ "name": "Amina", "password": PASSWORD });
        owner.post("/api/v1/accounts", &account).await;
        loop {
            let mut elsewhere = Person::at(address);
            elsewhere.post("/api/v1/sessions", &account).await;
            elsewhere.delete("/api/v1/sessions/current").await;
            tokio::time::sleep(PAUSE).await;
        }
    });

    println!(
        "minute | resident KiB | descriptors | matches begun | {}",
        COUNTS.map(|(name, _)| name).join(" | ")
    );
    let database = directory.path().join("mawe.sqlite");
    let start = Instant::now();
    let mut resident = Vec::new();
    for minute in 1..=minutes {
        sleep_until(start + Duration::from_secs(60 * minute)).await;
        let kib = resident_kib(server.id());
        resident.push(kib);
        let url = format!("sqlite:{}", database.display());
        let mut connection = SqliteConnection::connect(&url)
            .await
            .expect("the database is there");
        let mut rows = Vec::new();
        for (_, rows_of) in COUNTS {
            let sql = format!("SELECT count(*) FROM {rows_of}");
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
                .fetch_one(&mut connection)
                .await
                .expect("the table can be counted");
            rows.push(count.to_string());
        }
        println!(
            "{minute} | {kib} | {} | {} | {}",
            descriptors(server.id()),
            played.load(Ordering::Relaxed),
            rows.join(" | ")
        );
        age(&mut connection).await;
        connection.close().await.expect("it closes");
        let mut prune = mawe(["admin", "prune", "--data-dir"]);
        prune.arg(directory.path());
        let pruned = run(prune).await;
        assert_eq!(pruned.code, Some(0), "{pruned:?}");
    }
    tasks.shutdown().await;
    let later = &resident[resident.len() / 2..];
    if let (Some(least), Some(most)) = (later.iter().min(), later.iter().max()) {
        println!("resident memory in the second half: {least} to {most} KiB");
    }
    server.stop("TERM").await;
}

/// Plays one match to one of four ends.
async fn play(people: [Person; 2], round: u64) {
    let mut pair = Pair::of(people, false).await;
    match round % 4 {
        0 => {
            pair.plies(8).await;
            let turn = pair.turn();
            pair.act(turn, Command::Resign).await;
        }
        1 => pair.plies(4).await,
        2 => {}
        _ => pair.play_out().await,
    }
}

/// Reads pages, files and lists, and watches a match for a moment.
async fn visit(visitor: Person) {
    for path in [
        "/",
        "/app.js",
        "/wasm/rules_bg.wasm",
        "/api/openapi.json",
        "/api/v1/seeks",
    ] {
        visitor.get(path).await;
    }
    let running = visitor.get("/api/v1/matches").await.json();
    if let Some(id) = running["items"][0]["id"].as_str() {
        let mut socket = Socket::open(&visitor).await;
        socket.join(id).await;
        socket.next().await;
    }
}

/// Makes rows old enough to be deleted, except the young ones.
async fn age(connection: &mut SqliteConnection) {
    let columns = [
        ("players", "created_ms"),
        ("sessions", "created_ms"),
        ("sessions", "last_used_ms"),
        ("sessions", "expires_ms"),
        ("matches", "created_ms"),
        ("matches", "finished_ms"),
        ("challenges", "created_ms"),
        ("challenges", "expires_ms"),
    ];
    for (table, column) in columns {
        let of = match table {
            "sessions" => "created_ms",
            "matches" => "coalesce(finished_ms, created_ms)",
            _ => "created_ms",
        };
        let sql = format!(
            "UPDATE {table} SET {column} = {column} - {AGED_MS}
            WHERE {column} BETWEEN unixepoch('subsec') * 1000 - {AGED_MS} AND unixepoch('subsec') * 1000 - {YOUNG_MS}
            AND {of} IS NOT NULL AND {column} IS NOT NULL"
        );
        sqlx::query(AssertSqlSafe(sql))
            .execute(&mut *connection)
            .await
            .expect("rows can be changed beside the server");
    }
}

/// Returns the number of open files and sockets of a process.
fn descriptors(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd"))
        .expect("Linux tells")
        .count()
}
