//! All rooms of this node, by match: opened on first touch, gone when nobody needs them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio::sync::{Notify, Semaphore, mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

use crate::bots::{BotAnswer, BotNews, Bots};
use crate::cluster::Cluster;
use crate::ids::{MatchId, PlayerId};
use crate::journal::Journal;
use crate::protocol::MatchView;
use crate::push::Push;
use crate::room::actor::{self, MAILBOX};
use crate::room::mail::RoomMsg;
use crate::room::words::{Closing, Refusal};
use crate::run_time::RunTime;
use crate::store::{Claim, Store, StoreError};

/// How often a message is handed to a room that is just leaving before it is given up: the next attempt opens a new one.
const ATTEMPTS: usize = 8;

/// How long a stop waits for rooms whose store does not answer.
const END_WITHIN: Duration = Duration::from_secs(3);

/// Where a match is on another node: how often, and with which pause, it is asked again how the match stands.
const VIEW_ATTEMPTS: usize = 20;
const VIEW_AGAIN: Duration = Duration::from_millis(150);

/// What the operator has set about rooms.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How far behind the spectators of a rated match are.
    pub spectator_delay: Duration,
    /// How long a room that nobody is in stays in memory, where it may leave at all.
    pub linger: Duration,
}

/// The rooms of a node, and what they all need.
pub struct Rooms {
    /// What is remembered.
    pub store: Arc<dyn Store>,
    /// The way into the journal.
    pub journal: Journal,
    /// Whom to ask for a bot's move.
    pub bots: Arc<Bots>,
    /// This node's name in the store.
    pub owner: String,
    /// What the operator has set.
    pub settings: Settings,
    /// Told when a match has ended.
    pub matches_owed: Notify,
    /// One permit: for who counts a match on this node, or needs that nobody does.
    pub counting: Semaphore,
    /// The time that clocks go by.
    pub run_time: Arc<RunTime>,
    /// The other nodes, where there are any; set before the first room is opened.
    pub cluster: OnceLock<Arc<Cluster>>,
    /// The way to call players who are not there, where the operator wants that; set before the first room is opened.
    pub push: OnceLock<Push>,
    /// Matches of other nodes that sockets here follow.
    relayed: Mutex<HashSet<MatchId>>,
    stopping: AtomicBool,
    mailboxes: Mutex<HashMap<MatchId, mpsc::Sender<RoomMsg>>>,
    tasks: TaskTracker,
}

