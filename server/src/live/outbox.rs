//! The frames that wait to be written to one socket: a bounded queue whose sender never waits.
//!
//! A room pushes frames, and the socket's own task drains them. A client that reads too slowly costs at most [`MAX_WAITING_BYTES`]; then
//! its socket is closed, and the client reconnects and resumes by `seq`.

use std::collections::VecDeque;

use mawe_wire::ClosingReason;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::trace::Trace;

/// The number of bytes that may wait for one socket. A larger frame, such as the snapshot of a long match, is accepted if nothing else
/// waits.
pub const MAX_WAITING_BYTES: usize = 64 * 1024;

/// The way to sockets on another node.
pub trait RemoteOutbox: std::fmt::Debug + Send + Sync {
    /// Sends a frame to the sockets.
    fn push(&self, frame: &Utf8Bytes);

    /// Sends a frame that answers a traced message.
    fn push_traced(&self, frame: &Utf8Bytes, trace: &Trace);

    /// Reports that the socket follows the match from now on, and whether as a spectator.
    fn joined(&self, spectator: bool);

    /// Returns the way to all spectators on the same node.
    fn spectators(&self) -> Box<dyn RemoteOutbox>;

    /// Returns a number that is the same for all outboxes over one link.
    fn link(&self) -> usize;
}

/// The frames that wait for one socket.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Mutex<Waiting>,
    ready: Notify,
    /// The link to the socket's node, if it is not on this node: then no frame waits here.
    remote: Option<Box<dyn RemoteOutbox>>,
}

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    closed: Option<CloseReason>,
    /// The deliveries of the frames that answer a traced message.
    traces: Vec<Trace>,
}

/// The reason for closing a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// The client read too slowly.
    TooSlow,
    /// The server is stopping.
    Restarting,
    /// The session was ended.
    LoggedOut,
    /// Too many of its frames did not parse.
    Unparsed,
    /// Too many of its frames were too large.
    TooLarge,
    /// Too many of its frames came too fast.
    TooFast,
}

impl CloseReason {
    /// Every reason.
    pub const ALL: [CloseReason; 6] = [
        CloseReason::TooSlow,
        CloseReason::Restarting,
        CloseReason::LoggedOut,
        CloseReason::Unparsed,
        CloseReason::TooLarge,
        CloseReason::TooFast,
    ];

    /// Returns the name in metrics: the reason in `closing`, or one of its two causes.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            CloseReason::Unparsed => "unparsed".to_owned(),
            CloseReason::TooLarge => "large-frames".to_owned(),
            CloseReason::TooSlow
            | CloseReason::Restarting
            | CloseReason::LoggedOut
            | CloseReason::TooFast => self.reason().to_string(),
        }
    }

    /// Returns the reason in `closing`.
    #[must_use]
    pub fn reason(self) -> ClosingReason {
        match self {
            CloseReason::Unparsed | CloseReason::TooLarge => ClosingReason::TooManyBadFrames,
            CloseReason::TooFast => ClosingReason::TooFast,
            CloseReason::TooSlow => ClosingReason::TooSlow,
            CloseReason::Restarting => ClosingReason::Restarting,
            CloseReason::LoggedOut => ClosingReason::LoggedOut,
        }
    }
}

/// Encodes a message for the wire, once for all its receivers.
///
/// # Panics
/// Never for the types of [`mawe_wire`]: their JSON always serialises.
pub fn encode(message: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(message)
        .expect("a message is plain JSON")
        .into()
}

impl Outbox {
    /// Creates the outbox of sockets on another node.
    #[must_use]
    pub fn remote(remote: Box<dyn RemoteOutbox>) -> Outbox {
        Outbox {
            remote: Some(remote),
            ..Outbox::default()
        }
    }

    /// Returns the way to the sockets, if they are on another node.
    #[must_use]
    pub fn as_remote(&self) -> Option<&dyn RemoteOutbox> {
        self.remote.as_deref()
    }

    /// Queues a frame. After [`Outbox::close`] the frame is dropped.
    pub fn push(&self, frame: Utf8Bytes) {
        match &self.remote {
            Some(remote) => remote.push(&frame),
            None => self.queue(frame, Trace::default),
        }
    }

    /// Queues a frame that answers a message with this trace.
    pub fn push_traced(&self, frame: Utf8Bytes, trace: &Trace) {
        match &self.remote {
            Some(remote) if trace.is_drawn() => remote.push_traced(&frame, trace),
            Some(remote) => remote.push(&frame),
            None => self.queue(frame, || trace.deliver()),
        }
    }

    fn queue(&self, frame: Utf8Bytes, delivery: impl FnOnce() -> Trace) {
        let mut waiting = self.waiting.lock();
        if waiting.closed.is_some() {
            return;
        }
        if waiting.bytes > 0 && waiting.bytes + frame.len() > MAX_WAITING_BYTES {
            // The waiting frames are not needed: the client resumes from its last seq.
            *waiting = Waiting {
                closed: Some(CloseReason::TooSlow),
                ..Waiting::default()
            };
        } else {
            waiting.bytes += frame.len();
            waiting.frames.push_back(frame);
            let delivery = delivery();
            if delivery.is_drawn() {
                waiting.traces.push(delivery);
            }
        }
        drop(waiting);
        self.ready.notify_one();
    }

    /// Requests that the socket be closed after the waiting frames.
    pub fn close(&self, close_reason: CloseReason) {
        self.waiting.lock().closed.get_or_insert(close_reason);
        self.ready.notify_one();
    }

    /// Waits until there are frames or a reason to close. Safe to cancel in a `select!`.
    pub async fn ready(&self) {
        self.ready.notified().await;
    }

    /// Removes the waiting frames, and returns the reason to close, if any.
    pub fn drain(&self, into: &mut Vec<Utf8Bytes>) -> Option<CloseReason> {
        self.drain_traced(into).0
    }

    /// As [`Outbox::drain`]; also returns the deliveries of the frames, to be dropped when they are written.
    pub fn drain_traced(&self, into: &mut Vec<Utf8Bytes>) -> (Option<CloseReason>, Vec<Trace>) {
        let mut waiting = self.waiting.lock();
        into.extend(waiting.frames.drain(..));
        waiting.bytes = 0;
        // An idle socket needs no buffer.
        waiting.frames.shrink_to(0);
        (waiting.closed, std::mem::take(&mut waiting.traces))
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
        assert_eq!(outbox.drain(&mut frames), Some(CloseReason::TooSlow));
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
        outbox.close(CloseReason::Restarting);
        outbox.ready().await;
        let mut frames = Vec::new();
        assert_eq!(outbox.drain(&mut frames), Some(CloseReason::Restarting));
        assert_eq!(frames, [frame(1)]);
    }
}
