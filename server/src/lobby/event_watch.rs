//! The watchers of events: sockets and streams, each with one event, and the last state that they were sent.

use std::collections::HashMap;
use std::sync::Arc;

use mawe_wire::ids::{EventId, MatchId, PlayerId};
use parking_lot::Mutex;
use tokio::sync::Mutex as AsyncMutex;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::live::outbox::Outbox;

/// The number of events that are watched on a node: it bounds the readings of a second.
const MOST_WATCHED: usize = 500;

/// The watched events of a node.
#[derive(Debug, Default)]
pub struct EventWatch {
    inner: Mutex<Inner>,
    /// Held while the first state of an event is encoded, so that many watchers at the same time have it encoded once.
    pub(super) first: AsyncMutex<()>,
}

#[derive(Debug, Default)]
struct Inner {
    events: HashMap<EventId, Watched>,
    /// The event of each socket.
    of_socket: HashMap<u64, EventId>,
}

#[derive(Debug)]
struct Watcher {
    outbox: Arc<Outbox>,
    /// The player; `None` for a reader who is not signed in.
    player: Option<PlayerId>,
}

#[derive(Debug, Default)]
struct Watched {
    /// The watchers by socket.
    watchers: HashMap<u64, Watcher>,
    /// The last state that the watchers were sent.
    last: Option<Encoded>,
}

/// A state that is ready to be sent.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    pub(super) seq: u64,
    pub(super) featured: Option<MatchId>,
    pub(super) frame: Utf8Bytes,
}

impl EventWatch {
    /// Adds a watcher, who watches no other event then; returns whether there is a place.
    pub(super) fn add(
        &self,
        id: &EventId,
        player: Option<&PlayerId>,
        socket: u64,
        outbox: &Arc<Outbox>,
    ) -> bool {
        let mut inner = self.inner.lock();
        inner.remove(socket);
        if inner.events.len() >= MOST_WATCHED && !inner.events.contains_key(id) {
            return false;
        }
        let watched = inner.events.entry(id.clone()).or_default();
        let watcher = Watcher {
            outbox: Arc::clone(outbox),
            player: player.cloned(),
        };
        watched.watchers.insert(socket, watcher);
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

    pub(super) fn watched(&self) -> Vec<EventId> {
        self.inner.lock().events.keys().cloned().collect()
    }

    /// The sockets that watch an event, with their players.
    pub(super) fn readers(&self, id: &EventId) -> Vec<(u64, Option<PlayerId>)> {
        let inner = self.inner.lock();
        let watchers = inner.events.get(id).map(|watched| watched.watchers.iter());
        let reader = |(socket, watcher): (&u64, &Watcher)| (*socket, watcher.player.clone());
        watchers.into_iter().flatten().map(reader).collect()
    }

    pub(super) fn last(&self, id: &EventId) -> Option<Encoded> {
        self.inner.lock().events.get(id)?.last.clone()
    }

    /// Keeps the first state of an event for its other watchers.
    pub(super) fn keep_first(&self, id: &EventId, encoded: &Encoded) {
        if let Some(watched) = self.inner.lock().events.get_mut(id) {
            watched.last.get_or_insert_with(|| encoded.clone());
        }
    }

    /// Sends a new state to all watchers of an event.
    pub(super) fn tell(&self, id: &EventId, encoded: Encoded) {
        let mut inner = self.inner.lock();
        let Some(watched) = inner.events.get_mut(id) else {
            return;
        };
        for watcher in watched.watchers.values() {
            watcher.outbox.push(encoded.frame.clone());
        }
        watched.last = Some(encoded);
    }

    /// Removes an event, which changes no more, with its watchers.
    pub(super) fn end(&self, id: &EventId) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_watches_one_event_and_leaves_no_trace() {
        let watch = EventWatch::default();
        let outbox = Arc::new(Outbox::default());
        let [one, other] = [EventId::random(), EventId::random()];
        assert!(watch.add(&one, None, 1, &outbox));
        assert!(watch.add(&other, None, 1, &outbox));
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
            assert!(watch.add(&id, None, socket, outbox));
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
        assert!(watch.add(&first, None, 0, &outbox));
        for socket in 1..MOST_WATCHED as u64 {
            assert!(watch.add(&EventId::random(), None, socket, &outbox));
        }
        let late = MOST_WATCHED as u64;
        assert!(!watch.add(&EventId::random(), None, late, &outbox));
        assert!(watch.add(&first, None, late, &outbox));
        watch.forget(1);
        assert!(watch.add(&EventId::random(), None, late + 1, &outbox));
    }
}
