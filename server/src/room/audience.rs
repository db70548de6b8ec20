//! Who is at a match: the sockets that follow it, players before spectators.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use mawe_rules::{BySide, Side};

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
        match self.side_of(caller.player.as_ref()) {
            Some(side) => self.seated.push((side, caller)),
            None => self.spectators.push(caller),
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
        for caller in &self.spectators {
            caller.outbox.push(frame.clone());
        }
    }

    /// Every socket with its seat, players first.
    pub fn sockets(&self) -> impl Iterator<Item = (Option<Side>, &Arc<Outbox>)> {
        let seated = self
            .seated
            .iter()
            .map(|(side, caller)| (Some(*side), &caller.outbox));
        seated.chain(self.spectators.iter().map(|caller| (None, &caller.outbox)))
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
    }

    /// How many watch.
    #[must_use]
    pub fn spectators(&self) -> u32 {
        u32::try_from(self.spectators.len()).unwrap_or(u32::MAX)
    }

    /// Whether no socket is here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seated.is_empty() && self.spectators.is_empty()
    }
}
