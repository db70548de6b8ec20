//! Who is at a match: the sockets that follow it, players before spectators.

use std::collections::HashSet;
use std::sync::Arc;

use mawe_rules::{BySide, Side};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::ids::PlayerId;
use crate::outbox::Outbox;
use crate::room::mail::Caller;
use crate::store::MatchRow;

/// The sockets at a match.
#[derive(Debug)]
pub struct Audience {
    players: BySide<PlayerId>,
    /// Where a computer opponent of this server sits, and whether it is there: its jobs are done.
    computers: BySide<Option<bool>>,
    /// In the order they are served: players first.
    seated: Vec<(Side, Caller)>,
    spectators: Vec<Caller>,
    /// Those who watch on other nodes: one frame a node is enough.
    crowds: Vec<Crowd>,
}

/// The spectators on one other node.
#[derive(Debug)]
struct Crowd {
    /// To all of them.
    outbox: Arc<Outbox>,
    sockets: HashSet<u64>,
}

impl Audience {
    /// Nobody yet.
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

    /// The seat of a player.
    #[must_use]
    pub fn side_of(&self, player: Option<&PlayerId>) -> Option<Side> {
        let player = player?;
        Side::ALL
            .into_iter()
            .find(|side| self.players[*side] == *player)
    }

    /// Adds a socket, once; says whether who is there has changed.
    pub fn add(&mut self, caller: Caller) -> bool {
        let before = self.counted();
        self.remove(caller.socket);
        let side = self.side_of(caller.player.as_ref());
        if let Some(afar) = caller.outbox.afar() {
            // What its node is told from here on is for this socket too.
            afar.joined(side.is_none());
        }
        match (side, caller.outbox.afar()) {
            (Some(side), _) => self.seated.push((side, caller)),
            (None, None) => self.spectators.push(caller),
            (None, Some(afar)) => {
                let of_node = |crowd: &&mut Crowd| {
                    let theirs = crowd.outbox.afar();
                    theirs.is_some_and(|theirs| theirs.is_beside(afar))
                };
                if let Some(crowd) = self.crowds.iter_mut().find(of_node) {
                    crowd.sockets.insert(caller.socket);
                } else {
                    self.crowds.push(Crowd {
                        outbox: Arc::new(Outbox::of_afar(afar.to_spectators())),
                        sockets: HashSet::from([caller.socket]),
                    });
                }
            }
        }
        before != self.counted()
    }

    /// Whether the computer in a seat is there; says whether that has changed.
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

    /// Takes a socket away; the seat it had, if it was here and who is there has changed.
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

    /// Sends a frame to all.
    pub fn tell(&self, frame: &Utf8Bytes) {
        for (_, outbox) in self.sockets() {
            outbox.push(frame.clone());
        }
    }

    /// Sends a frame to the players.
    pub fn tell_players(&self, frame: &Utf8Bytes) {
        for (_, caller) in &self.seated {
            caller.outbox.push(frame.clone());
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

    /// Every socket with its seat, players first; the spectators on another node are one.
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

    /// Whether the player of a seat is there; a computer is while its jobs are done.
    #[must_use]
    pub fn is_here(&self, side: Side) -> bool {
        // Who plays against themselves is at both seats.
        let is_at = |seat: Side| seat == side || self.players.first == self.players.second;
        self.computers[side] == Some(true) || self.seated.iter().any(|(seat, _)| is_at(*seat))
    }

    /// Whether this socket is here.
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

    /// How many watch.
    #[must_use]
    pub fn spectators(&self) -> u32 {
        let afar: usize = self.crowds.iter().map(|crowd| crowd.sockets.len()).sum();
        u32::try_from(self.spectators.len() + afar).unwrap_or(u32::MAX)
    }

    /// Whether no socket is here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seated.is_empty() && self.spectators.is_empty() && self.crowds.is_empty()
    }
}
