//! The state of the server.

use super::api::{MatchesStatus, QueuesStatus, SizesStatus, StatusView};
use super::refusal::Refused;
use crate::app::App;
use crate::metrics;

pub(super) async fn status(app: &App) -> Result<StatusView, Refused> {
    let place = app.meters.readings.acquire().await;
    let _place = place.map_err(|_| Refused::Failed("the server stops".to_owned()))?;
    let reading = metrics::read(app).await;
    let (connections, connections_limit) = reading.connections;
    let (slow, cluster) = (&reading.slow, reading.cluster.as_ref());
    let levels = || reading.bots.levels.iter();
    let number = |number: usize| number as u64;
    Ok(StatusView {
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
        nodes: cluster.map_or_else(Vec::new, |cluster| cluster.nodes.clone()),
        nats_connected: cluster.map(|cluster| cluster.is_connected),
        last_backup_at: reading
            .backups
            .last_ms
            .and_then(|at_ms| jiff::Timestamp::from_millisecond(at_ms).ok()),
        backup_every_s: reading.backups.every.map(|every| every.as_secs()),
        backups_failed: reading.backups.failed,
    })
}
