//! This node among the others: its lease and its links.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_store::{NewNode, Store, StoreError};
use mawe_wire::ids::PlayerId;
use mawe_wire::random;
use parking_lot::Mutex;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::task::TaskTracker;

use super::bus::{Bus, BusError, BusOptions, Subscriptions};
use super::jobs;
use super::lease::{LEASE, Lease, RENEW_EVERY};
use super::message::{Downward, PoolRequest, PoolWaiting, ToAll, ToNode, Upward};
use crate::bots::Bots;
use crate::limits::attempts::{LimitUse, Limits};
use crate::live::message::RoomMsg;
use crate::live::rooms::Rooms;
use crate::live::sockets::{ClusterEvent, Sockets};
use crate::meters::Counter;

/// Pause after a renewal that failed, and the time limit for one renewal.
const RENEW_AGAIN: Duration = Duration::from_millis(100);
const RENEW_LIMIT: Duration = Duration::from_millis(800);

/// Interval of the search for matches that no living node owns. Every `OWN_EVERY` searches, matches that this node owns but has not opened
/// are opened too.
const TAKE_UP_EVERY: Duration = Duration::from_millis(500);
const OWN_EVERY: u32 = 10;

/// Interval at which this node tells the others which players are connected here.
const TELL_PLAYERS_EVERY: Duration = Duration::from_secs(5);

/// Maximum number of waiting messages for sockets on other nodes.
const MAX_WAITING: usize = 4_096;

/// Maximum number of messages from the owner that wait. Beyond it a message is lost, and the loss is noticed.
const RELAY_QUEUE: usize = 1_024;

/// Interval of the check for ended sessions: the message that a session has ended may be lost, as while NATS is down.
const CHECK_SESSIONS_EVERY: Duration = Duration::from_secs(60);

/// Pause before the next check when the database did not answer.
const CHECK_SESSIONS_AGAIN: Duration = Duration::from_secs(2);

/// Maximum number of matches that one search returns.
const TAKE_UP_BATCH: u32 = 500;

/// Settings of a node in a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterSettings {
    /// The connection to NATS.
    pub bus: BusOptions,
    /// Id of this node; random if `None`.
    pub node: Option<String>,
}

/// A node cannot join the cluster. The message is one line that names the cause and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// NATS cannot be used.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// Another living node has the same id.
    #[error(
        "another node is called {0:?} and runs; stop it, or give this one another name with --node"
    )]
    Clash(String),
    /// The store failed.
    #[error("the store could not be read: {0}")]
    Store(#[from] StoreError),
}

/// This node as a member of the cluster.
pub struct Cluster {
    /// Name of this process: the id of the node with a random suffix, so it is never used again.
    pub name: String,
    row: NewNode,
    store: Arc<dyn Store>,
    pub(crate) bus: Bus,
    pub(super) lease: Lease,
    pub(super) living: watch::Sender<HashSet<String>>,
    /// Links to matches of other nodes, by link number.
    pub(super) relays: Mutex<HashMap<u64, mpsc::Sender<Downward>>>,
    /// Links of other nodes to matches of this one, by link number.
    pub(super) hosted: Mutex<HashMap<u64, mpsc::Sender<Upward>>>,
    pub(super) hosts: TaskTracker,
    /// Notified when another process has taken this node's id.
    pub replaced: Notify,
    /// Renewals of the lease that failed since the start.
    renewals_failed: Counter,
}

/// The present state of a node among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterFigures {
    /// The names of the living nodes, this one among them.
    pub nodes: Vec<String>,
    /// Whether the lease of this node lasts.
    pub has_lease: bool,
    /// Renewals of the lease that failed since the start.
    pub renewals_failed: u64,
    /// The number of times that the lease has ended since the start.
    pub leases_lost: u64,
    /// Whether NATS is connected.
    pub is_connected: bool,
}

impl Cluster {
    /// Connects to NATS and registers this node in the store. Waits for one lease if a node with the same id is registered.
    ///
    /// # Errors
    /// [`JoinError`].
    pub async fn join(
        options: &ClusterSettings,
        store: &Arc<dyn Store>,
        address: String,
    ) -> Result<(Arc<Cluster>, Subscriptions), JoinError> {
        let id = options.node.clone().unwrap_or_else(|| random::text(8));
        let row = NewNode {
            name: format!("{id}-{}", random::text(8)),
            id,
            address,
        };
        let (bus, subscriptions) = Bus::connect(&options.bus, &row.name).await?;
        let mut asked = Instant::now();
        if !store.join_nodes(&row, LEASE).await? {
            // A node that was killed a moment ago is still registered. Its lease runs out; a running node renews its own.
            tokio::time::sleep(LEASE + RENEW_EVERY).await;
            asked = Instant::now();
            if !store.join_nodes(&row, LEASE).await? {
                return Err(JoinError::Clash(row.id));
            }
        }
        let living = store.living_nodes().await?.into_iter().collect();
        let cluster = Cluster {
            name: row.name.clone(),
            row,
            store: Arc::clone(store),
            bus,
            lease: Lease::granted(asked),
            living: watch::Sender::new(living),
            relays: Mutex::default(),
            hosted: Mutex::default(),
            hosts: TaskTracker::new(),
            replaced: Notify::new(),
            renewals_failed: Counter::default(),
        };
        tracing::info!("this is node {}", cluster.name);
        Ok((Arc::new(cluster), subscriptions))
    }

