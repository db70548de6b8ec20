//! The services that all rooms of a node share.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mawe_store::{Claim, Store, StoreError};
use mawe_wire::ids::MatchId;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

use crate::bots::Bots;
use crate::live::journal::Journal;
use crate::live::notices::NoticeQueue;
use crate::live::remote::RemoteMatches;
use crate::live::run_time::RunTime;
use crate::meters::{Counter, DURATIONS, Histogram};
use crate::push::Push;

/// The operator's settings for rooms.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The delay of events for the spectators of a rated match.
    pub spectator_delay: Duration,
    /// The time that a room without sockets stays in memory, if it may end at all.
    pub linger: Duration,
    /// The time for which an offer of a rematch stands.
    pub rematch_offer: Duration,
}

/// The moves of this node since the start.
#[derive(Debug)]
pub struct MoveMeters {
    /// Moves that are durable, of players and computer opponents.
    pub made: Counter,
    /// The times of players' moves from the server's reading to the acknowledgement in the queue of the socket.
    pub seconds: Histogram,
}

/// The services that all rooms of a node share.
pub struct Services {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The sender to the journal's writer.
    pub journal: Journal,
    /// The service that gets moves from bots.
    pub bots: Arc<Bots>,
    /// This node's name in the store.
    pub owner: String,
    /// The operator's settings.
    pub settings: Settings,
    /// Notified when a match has ended.
    pub uncounted: Notify,
    /// One permit, held while a match is counted on this node, or while nothing may be counted.
    pub counting: Semaphore,
    /// The running time, by which clocks are computed.
    pub run_time: Arc<RunTime>,
    /// The matches of other nodes, if there are any.
    pub remote: Option<Arc<dyn RemoteMatches>>,
    /// The sender of push messages, if the operator has enabled them.
    pub push: Option<Push>,
    /// The queue of notices to players.
    pub notices: NoticeQueue,
    /// The moves since the start.
    pub moves: MoveMeters,
    /// The matches on other nodes that sockets here follow.
    relayed: Mutex<HashSet<MatchId>>,
    stopping: AtomicBool,
}

impl Services {
    /// Puts the services together.
    #[must_use]
    #[expect(clippy::too_many_arguments, reason = "each is a service of its own")]
    pub fn new(
        store: Arc<dyn Store>,
        journal: Journal,
        bots: Arc<Bots>,
        owner: String,
        settings: Settings,
        remote: Option<Arc<dyn RemoteMatches>>,
        push: Option<Push>,
        notices: NoticeQueue,
    ) -> Services {
        Services {
            store,
            journal,
            bots,
            owner,
            settings,
            uncounted: Notify::new(),
            counting: Semaphore::new(1),
            run_time: Arc::new(RunTime::start()),
            remote,
            push,
            notices,
            moves: MoveMeters {
                made: Counter::default(),
                seconds: Histogram::new(DURATIONS),
            },
            relayed: Mutex::default(),
            stopping: AtomicBool::new(false),
        }
    }

    /// Claims a match, unless another live node owns it.
    ///
    /// # Errors
    /// [`StoreError`] if the store does not answer.
    pub(crate) async fn claim(&self, id: &MatchId) -> Result<Option<Claim>, StoreError> {
        match &self.remote {
            Some(remote) => self.store.claim_free_match(id, remote.node()).await,
            None => {
                let claimed = self.store.claim_match(id, &self.owner).await?;
                Ok(claimed.map(Box::new).map(Claim::Taken))
            }
        }
    }

    /// Stores whether the match is relayed to another node.
    pub(crate) fn relays(&self, id: &MatchId, relays: bool) {
        let mut relayed = self.relayed.lock();
        if relays {
            relayed.insert(id.clone());
        } else {
            relayed.remove(id);
        }
    }

    /// Returns the number of matches on other nodes that sockets here follow.
    pub(crate) fn relayed_count(&self) -> usize {
        self.relayed.lock().len()
    }

    /// Whether another node owns the match.
    pub(crate) fn is_relayed(&self, id: &MatchId) -> bool {
        self.relayed.lock().contains(id)
    }

    /// Wakes the task that counts matches, after the end of a match.
    pub fn count_matches(&self) {
        self.uncounted.notify_one();
    }

    /// Whether the server is stopping.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Notes that the server is stopping.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}
