//! A player's page: keeps the state it received, gives its commands client ids, resends until answered, resumes by seq.

use std::collections::BTreeMap;

use fastrand::Rng;
use mawe_play::room::io::Refusal;
use mawe_rules::Side;
use mawe_wire::ids::ClientId;
use mawe_wire::{Command, EventMsg, StateView};

/// A message from a room to a page.
#[derive(Debug, Clone)]
pub(crate) enum ToClient {
    Snapshot {
        seq: u64,
        state: StateView,
    },
    Event(EventMsg),
    Refused {
        client_id: ClientId,
        refusal: Refusal,
    },
}

/// A message from a page to a room.
#[derive(Debug, Clone)]
pub(crate) enum ToRoom {
    Join {
        since: Option<u64>,
    },
    Leave,
    Command {
        client_id: ClientId,
        seq: u64,
        command: Command,
    },
}

/// A page; `side` is `None` for a spectator.
pub(crate) struct Client {
    pub(crate) side: Option<Side>,
    /// Plays both sides.
    alone: bool,
    /// The room it is connected to, by number.
    pub(crate) room: Option<u64>,
    pub(crate) seq: u64,
    pub(crate) state: Option<StateView>,
    waiting: Option<(ClientId, Command)>,
    named: u32,
    /// Acknowledged commands, with the seq of their events.
    pub(crate) acknowledged: BTreeMap<String, u64>,
    pub(crate) resent: u64,
}

impl Client {
    pub(crate) fn new(side: Option<Side>, alone: bool) -> Client {
        Client {
            side,
            alone,
            room: None,
            seq: 0,
            state: None,
            waiting: None,
            named: 0,
            acknowledged: BTreeMap::new(),
            resent: 0,
        }
    }

    /// Returns the messages on a new connection: a join, then the unanswered command.
    pub(crate) fn connected(&mut self, room: u64) -> Vec<ToRoom> {
        self.room = Some(room);
        let since = self.state.as_ref().map(|_| self.seq);
        let mut says = vec![ToRoom::Join { since }];
        says.extend(self.resend());
        says
    }

    pub(crate) fn resend(&mut self) -> Option<ToRoom> {
        let (client_id, command) = self.waiting.clone()?;
        self.resent += 1;
        Some(ToRoom::Command {
            client_id,
            seq: self.seq,
            command,
        })
    }

    /// Handles a message; returns a join if an event is missing.
    pub(crate) fn receive(&mut self, message: ToClient) -> Option<ToRoom> {
        match message {
            ToClient::Snapshot { seq, state } => {
                // A late snapshot of an earlier join must not restore an older state.
                if self.state.is_none() || seq >= self.seq {
                    self.seq = seq;
                    self.state = Some(state);
                }
                None
            }
            ToClient::Event(event) => self.event(event),
            ToClient::Refused { client_id, refusal } => {
                if self
                    .waiting
                    .as_ref()
                    .is_some_and(|(waiting, _)| *waiting == client_id)
                {
                    assert!(
                        !self.acknowledged.contains_key(client_id.as_str()),
                        "{client_id} was acknowledged, then refused: {refusal}"
                    );
                    self.waiting = None;
                }
                None
            }
        }
    }

    fn event(&mut self, event: EventMsg) -> Option<ToRoom> {
        if let Some((client_id, _)) = &self.waiting
            && event.client_id.as_ref() == Some(client_id)
            && self.side.is_some()
            && (self.alone || event.event.side() == self.side)
        {
            self.acknowledged.insert(client_id.to_string(), event.seq);
            self.waiting = None;
        }
        if event.seq <= self.seq {
            return None;
        }
        if event.seq > self.seq + 1 || self.state.is_none() {
            return Some(ToRoom::Join {
                since: self.state.as_ref().map(|_| self.seq),
            });
        }
        self.seq = event.seq;
        self.state = Some(event.state);
        None
    }

    /// Draws the next command of a person, if any.
    pub(crate) fn act(&mut self, rng: &mut Rng) -> Option<ToRoom> {
        let state = self.state.as_ref()?;
        let side = if self.alone && self.side.is_some() {
            state.turn
        } else {
            self.side?
        };
        if state.result.is_some() || self.waiting.is_some() {
            return None;
        }
        let command = whim(state, side, rng)?;
        self.named += 1;
        // Both sides use the same client ids: they must not collide.
        let client_id: ClientId = format!("c{}", self.named).parse().expect("a client id");
        self.waiting = Some((client_id.clone(), command.clone()));
        Some(ToRoom::Command {
            client_id,
            seq: self.seq,
            command,
        })
    }
}

fn whim(state: &StateView, side: Side, rng: &mut Rng) -> Option<Command> {
    let other = || Some(side.other());
    match rng.u32(0..200) {
        0 => Some(Command::Resign),
        1..=4 => Some(Command::OfferDraw),
        5..=7 => Some(Command::AcceptDraw),
        8..=12 => Some(Command::DeclineDraw),
        13 => Some(Command::Abort),
        14..=17 => Some(Command::Move {
            ply: state.ply,
            text: "a1a1".to_owned(),
        }),
        18..=20 => Some(Command::Move {
            ply: state.ply.wrapping_sub(1),
            text: "a1b2".to_owned(),
        }),
        41..=44 => Some(Command::OfferTakeback),
        45 => Some(Command::AcceptTakeback),
        46 => Some(Command::DeclineTakeback),
        47 | 48 => Some(Command::GiveTime),
        49 | 50 => Some(Command::ClaimWin),
        101..=140 if state.turn != side => Some(Command::ClaimWin),
        51 => Some(Command::ClaimDraw),
        141..=146 => Some(Command::Berserk),
        52..=100 if state.takeback_offer == other() && rng.bool() => Some(Command::AcceptTakeback),
        21..=40 if state.draw_offer == other() => Some(Command::AcceptDraw),
        // Also out of turn: the room must refuse that.
        _ if state.turn == side || rng.u32(0..20) == 0 => {
            let text = rng.choice(&state.legal)?.clone();
            Some(Command::Move {
                ply: state.ply,
                text,
            })
        }
        _ => None,
    }
}