    /// Returns the present state.
    #[must_use]
    pub fn figures(&self) -> ClusterFigures {
        let mut nodes: Vec<String> = self.living.borrow().iter().cloned().collect();
        nodes.sort_unstable();
        ClusterFigures {
            nodes,
            has_lease: self.lease.is_held(),
            renewals_failed: self.renewals_failed.get(),
            leases_lost: self.lease.generation(),
            is_connected: self.bus.is_there(),
        }
    }

    /// Waits until the node is no longer among the living nodes.
    pub(crate) async fn death_of(&self, node: &str) {
        let mut living = self.living.subscribe();
        // The sender lives as long as `self`.
        let _ = living.wait_for(|living| !living.contains(node)).await;
    }

    /// Renews the lease until the server stops.
    pub async fn keep_lease(self: Arc<Self>, rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
        let stop = until(stopped);
        tokio::pin!(stop);
        let mut pause = RENEW_EVERY;
        loop {
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(pause) => {}
            }
            let asked = Instant::now();
            let renewal = self.store.renew_lease(&self.name, LEASE);
            pause = match tokio::time::timeout(RENEW_LIMIT, renewal).await {
                Ok(Ok(Some(living))) => {
                    self.lease.renewed(asked);
                    self.note_all(living);
                    RENEW_EVERY
                }
                Ok(Ok(None)) => {
                    self.begin_anew(&rooms).await;
                    RENEW_AGAIN
                }
                Ok(Err(_)) | Err(_) => {
                    self.renewals_failed.count();
                    tracing::warn!("the lease of this node could not be renewed; trying again");
                    RENEW_AGAIN
                }
            };
        }
    }

    /// Registers this node again after its lease has ended. Others may have taken every match, so all rooms end and their sockets join
    /// again.
    async fn begin_anew(&self, rooms: &Arc<Rooms>) {
        let asked = Instant::now();
        match self.store.join_nodes(&self.row, LEASE).await {
            Ok(true) => {
                tracing::warn!("the lease of this node had ended; its matches are opened anew");
                self.lease.begun_anew(asked);
                rooms.tell_all(|| RoomMsg::Lapsed);
                self.open_owned(rooms).await;
            }
            Ok(false) => {
                tracing::error!(
                    "another node is called {:?} now; this one stops",
                    self.row.id
                );
                self.replaced.notify_one();
            }
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "this node could not be written down again; trying again"
            ),
        }
    }

    fn note_all(&self, living: Vec<String>) {
        let living: HashSet<String> = living.into_iter().collect();
        self.living.send_if_modified(|known| {
            let differs = *known != living;
            *known = living;
            differs
        });
    }

    /// Opens matches that no living node owns, until the server stops.
    pub async fn take_up(self: Arc<Self>, rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
        let stop = until(stopped);
        tokio::pin!(stop);
        for round in 0u32.. {
            match self.store.orphaned_matches(TAKE_UP_BATCH).await {
                Ok(orphans) => orphans.iter().for_each(|id| rooms.open(id)),
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "matches without an owner could not be read; trying again soon"
                ),
            }
            if round % OWN_EVERY == 0 {
                self.open_owned(&rooms).await;
            }
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(TAKE_UP_EVERY) => {}
            }
        }
    }

    async fn open_owned(&self, rooms: &Arc<Rooms>) {
        // A store that does not answer is reported elsewhere; this is repeated.
        if let Ok(owned) = self.store.matches_owned_by(&self.name).await {
            owned.iter().for_each(|id| rooms.open(id));
        }
    }

    /// The node that pairs: the first of the living nodes by name. Two nodes may differ about it for a moment; even then, a request to be
    /// paired gives one match at most.
    pub(crate) fn pairer(&self) -> String {
        let living = self.living.borrow();
        living.iter().min().unwrap_or(&self.name).clone()
    }

    /// Whether this node pairs.
    pub(crate) fn is_pairer(&self) -> bool {
        self.pairer() == self.name
    }

    /// Sends a pool request to the node that pairs.
    pub(crate) async fn wish(&self, wish: PoolRequest) {
        self.bus.tell(&self.pairer(), &ToNode::Pool(wish)).await;
    }

    /// Tells all other nodes that these players have been seated and wait in no pool.
    pub(crate) async fn tell_seated(&self, players: &[PlayerId]) {
        let players = players.to_vec();
        self.bus.tell_all(&ToAll::Seated { players }).await;
    }

    /// Tells all other nodes how many players wait in the pools of this node, which pairs.
    pub(crate) async fn tell_waiting(&self, pools: Vec<PoolWaiting>) {
        let node = self.name.clone();
        self.bus.tell_all(&ToAll::Waiting { node, pools }).await;
    }

    /// Sends to the other nodes, until the server stops: messages for their sockets, the use of shared limits, and the players connected
    /// here.
    pub fn forward_events(
        self: Arc<Self>,
        sockets: &Arc<Sockets>,
        limits: &Limits,
        stopped: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (sender, waiting) = mpsc::channel(MAX_WAITING);
        let (spender, spent) = mpsc::channel(MAX_WAITING);
        limits.join_others(spender);
        sockets.join_others(sender, random_node_number());
        self.keep_forwarding(Arc::clone(sockets), waiting, spent, stopped)
    }

    async fn keep_forwarding(
        self: Arc<Self>,
        sockets: Arc<Sockets>,
        mut waiting: mpsc::Receiver<ClusterEvent>,
        mut spent: mpsc::Receiver<LimitUse>,
        stopped: watch::Receiver<bool>,
    ) {
        let stop = until(stopped);
        tokio::pin!(stop);
        let mut tick = tokio::time::interval(TELL_PLAYERS_EVERY);
        loop {
            let message = tokio::select! {
                () = &mut stop => return,
                Some(event) = waiting.recv() => match event {
                    ClusterEvent::Tell(player, frame) => ToAll::Tell { player, frame: frame.as_str().to_owned() },
                    ClusterEvent::TellOne(socket, frame) => ToAll::TellOne { socket, frame: frame.as_str().to_owned() },
                    ClusterEvent::EndSession(session) => ToAll::EndSession { session },
                    ClusterEvent::Chat(news) => ToAll::Chat { news },
                    ClusterEvent::EndChat(player) => ToAll::EndChat { player },
                    ClusterEvent::MuteChat { reader, muted } => ToAll::MuteChat { reader, muted },
                },
                Some(spent) = spent.recv() => ToAll::Spent { spent },
                _ = tick.tick() => ToAll::Players {
                    node: self.name.clone(),
                    players: sockets.players().into_iter().collect(),
                },
            };
            self.bus.tell_all(&message).await;
        }
    }

    /// Closes sockets whose session has ended without a message: at an interval, and whenever NATS has come back.
    pub async fn check_sessions(
        self: Arc<Self>,
        sockets: Arc<Sockets>,
        stopped: watch::Receiver<bool>,
    ) {
        let stop = until(stopped);
        tokio::pin!(stop);
        let mut pause = CHECK_SESSIONS_EVERY;
        loop {
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(pause) => {}
                () = self.bus.returned() => {}
            }
            let sessions: Vec<_> = sockets.sessions().into_iter().collect();
            pause = match self.store.ended_sessions(&sessions).await {
                Ok(ended) => {
                    for session in &ended {
                        sockets.end_session_here(session);
                    }
                    CHECK_SESSIONS_EVERY
                }
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "it could not be read which sessions have ended; trying again soon"
                    );
                    CHECK_SESSIONS_AGAIN
                }
            };
        }
    }

    /// Registers a new relay; returns its link number and the receiver for the owner's messages.
    pub(crate) fn open_relay(&self) -> (u64, mpsc::Receiver<Downward>) {
        let (relay, downs) = mpsc::channel(RELAY_QUEUE);
        let link = random::number();
        self.relays.lock().insert(link, relay);
        (link, downs)
    }

    pub(crate) fn forget_relay(&self, link: u64) {
        self.relays.lock().remove(&link);
    }

    pub(crate) fn forget_hosted(&self, link: u64) {
        self.hosted.lock().remove(&link);
    }

    /// Offers the bot jobs of this node to the workers of all nodes until the queue is closed.
    pub fn lend(&self, bots: &Arc<Bots>) -> impl Future<Output = ()> + Send + use<> {
        jobs::lend(Arc::clone(bots), self.bus.clone())
    }

    /// Leaves the cluster after the rooms have ended: releases the matches and tells the other nodes.
    pub async fn leave(&self) {
        if let Err(error) = self.store.leave_nodes(&self.name).await {
            // The matches are released when the lease ends.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the matches of this node could not be released"
            );
            return;
        }
        let node = self.name.clone();
        self.bus.tell_all(&ToAll::Gone { node }).await;
        self.bus.flush().await;
    }
}

/// Returns a random number below 2^31 for the sockets of this node: the upper half of the range belongs to sockets on links.
fn random_node_number() -> u32 {
    let [a, b, c, d, ..] = random::number().to_le_bytes();
    u32::from_le_bytes([a, b, c, d]) >> 1
}

pub(super) async fn until(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
