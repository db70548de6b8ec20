//! The sockets that follow a match, players before spectators.

use std::collections::HashSet;
use std::sync::Arc;

use mawe_rules::{BySide, Side};
use mawe_store::MatchRow;
use mawe_wire::ids::PlayerId;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::live::message::Caller;
use crate::live::outbox::Outbox;
use crate::trace::Trace;

/// The sockets that follow a match.
#[derive(Debug)]
pub struct Audience {
    players: BySide<PlayerId>,
    /// The seats of this server's computer opponents, with their presence: an opponent is present while its jobs are done.
    computers: BySide<Option<bool>>,
    /// The players' sockets.
    seated: Vec<(Side, Caller)>,
    spectators: Vec<Caller>,
    /// The spectators on other nodes: each node gets one frame for all of them.
    crowds: Vec<Crowd>,
}

/// The spectators on one other node.
#[derive(Debug)]
struct Crowd {
    /// The outbox to all of them.
    outbox: Arc<Outbox>,
    sockets: HashSet<u64>,
}

impl Audience {
    /// Creates an audience without sockets.
    #[must_use]
    pub fn new(row: &MatchRow) -> Audience {
        let of = |side: Side| &row.players[side];
        Audience {
            players: BySide::from_fn(|side| of(side).id.clone()),
            computers: BySide::from_fn(|side| of(side).is_computer().then_some(true)),
            seated: Vec::new(),
            spectators: Vec::new(),
            crowds: Vec::new(),
        }
    }

    /// Returns the seat of a player.
    #[must_use]
    pub fn side_of(&self, player: Option<&PlayerId>) -> Option<Side> {
        let player = player?;
        Side::ALL
            .into_iter()
            .find(|side| self.players[*side] == *player)
    }

    /// Adds a socket, once. Returns whether presence has changed.
    pub fn add(&mut self, caller: Caller) -> bool {
        let before = self.counted();
        self.remove(caller.socket);
        let side = self.side_of(caller.player.as_ref());
        if let Some(remote) = caller.outbox.as_remote() {
            // From now on its node's frames are also for this socket.
            remote.joined(side.is_none());
        }
        match (side, caller.outbox.as_remote()) {
            (Some(side), _) => self.seated.push((side, caller)),
            (None, None) => self.spectators.push(caller),
            (None, Some(remote)) => {
                let of_node = |crowd: &&mut Crowd| {
                    let theirs = crowd.outbox.as_remote();
                    theirs.is_some_and(|theirs| theirs.link() == remote.link())
                };
                if let Some(crowd) = self.crowds.iter_mut().find(of_node) {
                    crowd.sockets.insert(caller.socket);
                } else {
                    self.crowds.push(Crowd {
                        outbox: Arc::new(Outbox::remote(remote.spectators())),
                        sockets: HashSet::from([caller.socket]),
                    });
                }
            }
        }
        before != self.counted()
    }

    /// Sets the presence of the computer opponent in a seat. Returns whether it has changed.
    pub fn set_computer(&mut self, side: Side, here: bool) -> bool {
        let was = self.computers[side];
        self.computers[side] = was.map(|_| here);
        was != self.computers[side]
    }

    fn counted(&self) -> (BySide<bool>, u32) {
        (
            BySide::from_fn(|side| self.is_here(side)),
            self.spectators(),
        )
    }

    /// Removes a socket. Returns its seat if presence has changed by that.
    #[allow(clippy::option_option)]
    pub fn remove(&mut self, socket: u64) -> Option<Option<Side>> {
        let before = self.counted();
        let side = self
            .seated
            .iter()
            .find(|(_, caller)| caller.socket == socket)
            .map(|(side, _)| *side);
        self.seated.retain(|(_, caller)| caller.socket != socket);
        self.spectators.retain(|caller| caller.socket != socket);
        self.crowds.retain_mut(|crowd| {
            crowd.sockets.remove(&socket);
            !crowd.sockets.is_empty()
        });
        (before != self.counted()).then_some(side)
    }

    /// Sends a frame to all sockets.
    pub fn tell(&self, frame: &Utf8Bytes) {
        for (_, outbox) in self.sockets() {
            outbox.push(frame.clone());
        }
    }

    /// Sends a frame to the players. For the socket of `traced` it is the answer to a traced message.
    pub fn tell_players(&self, frame: &Utf8Bytes, traced: Option<(u64, &Trace)>) {
        for (_, caller) in &self.seated {
            match traced {
                Some((socket, trace)) if caller.socket == socket => {
                    caller.outbox.push_traced(frame.clone(), trace);
                }
                Some(_) | None => caller.outbox.push(frame.clone()),
            }
        }
    }

    /// Sends a frame to the spectators.
    pub fn tell_spectators(&self, frame: &Utf8Bytes) {
        let crowds = self.crowds.iter().map(|crowd| &crowd.outbox);
        let here = self.spectators.iter().map(|caller| &caller.outbox);
        for outbox in crowds.chain(here) {
            outbox.push(frame.clone());
        }
    }

    /// Returns every socket with its seat, players first; the spectators on another node count as one.
    pub fn sockets(&self) -> impl Iterator<Item = (Option<Side>, &Arc<Outbox>)> {
        let seated = self
            .seated
            .iter()
            .map(|(side, caller)| (Some(*side), &caller.outbox));
        let crowds = self.crowds.iter().map(|crowd| (None, &crowd.outbox));
        let here = self.spectators.iter();
        seated
            .chain(crowds)
            .chain(here.map(|caller| (None, &caller.outbox)))
    }

    /// Whether the player of a seat is present; a computer opponent is while its jobs are done.
    #[must_use]
    pub fn is_here(&self, side: Side) -> bool {
        // A player against themselves is present at both seats.
        let is_at = |seat: Side| seat == side || self.players.first == self.players.second;
        self.computers[side] == Some(true) || self.seated.iter().any(|(seat, _)| is_at(*seat))
    }

    /// Whether this socket follows the match.
    #[must_use]
    pub fn follows(&self, socket: u64) -> bool {
        let seated = self.seated.iter().map(|(_, caller)| caller);
        let mut all = seated.chain(&self.spectators);
        all.any(|caller| caller.socket == socket)
            || self
                .crowds
                .iter()
                .any(|crowd| crowd.sockets.contains(&socket))
    }

    /// Returns the number of spectators.
    #[must_use]
    pub fn spectators(&self) -> u32 {
        let afar: usize = self.crowds.iter().map(|crowd| crowd.sockets.len()).sum();
        u32::try_from(self.spectators.len() + afar).unwrap_or(u32::MAX)
    }

    /// Whether no socket follows the match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seated.is_empty() && self.spectators.is_empty() && self.crowds.is_empty()
    }
}
