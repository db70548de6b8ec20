//! Who is at a match: the sockets that follow it, players before spectators.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use mawe_rules::{BySide, Side};

use crate::ids::PlayerId;
use crate::outbox::Outbox;
use crate::protocol::{PlayerKind, Presence};
use crate::room::actor::Caller;
use crate::store::MatchRow;

/// The sockets at a match.
#[derive(Debug)]
pub struct Audience {
    players: BySide<PlayerId>,
    bots: BySide<bool>,
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
            bots: BySide::from_fn(|side| of(side).kind == PlayerKind::Bot),
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
        let before = self.presence();
        self.remove(caller.socket);
        match self.side_of(caller.player.as_ref()) {
            Some(side) => self.seated.push((side, caller)),
            None => self.spectators.push(caller),
        }
        before != self.presence()
    }

    /// Takes a socket away; the seat it had, if it was here and who is there has changed.
    #[allow(clippy::option_option)]
    pub fn remove(&mut self, socket: u64) -> Option<Option<Side>> {
        let before = self.presence();
        let side = self
            .seated
            .iter()
            .find(|(_, caller)| caller.socket == socket)
            .map(|(side, _)| *side);
        self.seated.retain(|(_, caller)| caller.socket != socket);
        self.spectators.retain(|caller| caller.socket != socket);
        (before != self.presence()).then_some(side)
    }

    /// Sends a frame to all.
    pub fn tell(&self, frame: &Utf8Bytes) {
        for (_, outbox) in self.sockets() {
            outbox.push(frame.clone());
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

    /// Who is there.
    #[must_use]
    pub fn presence(&self) -> Presence {
        let here =
            |side: Side| self.bots[side] || self.seated.iter().any(|(seat, _)| *seat == side);
        Presence {
            first: here(Side::First),
            second: here(Side::Second),
            spectators: u32::try_from(self.spectators.len()).unwrap_or(u32::MAX),
        }
    }

    /// Whether no socket is here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seated.is_empty() && self.spectators.is_empty()
    }
}
