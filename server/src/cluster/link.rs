//! The owner's end of a link: numbered messages from a room to sockets on another node. A missing number shows a loss.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::cluster::bus::Bus;
use crate::cluster::message::{Downward, Item, To, ToNode};
use crate::live::outbox::RemoteOutbox;
use crate::trace::Trace;

/// Maximum size of the items that wait for a node; beyond it the link is cut, and its sockets join again.
const MAX_WAITING_BYTES: usize = 4 * 1024 * 1024;

/// Maximum size of one message; NATS allows 1 MiB.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;

/// Approximate size of an item without its frame.
const ITEM_BYTES: usize = 64;

/// Messages from a room to those sockets of one node that follow it.
#[derive(Debug)]
pub struct Link {
    number: u64,
    /// Name of the node with the sockets.
    edge: String,
    waiting: Mutex<Waiting>,
    ready: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    items: Vec<Item>,
    bytes: usize,
    cut: bool,
}

/// A socket, or all spectators, on another node.
#[derive(Debug)]
pub struct RemoteSockets {
    link: Arc<Link>,
    to: To,
}

impl RemoteSockets {
    pub(crate) fn socket(link: &Arc<Link>, socket: u64) -> RemoteSockets {
        RemoteSockets {
            link: Arc::clone(link),
            to: To::Socket(socket),
        }
    }

    fn push_answer(&self, frame: &Utf8Bytes, traceparent: Option<String>) {
        let frame = frame.as_str().to_owned();
        self.link.push(Item::Frame {
            to: self.to,
            frame,
            traceparent,
        });
    }
}

impl RemoteOutbox for RemoteSockets {
    fn push(&self, frame: &Utf8Bytes) {
        self.push_answer(frame, None);
    }

    fn push_traced(&self, frame: &Utf8Bytes, trace: &Trace) {
        self.push_answer(frame, trace.context().traceparent());
    }

    fn joined(&self, spectator: bool) {
        if let To::Socket(socket) = self.to {
            self.link.push(Item::Joined { socket, spectator });
        }
    }

    fn spectators(&self) -> Box<dyn RemoteOutbox> {
        Box::new(RemoteSockets {
            link: Arc::clone(&self.link),
            to: To::Spectators,
        })
    }

    fn link(&self) -> usize {
        Arc::as_ptr(&self.link).addr()
    }
}

impl Link {
    pub(crate) fn new(number: u64, edge: String) -> Arc<Link> {
        Arc::new(Link {
            number,
            edge,
            waiting: Mutex::default(),
            ready: Notify::new(),
        })
    }

    pub(crate) fn push(&self, item: Item) {
        let mut waiting = self.waiting.lock();
        if waiting.cut {
            return;
        }
        waiting.bytes += cost(&item);
        waiting.items.push(item);
        if waiting.bytes > MAX_WAITING_BYTES {
            *waiting = Waiting {
                cut: true,
                ..Waiting::default()
            };
        }
        drop(waiting);
        self.ready.notify_one();
    }

    /// Cuts the link: drops all waiting items and every later one.
    pub(crate) fn cut(&self) {
        *self.waiting.lock() = Waiting {
            cut: true,
            ..Waiting::default()
        };
        self.ready.notify_one();
    }

    /// Sends the items until the link is cut or a message certainly did not arrive; in that case the other end misses its number.
    pub(crate) async fn forward(self: Arc<Self>, bus: Bus) {
        for n in 0.. {
            let Some(items) = self.next().await else {
                break;
            };
            let link = self.number;
            let down = ToNode::Down(Downward { link, n, items });
            if !bus.tell(&self.edge, &down).await {
                break;
            }
        }
        self.cut();
    }

    /// Waits for items and returns as many as fit into one message; `None` once the link is cut.
    async fn next(&self) -> Option<Vec<Item>> {
        loop {
            {
                let mut waiting = self.waiting.lock();
                if waiting.cut {
                    return None;
                }
                if !waiting.items.is_empty() {
                    let mut bytes = 0;
                    let fit = waiting.items.iter().take_while(|item| {
                        bytes += cost(item);
                        bytes <= MAX_MESSAGE_BYTES
                    });
                    // An item that is larger than a message goes alone.
                    let count = fit.count().max(1);
                    let items: Vec<Item> = waiting.items.drain(..count).collect();
                    waiting.bytes -= items.iter().map(cost).sum::<usize>();
                    return Some(items);
                }
            }
            self.ready.notified().await;
        }
    }
}

fn cost(item: &Item) -> usize {
    ITEM_BYTES
        + match item {
            Item::Frame { frame, .. } => frame.len(),
            Item::Joined { .. }
            | Item::Answered { .. }
            | Item::View { .. }
            | Item::Closed { .. }
            | Item::Alive => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: usize) -> Item {
        Item::Frame {
            to: To::Spectators,
            frame: "x".repeat(bytes),
            traceparent: None,
        }
    }

    #[tokio::test]
    async fn a_message_is_bounded_and_a_large_frame_goes_alone() {
        let link = Link::new(1, "edge".into());
        for bytes in [100, 100, 2 * MAX_MESSAGE_BYTES, 100] {
            link.push(frame(bytes));
        }
        let mut counts = Vec::new();
        for _ in 0..3 {
            counts.push(link.next().await.expect("it is not cut").len());
        }
        assert_eq!(counts, [2, 1, 1]);
    }

    #[tokio::test]
    async fn a_node_that_takes_nothing_costs_a_bounded_amount() {
        let link = Link::new(1, "edge".into());
        for _ in 0..10_000 {
            link.push(frame(1_000));
        }
        assert!(link.next().await.is_none(), "it is cut");
        assert_eq!(link.waiting.lock().items.len(), 0);
    }
}
