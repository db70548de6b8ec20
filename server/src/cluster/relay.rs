//! A room whose match another node owns. It passes the requests of its sockets to the owner and the owner's messages to the sockets. It
//! judges nothing and stores nothing.
//!
//! Messages are numbered in both directions. When a number is missing, or the owner is silent or has died, the relay ends and its sockets
//! are told to join again: each sends the last `seq` that it has, and the present owner sends the later events.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mawe_play::room::io::{Closing, Refusal};
use mawe_wire::ids::MatchId;
use mawe_wire::{Code, MatchView};
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use crate::cluster::message::{Downward, Forwarded, Item, LinkRequest, To, ToNode, Upward, Who};
use crate::cluster::node::Cluster;
use crate::live::actor::error_frame;
use crate::live::message::{Caller, Envelope, Mailbox, RoomMsg};
use crate::live::outbox::Outbox;
use crate::trace::{Trace, TraceContext};

/// Interval of keep-alive messages in both directions.
const ALIVE_EVERY: Duration = Duration::from_millis(700);

/// An owner that has been silent for this long counts as unreachable.
const SILENCE: Duration = Duration::from_millis(2_800);

/// Time that a relay stays open after its last use.
const LINGER: Duration = Duration::from_secs(2);

/// Number of traced messages of one match that wait for their answers; the span of an older one ends without its answer.
const TRACED: usize = 8;

/// Reason for which a relay ends.
#[derive(PartialEq, Eq)]
enum End {
    /// The relay is no longer used, or the server stops.
    Unneeded,
    /// Its sockets have to join again.
    Broken,
}

struct Relay {
    cluster: Arc<Cluster>,
    id: MatchId,
    owner: String,
    link: u64,
    /// Number of the next request, and of the next message from the owner.
    up: u64,
    down: u64,
    /// Sockets on this node that follow the match.
    here: HashMap<u64, Here>,
    /// Sockets that sent a message without following the match.
    outside: HashMap<u64, Weak<Outbox>>,
    /// Pending single requests, by number.
    views: HashMap<u64, oneshot::Sender<Option<MatchView>>>,
    closings: HashMap<u64, oneshot::Sender<Result<(), Refusal>>>,
    asked: u64,
    heard: Instant,
    needed: Instant,
    /// Traced messages without an answer, oldest first.
    traced: VecDeque<Trace>,
}

struct Here {
    outbox: Arc<Outbox>,
    /// Set when the owner reports that the socket follows as a spectator.
    spectator: bool,
    answered: Option<oneshot::Sender<()>>,
}

/// Relays until the relay is no longer used or the link breaks.
pub(crate) async fn run(
    cluster: &Arc<Cluster>,
    id: &MatchId,
    owner: String,
    mailbox: &mut Mailbox,
) {
    let (link, mut downs) = cluster.open_relay();
    let mut relay = Relay {
        cluster: Arc::clone(cluster),
        id: id.clone(),
        owner,
        link,
        up: 0,
        down: 0,
        here: HashMap::new(),
        outside: HashMap::new(),
        views: HashMap::new(),
        closings: HashMap::new(),
        asked: 0,
        heard: Instant::now(),
        needed: Instant::now(),
        traced: VecDeque::new(),
    };
    let end = relay.serve(mailbox, &mut downs).await;
    cluster.forget_relay(link);
    match end {
        End::Unneeded => {
            relay.ask(LinkRequest::Bye).await;
        }
        End::Broken => relay.send_away(),
    }
}

