//! A client that continues through failures of its server: joins again when told to, connects to another node when its connection ends, and
//! resends unanswered commands. It records everything that it receives, so that the tests can check it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use mawe_rules::Side;
use mawe_wire::{Command, EventMsg, ServerMsg};

use crate::common::Person;
use crate::common::play::Mirror;
use crate::common::socket::{Heard, Socket};

/// The time for which the client waits without a message before it asks again.
const QUIET: Duration = Duration::from_millis(1_500);

/// The default pause before a move.
const PACE: Duration = Duration::from_millis(70);

/// The time for which a match may make no progress during any fault.
const STUCK_AFTER: Duration = Duration::from_secs(120);

/// The pause before a failed join is tried again.
const AGAIN: Duration = Duration::from_millis(60);

/// The addresses of the nodes, which change when a node is restarted.
pub(crate) type Addresses = Arc<Mutex<Vec<SocketAddr>>>;

/// A client at a match: a player, or a spectator without a seat.
pub(crate) struct Player {
    pub(crate) person: Person,
    pub(crate) id: String,
    side: Option<Side>,
    /// The number of the first node to connect to; later ones follow in turn.
    node: usize,
    addresses: Addresses,
    socket: Option<Socket>,
    /// Whether the join has been answered.
    ready: bool,
    pub(crate) pace: Duration,
    pub(crate) mirror: Option<Mirror>,
    pending: Option<Sent>,
    sent: u64,
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// All received events, by seq.
    pub(crate) heard: BTreeMap<u64, EventMsg>,
    /// The longest time between a move and its acknowledgement.
    pub(crate) longest: Duration,
    /// The times between all moves and their acknowledgements.
    pub(crate) waits: Vec<Duration>,
}

#[derive(Clone)]
struct Sent {
    client_id: String,
    ply: u32,
    text: String,
    at: Instant,
}

/// A move that was acknowledged to its mover.
pub(crate) struct Acknowledged {
    pub(crate) client_id: String,
    pub(crate) seq: u64,
}

impl Player {
    pub(crate) fn new(
        person: Person,
        id: &str,
        side: Option<Side>,
        node: usize,
        addresses: &Addresses,
    ) -> Player {
        Player {
            person,
            id: id.to_owned(),
            side,
            node,
            addresses: Arc::clone(addresses),
            socket: None,
            ready: false,
            pace: PACE,
            mirror: None,
            pending: None,
            sent: 0,
            acknowledged: Vec::new(),
            heard: BTreeMap::new(),
            longest: Duration::ZERO,
            waits: Vec::new(),
        }
    }

    /// Connects through this node from now on.
    pub(crate) fn go_to(&mut self, node: usize) {
        self.node = node;
        self.socket = None;
        self.ready = false;
    }

    pub(crate) fn is_over(&self) -> bool {
        let mirror = self.mirror.as_ref();
        mirror.is_some_and(|mirror| mirror.state.result.is_some())
    }

    pub(crate) fn plies(&self) -> usize {
        self.mirror.as_ref().map_or(0, |mirror| mirror.plies.len())
    }

    /// Plays, or watches, until the match is over, or has this many plies.
    pub(crate) async fn until(&mut self, plies: usize, rng: &mut Rng) {
        // If hundreds of matches share a machine, one may last long; the test requires progress only.
        let (mut seen, mut since) = (self.plies(), Instant::now());
        while !self.is_over() && (self.plies() < plies || self.pending.is_some()) {
            let step = async {
                if self.plies() < plies {
                    self.move_if_due(rng).await;
                }
                self.hear().await;
            };
            let left = STUCK_AFTER.saturating_sub(since.elapsed());
            let stepped = tokio::time::timeout(left, step).await;
            assert!(
                stepped.is_ok(),
                "{:?} of {} is stuck at seq {:?}, ready {}",
                self.side,
                self.id,
                self.mirror.as_ref().map(|mirror| mirror.seq),
                self.ready,
            );
            if self.plies() != seen {
                (seen, since) = (self.plies(), Instant::now());
            }
        }
    }

