//! The watchers of events: sockets and streams that get the state of an event when it changes.
//!
//! One task reads the watched events once a second and encodes a state once for all watchers. A socket watches one event.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mawe_store::StoreError;
use mawe_wire::ServerMsg;
use mawe_wire::events::EventState;
use mawe_wire::ids::{EventId, MatchId, PlayerId};
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::live::outbox::{Outbox, encode};
use crate::lobby::event_standings::{featured, page};
use crate::lobby::event_states::{Snapshot, may_see};
use crate::lobby::pools::Lobby;

/// The pause between two readings of the watched events.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The number of events that are watched on a node: it bounds the readings of a second.
const MOST_WATCHED: usize = 500;

/// The number of rows of the standings in a state.
const ROWS: usize = 20;

/// The watched events of a node.
#[derive(Debug, Default)]
pub struct EventWatch {
    inner: Mutex<Inner>,
    /// Held while the first state of an event is encoded: of many watchers who come at the same time, one has it encoded for all.
    first: AsyncMutex<()>,
}

#[derive(Debug, Default)]
struct Inner {
    events: HashMap<EventId, Watched>,
    /// The event of each socket.
    of_socket: HashMap<u64, EventId>,
}

#[derive(Debug, Default)]
struct Watched {
    watchers: HashMap<u64, Arc<Outbox>>,
    /// The last state that the watchers were sent.
    last: Option<Encoded>,
}

#[derive(Debug, Clone)]
struct Encoded {
    seq: u64,
    featured: Option<MatchId>,
    frame: Utf8Bytes,
}

/// The reason for which an event is not watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchRefusal {
    /// There is no such event, or the reader does not see it.
    #[error("there is no such event")]
    NotFound,
    /// Too many events are watched.
    #[error("too many events are watched just now; read this one by GET /api/v1/events/{{id}}")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EventWatch {
    /// Adds a watcher, who watches no other event then; returns whether there is a place.
    fn add(&self, id: &EventId, socket: u64, outbox: &Arc<Outbox>) -> bool {
        let mut inner = self.inner.lock();
        inner.remove(socket);
        if inner.events.len() >= MOST_WATCHED && !inner.events.contains_key(id) {
            return false;
        }
        let watched = inner.events.entry(id.clone()).or_default();
        watched.watchers.insert(socket, Arc::clone(outbox));
        inner.of_socket.insert(socket, id.clone());
        true
    }

    /// Stops sending a socket the states of an event.
    pub fn unwatch(&self, id: &EventId, socket: u64) {
        let mut inner = self.inner.lock();
        if inner.of_socket.get(&socket) == Some(id) {
            inner.remove(socket);
        }
    }

    /// Removes a socket.
    pub(super) fn forget(&self, socket: u64) {
        self.inner.lock().remove(socket);
    }

    fn watched(&self) -> Vec<EventId> {
        self.inner.lock().events.keys().cloned().collect()
    }

    fn last(&self, id: &EventId) -> Option<Encoded> {
        self.inner.lock().events.get(id)?.last.clone()
    }

    /// Keeps the first state of an event for its other watchers.
    fn keep_first(&self, id: &EventId, encoded: &Encoded) {
        if let Some(watched) = self.inner.lock().events.get_mut(id) {
            watched.last.get_or_insert_with(|| encoded.clone());
        }
    }

    /// Sends a new state to all watchers of an event.
    fn tell(&self, id: &EventId, encoded: Encoded) {
        let mut inner = self.inner.lock();
        let Some(watched) = inner.events.get_mut(id) else {
            return;
        };
        for outbox in watched.watchers.values() {
            outbox.push(encoded.frame.clone());
        }
        watched.last = Some(encoded);
    }

    /// Removes an event, which changes no more, with its watchers.
    fn end(&self, id: &EventId) {
        let mut inner = self.inner.lock();
        if let Some(watched) = inner.events.remove(id) {
            for socket in watched.watchers.keys() {
                inner.of_socket.remove(socket);
            }
        }
    }
}

impl Inner {
    fn remove(&mut self, socket: u64) {
        let Some(id) = self.of_socket.remove(&socket) else {
            return;
        };
        if let Some(watched) = self.events.get_mut(&id) {
            watched.watchers.remove(&socket);
            if watched.watchers.is_empty() {
                self.events.remove(&id);
            }
        }
    }
}

impl Lobby {
    /// Sends a socket the state of an event, now and when it changes.
    ///
    /// # Errors
    /// [`WatchRefusal`]; the socket watches no event then.
    pub async fn watch_event(
        &self,
        id: &EventId,
        player: Option<&PlayerId>,
        socket: u64,
        outbox: &Arc<Outbox>,
    ) -> Result<(), WatchRefusal> {
        self.event_watch.forget(socket);
        let store = self.store.as_ref();
        let snapshot = self.events.read(store, id).await?;
        let snapshot = snapshot.ok_or(WatchRefusal::NotFound)?;
        if !may_see(store, &snapshot, player).await? {
            return Err(WatchRefusal::NotFound);
        }
        let current = if is_over(&snapshot) {
            self.encoded(&snapshot, None).await?
        } else if self.event_watch.add(id, socket, outbox) {
            self.first_state(&snapshot).await?
        } else {
            return Err(WatchRefusal::TooMany);
        };
        outbox.push(current.frame);
        Ok(())
    }

