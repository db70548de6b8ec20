//! The handling of messages from other nodes.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use mawe_wire::ids::PlayerId;
use tokio::sync::{mpsc, watch};

use super::bus::Subscriptions;
use super::host;
use super::message::{PoolRequest, PoolWaiting, ToAll, ToNode};
use super::node::{Cluster, until};
use crate::limits::attempts::Limits;
use crate::live::message::RoomMsg;
use crate::live::rooms::Rooms;
use crate::live::sockets::Sockets;

/// The pools of a node, as the other nodes reach them.
#[async_trait]
pub(crate) trait Pairing: Send + Sync + 'static {
    /// Handles a request for a pool from another node.
    async fn handle_request(&self, wish: PoolRequest);

    /// Removes the pool requests and tickets of players who have been seated.
    fn forget_seated(&self, players: &[PlayerId]);

    /// Records the counts of the node that pairs.
    fn note_waiting(&self, pools: Vec<PoolWaiting>);
}

/// The parts of this node that messages of other nodes concern.
pub(crate) struct Receivers {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) sockets: Arc<Sockets>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) pairing: Arc<dyn Pairing>,
}

impl Cluster {
    /// Handles messages from other nodes until the server stops.
    pub(crate) async fn listen(
        self: Arc<Self>,
        receivers: Receivers,
        mut subscriptions: Subscriptions,
        stopped: watch::Receiver<bool>,
    ) {
        let rooms = &receivers.rooms;
        let stop = until(stopped);
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(message) = subscriptions.node.next() => match serde_json::from_slice(&message.payload) {
                    Ok(ToNode::Pool(wish)) => {
                        let pairing = Arc::clone(&receivers.pairing);
                        self.hosts.spawn(async move { pairing.handle_request(wish).await });
                    }
                    Ok(message) => self.handle_message(rooms, message).await,
                    Err(error) => tracing::warn!(%error, "a message on NATS is none of ours"),
                },
                Some(message) = subscriptions.all.next() => match serde_json::from_slice(&message.payload) {
                    Ok(message) => self.handle_broadcast(&receivers, message),
                    Err(error) => tracing::warn!(%error, "a message on NATS is none of ours"),
                },
            }
        }
        self.hosted.lock().clear();
        self.hosts.close();
        self.hosts.wait().await;
    }

    /// Handles a message to this node. Never waits for a room: a message that does not fit is lost, and its number is missed.
    async fn handle_message(self: &Arc<Self>, rooms: &Arc<Rooms>, message: ToNode) {
        match message {
            ToNode::Up(up) if up.n == 0 => {
                let (asks, queue) = mpsc::channel(host::QUEUE);
                self.hosted.lock().insert(up.link, asks);
                let (rooms, cluster) = (Arc::clone(rooms), Arc::clone(self));
                self.hosts.spawn(host::serve(rooms, cluster, up, queue));
            }
            ToNode::Up(up) => {
                let link = up.link;
                let node = up.node.clone();
                let taken = {
                    let mut hosted = self.hosted.lock();
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
                let mut relays = self.relays.lock();
                let link = down.link;
                let full = relays
                    .get(&link)
                    .is_some_and(|relay| relay.try_send(down).is_err());
                if full {
                    relays.remove(&link);
                }
            }
            // `listen` passes these to the pools.
            ToNode::Pool(_) => {}
            ToNode::Broken { link } => {
                // Dropping the sender ends the relay.
                self.relays.lock().remove(&link);
            }
        }
    }

    fn handle_broadcast(&self, receivers: &Receivers, message: ToAll) {
        let Receivers {
            rooms,
            sockets,
            limits,
            pairing,
        } = receivers;
        match message {
            ToAll::Gone { node } => {
                self.living.send_if_modified(|living| living.remove(&node));
            }
            ToAll::Refresh { match_id } => rooms.nudge(&match_id, RoomMsg::Refresh),
            ToAll::Counted { match_id } => rooms.nudge(&match_id, RoomMsg::Counted),
            ToAll::Tell { player, frame } => sockets.tell_here(&player, &frame.into()),
            ToAll::TellOne { socket, frame } => sockets.tell_one_here(socket, &frame.into()),
            ToAll::EndSession { session } => sockets.end_session_here(&session),
            ToAll::Chat { news } => sockets.chat.tell(&news),
            ToAll::EndChat { player } => sockets.chat.end_player(&player),
            ToAll::MuteChat { reader, muted } => sockets.chat.mute(&reader, &muted),
            ToAll::Spent { spent } => limits.note(&spent),
            ToAll::Players { node, players } => sockets.note_elsewhere(node, players),
            ToAll::Seated { players } => pairing.forget_seated(&players),
            // Messages from a node that no longer pairs, or does not pair yet, are ignored.
            ToAll::Waiting { node, pools } if node == self.pairer() => {
                pairing.note_waiting(pools);
            }
            ToAll::Waiting { .. } => {}
        }
    }
}
