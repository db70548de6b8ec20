//! The messages of clients, taken apart: commands for the match core, phrases, rematches.

use std::time::Instant;

use mawe_play::room::io::Input;
use mawe_rules::Side;
use mawe_store::StoreError;
use mawe_wire::ids::ClientId;
use mawe_wire::{Code, MatchMsg, Phrase, ServerMsg};

use crate::live::actor::{Change, Room, Sender};
use crate::live::arrange;
use crate::live::message::{Caller, Envelope};
use crate::live::outbox::encode;

impl Room {
    /// Whether a message may change the match. If so, it waits for the end of a running append; else it is handled meanwhile.
    pub(super) fn may_change_match(message: &MatchMsg) -> bool {
        match message {
            MatchMsg::Command { .. } | MatchMsg::Rematch {} => true,
            MatchMsg::Phrase { .. } | MatchMsg::Mute { .. } => false,
        }
    }

    /// Handles a message that does not change the match; returns the change that any other asks for.
    pub(super) fn open_envelope(&mut self, envelope: Envelope) -> Option<Change> {
        let Envelope {
            caller,
            received,
            lag_ms,
            message,
            unheard,
            trace,
        } = envelope;
        match message {
            MatchMsg::Command {
                client_id,
                seq,
                command,
            } => {
                let side = self.acting_side(&caller, &client_id)?;
                let input = Input::Command {
                    side,
                    client_id: client_id.clone(),
                    seq,
                    command,
                    lag_ms,
                };
                let sender = Sender {
                    caller,
                    client_id,
                    seq,
                    trace,
                };
                Some(Change::Input(received, input, sender))
            }
            MatchMsg::Rematch {} => Some(Change::Rematch(caller)),
            MatchMsg::Phrase { phrase } => {
                self.phrase(&caller, phrase, unheard);
                None
            }
            MatchMsg::Mute { muted } => {
                self.mute(&caller, muted);
                None
            }
        }
    }

    /// Returns the side for which a command counts; refuses a caller without a seat.
    fn acting_side(&self, caller: &Caller, client_id: &ClientId) -> Option<Side> {
        let Some(side) = self.audience.side_of(caller.player.as_ref()) else {
            caller.outbox.push(self.error(
                Some(client_id.clone()),
                Code::NotSeated,
                None,
                "you do not play in this match",
            ));
            return None;
        };
        // A player with both seats acts for the side to move.
        Some(if self.state.setup().one_player {
            self.state.record().turn()
        } else {
            side
        })
    }

    fn mute(&mut self, caller: &Caller, muted: bool) {
        match self.audience.side_of(caller.player.as_ref()) {
            Some(side) => self.phrases.set_muted(side, muted),
            None => self.refuse_stranger(caller),
        }
    }

    /// Handles a phrase of a client; if it is `unheard`, the opponent has blocked the client and does not get it.
    fn phrase(&mut self, caller: &Caller, phrase: Phrase, unheard: bool) {
        let Some(side) = self.audience.side_of(caller.player.as_ref()) else {
            self.refuse_stranger(caller);
            return;
        };
        let refused = if !self.row.options.phrases {
            Some((Code::PhrasesOff, "in this match nothing is said"))
        } else if !self.phrases.may_say(Instant::now(), side) {
            Some((Code::TooFast, "say less; wait a moment"))
        } else {
            None
        };
        if let Some((code, message)) = refused {
            caller.outbox.push(self.error(None, code, None, message));
            return;
        }
        self.say(side, phrase, unheard);
        if let Some(opponent) = &mut self.opponent
            && let Some(answer) = opponent.answer(phrase)
        {
            let side = opponent.side;
            self.say(side, answer, false);
        }
    }

    /// Lets a computer opponent take leave, after the match has ended.
    pub(super) fn bid_farewell(&mut self) {
        let (Some(opponent), Some(result)) = (&self.opponent, self.state.result()) else {
            return;
        };
        let (side, plies) = (opponent.side, self.state.view().ply);
        if let Some(farewell) = opponent.farewell(&self.row.id, plies, result) {
            self.say(side, farewell, false);
        }
    }