    async fn move_if_due(&mut self, rng: &mut Rng) {
        let Some((mirror, side)) = self.mirror.as_ref().zip(self.side) else {
            return;
        };
        let state = &mirror.state;
        if !self.ready || self.pending.is_some() || state.result.is_some() || state.turn != side {
            return;
        }
        // The server accepts 15 frames a second.
        tokio::time::sleep(self.pace).await;
        self.sent += 1;
        self.pending = Some(Sent {
            client_id: format!("{side}-{}", self.sent),
            ply: state.ply,
            text: state.legal[rng.usize(..state.legal.len())].clone(),
            at: Instant::now(),
        });
        self.send_pending().await;
    }

    async fn send_pending(&mut self) {
        let (Some(socket), Some(sent), Some(mirror)) =
            (&mut self.socket, &self.pending, &self.mirror)
        else {
            return;
        };
        let command = Command::Move {
            ply: sent.ply,
            text: sent.text.clone(),
        };
        if !socket
            .try_command(&self.id, &sent.client_id, mirror.seq, command)
            .await
        {
            self.socket = None;
        }
    }

    async fn join(&mut self) {
        self.ready = false;
        let since = self.mirror.as_ref().map(|mirror| mirror.seq);
        if let Some(socket) = &mut self.socket
            && !socket.try_join(&self.id, since).await
        {
            self.socket = None;
        }
    }

    async fn connect(&mut self) {
        let address = {
            let addresses = self.addresses.lock().expect("no test panics with it");
            addresses[self.node % addresses.len()]
        };
        self.person = self.person.moved_to(address);
        self.socket = Socket::try_open(&self.person).await;
        if self.socket.is_some() {
            self.join().await;
        } else {
            self.node += 1;
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Receives one message, or asks again when none arrives.
    async fn hear(&mut self) {
        let Some(socket) = &mut self.socket else {
            self.connect().await;
            return;
        };
        match socket.hear_within(QUIET).await {
            Some(Heard::Said(message)) => self.take(message).await,
            Some(Heard::Closed(_)) => {
                self.socket = None;
                self.node += 1;
            }
            // A paused node sends nothing.
            None if !self.ready || self.pending.is_some() => {
                self.socket = None;
                self.node += 1;
            }
            None => self.join().await,
        }
    }

    async fn take(&mut self, message: ServerMsg) {
        match message {
            ServerMsg::Event(event) => self.take_event(*event).await,
            ServerMsg::Snapshot(snapshot) => {
                let new = Mirror::of(&snapshot.view);
                if let Some(old) = &self.mirror {
                    assert!(new.seq >= old.seq, "a match goes back: {old:?} {new:?}");
                }
                self.mirror = Some(new);
                self.joined().await;
            }
            ServerMsg::Joined { .. } => self.joined().await,
            ServerMsg::Error(error) if error.code.as_str() == "moved" => {
                tokio::time::sleep(AGAIN).await;
                self.join().await;
            }
            ServerMsg::Error(error)
                if error.code.as_str() == "storage-unavailable" && self.ready => {}
            ServerMsg::Error(error) if error.code.as_str() == "storage-unavailable" => {
                tokio::time::sleep(AGAIN * 4).await;
                self.join().await;
            }
            ServerMsg::Error(error) => {
                let code = error.code.as_str();
                // A resent command may have been accepted before, and its event is on the way or was in a snapshot.
                assert!(
                    matches!(code, "stale-ply" | "not-your-turn" | "match-over"),
                    "{error:?}"
                );
                self.pending = None;
            }
            _ => {}
        }
    }

    async fn joined(&mut self) {
        self.ready = true;
        self.send_pending().await;
    }

    async fn take_event(&mut self, event: EventMsg) {
        if let Some(sent) = &self.pending
            && event.client_id.as_ref().map(|id| id.as_str()) == Some(sent.client_id.as_str())
        {
            self.longest = self.longest.max(sent.at.elapsed());
            self.waits.push(sent.at.elapsed());
            self.acknowledged.push(Acknowledged {
                client_id: sent.client_id.clone(),
                seq: event.seq,
            });
            self.pending = None;
        }
        let before = self.heard.insert(event.seq, event.clone());
        if let Some(before) = before {
            assert_eq!(
                (&before.event, &before.state.position),
                (&event.event, &event.state.position),
                "seq {} of {} is told in two ways",
                event.seq,
                self.id
            );
        }
        let Some(mirror) = &mut self.mirror else {
            return;
        };
        if event.seq == mirror.seq + 1 {
            mirror.take(&event);
        } else if event.seq > mirror.seq {
            // An event is missing: request it.
            self.join().await;
        }
    }
}
