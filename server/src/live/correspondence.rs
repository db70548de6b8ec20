//! Matches by the day: conditional moves, and vacations.
//!
//! Both are read from the store: such a match has few entries, so one query after each is cheap, and correct on any node without a message.

use std::sync::Arc;
use std::time::Instant;

use mawe_play::room::conditional::ConditionalMoves;
use mawe_play::room::io::{Input, Now};
use mawe_play::room::vacation::TimeUp;
use mawe_rules::Side;
use mawe_store::StoreError;
use mawe_wire::{Code, Command, TimeControl, random};

use crate::live::actor::{Going, RETRY, Room, Sender};
use crate::live::message::Mailbox;

/// The length of the id of a command that the server gives for a player: that of the page's, so that nobody sees the difference.
const CLIENT_ID: usize = 20;

impl Room {
    fn is_by_the_day(&self) -> bool {
        matches!(self.row.time_control, TimeControl::Correspondence { .. })
    }

    /// Plays the conditional moves that answer the last entry, then sends a push message to the player to move. `by` is the side whose
    /// command the entry was.
    pub(super) async fn follow_up(&mut self, by: Option<Side>, mailbox: &mut Mailbox) -> Going {
        let mut by = by;
        self.end_turn(by);
        while let Some((side, text)) = self.next_answer(mailbox).await {
            let head = self.state.head();
            if self.answer_for(side, text, mailbox).await == Going::Ends {
                return Going::Ends;
            }
            if self.state.head() == head {
                // The store did not say whether a vacation lasts.
                self.look_again();
                break;
            }
            by = Some(side);
            self.end_turn(by);
        }
        self.call_to_move(by);
        Going::On
    }

    /// Plays the conditional moves that are due. Needed when the room opens, and when the store did not answer.
    pub(super) async fn answer_ahead(&mut self, mailbox: &mut Mailbox) -> Going {
        match self.next_answer(mailbox).await {
            None => Going::On,
            Some((side, text)) => {
                let head = self.state.head();
                if self.answer_for(side, text, mailbox).await == Going::Ends {
                    return Going::Ends;
                }
                if self.state.head() == head {
                    self.look_again();
                    return Going::On;
                }
                self.follow_up(Some(side), mailbox).await
            }
        }
    }

    async fn answer_for(&mut self, side: Side, text: String, mailbox: &mut Mailbox) -> Going {
        let ply = self.state.record().ply();
        // A random id is enough: the answer cannot be played twice, since it is found only in the position before it.
        let client_id = random::text(CLIENT_ID).parse();
        let input = Input::Command {
            side,
            client_id: client_id.expect("letters and digits"),
            seq: self.state.head(),
            command: Command::Move { ply, text },
            lag_ms: 0,
        };
        self.pass_input(Instant::now(), input, None, mailbox).await
    }

    /// Returns the conditional move to play now. If there is none, notes in the store that the lines were compared with the game, and
    /// deletes those of a side of which none goes on.
    async fn next_answer(&mut self, mailbox: &mut Mailbox) -> Option<(Side, String)> {
        if !self.is_by_the_day() {
            return None;
        }
        self.look_at = None;
        let (services, id) = (Arc::clone(&self.services), self.row.id.clone());
        let read = services.store.conditional_moves(&id);
        let stored = match self.serve_until(read, mailbox).await {
            Ok(stored) => stored,
            Err(error) => {
                self.look_later(&error);
                return None;
            }
        };
        let answer = |(side, moves): &(Side, ConditionalMoves)| {
            Some((*side, moves.answer(&self.state, *side)?))
        };
        if let Some(answer) = stored.iter().find_map(answer) {
            return Some(answer);
        }
        let head = self.state.head();
        for (side, moves) in stored {
            let goes_on = !moves.remaining(&self.state).is_empty();
            if goes_on && moves.seq == head {
                continue;
            }
            let head = goes_on.then_some(head);
            let noted = services
                .store
                .advance_conditional_moves(&id, side, moves.seq, head);
            if let Err(error) = self.serve_until(noted, mailbox).await {
                self.look_later(&error);
            }
        }
        None
    }

    fn look_later(&mut self, error: &StoreError) {
        tracing::warn!(game.match_id = %self.row.id, error = error as &dyn std::error::Error, "conditional moves could not be read; trying again soon");
        self.look_again();
    }

    fn look_again(&mut self) {
        self.look_at = Some(Instant::now() + RETRY.1);
    }

    /// Returns the time by which vacations extend a ply of which the time is up.
    pub(super) async fn vacation_ms(
        &mut self,
        turn: TimeUp,
        now: Now,
        mailbox: &mut Mailbox,
    ) -> Result<u64, StoreError> {
        let services = Arc::clone(&self.services);
        let player = self.row.players[turn.side].id.clone();
        let read = services.store.vacations_of(&player, turn.since_ms);
        let vacations = self.serve_until(read, mailbox).await?;
        Ok(turn.extension_ms(&vacations, now.unix_ms))
    }

    /// Puts off an input with which a flag would fall, because it is unknown whether the player is on vacation.
    pub(super) fn put_off(&mut self, error: &StoreError, sender: Option<&Sender>) {
        tracing::warn!(game.match_id = %self.row.id, error = error as &dyn std::error::Error, "a vacation could not be read; no flag falls meanwhile");
        self.wake_at = Some(Instant::now() + RETRY.1);
        if let Some(sender) = sender {
            sender.caller.outbox.push(self.error(
                Some(sender.client_id.clone()),
                Code::StorageUnavailable,
                None,
                "the match cannot be read just now; try again soon",
            ));
        }
    }
}
