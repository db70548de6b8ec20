//! Joining and leaving a room, and the views that it sends.

use std::time::Instant;

use mawe_play::room::io::Input;
use mawe_play::room::state::RoomState;
use mawe_rules::Side;
use mawe_wire::ids::ClientId;
use mawe_wire::{ClockView, Code, MatchView, Presence, ServerMsg, Snapshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::live::actor::{PRESENCE_EVERY, Room, error_frame};
use crate::live::message::Caller;
use crate::live::outbox::encode;
use crate::live::view;

impl Room {
    pub(super) fn join(&mut self, caller: &Caller, since: Option<u64>) {
        let side = self.audience.side_of(caller.player.as_ref());
        let changed = self.audience.add(caller.clone());
        self.note_presence(side);
        let shown = self.shown_to(side);
        let head = shown.as_ref().unwrap_or(&self.state).head();
        match since {
            Some(since) if view::resumes(head, since) => {
                let events = self.state.events_since(since);
                for event in events.into_iter().filter(|event| event.seq <= head) {
                    caller
                        .outbox
                        .push(encode(&ServerMsg::Event(Box::new(event))));
                }
                caller.outbox.push(encode(&ServerMsg::Joined {
                    match_id: self.row.id.clone(),
                    seq: head,
                    clock: self.clock_of(shown.as_ref()),
                    you: side,
                    presence: self.presence(),
                    rematch: self.rematch.view(Instant::now()),
                }));
            }
            _ => caller.outbox.push(self.snapshot(side)),
        }
        self.presence_changed(changed, side);
        if let Some(side) = side {
            self.note_seen_by(side);
            self.greet(side);
        }
    }

    /// Lets a computer opponent greet the person on arrival at the match, before their first move.
    fn greet(&mut self, arrived: Side) {
        let Some(opponent) = &mut self.opponent else {
            return;
        };
        let (side, greeting) = (opponent.side, opponent.greeting(&self.row.id));
        let Some(greeting) = greeting else {
            return;
        };
        let mut journal = self.state.journal().iter();
        let has_acted = journal.any(|entry| entry.side == Some(arrived));
        if !has_acted && self.state.result().is_none() {
            self.say(side, greeting, false);
        }
    }

    pub(super) fn leave(&mut self, socket: u64) {
        if let Some(side) = self.audience.remove(socket) {
            self.note_presence(side);
            self.presence_changed(true, side);
        }
        if self.audience.is_empty() {
            self.idle_since = Instant::now();
        }
    }

    /// Reports the presence of a seat's player to the core.
    fn note_presence(&mut self, side: Option<Side>) {
        let Some(side) = side else { return };
        let here = self.audience.is_here(side);
        let now = self.services.run_time.now(Instant::now());
        let effects = self.state.handle(now, Input::Presence { side, here });
        self.carry_out(effects, None);
    }

    /// Tells everybody when a computer opponent is found to be away, or returns.
    pub(super) fn note_computer(&mut self, side: Side, here: bool) {
        if self.audience.set_computer(side, here) {
            self.tell_presence();
        }
    }

    fn presence(&self) -> Presence {
        let now = self.services.run_time.now(Instant::now());
        view::presence(&self.audience, &self.state, now)
    }

    /// Returns the match as visible to this seat, if that differs from the present state: spectators see it with a delay. It is rebuilt
    /// from the journal each time, which is rare and needs no memory.
    fn shown_to(&self, side: Option<Side>) -> Option<RoomState> {
        let head = self.spectator_delay.visible_head(self.state.head());
        if side.is_some() || head == self.state.head() {
            return None;
        }
        let journal = self.state.journal();
        let seen = journal
            .iter()
            .take_while(|entry| entry.seq <= head)
            .cloned();
        let shown = RoomState::replay(self.state.setup().clone(), self.state.epoch(), seen);
        Some(shown.expect("the journal was applied before"))
    }

    /// Returns the present clocks of the match, or the clocks after the last visible entry of a delayed one.
    fn clock_of(&self, shown: Option<&RoomState>) -> ClockView {
        match shown {
            None => self
                .state
                .clock_at(self.services.run_time.now(Instant::now())),
            Some(shown) => shown.view().clock,
        }
    }

    pub(super) fn view(&self, side: Option<Side>) -> MatchView {
        let shown = self.shown_to(side);
        let clock = self.clock_of(shown.as_ref());
        view::of_match(&self.row, shown.as_ref().unwrap_or(&self.state), clock)
    }

    /// Sends a change of a player's presence at once, of a spectator's soon.
    pub(super) fn presence_changed(&mut self, changed: bool, side: Option<Side>) {
        if !changed {
            return;
        }
        if side.is_some() {
            self.tell_presence();
        } else {
            self.presence_due
                .get_or_insert_with(|| Instant::now() + PRESENCE_EVERY);
        }
    }

    pub(super) fn tell_presence(&mut self) {
        self.presence_due = None;
        let presence = self.presence();
        self.audience.tell(&encode(&ServerMsg::Presence {
            match_id: self.row.id.clone(),
            presence,
        }));
    }

    /// Reads the match's row again and sends everybody a snapshot.
    pub(super) async fn refresh(&mut self) {
        match self.services.store.find_match(&self.row.id).await {
            Ok(Some(row)) => self.row = row,
            Ok(None) => return,
            Err(error) => {
                // The old row stays visible: nothing depends on it.
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a room's row could not be read again"
                );
                return;
            }
        }
        for (side, outbox) in self.audience.sockets() {
            outbox.push(self.snapshot(side));
        }
    }

    fn snapshot(&self, side: Option<Side>) -> Utf8Bytes {
        let snapshot = Snapshot {
            view: self.view(side),
            you: side,
            presence: self.presence(),
            rematch: self.rematch.view(Instant::now()),
        };
        encode(&ServerMsg::Snapshot(Box::new(snapshot)))
    }

    pub(super) fn error(
        &self,
        client_id: Option<ClientId>,
        code: Code,
        why: Option<&str>,
        message: &str,
    ) -> Utf8Bytes {
        error_frame(&self.row.id, client_id, code, why, message)
    }
}
