//! Notices and push messages to absent players of a match.

use std::time::Duration;

use mawe_rules::Side;
use mawe_store::NewNotice;
use mawe_wire::end_reason::is_called_off;
use mawe_wire::{NoticeAbout, NoticeKind, NoticeOutcome, PlayerKind};

use crate::clock::unix_ms;
use crate::live::actor::Room;
use crate::push::{About, Call};

/// The age up to which a match without entries counts as new. When a room is opened later, the first player has been notified already.
const NEW: Duration = Duration::from_secs(10);

impl Room {
    /// Whether the match was just created and has no entries.
    pub(super) fn is_new(&self) -> bool {
        let age_ms = u128::try_from(unix_ms() - self.row.created_ms).unwrap_or_default();
        self.state.head() == 0 && age_ms < NEW.as_millis()
    }

    /// Tells the player to move that it is their turn, in a match that is not realtime, after a command of `by`; `by` is not told. A
    /// player at the match gets no notice. A match with a computer opponent has none of them, because it answers at once.
    pub(super) fn call_to_move(&self, by: Option<Side>) {
        let setup = self.state.setup();
        let side = self.state.record().turn();
        if self.row.time_control.is_realtime()
            || self.state.result().is_some()
            || setup.one_player
            || setup.bots[side].is_some()
            || setup.bots[side.other()].is_some()
            || by == Some(side)
        {
            return;
        }
        let turn_ms = self.row.time_control.turn_ms();
        let turn_ms = turn_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        let until_ms = turn_ms.map(|ms| unix_ms().saturating_add(ms));
        if self.is_told(side) && !self.audience.is_here(side) {
            let notice = self.notice(side, NoticeKind::Turn, None);
            self.services
                .notices
                .write(NewNotice { until_ms, ..notice });
        }
        let Some(push) = &self.services.push else {
            return;
        };
        push.call(Call {
            player: self.row.players[side].id.clone(),
            by: self.row.players[side.other()].called().to_owned(),
            game: self.row.game,
            until_ms,
            about: About::Turn {
                match_id: self.row.id.clone(),
                head: self.state.head(),
            },
        });
    }

    /// Takes back the notice of a turn that `by` has used, or that ended with the match.
    pub(super) fn end_turn(&self, by: Option<Side>) {
        if self.row.time_control.is_realtime() {
            return;
        }
        let is_over = self.state.result().is_some();
        let turn = self.state.record().turn();
        for side in Side::ALL {
            let has_moved = by == Some(side) && turn != side;
            if self.is_told(side) && (is_over || has_moved) {
                let player = &self.row.players[side].id;
                let about = self.row.id.as_str();
                self.services
                    .notices
                    .withdraw(player, about, NoticeKind::Turn);
            }
        }
    }

    /// Tells absent players that the match was called off. Those of other results are told when it is counted.
    pub(super) fn note_called_off(&self) {
        let Some(result) = self.state.result() else {
            return;
        };
        if self.state.setup().one_player || !is_called_off(&result.reason) {
            return;
        }
        for side in Side::ALL {
            let has_left = self.state.left_by() == Some(side);
            if (has_left || !self.row.time_control.is_realtime())
                && self.is_told(side)
                && !self.audience.is_here(side)
            {
                let mut notice =
                    self.notice(side, NoticeKind::Ended, Some(NoticeOutcome::CalledOff));
                notice.about.reason = Some(result.reason.clone());
                self.services.notices.write(notice);
            }
        }
    }

    /// The match is counted: sends the notices of its end, after those to players at it are marked as read. Guests and computer opponents
    /// have none.
    pub(super) fn note_counted(&self) {
        for side in Side::ALL {
            if self.audience.is_here(side) {
                self.note_seen_by(side);
            }
        }
        if Side::ALL.into_iter().any(|side| self.is_told(side)) {
            self.services.notices.announce(self.row.id.as_str());
        }
    }

    /// Marks the notice about the match as read: its player has joined it.
    pub(super) fn note_seen_by(&self, side: Side) {
        if self.is_told(side) {
            let player = &self.row.players[side].id;
            self.services.notices.seen(player, self.row.id.as_str());
        }
    }

    /// Whether the player of a seat has an account, and so gets notices.
    fn is_told(&self, side: Side) -> bool {
        self.row.players[side].kind == PlayerKind::Account
    }

    fn notice(&self, side: Side, kind: NoticeKind, outcome: Option<NoticeOutcome>) -> NewNotice {
        NewNotice {
            player: self.row.players[side].id.clone(),
            kind,
            by: Some(self.row.players[side.other()].id.clone()),
            key: self.row.id.to_string(),
            about: NoticeAbout {
                match_id: Some(self.row.id.clone()),
                game: Some(self.row.game),
                outcome,
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms: unix_ms(),
        }
    }
}