    /// Sends a phrase of a side's player to everybody at the match except readers with a mute, and except the opponent if it is `unheard`;
    /// to spectators in its place among the delayed events, so that a phrase about the end does not come before it.
    pub(super) fn say(&mut self, side: Side, phrase: Phrase, unheard: bool) {
        let frame = encode(&ServerMsg::Phrase {
            match_id: self.row.id.clone(),
            side,
            phrase,
        });
        for (to, outbox) in self.audience.sockets() {
            let is_heard = !(unheard && to == Some(side.other()));
            if to.is_some() && is_heard && self.phrases.reaches(side, to) {
                outbox.push(frame.clone());
            }
        }
        // A phrase hides the events after it, and none that is there.
        let after = self.state.head() + 1;
        if let Some(frame) = self.spectator_delay.push(Instant::now(), after, frame) {
            self.audience.tell_spectators(&frame);
        }
    }

    fn refuse_stranger(&self, caller: &Caller) {
        let frame = self.error(None, Code::NotSeated, None, "you do not play in this match");
        caller.outbox.push(frame);
    }

    pub(super) async fn rematch(&mut self, caller: &Caller) {
        let Some(side) = self.audience.side_of(caller.player.as_ref()) else {
            self.refuse_stranger(caller);
            return;
        };
        if self.state.result().is_none() {
            caller.outbox.push(self.error(
                None,
                Code::MatchNotOver,
                None,
                "the match is not over yet",
            ));
            return;
        }
        let setup = self.state.setup();
        let bot_agrees = setup.one_player || setup.bots[side.other()].is_some();
        let now = Instant::now();
        if !bot_agrees
            && !self.rematch.is_made()
            && let Some((code, message)) = self.apart(side).await
        {
            caller.outbox.push(self.error(None, code, None, message));
            return;
        }
        let agreed = bot_agrees || self.rematch.is_offered_by(side.other(), now);
        if !self.rematch.is_made() && agreed {
            match arrange::rematch(self.services.store.as_ref(), &self.row).await {
                Ok(next) => {
                    (self.opener)(&next);
                    self.rematch.become_match(next);
                }
                Err(StoreError::TooManyMatches(player)) => {
                    let mine = caller.player.as_ref() == Some(&player);
                    let (code, message) = if mine {
                        (
                            Code::TooManyRunning,
                            "finish some of your running matches first",
                        )
                    } else {
                        (
                            Code::OpponentBusy,
                            "the other player has too many running matches just now",
                        )
                    };
                    caller.outbox.push(self.error(None, code, None, message));
                    return;
                }
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "a rematch could not be created"
                    );
                    caller.outbox.push(self.error(
                        None,
                        Code::StorageUnavailable,
                        None,
                        "the rematch cannot be made just now; try again soon",
                    ));
                    return;
                }
            }
        } else if !self.rematch.is_made() {
            let lasting = self.services.settings.rematch_offer;
            self.rematch.offer(side, now, lasting);
        }
        self.tell_rematch(now);
    }

    /// Returns the refusal of a rematch after a block by either player. If the store fails now, the block is found when the match of the
    /// rematch is stored.
    async fn apart(&self, side: Side) -> Option<(Code, &'static str)> {
        let (me, other) = (
            &self.row.players[side].id,
            &self.row.players[side.other()].id,
        );
        let relation = self.services.store.relation(me, other).await.ok()?;
        if relation.blocks {
            Some((
                Code::PlayerBlocked,
                "you have blocked this player: unblock them first",
            ))
        } else if relation.blocked_by {
            Some((
                Code::MatchRefused,
                "this player does not take this match from you",
            ))
        } else {
            None
        }
    }

    pub(super) fn tell_rematch(&self, now: Instant) {
        self.audience.tell(&encode(&ServerMsg::Rematch {
            match_id: self.row.id.clone(),
            rematch: self.rematch.view(now),
        }));
    }
}
