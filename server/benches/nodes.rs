//! Moves a second through one, two and three nodes, and the processor time of a move: of all nodes together, of Postgres, of NATS.
//!
//! `cargo bench -p mawe-server --bench nodes -- [MATCHES] [SECONDS]`; 100 matches for 15 s each by default. The nodes are processes of the
//! program, Postgres waits for its disk, players use sockets, spread evenly: with three nodes two of three play through a node that does
//! not own their match. Each player pauses before a move, as the server limits the messages of a socket. On one machine nodes and players
//! share its cores: the bench measures the overhead, not the capacity of more machines.

#[path = "common/cluster.rs"]
mod cluster;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/usage.rs"]
mod usage;

use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::future::join_all;
use mawe_rules::Side;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Row};

use cluster::Cluster;
use common::Person;
use common::play::Seat;
use mawe_server::load::quantile;
use usage::{used_by, used_by_family};

/// The pause of a player before a move: a socket may send 15 messages a second.
const PACE: Duration = Duration::from_millis(75);

/// The processor time and the written bytes so far.
struct Reading {
    at: Instant,
    nodes: f64,
    postgres: f64,
    nats: f64,
    wal: f64,
    rows: f64,
}

async fn read(cluster: &Cluster) -> Reading {
    let connection = PgConnection::connect(&cluster.database).await;
    let mut connection = connection.expect("Postgres runs");
    let row = sqlx::query(
        "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS wal,
            (SELECT (sum(n_tup_ins) + sum(n_tup_upd))::float8 FROM pg_stat_user_tables) AS rows",
    )
    .fetch_one(&mut connection)
    .await
    .expect("Postgres knows");
    let of_nodes = cluster.nodes.iter().filter_map(|node| used_by(node.id()));
    let postgres = cluster
        .postgres
        .process()
        .expect("ours: unset MAWE_TEST_POSTGRES");
    Reading {
        at: Instant::now(),
        nodes: of_nodes.map(|(used, _)| used).sum(),
        postgres: used_by_family(postgres),
        nats: used_by(cluster.nats.process()).map_or(0.0, |(used, _)| used),
        wal: row.get("wal"),
        rows: row.get("rows"),
    }
}

/// Plays matches until the time is up; returns the time until the acknowledgement of each move, in milliseconds.
async fn play(mut people: [Person; 2], begin: Instant, lasts: Duration, seed: u64) -> Vec<f64> {
    let mut rng = Rng::with_seed(seed);
    let mut waits = Vec::new();
    let [first, second] = &mut people;
    let mut id = first.play_with(second, "first", false).await;
    tokio::time::sleep_until(begin.into()).await;
    loop {
        let mut seats = [
            Seat::take(first, &id, Side::First).await,
            Seat::take(second, &id, Side::Second).await,
        ];
        while seats[0].mirror.state.result.is_none() {
            tokio::time::sleep(PACE).await;
            if begin.elapsed() > lasts {
                return waits;
            }
            let mover = usize::from(seats[0].mirror.state.turn == Side::Second);
            let seat = &mut seats[mover];
            let text = rng
                .choice(&seat.mirror.state.legal)
                .expect("it is not over");
            let (command, sent) = (seat.a_move(text), Instant::now());
            seat.send(command).await;
            seat.event().await;
            waits.push(sent.elapsed().as_secs_f64() * 1_000.0);
            seats[1 - mover].event().await;
        }
        id = first.play_with(second, "first", false).await;
    }
}

async fn measure(nodes: usize, matches: usize, lasts: Duration) {
    let cluster = Cluster::start(nodes, &[]).await;
    let mut pairs = Vec::new();
    for number in 0..matches {
        let at = |which: usize| Person::guest_at(cluster.nodes[which % nodes].address);
        pairs.push([at(number).await, at(number / nodes).await]);
    }
    // Time for all players to join.
    let begin =
        Instant::now() + Duration::from_secs(2) + Duration::from_millis(20) * matches as u32;
    let playing = (0..)
        .zip(pairs)
        .map(|(seed, people)| tokio::spawn(play(people, begin, lasts, seed)));
    let playing: Vec<_> = playing.collect();
    tokio::time::sleep_until((begin + Duration::from_secs(1)).into()).await;
    let before = read(&cluster).await;
    tokio::time::sleep_until((begin + lasts).into()).await;
    let after = read(&cluster).await;
    let mut waits: Vec<f64> = Vec::new();
    for played in join_all(playing).await {
        waits.extend(played.expect("a pair plays to the end"));
    }
    waits.sort_by(f64::total_cmp);
    let seconds = (after.at - before.at).as_secs_f64();
    // The first second is not in the readings: the moves are scaled to their period.
    let moves = waits.len() as f64 * seconds / lasts.as_secs_f64();
    let each = |more: f64| more * 1_000_000.0 / moves;
    println!(
        "{nodes} nodes: {matches} matches, {:.0} moves/s; acknowledged after p50 {:.1} ms, p99 {:.1} ms; processor time a move: nodes {:.0} µs, \
         Postgres {:.0} µs, NATS {:.0} µs; {:.1} rows and {:.0} bytes of log a move",
        moves / seconds,
        quantile(&waits, 0.5),
        quantile(&waits, 0.99),
        each(after.nodes - before.nodes),
        each(after.postgres - before.postgres),
        each(after.nats - before.nats),
        (after.rows - before.rows) / moves,
        (after.wal - before.wal) / moves,
    );
}

#[tokio::main]
async fn main() {
    // Cargo adds `--bench`.
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let matches =
        usize::try_from(numbers.first().copied().unwrap_or(100)).expect("a number of matches");
    let lasts = Duration::from_secs(numbers.get(1).copied().unwrap_or(15));
    for nodes in 1..=3 {
        measure(nodes, matches, lasts).await;
    }
}
