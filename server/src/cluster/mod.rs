//! One node among several: that it lives, who else does, and the way to them.
//!
//! What is right rests on the database alone: the epoch of a match fences an old owner, whatever this module believes. The lease decides
//! who may take a match over, NATS carries asks and frames. See docs/scaling.md.

pub mod bus;
mod host;
mod jobs;
mod lease;
pub mod link;
pub(crate) mod relay;
pub(crate) mod words;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::task::TaskTracker;

use self::bus::{Bus, BusError, BusOptions, Ears};
use self::lease::{LEASE, Lease, RENEW_EVERY};
use self::words::{Downward, PoolWaiting, PoolWish, ToAll, ToNode, Upward};
use crate::bots::Bots;
use crate::http::App;
use crate::ids::{MatchId, PlayerId, random_number, random_text};
use crate::room::mail::RoomMsg;
use crate::rooms::Rooms;
use crate::sockets::{Beyond, Sockets};
use crate::store::{NewNode, Store, StoreError};

/// How soon a renewal that failed is tried again, and how long one may take.
const RENEW_AGAIN: Duration = Duration::from_millis(100);
const RENEW_LIMIT: Duration = Duration::from_millis(800);

/// How often matches are looked for that no living node owns, and after how many times also those that this one owns but does not have
/// open.
const TAKE_UP_EVERY: Duration = Duration::from_millis(500);
const OWN_EVERY: u32 = 10;

/// How often the others are told who is here.
const TELL_PLAYERS_EVERY: Duration = Duration::from_secs(5);

/// How much for sockets elsewhere may wait.
const BEYOND: usize = 4_096;

/// How often sockets here are asked after: that their session has ended may have been said while NATS was away, or was lost.
const CHECK_SESSIONS_EVERY: Duration = Duration::from_secs(60);

/// How soon that is done again where the database did not answer.
const CHECK_SESSIONS_AGAIN: Duration = Duration::from_secs(2);

/// How many are taken up at once.
const TAKE_UP_BATCH: u32 = 500;

/// How the operator wants a node to be one of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterOptions {
    /// The way between nodes.
    pub bus: BusOptions,
    /// What this node is called; drawn at random where nothing is said.
    pub node: Option<String>,
}

/// Why a node cannot be one of several: one line with the thing and the mend.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// NATS.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// Its id.
    #[error(
        "another node is called {0:?} and runs; stop it, or give this one another name with --node"
    )]
    Clash(String),
    /// The store.
    #[error("the store could not be read: {0}")]
    Store(#[from] StoreError),
}

/// This node among the others.
pub struct Cluster {
    /// Of this process, and never used again.
    pub name: String,
    row: NewNode,
    store: Arc<dyn Store>,
    pub(crate) bus: Bus,
    lease: Lease,
    living: watch::Sender<HashSet<String>>,
    /// Links to matches of other nodes, by number.
    relays: Mutex<HashMap<u64, mpsc::Sender<Downward>>>,
    /// Links of other nodes to matches of this one.
    hosted: Mutex<HashMap<u64, mpsc::Sender<Upward>>>,
    hosts: TaskTracker,
    /// Told when another process has taken this node's id.
    pub replaced: Notify,
}

/// What a node hears until it stops.
pub struct Listening(Ears);

impl Cluster {
    /// Joins the others.
    ///
    /// # Errors
    /// [`JoinError`].
    pub async fn join(
        options: &ClusterOptions,
        store: &Arc<dyn Store>,
        address: String,
    ) -> Result<(Arc<Cluster>, Listening), JoinError> {
        let id = options.node.clone().unwrap_or_else(|| random_text(8));
        let row = NewNode {
            name: format!("{id}-{}", random_text(8)),
            id,
            address,
        };
        let (bus, ears) = Bus::connect(&options.bus, &row.name).await?;
        let mut asked = Instant::now();
        if !store.join_nodes(&row, LEASE).await? {
            // One that was killed a moment ago is still written down: its lease ends by itself, that of one that runs does not.
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
        };
        tracing::info!("this is node {}", cluster.name);
        Ok((Arc::new(cluster), Listening(ears)))
    }

