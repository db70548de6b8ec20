//! All numbers of a node at one moment.

use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use super::allocator::{self, AllocatorFigures};
use super::process;
use crate::app::App;
use crate::bots::BotFigures;
use crate::cluster::ClusterFigures;
use crate::identity::passwords::PasswordFigures;
use crate::lobby::PoolFigures;
use crate::meters::node::{BackupFigures, SlowFigures};

/// The time for which the numbers that cost something are kept, however many readings there are.
const SLOW_EVERY: Duration = Duration::from_secs(5);

/// The time limit of the queries: a reading has its other numbers also while the store does not answer.
const QUERY_LIMIT: Duration = Duration::from_secs(2);

/// All numbers of a node at one moment, but for those that the parts count by themselves.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The time since the start.
    pub uptime: Duration,
    /// Open connections, and their limit.
    pub connections: (usize, usize),
    /// Open sockets and streams.
    pub sockets: usize,
    /// Players with a socket on any node.
    pub players: usize,
    /// Guests with a socket on this node.
    pub guests: usize,
    /// Rooms in memory.
    pub rooms: usize,
    /// Matches on other nodes that sockets here follow.
    pub relayed: usize,
    /// Appends that wait for the journal's writer.
    pub appends_waiting: usize,
    /// The password hashes.
    pub passwords: PasswordFigures,
    /// The pools.
    pub pools: Vec<PoolFigures>,
    /// The jobs of the computer opponents.
    pub bots: BotFigures,
    /// Calls that wait for the sender of push messages; `None` if there are none.
    pub push_waiting: Option<usize>,
    /// Mails that wait for the mail server; `None` where mail is off.
    pub mail_waiting: Option<usize>,
    /// The state among other nodes; `None` on a single node.
    pub cluster: Option<ClusterFigures>,
    /// Tasks of the runtime.
    pub tasks: usize,
    /// The memory of the allocator.
    pub allocator: Option<AllocatorFigures>,
    /// The backups.
    pub backups: BackupFigures,
    /// The numbers that cost a query or a call of the system, at most five seconds old.
    pub slow: SlowFigures,
}

/// Reads all numbers.
pub async fn read(app: &App) -> Reading {
    let slow = slow(app).await;
    let services = &app.rooms.services;
    let admission = app.sockets.admission();
    Reading {
        uptime: app.meters.began.elapsed(),
        connections: (admission.open(), admission.connections()),
        sockets: app.sockets.open_count(),
        players: app.sockets.player_count(),
        guests: app.sockets.guest_count(),
        rooms: app.rooms.open_count(),
        relayed: services.relayed_count(),
        appends_waiting: services.journal.waiting(),
        passwords: app.passwords.figures(),
        pools: app.lobby.figures(),
        bots: services.bots.figures(),
        push_waiting: services.push.as_ref().map(crate::push::Push::waiting),
        mail_waiting: app.mail.as_ref().map(crate::mail::Mailer::waiting),
        cluster: app.lobby.node().map(|cluster| cluster.figures()),
        tasks: Handle::current().metrics().num_alive_tasks(),
        allocator: allocator::read(),
        backups: app.meters.backups.figures(),
        slow,
    }
}

/// Returns the numbers that cost something. The lock is held while they are read, so that all waiting callers share them.
async fn slow(app: &App) -> SlowFigures {
    let mut kept = app.meters.slow.lock().await;
    if let Some((at, figures)) = &*kept
        && at.elapsed() < SLOW_EVERY
    {
        return figures.clone();
    }
    let store = &app.store;
    let counts = async {
        tokio::join!(
            store.count_running_matches(),
            store.count_live_matches(),
            store.database_bytes(),
        )
    };
    let of_system = {
        let store = store.clone();
        tokio::task::spawn_blocking(move || (store.figures(), process::read()))
    };
    let (counts, of_system) = tokio::join!(
        tokio::time::timeout(QUERY_LIMIT, counts),
        tokio::time::timeout(QUERY_LIMIT, of_system),
    );
    // A disk that hangs holds a thread, and not the reading.
    let (store, process) = of_system.ok().and_then(Result::ok).unwrap_or_default();
    let (running, realtime, database_bytes) = match counts {
        Ok((running, realtime, bytes)) => (running.ok(), realtime.ok(), bytes.ok()),
        Err(_) => (None, None, None),
    };
    let figures = SlowFigures {
        store,
        running,
        realtime,
        database_bytes,
        process,
    };
    *kept = Some((Instant::now(), figures.clone()));
    figures
}
