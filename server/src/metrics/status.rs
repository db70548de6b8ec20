//! The state of a server in a few numbers, for `mawe status` and for the operator's page.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::reading::Reading;
use crate::app::App;

/// The state of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatusView {
    /// The version of the program.
    pub version: String,
    /// The kind of the database: `sqlite` or `postgres`.
    pub database: String,
    /// Whether the store can be written to.
    pub ready: bool,
    /// The seconds since the start.
    pub uptime_s: u64,
    /// Players with a socket on any node.
    pub players: u64,
    /// Guests with a socket on this node.
    pub guests: u64,
    /// Open sockets and streams.
    pub sockets: u64,
    /// Open connections.
    pub connections: u64,
    /// The greatest number of connections.
    pub connections_limit: u64,
    /// The matches.
    pub matches: MatchesStatus,
    /// The work that waits.
    pub queues: QueuesStatus,
    /// The sizes in bytes.
    pub sizes: SizesStatus,
    /// The name of this node; absent on a single node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The names of the living nodes; empty on a single node.
    pub nodes: Vec<String>,
    /// Whether NATS is connected; absent on a single node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nats_connected: Option<bool>,
    /// The time of the last backup that is known.
    pub last_backup_at: Option<jiff::Timestamp>,
    /// The interval of the timetable of backups in seconds; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup_every_s: Option<u64>,
    /// The backups on the timetable that failed since the start.
    #[serde(default)]
    pub backups_failed: u64,
}

/// The matches of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchesStatus {
    /// Running matches in the store; `None` if it did not answer.
    pub running: Option<u64>,
    /// Those of them that are realtime.
    pub realtime: Option<u64>,
    /// Matches in the memory of this node.
    pub open: u64,
}

/// The work that waits on a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuesStatus {
    /// Appends that wait for the journal's writer.
    pub journal: u64,
    /// Password hashes that wait.
    pub passwords: u64,
    /// The number of players waiting in pools.
    pub pools: u64,
    /// Jobs of computer opponents that wait for a worker.
    pub bots: u64,
    /// Jobs of computer opponents that a worker has.
    pub bots_running: u64,
    /// Calls that wait for the sender of push messages.
    pub push: u64,
}

/// The sizes of a server's data in bytes; absent if unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SizesStatus {
    /// The database.
    pub database: Option<u64>,
    /// The write-ahead log of the embedded database.
    pub wal: Option<u64>,
    /// The free space on its disk.
    pub disk_free: Option<u64>,
    /// The disk.
    pub disk: Option<u64>,
}

/// Returns the state of the server, by a reading of its numbers.
pub async fn status(app: &App, reading: &Reading) -> StatusView {
    let services = &app.rooms.services;
    let (connections, connections_limit) = reading.connections;
    let (slow, cluster) = (&reading.slow, reading.cluster.as_ref());
    let levels = || reading.bots.levels.iter();
    let number = |number: usize| number as u64;
    StatusView {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        database: slow.store.backend.to_owned(),
        ready: app.readiness.check().await.is_ok(),
        uptime_s: reading.uptime.as_secs(),
        players: number(reading.players),
        guests: number(reading.guests),
        sockets: number(reading.sockets),
        connections: number(connections),
        connections_limit: number(connections_limit),
        matches: MatchesStatus {
            running: slow.running.map(u64::from),
            realtime: slow.realtime.map(u64::from),
            open: number(reading.rooms),
        },
        queues: QueuesStatus {
            journal: number(reading.appends_waiting),
            passwords: number(reading.passwords.waiting),
            pools: reading
                .pools
                .iter()
                .map(|pool| u64::from(pool.waiting))
                .sum(),
            bots: number(levels().map(|level| level.waiting).sum()),
            bots_running: number(levels().map(|level| level.running).sum()),
            push: number(reading.push_waiting.unwrap_or_default()),
        },
        sizes: SizesStatus {
            database: slow.database_bytes,
            wal: slow.store.wal_bytes,
            disk_free: slow.store.disk.map(|disk| disk.free),
            disk: slow.store.disk.map(|disk| disk.size),
        },
        node: services
            .remote
            .as_ref()
            .map(|remote| remote.node().to_owned()),
        nodes: cluster.map_or_else(Vec::new, |cluster| cluster.nodes.clone()),
        nats_connected: cluster.map(|cluster| cluster.is_connected),
        last_backup_at: reading
            .backups
            .last_ms
            .and_then(|at_ms| jiff::Timestamp::from_millisecond(at_ms).ok()),
        backup_every_s: reading.backups.every.map(|every| every.as_secs()),
        backups_failed: reading.backups.failed,
    }
}