    /// Which lease this node has: a room that was opened in an earlier one may have been taken over.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.lease.generation()
    }

    /// Whether the lease certainly lasts.
    #[must_use]
    pub fn lasts(&self, generation: u64) -> bool {
        self.lease.lasts(generation)
    }

    /// Waits until it is known whether the lease still lasts.
    pub async fn settled(&self, generation: u64) -> bool {
        self.lease.settled(generation).await
    }

    /// Waits until a node lives no longer.
    pub(crate) async fn death_of(&self, node: &str) {
        let mut living = self.living.subscribe();
        // The sender lives as long as `self`.
        let _ = living.wait_for(|living| !living.contains(node)).await;
    }

    /// The store says that this node lives, perhaps before it was asked for all.
    pub(crate) fn note_living(&self, node: &str) {
        self.living
            .send_if_modified(|living| living.insert(node.to_owned()));
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
                    tracing::warn!("the lease of this node could not be renewed; trying again");
                    RENEW_AGAIN
                }
            };
        }
    }

    /// The lease has ended: others may have taken every match. All rooms end, and whoever is there joins again.
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
        // A store that does not answer is noticed elsewhere; this comes round again.
        if let Ok(owned) = self.store.matches_owned_by(&self.name).await {
            owned.iter().for_each(|id| rooms.open(id));
        }
    }

    /// The node that pairs: of those that live, the first by name. Two may differ about it for a moment; nobody gets two matches for
    /// one wish all the same.
    pub(crate) fn pairer(&self) -> String {
        let living = self.living.borrow();
        living.iter().min().unwrap_or(&self.name).clone()
    }

    /// Whether this node pairs.
    pub(crate) fn is_pairer(&self) -> bool {
        self.pairer() == self.name
    }

    /// Puts a wish to the node that pairs.
    pub(crate) async fn wish(&self, wish: PoolWish) {
        self.bus.tell(&self.pairer(), &ToNode::Pool(wish)).await;
    }

    /// These play, and wait in no pool.
    pub(crate) async fn tell_seated(&self, players: &[PlayerId]) {
        let players = players.to_vec();
        self.bus.tell_all(&ToAll::Seated { players }).await;
    }

    /// This node pairs, and so many wait.
    pub(crate) async fn tell_waiting(&self, pools: Vec<PoolWaiting>) {
        let node = self.name.clone();
        self.bus.tell_all(&ToAll::Waiting { node, pools }).await;
    }

    /// Tells the other nodes what is for their sockets, what was spent here, and who is here, until the server stops.
    pub fn tell_beyond(
        self: Arc<Self>,
        app: &App,
        stopped: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (sender, waiting) = mpsc::channel(BEYOND);
        app.limits.join_others(sender.clone());
        app.sockets.join_others(sender, random_node_number());
        self.keep_telling(Arc::clone(&app.sockets), waiting, stopped)
    }

    async fn keep_telling(
        self: Arc<Self>,
        sockets: Arc<Sockets>,
        mut waiting: mpsc::Receiver<Beyond>,
        stopped: watch::Receiver<bool>,
    ) {
        let stop = until(stopped);
        tokio::pin!(stop);
        let mut tick = tokio::time::interval(TELL_PLAYERS_EVERY);
        loop {
            let message = tokio::select! {
                () = &mut stop => return,
                Some(beyond) = waiting.recv() => match beyond {
                    Beyond::Tell(player, frame) => ToAll::Tell { player, frame: frame.as_str().to_owned() },
                    Beyond::TellOne(socket, frame) => ToAll::TellOne { socket, frame: frame.as_str().to_owned() },
                    Beyond::EndSession(session) => ToAll::EndSession { session },
                    Beyond::Spent(spent) => ToAll::Spent { spent },
                },
                _ = tick.tick() => ToAll::Players {
                    node: self.name.clone(),
                    players: sockets.players().into_iter().collect(),
                },
            };
            self.bus.tell_all(&message).await;
        }
    }

    /// Hears what other nodes say, until the server stops.
    pub async fn listen(
        self: Arc<Self>,
        app: App,
        Listening(mut ears): Listening,
        stopped: watch::Receiver<bool>,
    ) {
        let rooms = &app.rooms;
        let stop = until(stopped);
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(message) = ears.node.next() => match serde_json::from_slice(&message.payload) {
                    Ok(ToNode::Pool(wish)) => {
                        let app = Arc::clone(&app);
                        self.hosts.spawn(async move { app.lobby.take_wish(wish).await });
                    }
                    Ok(message) => self.heed(rooms, message).await,
                    Err(error) => tracing::warn!(%error, "a message on NATS is none of ours"),
                },
                Some(message) = ears.all.next() => match serde_json::from_slice(&message.payload) {
                    Ok(message) => self.heed_all(&app, message),
                    Err(error) => tracing::warn!(%error, "a message on NATS is none of ours"),
                },
            }
        }
        lock(&self.hosted).clear();
        self.hosts.close();
        self.hosts.wait().await;
    }

    /// Never waits for a room: what does not fit is lost, and missed.
    async fn heed(self: &Arc<Self>, rooms: &Arc<Rooms>, message: ToNode) {
        match message {
            ToNode::Up(up) if up.n == 0 => {
                let (asks, queue) = mpsc::channel(host::QUEUE);
                lock(&self.hosted).insert(up.link, asks);
                let (rooms, cluster) = (Arc::clone(rooms), Arc::clone(self));
                self.hosts.spawn(host::serve(rooms, cluster, up, queue));
            }
            ToNode::Up(up) => {
                let link = up.link;
                let node = up.node.clone();
                let taken = {
                    let mut hosted = lock(&self.hosted);
                    let taken = hosted
                        .get(&link)
                        .is_some_and(|asks| asks.try_send(up).is_ok());
                    if !taken {
                        hosted.remove(&link);
                    }
                    taken
                };
                if !taken {
                    self.bus.tell(&node, &ToNode::Broken { link }).await;
                }
            }
            ToNode::Down(down) => {
                let mut relays = lock(&self.relays);
                let link = down.link;
                let full = relays
                    .get(&link)
                    .is_some_and(|relay| relay.try_send(down).is_err());
                if full {
                    relays.remove(&link);
                }
            }
            // They are put to the lobby.
            ToNode::Pool(_) => {}
            ToNode::Broken { link } => {
                // Without its way in, the relay ends.
                lock(&self.relays).remove(&link);
            }
        }
    }

    /// Closes sockets whose session has ended without a word of it: now and then, and whenever NATS has come back.
    pub async fn check_sessions(self: Arc<Self>, app: App, stopped: watch::Receiver<bool>) {
        let stop = until(stopped);
        tokio::pin!(stop);
        let mut pause = CHECK_SESSIONS_EVERY;
        loop {
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(pause) => {}
                () = self.bus.returned() => {}
            }
            let sessions: Vec<_> = app.sockets.sessions().into_iter().collect();
            pause = match self.store.ended_sessions(&sessions).await {
                Ok(ended) => {
                    for session in &ended {
                        app.sockets.end_session_here(session);
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

    fn heed_all(&self, app: &App, message: ToAll) {
        let (rooms, sockets) = (&app.rooms, &app.sockets);
        match message {
            ToAll::Gone { node } => {
                self.living.send_if_modified(|living| living.remove(&node));
            }
            ToAll::Refresh { match_id } => rooms.nudge(&match_id, RoomMsg::Refresh),
            ToAll::Counted { match_id } => rooms.nudge(&match_id, RoomMsg::Counted),
            ToAll::Tell { player, frame } => sockets.tell_here(&player, &frame.into()),
            ToAll::TellOne { socket, frame } => sockets.tell_one_here(socket, &frame.into()),
            ToAll::EndSession { session } => sockets.end_session_here(&session),
            ToAll::Spent { spent } => app.limits.note(&spent),
            ToAll::Players { node, players } => sockets.note_elsewhere(node, players),
            ToAll::Seated { players } => app.lobby.forget_seated(&players),
            // What one says that no longer pairs, or does not yet, is passed over.
            ToAll::Waiting { node, pools } if node == self.pairer() => {
                app.lobby.note_waiting(pools);
            }
            ToAll::Waiting { .. } => {}
        }
    }

    /// A way for what the owner of a match says, and its number.
    pub(crate) fn open_relay(&self) -> (u64, mpsc::Receiver<Downward>) {
        let (relay, downs) = mpsc::channel(relay::QUEUE);
        let link = random_number();
        lock(&self.relays).insert(link, relay);
        (link, downs)
    }

    pub(crate) fn forget_relay(&self, link: u64) {
        lock(&self.relays).remove(&link);
    }

    pub(crate) fn forget_hosted(&self, link: u64) {
        lock(&self.hosted).remove(&link);
    }

    /// What the row of a match says has changed: whoever has its room open shows it anew.
    pub(crate) async fn tell_refresh(&self, id: &MatchId) {
        let match_id = id.clone();
        self.bus.tell_all(&ToAll::Refresh { match_id }).await;
    }

    /// A match was counted.
    pub(crate) async fn tell_counted(&self, id: &MatchId) {
        let match_id = id.clone();
        self.bus.tell_all(&ToAll::Counted { match_id }).await;
    }

    /// Puts what bots are asked here to the workers of all nodes, until the queue is closed.
    pub fn lend(&self, bots: &Arc<Bots>) -> impl Future<Output = ()> + Send + use<> {
        jobs::lend(Arc::clone(bots), self.bus.clone())
    }

    /// Leaves, once the rooms have ended: the matches are free, and the others know at once.
    pub async fn leave(&self) {
        if let Err(error) = self.store.leave_nodes(&self.name).await {
            // They are free when the lease ends.
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

/// Where the numbers of this node's sockets begin: half of 2^32, since the other half is for those that links number.
fn random_node_number() -> u32 {
    let [a, b, c, d, ..] = random_number().to_le_bytes();
    u32::from_le_bytes([a, b, c, d]) >> 1
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // An error means that the server is gone: that is a stop too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing between lock and unlock leaves it half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