impl Rooms {
    /// No rooms yet.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        journal: Journal,
        bots: Arc<Bots>,
        owner: String,
        settings: Settings,
    ) -> Arc<Rooms> {
        Arc::new(Rooms {
            store,
            journal,
            bots,
            owner,
            settings,
            matches_owed: Notify::new(),
            counting: Semaphore::new(1),
            run_time: Arc::new(RunTime::start()),
            cluster: OnceLock::new(),
            push: OnceLock::new(),
            relayed: Mutex::default(),
            stopping: AtomicBool::new(false),
            mailboxes: Mutex::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// Opens the rooms of all matches whose clocks run by the second: they run on, and bots whose turn it is are asked again.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn open_live(self: &Arc<Self>) -> Result<usize, StoreError> {
        let ids = self.store.live_match_ids().await?;
        for id in &ids {
            self.open(id);
        }
        Ok(ids.len())
    }

    /// Makes sure that a match has its room.
    pub fn open(self: &Arc<Self>, id: &MatchId) {
        if self.is_draining() {
            return;
        }
        let _mailbox = self.mailbox(id);
    }

    /// Takes a match, where no other node that lives has it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn claim(&self, id: &MatchId) -> Result<Option<Claim>, StoreError> {
        match self.cluster.get() {
            Some(cluster) => self.store.claim_free_match(id, &cluster.name).await,
            None => {
                let claimed = self.store.claim_match(id, &self.owner).await?;
                Ok(claimed.map(Box::new).map(Claim::Taken))
            }
        }
    }

    /// Gives a room a message; opens the room where there is none. Waits while its mailbox is full.
    pub async fn send(self: &Arc<Self>, id: &MatchId, msg: RoomMsg) {
        let mut msg = msg;
        for _ in 0..ATTEMPTS {
            if self.is_draining() {
                // Whoever waits for an answer is told to come back, and asks the next owner.
                return;
            }
            match self.mailbox(id).send(msg).await {
                Ok(()) => return,
                // The room has just left: the next attempt finds a new one.
                Err(mpsc::error::SendError(back)) => msg = back,
            }
            tokio::task::yield_now().await;
        }
        tracing::error!(game.match_id = %id, "a room could not be reached");
    }

    /// Tells a room, if there is one.
    pub async fn send_if_open(&self, id: &MatchId, msg: RoomMsg) {
        let mailbox = self.lock().get(id).cloned();
        if let Some(mailbox) = mailbox {
            // A room that has just left needs no telling.
            let _ = mailbox.send(msg).await;
        }
    }

    /// The same from within: without waiting, so that nobody who tells many is kept by one.
    pub(crate) fn nudge(&self, id: &MatchId, msg: RoomMsg) {
        if let Some(mailbox) = self.lock().get(id) {
            // A room that has much to do reads its row another time.
            let _ = mailbox.try_send(msg);
        }
    }

    /// Tells all rooms.
    pub(crate) fn tell_all(&self, msg: impl Fn() -> RoomMsg) {
        let mailboxes: Vec<_> = self.lock().values().cloned().collect();
        for mailbox in mailboxes {
            // One whose mailbox is full takes a message soon, and finds out then.
            let _ = mailbox.try_send(msg());
        }
    }

    /// Gives a room a message from a node that takes this one for the owner; `false` where it certainly is not.
    pub(crate) async fn send_hosted(self: &Arc<Self>, id: &MatchId, msg: RoomMsg) -> bool {
        if self.is_stopping() || lock(&self.relayed).contains(id) {
            return false;
        }
        self.send(id, msg).await;
        true
    }

    /// Notes whether the match is another node's.
    pub(crate) fn relays(&self, id: &MatchId, relays: bool) {
        let mut relayed = lock(&self.relayed);
        if relays {
            relayed.insert(id.clone());
        } else {
            relayed.remove(id);
        }
    }

    /// A match as its room shows it to a player, or to an anonymous visitor; `None` if there is no such match.
    pub async fn view(
        self: &Arc<Self>,
        id: &MatchId,
        player: Option<PlayerId>,
    ) -> Option<MatchView> {
        for _ in 0..VIEW_ATTEMPTS {
            let (reply, answer) = oneshot::channel();
            let player = player.clone();
            self.send(id, RoomMsg::View { player, reply }).await;
            let view = answer.await.ok().flatten();
            // Between nodes an answer may be lost, and a match be without an owner for a moment.
            let is_lost = view.is_none()
                && self.cluster.get().is_some()
                && !self.is_stopping()
                && matches!(self.store.find_match(id).await, Ok(Some(_)));
            if !is_lost {
                return view;
            }
            tokio::time::sleep(VIEW_AGAIN).await;
        }
        None
    }

    /// Ends a match, as the operator wants it; `None` where it cannot be said whether it has ended: asking again is right.
    pub async fn close(
        self: &Arc<Self>,
        id: &MatchId,
        closing: Closing,
    ) -> Option<Result<(), Refusal>> {
        let (done, answer) = oneshot::channel();
        self.send(id, RoomMsg::Close { closing, done }).await;
        answer.await.ok()
    }

    /// Hands the news of bots to their rooms, answers at a human pace, until the server stops.
    pub async fn deliver_bot_news(
        self: Arc<Self>,
        mut news: mpsc::UnboundedReceiver<BotNews>,
        mut stopped: watch::Receiver<bool>,
    ) {
        loop {
            let told = tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => return,
                told = news.recv() => told,
            };
            let rooms = Arc::clone(&self);
            let answer = match told {
                None => return,
                Some(BotNews::Answer(answer)) => answer,
                Some(BotNews::Away { match_id, side }) => {
                    self.tasks.spawn(async move {
                        rooms
                            .send_if_open(&match_id, RoomMsg::BotAway { side })
                            .await;
                    });
                    continue;
                }
            };
            self.tasks.spawn(async move {
                tokio::time::sleep_until(answer.not_before.into()).await;
                if !rooms.is_stopping() {
                    let BotAnswer {
                        match_id,
                        side,
                        ply,
                        seq,
                        reply,
                        ..
                    } = answer;
                    let msg = RoomMsg::Bot {
                        side,
                        ply,
                        seq,
                        reply,
                    };
                    rooms.send(&match_id, msg).await;
                }
            });
        }
    }

    /// A match has ended: it is to be counted.
    pub fn count_matches(&self) {
        self.matches_owed.notify_one();
    }

    /// How many matches are in memory.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.lock().len()
    }

    /// Whether the server stops.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Whether nobody is to open a room any more: the matches go to other nodes.
    fn is_draining(&self) -> bool {
        self.is_stopping() && self.cluster.get().is_some()
    }

    /// Ends all rooms; what they were appending is done or refused when this returns, unless the store is away: then nobody is told of it, and
    /// whoever takes the match next finds out.
    pub async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        let ending = async {
            let mailboxes: Vec<_> = self.lock().values().cloned().collect();
            // At once: one that is slow to hear keeps nobody. One that has left needs no stopping.
            join_all(mailboxes.iter().map(|mailbox| mailbox.send(RoomMsg::Stop))).await;
            self.tasks.close();
            self.tasks.wait().await;
        };
        if tokio::time::timeout(END_WITHIN, ending).await.is_err() {
            let left = self.tasks.len();
            tracing::warn!(
                "{left} rooms still wait for the store; stopping all the same, nothing acknowledged is lost"
            );
        }
    }

    /// A room leaves: what was still put into its mailbox goes to its successor.
    pub(crate) async fn forget(
        self: &Arc<Self>,
        id: &MatchId,
        deferred: VecDeque<RoomMsg>,
        mut mailbox: mpsc::Receiver<RoomMsg>,
    ) {
        self.lock().remove(id);
        mailbox.close();
        for msg in deferred {
            if !self.is_stopping() {
                Box::pin(self.send(id, msg)).await;
            }
        }
        while let Some(msg) = mailbox.recv().await {
            if !self.is_stopping() {
                Box::pin(self.send(id, msg)).await;
            }
        }
    }

    fn mailbox(self: &Arc<Self>, id: &MatchId) -> mpsc::Sender<RoomMsg> {
        let mut mailboxes = self.lock();
        if let Some(mailbox) = mailboxes.get(id) {
            return mailbox.clone();
        }
        let (sender, receiver) = mpsc::channel(MAILBOX);
        mailboxes.insert(id.clone(), sender.clone());
        drop(mailboxes);
        let (rooms, id) = (Arc::clone(self), id.clone());
        self.tasks.spawn(async move {
            let room = AssertUnwindSafe(actor::run(Arc::clone(&rooms), id.clone(), receiver));
            if room.catch_unwind().await.is_err() {
                // Its state is lost, its journal is not: the next message opens it anew.
                tracing::error!(game.match_id = %id, "a room panicked");
                rooms.lock().remove(&id);
            }
        });
        sender
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MatchId, mpsc::Sender<RoomMsg>>> {
        lock(&self.mailboxes)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