    /// Returns what a new watcher is sent: the state that the others have, whose successor all get together.
    async fn first_state(&self, snapshot: &Snapshot) -> Result<Encoded, StoreError> {
        let id = &snapshot.row.id;
        if let Some(last) = self.event_watch.last(id) {
            return Ok(last);
        }
        let _first = self.event_watch.first.lock().await;
        if let Some(last) = self.event_watch.last(id) {
            return Ok(last);
        }
        let encoded = self.encoded(snapshot, None).await?;
        self.event_watch.keep_first(id, &encoded);
        Ok(encoded)
    }

    /// Encodes a state. The featured match is looked for if it is not given.
    async fn encoded(
        &self,
        snapshot: &Snapshot,
        shown: Option<Option<MatchId>>,
    ) -> Result<Encoded, StoreError> {
        let store = self.store.as_ref();
        let featured = match shown {
            Some(shown) => shown,
            None => featured(store, snapshot).await?,
        };
        let columns = &snapshot.row.columns;
        let frame = encode(&ServerMsg::EventState {
            event: snapshot.row.id.clone(),
            seq: snapshot.row.head,
            state: columns.state,
            players: columns.players,
            round: columns.round,
            featured: featured.clone(),
            standings: Box::new(page(store, snapshot, 0, ROWS).await?),
        });
        Ok(Encoded {
            seq: snapshot.row.head,
            featured,
            frame,
        })
    }

    async fn look_at_event(&self, id: &EventId) -> Result<(), StoreError> {
        let store = self.store.as_ref();
        let Some(snapshot) = self.events.read(store, id).await? else {
            self.event_watch.end(id);
            return Ok(());
        };
        // A match that begins or ends is no entry of the journal, but changes what is featured.
        let featured = featured(store, &snapshot).await?;
        let last = self.event_watch.last(id);
        let is_same = |last: Encoded| last.seq == snapshot.row.head && last.featured == featured;
        if !last.is_some_and(is_same) {
            let encoded = self.encoded(&snapshot, Some(featured)).await?;
            self.event_watch.tell(id, encoded);
        }
        if is_over(&snapshot) {
            self.event_watch.end(id);
        }
        Ok(())
    }
}

fn is_over(snapshot: &Snapshot) -> bool {
    let state = snapshot.row.columns.state;
    matches!(state, EventState::Finished | EventState::Cancelled)
}

/// Sends the states of watched events until the server stops.
pub async fn run(lobby: Arc<Lobby>, mut stopped: watch::Receiver<bool>) {
    loop {
        for id in lobby.event_watch.watched() {
            if let Err(error) = lobby.look_at_event(&id).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a watched event could not be read; its watchers get the next state"
                );
                break;
            }
        }
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_watches_one_event_and_leaves_no_trace() {
        let watch = EventWatch::default();
        let outbox = Arc::new(Outbox::default());
        let [one, other] = [EventId::random(), EventId::random()];
        assert!(watch.add(&one, 1, &outbox));
        assert!(watch.add(&other, 1, &outbox));
        assert_eq!(watch.watched(), std::slice::from_ref(&other));
        watch.unwatch(&one, 1);
        assert_eq!(watch.watched(), std::slice::from_ref(&other));
        watch.unwatch(&other, 1);
        assert!(watch.inner.lock().of_socket.is_empty());
        assert_eq!(watch.watched(), []);
    }

    #[test]
    fn one_encoding_serves_all_watchers_and_those_who_come_later() {
        let watch = EventWatch::default();
        let id = EventId::random();
        let encoded = Encoded {
            seq: 1,
            featured: None,
            frame: Utf8Bytes::from("state".to_owned()),
        };
        let outboxes: Vec<_> = (0..100).map(|_| Arc::new(Outbox::default())).collect();
        for (socket, outbox) in (0..).zip(&outboxes) {
            assert!(watch.add(&id, socket, outbox));
        }
        watch.tell(&id, encoded.clone());
        for outbox in &outboxes {
            let mut frames = Vec::new();
            assert!(outbox.drain(&mut frames).is_none());
            let [frame] = &frames[..] else {
                panic!("{} frames", frames.len());
            };
            assert_eq!(frame.as_ptr(), encoded.frame.as_ptr(), "a copy");
        }
        let late = watch.last(&id).expect("it is kept");
        assert_eq!(late.frame.as_ptr(), encoded.frame.as_ptr(), "a copy");
    }

    #[test]
    fn the_number_of_watched_events_has_a_bound() {
        let watch = EventWatch::default();
        let outbox = Arc::new(Outbox::default());
        let first = EventId::random();
        assert!(watch.add(&first, 0, &outbox));
        for socket in 1..MOST_WATCHED as u64 {
            assert!(watch.add(&EventId::random(), socket, &outbox));
        }
        let late = MOST_WATCHED as u64;
        assert!(!watch.add(&EventId::random(), late, &outbox));
        assert!(watch.add(&first, late, &outbox));
        watch.forget(1);
        assert!(watch.add(&EventId::random(), late + 1, &outbox));
    }
}
