//! The owner's side of a link: passes requests from sockets on another node to the room, as if the sockets were here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mawe_play::room::io::{Closing, Refusal};
use mawe_wire::ids::MatchId;
use tokio::sync::{mpsc, oneshot};

use crate::cluster::link::{Link, RemoteSockets};
use crate::cluster::message::{Forwarded, Item, LinkRequest, ToNode, Upward, Who};
use crate::cluster::node::Cluster;
use crate::live::message::{Caller, Envelope, RoomMsg};
use crate::live::outbox::Outbox;
use crate::live::rooms::Rooms;
use crate::trace::TraceContext;

/// A node that has been silent for this long counts as gone, together with its sockets.
const SILENCE: Duration = Duration::from_secs(4);

/// Maximum number of requests of one link that wait.
pub(super) const QUEUE: usize = 256;

/// Sockets on other nodes are numbered from 2^63; numbers below belong to sockets of this node.
static NUMBERS: AtomicU64 = AtomicU64::new(1 << 63);

/// One link, at the owner of the match.
struct Host {
    rooms: Arc<Rooms>,
    id: MatchId,
    link: Arc<Link>,
    /// Numbers on this node, by the number on the other node.
    numbers: HashMap<u64, u64>,
}

/// Serves a link until its node leaves, is silent, or a message was lost.
pub(super) async fn serve(
    rooms: Arc<Rooms>,
    cluster: Arc<Cluster>,
    hello: Upward,
    mut asks: mpsc::Receiver<Upward>,
) {
    let Upward {
        link,
        match_id,
        node,
        ..
    } = hello;
    let mut host = Host {
        rooms,
        id: match_id,
        link: Link::new(link, node.clone()),
        numbers: HashMap::new(),
    };
    let forward = tokio::spawn(Arc::clone(&host.link).forward(cluster.bus.clone()));
    for expected in 1.. {
        let Ok(Some(up)) = tokio::time::timeout(SILENCE, asks.recv()).await else {
            break;
        };
        if up.n != expected || !host.handle_request(up.ask).await {
            break;
        }
    }
    // This only saves time: without it, the other node notices the silence by itself.
    cluster.bus.tell(&node, &ToNode::Broken { link }).await;
    host.link.cut();
    for number in host.numbers.values() {
        let leave = RoomMsg::Leave { socket: *number };
        host.rooms.send_if_open(&host.id, leave).await;
    }
    cluster.forget_hosted(link);
    if forward.await.is_err() {
        tracing::error!("what forwards a link did not end well");
    }
}

impl Host {
    /// Carries out a request; returns `false` when the link ends.
    async fn handle_request(&mut self, ask: LinkRequest) -> bool {
        let msg = match ask {
            LinkRequest::Hello => return false,
            LinkRequest::Alive => {
                self.link.push(Item::Alive);
                return true;
            }
            LinkRequest::Bye => return false,
            LinkRequest::Join { who, since } => {
                let (answered, answer) = oneshot::channel();
                let socket = who.socket;
                let join = RoomMsg::Join {
                    caller: self.caller(who),
                    since,
                    answered: Some(answered),
                };
                if !self.rooms.send_hosted(&self.id, join).await {
                    return false;
                }
                // The room sends nothing; it drops the sender when it has answered, so an error is the signal.
                let _ = answer.await;
                self.link.push(Item::Answered { socket });
                return true;
            }
            LinkRequest::Leave { socket } => {
                let Some(socket) = self.numbers.remove(&socket) else {
                    return true;
                };
                RoomMsg::Leave { socket }
            }
            LinkRequest::Client(Forwarded {
                who,
                lag_ms,
                message,
                unheard,
                traceparent,
            }) => RoomMsg::Client(Envelope {
                caller: self.caller(who),
                received: Instant::now(),
                lag_ms,
                message,
                unheard,
                trace: TraceContext::from_node(traceparent.as_deref()).relayed(&self.id),
            }),
            LinkRequest::View { number, player } => {
                let (reply, answer) = oneshot::channel();
                let view = RoomMsg::View { player, reply };
                if !self.rooms.send_hosted(&self.id, view).await {
                    return false;
                }
                let view = answer.await.ok().flatten().map(Box::new);
                self.link.push(Item::View { number, view });
                return true;
            }
            LinkRequest::Close { number, leaves } => {
                let (done, answer) = oneshot::channel();
                let closing = leaves.map_or(Closing::CallOff, Closing::Leave);
                let close = RoomMsg::Close { closing, done };
                if !self.rooms.send_hosted(&self.id, close).await {
                    return false;
                }
                let answer = answer.await;
                self.link.push(Item::Closed {
                    number,
                    closed: matches!(answer, Ok(Ok(()))),
                    over: matches!(answer, Ok(Err(Refusal::MatchOver))),
                });
                return true;
            }
        };
        self.rooms.send_hosted(&self.id, msg).await
    }

    /// Returns the caller for a socket on the other node, with its number here.
    fn caller(&mut self, who: Who) -> Caller {
        let number = self.numbers.entry(who.socket);
        let number = *number.or_insert_with(|| NUMBERS.fetch_add(1, Ordering::Relaxed));
        Caller {
            socket: number,
            player: who.player,
            outbox: Arc::new(Outbox::remote(Box::new(RemoteSockets::socket(
                &self.link, who.socket,
            )))),
        }
    }
}