impl Relay {
    async fn serve(&mut self, mailbox: &mut Mailbox, downs: &mut mpsc::Receiver<Downward>) -> End {
        let (cluster, owner) = (Arc::clone(&self.cluster), self.owner.clone());
        let death = cluster.death_of(&owner);
        tokio::pin!(death);
        let mut tick = tokio::time::interval(ALIVE_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        if !self.ask(LinkRequest::Hello).await {
            return End::Broken;
        }
        loop {
            let end = tokio::select! {
                // Messages from the owner are delivered before new requests are sent.
                biased;
                down = downs.recv() => match down {
                    Some(down) => self.carry_out(down),
                    None => Some(End::Broken),
                },
                () = &mut death => Some(End::Broken),
                msg = mailbox.recv() => match msg {
                    Some(msg) => self.handle_message(*msg).await,
                    None => Some(End::Unneeded),
                },
                _ = tick.tick() => self.tick().await,
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    async fn tick(&mut self) -> Option<End> {
        self.outside.retain(|_, outbox| outbox.strong_count() > 0);
        self.views.retain(|_, reply| !reply.is_closed());
        self.closings.retain(|_, done| !done.is_closed());
        let unneeded = self.here.is_empty()
            && self.outside.is_empty()
            && self.views.is_empty()
            && self.closings.is_empty();
        if !unneeded {
            self.needed = Instant::now();
        }
        if self.needed.elapsed() > LINGER {
            return Some(End::Unneeded);
        }
        if self.heard.elapsed() > SILENCE || !self.ask(LinkRequest::Alive).await {
            return Some(End::Broken);
        }
        None
    }

    async fn handle_message(&mut self, msg: RoomMsg) -> Option<End> {
        self.needed = Instant::now();
        let ask = match msg {
            RoomMsg::Join {
                caller,
                since,
                answered,
            } => {
                if is_remote(&self.id, &caller) {
                    return None;
                }
                let who = who(&caller);
                let here = Here {
                    outbox: caller.outbox,
                    spectator: false,
                    answered,
                };
                self.here.insert(caller.socket, here);
                LinkRequest::Join { who, since }
            }
            RoomMsg::Leave { socket } => {
                self.here.remove(&socket);
                LinkRequest::Leave { socket }
            }
            RoomMsg::Client(Envelope {
                caller,
                lag_ms,
                message,
                unheard,
                trace,
                received: _,
            }) => {
                if is_remote(&self.id, &caller) {
                    return None;
                }
                if !self.here.contains_key(&caller.socket) {
                    let outbox = Arc::downgrade(&caller.outbox);
                    self.outside.insert(caller.socket, outbox);
                }
                LinkRequest::Client(Forwarded {
                    who: who(&caller),
                    lag_ms,
                    message,
                    unheard,
                    traceparent: self.note_traced(trace),
                })
            }
            RoomMsg::View { player, reply } => {
                self.asked += 1;
                self.views.insert(self.asked, reply);
                LinkRequest::View {
                    number: self.asked,
                    player,
                }
            }
            RoomMsg::Close { closing, done } => {
                self.asked += 1;
                self.closings.insert(self.asked, done);
                let leaves = match closing {
                    Closing::CallOff => None,
                    Closing::Leave(side) => Some(side),
                };
                LinkRequest::Close {
                    number: self.asked,
                    leaves,
                }
            }
            // The owner has its own bots, and receives the messages for all nodes itself.
            RoomMsg::Bot { .. }
            | RoomMsg::BotAway { .. }
            | RoomMsg::Refresh
            | RoomMsg::Counted
            | RoomMsg::Lapsed => return None,
            RoomMsg::Stop => return Some(End::Unneeded),
        };
        (!self.ask(ask).await).then_some(End::Broken)
    }

    /// Sends a request to the owner; returns `false` when it certainly does not arrive.
    async fn ask(&mut self, ask: LinkRequest) -> bool {
        let up = Upward {
            link: self.link,
            n: self.up,
            match_id: self.id.clone(),
            node: self.cluster.name.clone(),
            ask,
        };
        self.up += 1;
        self.cluster.bus.tell(&self.owner, &ToNode::Up(up)).await
    }

    fn carry_out(&mut self, down: Downward) -> Option<End> {
        if down.n != self.down {
            return Some(End::Broken);
        }
        self.down += 1;
        self.heard = Instant::now();
        for item in down.items {
            match item {
                Item::Frame {
                    to,
                    frame,
                    traceparent,
                } => self.tell(to, frame, traceparent.as_deref()),
                Item::Joined { socket, spectator } => {
                    if let Some(here) = self.here.get_mut(&socket) {
                        here.spectator = spectator;
                    }
                }
                Item::Answered { socket } => {
                    if let Some(here) = self.here.get_mut(&socket) {
                        here.answered = None;
                    }
                }
                Item::View { number, view } => {
                    if let Some(reply) = self.views.remove(&number) {
                        // The caller may be gone.
                        let _ = reply.send(view.map(|view| *view));
                    }
                }
                Item::Closed {
                    number,
                    closed,
                    over,
                } => {
                    let answer = match (closed, over) {
                        (true, _) => Some(Ok(())),
                        (false, true) => Some(Err(Refusal::MatchOver)),
                        (false, false) => None,
                    };
                    if let Some((done, answer)) = self.closings.remove(&number).zip(answer) {
                        let _ = done.send(answer);
                    }
                }
                Item::Alive => {}
            }
        }
        None
    }

    /// Keeps the trace of a message until its answer; returns its `traceparent`.
    fn note_traced(&mut self, trace: Trace) -> Option<String> {
        let traceparent = trace.context().traceparent()?;
        if self.traced.len() >= TRACED {
            self.traced.pop_front();
        }
        self.traced.push_back(trace);
        Some(traceparent)
    }

    /// Takes the trace of the message that is answered.
    fn answered(&mut self, traceparent: Option<&str>) -> Trace {
        if self.traced.is_empty() {
            return Trace::default();
        }
        let context = TraceContext::from_node(traceparent);
        let mut places = self.traced.iter();
        let place = places.position(|trace| trace.context().is_of(&context));
        let trace = place.and_then(|place| self.traced.remove(place));
        trace.unwrap_or_default()
    }

    fn tell(&mut self, to: To, frame: String, traceparent: Option<&str>) {
        match to {
            To::Socket(socket) => {
                let trace = self.answered(traceparent);
                if let Some(here) = self.here.get(&socket) {
                    here.outbox.push_traced(frame.into(), &trace);
                } else if let Some(outbox) = self.outside.get(&socket).and_then(Weak::upgrade) {
                    outbox.push_traced(frame.into(), &trace);
                }
            }
            To::Spectators => {
                let frame = tokio_tungstenite::tungstenite::Utf8Bytes::from(frame);
                for here in self.here.values().filter(|here| here.spectator) {
                    here.outbox.push(frame.clone());
                }
            }
        }
    }

    /// Tells all sockets that follow the match here to join again.
    fn send_away(&mut self) {
        let moved = moved(&self.id);
        for here in self.here.values() {
            here.outbox.push(moved.clone());
        }
        for outbox in self.outside.values().filter_map(Weak::upgrade) {
            outbox.push(moved.clone());
        }
    }
}

fn moved(id: &MatchId) -> tokio_tungstenite::tungstenite::Utf8Bytes {
    error_frame(id, None, Code::Moved, None, "join the match again")
}

fn who(caller: &Caller) -> Who {
    Who {
        socket: caller.socket,
        player: caller.player.clone(),
    }
}

/// Returns whether the socket is on another node that takes this one for the owner. If so, the socket is told to join again; otherwise two
/// relays could pass its messages to and fro.
fn is_remote(id: &MatchId, caller: &Caller) -> bool {
    let is_remote = caller.outbox.as_remote().is_some();
    if is_remote {
        caller.outbox.push(moved(id));
    }
    is_remote
}
