//! The open sockets of this node, by player: whom to tell of something that belongs to no room.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use tokio_util::task::TaskTracker;

use crate::ids::PlayerId;
use crate::outbox::{Farewell, Outbox};
use crate::sessions::TokenHash;

/// How many sockets one player may have open: tabs and devices, not a way to exhaust the server.
const MAX_PER_PLAYER: usize = 32;

/// How many sessions that were ended are remembered: who had shown one just before finds its socket closed all the same.
const ENDED: usize = 1_000;

/// How long closing sockets get to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// The open sockets.
#[derive(Debug, Default)]
pub struct Sockets {
    next: AtomicU64,
    open: Mutex<HashMap<u64, Open>>,
    by_player: Mutex<HashMap<PlayerId, Vec<u64>>>,
    /// The sessions that were ended of late.
    ended: Mutex<VecDeque<TokenHash>>,
    /// The tasks that serve them.
    pub tasks: TaskTracker,
}

#[derive(Debug)]
struct Open {
    outbox: Arc<Outbox>,
    session: Option<TokenHash>,
}

/// Whose socket it is.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The player.
    pub player: PlayerId,
    /// The session, or token, that it was opened with.
    pub session: TokenHash,
}

impl Sockets {
    /// Registers a socket and numbers it; `None` when its player has too many.
    pub fn add(&self, owner: Option<&Owner>, outbox: &Arc<Outbox>) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(owner) = owner {
            let mut by_player = lock(&self.by_player);
            let numbers = by_player.entry(owner.player.clone()).or_default();
            if numbers.len() >= MAX_PER_PLAYER {
                return None;
            }
            numbers.push(number);
        }
        let open = Open {
            outbox: Arc::clone(outbox),
            session: owner.map(|owner| owner.session),
        };
        lock(&self.open).insert(number, open);
        if owner.is_some_and(|owner| lock(&self.ended).contains(&owner.session)) {
            outbox.close(Farewell::LoggedOut);
        }
        Some(number)
    }

    /// Forgets a socket.
    pub fn remove(&self, number: u64, owner: Option<&Owner>) {
        lock(&self.open).remove(&number);
        if let Some(owner) = owner {
            let mut by_player = lock(&self.by_player);
            if let Some(numbers) = by_player.get_mut(&owner.player) {
                numbers.retain(|other| *other != number);
                if numbers.is_empty() {
                    by_player.remove(&owner.player);
                }
            }
        }
    }

    /// Sends a frame to every socket of a player.
    pub fn tell(&self, player: &PlayerId, frame: &Utf8Bytes) {
        let numbers = lock(&self.by_player)
            .get(player)
            .cloned()
            .unwrap_or_default();
        let open = lock(&self.open);
        for open in numbers.iter().filter_map(|number| open.get(number)) {
            open.outbox.push(frame.clone());
        }
    }

    /// Sends a frame to one socket, if it is still open.
    pub fn tell_one(&self, number: u64, frame: &Utf8Bytes) {
        if let Some(open) = lock(&self.open).get(&number) {
            open.outbox.push(frame.clone());
        }
    }

    /// Whether a player has a socket open.
    #[must_use]
    pub fn is_here(&self, player: &PlayerId) -> bool {
        lock(&self.by_player).contains_key(player)
    }

    /// Closes the sockets of a session that was ended, or of a token that was revoked.
    pub fn end_session(&self, session: &TokenHash) {
        {
            // First this, then the open ones; who opens a socket does the same the other way round, so that none slips through.
            let mut ended = lock(&self.ended);
            if ended.len() >= ENDED {
                ended.pop_front();
            }
            ended.push_back(*session);
        }
        for open in lock(&self.open)
            .values()
            .filter(|open| open.session.as_ref() == Some(session))
        {
            open.outbox.close(Farewell::LoggedOut);
        }
    }

    /// Closes all, and waits a little for their goodbyes.
    pub async fn stop(&self) {
        for open in lock(&self.open).values() {
            open.outbox.close(Farewell::Restarting);
        }
        self.tasks.close();
        // Whoever has not said goodbye by now has no line to say it on.
        let _ = tokio::time::timeout(GOODBYE, self.tasks.wait()).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
