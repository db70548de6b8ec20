//! What waits to be written to one socket: bounded, and never in anybody's way.
//!
//! A room pushes and goes on; the socket's own task drains. A reader that does not keep up costs [`MAX_WAITING_BYTES`], then its socket
//! is cut: it comes back and resumes by `seq`.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::cluster::link::Afar;

/// The most that may wait for one socket. One larger frame is taken when nothing else waits: a snapshot of a long match.
pub const MAX_WAITING_BYTES: usize = 64 * 1024;

/// Frames waiting for one socket.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Mutex<Waiting>,
    ready: Notify,
    /// Where the socket is, if it is not on this node: then nothing waits here.
    afar: Option<Box<Afar>>,
}

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    closed: Option<Farewell>,
}

/// Why a socket is to be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Farewell {
    /// It did not read.
    TooSlow,
    /// The server stops.
    Restarting,
    /// Its session was ended.
    LoggedOut,
    /// Too many of its frames did not parse.
    Unparsed,
    /// Too many of its frames were too large.
    TooLarge,
    /// Its frames came too fast, too often.
    TooFast,
}

impl Farewell {
    /// The stable code in `closing`.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Farewell::Unparsed | Farewell::TooLarge => "too-many-bad-frames",
            Farewell::TooFast => "too-fast",
            Farewell::TooSlow => "too-slow",
            Farewell::Restarting => "restarting",
            Farewell::LoggedOut => "logged-out",
        }
    }
}

/// A message as it goes over the wire, encoded once for all who get it.
///
/// # Panics
/// Never for the types of [`crate::protocol`]: they are plain JSON.
pub fn encode(message: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(message)
        .expect("a message is plain JSON")
        .into()
}

impl Outbox {
    /// That of sockets on another node.
    #[must_use]
    pub fn of_afar(afar: Afar) -> Outbox {
        Outbox {
            afar: Some(Box::new(afar)),
            ..Outbox::default()
        }
    }

    /// Where its sockets are, if they are on another node.
    #[must_use]
    pub fn afar(&self) -> Option<&Afar> {
        self.afar.as_deref()
    }

    /// Queues a frame. After a farewell nothing is taken.
    pub fn push(&self, frame: Utf8Bytes) {
        if let Some(afar) = &self.afar {
            afar.push(&frame);
            return;
        }
        let mut waiting = self.lock();
        if waiting.closed.is_some() {
            return;
        }
        if waiting.bytes > 0 && waiting.bytes + frame.len() > MAX_WAITING_BYTES {
            // What waits is worth nothing now: the client resumes from its last seq.
            *waiting = Waiting {
                closed: Some(Farewell::TooSlow),
                ..Waiting::default()
            };
        } else {
            waiting.bytes += frame.len();
            waiting.frames.push_back(frame);
        }
        drop(waiting);
        self.ready.notify_one();
    }

    /// Asks for the socket to be closed after what waits.
    pub fn close(&self, farewell: Farewell) {
        self.lock().closed.get_or_insert(farewell);
        self.ready.notify_one();
    }

    /// Waits until there is something to do. Losing the race of a `select!` loses nothing.
    pub async fn ready(&self) {
        self.ready.notified().await;
    }

    /// Takes what waits, and the farewell if there is one.
    pub fn drain(&self, into: &mut Vec<Utf8Bytes>) -> Option<Farewell> {
        let mut waiting = self.lock();
        into.extend(waiting.frames.drain(..));
        waiting.bytes = 0;
        // An idle socket holds no buffer.
        waiting.frames.shrink_to(0);
        waiting.closed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        // Nothing between lock and unlock can panic half-way.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: usize) -> Utf8Bytes {
        "x".repeat(bytes).into()
    }

    #[test]
    fn a_reader_that_stalls_costs_a_bounded_amount() {
        let outbox = Outbox::default();
        for _ in 0..10_000 {
            outbox.push(frame(1_000));
        }
        let mut frames = Vec::new();
        assert_eq!(outbox.drain(&mut frames), Some(Farewell::TooSlow));
        assert!(frames.is_empty());
    }

    #[test]
    fn one_large_frame_passes_an_empty_outbox() {
        let outbox = Outbox::default();
        outbox.push(frame(MAX_WAITING_BYTES * 2));
        let mut frames = Vec::new();
        assert_eq!(outbox.drain(&mut frames), None);
        assert_eq!(frames.len(), 1);
    }

    #[tokio::test]
    async fn what_was_pushed_before_waiting_is_noticed() {
        let outbox = Outbox::default();
        outbox.push(frame(1));
        outbox.ready().await;
        outbox.close(Farewell::Restarting);
        outbox.ready().await;
        let mut frames = Vec::new();
        assert_eq!(outbox.drain(&mut frames), Some(Farewell::Restarting));
        assert_eq!(frames, [frame(1)]);
    }
}
