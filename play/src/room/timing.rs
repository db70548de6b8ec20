//! Time in the match core: the running clock, the time left, the end of a side's time, and the players' absences.

use mawe_rules::clock::Tempo;
use mawe_rules::{BySide, Side};
use mawe_wire::{ClockView, Speed, TimeControl};

use crate::room::io::{Millis, Now};
use crate::room::state::RoomState;
use crate::room::vacation::TimeUp;

/// The time for each side's first move between people, before the server calls the match off.
const FIRST_MOVE_MS: u64 = 60_000;

/// The time for the first move in a match with a computer opponent, or of one player at both seats.
const FIRST_MOVE_AGAINST_BOT_MS: u64 = 600_000;

/// The delay of the clock of the side to move after a restart or a takeover, for its page to reconnect.
const RETURN_GRACE_MS: u64 = 5_000;

/// The time after the end of an outage at which a correspondence turn ends that would have ended during the outage.
const REPRIEVE_MS: i64 = 15 * 60 * 1_000;

/// The time without an entry after which a match without clocks may be claimed.
const UNLIMITED_GONE_MS: u64 = 14 * 24 * 60 * 60 * 1_000;

/// The time without an entry after which a match without clocks against a computer opponent is called off: nothing else ends it.
pub const UNATTENDED_MS: u64 = 14 * 24 * 60 * 60 * 1_000;

/// The time for which a player with a running clock must be away before the opponent may claim the match.
fn gone_for_good_ms(speed: Speed) -> u64 {
    match speed {
        Speed::Bullet => 20_000,
        Speed::Blitz => 40_000,
        Speed::Rapid => 75_000,
        Speed::Classical | Speed::Daily => 150_000,
    }
}

impl RoomState {
    /// Returns the present clocks.
    #[must_use]
    pub fn clock_at(&self, now: Now) -> ClockView {
        self.clock_after(self.waited_ms(now))
    }

    pub(super) fn clock_after(&self, elapsed_ms: u64) -> ClockView {
        let turn = self.record.turn();
        let running = self.clock_runs().then_some(turn);
        let left = |side: Side| {
            let full = self.clock.left()[side].clock_ms;
            if running == Some(side) {
                full.saturating_sub(elapsed_ms)
            } else {
                full
            }
        };
        let waits = self.result.is_none() && running.is_none();
        ClockView {
            first_ms: left(Side::First),
            second_ms: left(Side::Second),
            running,
            first_move_ms: self
                .first_move_ms()
                .filter(|_| waits)
                .map(|allowed| allowed.saturating_sub(elapsed_ms)),
        }
    }

    pub(super) fn clock_runs(&self) -> bool {
        self.result.is_none() && Side::ALL.iter().all(|side| self.moves[*side] > 0)
    }

    fn first_move_ms(&self) -> Option<u64> {
        match self.clock.tempo() {
            Tempo::Untimed => None,
            Tempo::PerTurn { .. } => Some(self.clock.left()[self.record.turn()].clock_ms),
            Tempo::Increment { .. } if self.is_among_people() => Some(FIRST_MOVE_MS),
            Tempo::Increment { .. } => Some(FIRST_MOVE_AGAINST_BOT_MS),
        }
    }

    pub(super) fn is_among_people(&self) -> bool {
        !self.setup.one_player && self.setup.bots == BySide::default()
    }

    /// Whether one of the players is a computer opponent of this server.
    fn is_against_bot(&self) -> bool {
        self.setup.bots != BySide::default()
    }

    /// The time since the last entry: by the monotonic clock in a realtime match; by the entries' time of day in any other, because it is
    /// not always in memory.
    pub(super) fn waited_ms(&self, now: Now) -> u64 {
        if self.setup.time_control.is_realtime() {
            return now.mono.saturating_sub(self.present.turn_began);
        }
        now.unix_ms
            .saturating_sub(self.last_at_ms())
            .max(0)
            .cast_unsigned()
    }

    pub(super) fn last_at_ms(&self) -> i64 {
        self.journal
            .last()
            .map_or(self.setup.created_ms, |entry| entry.at_ms)
    }

    /// The time for which the side to move may think in this turn; `None` without a limit.
    pub(super) fn allowed_ms(&self) -> Option<u64> {
        let turn = self.record.turn();
        if self.clock.tempo() == Tempo::Untimed {
            self.is_against_bot().then_some(UNATTENDED_MS)
        } else if self.clock_runs() {
            self.clock.allowance_ms(turn, self.present.lag_ms[turn])
        } else {
            self.first_move_ms()
        }
    }

    /// The time until that of the side to move is up, 0 once it is; `None` for never.
    pub(super) fn remaining_ms(&self, now: Now) -> Option<u64> {
        let allowed = self.allowed_ms().filter(|_| self.result.is_none())?;
        if self.setup.time_control.is_realtime() {
            return Some((self.present.turn_began + allowed).saturating_sub(now.mono));
        }
        let due = self.due_ms(allowed).max(self.reprieve_until_ms(now));
        Some(due.saturating_sub(now.unix_ms).max(0).cast_unsigned())
    }

    pub(super) fn is_time_up(&self, now: Now) -> bool {
        self.remaining_ms(now) == Some(0)
    }

    /// Returns the ply to move, in a match by the day, if its time is up: the flag falls with the next input, unless an
    /// [`Input::Vacation`](crate::room::io::Input::Vacation) comes first.
    #[must_use]
    pub fn time_up(&self, now: Now) -> Option<TimeUp> {
        if !matches!(self.clock.tempo(), Tempo::PerTurn { .. }) || !self.is_time_up(now) {
            return None;
        }
        Some(TimeUp {
            side: self.record.turn(),
            since_ms: self.turn_since_ms,
            until_ms: self.due_ms(self.allowed_ms()?),
            extended_ms: self.vacation_ms,
        })
    }

    /// In a match that is not realtime: the end of a turn that may last this long since the last entry.
    fn due_ms(&self, allowed_ms: u64) -> i64 {
        self.last_at_ms().saturating_add_unsigned(allowed_ms)
    }

    /// In a match that is not realtime: the time before which no flag falls. Players could not move during an outage of the server, so
    /// neither side pays for it.
    fn reprieve_until_ms(&self, now: Now) -> i64 {
        let due = self.allowed_ms().map(|allowed| self.due_ms(allowed));
        match due {
            Some(due) if due < now.up_since_ms => now.up_since_ms + REPRIEVE_MS,
            Some(_) | None => i64::MIN,
        }
    }

    /// The duration of the present turn since the last entry. A running grace period costs nothing; a running reprieve leaves at least a
    /// millisecond.
    pub(super) fn elapsed_ms(&self, now: Now) -> u64 {
        if !self.clock_runs() {
            0
        } else if now.unix_ms < self.reprieve_until_ms(now) {
            let left = self.clock.left()[self.record.turn()].clock_ms;
            self.waited_ms(now).min(left.saturating_sub(1))
        } else {
            self.waited_ms(now)
        }
    }

    /// Starts the clock when the room is opened.
    pub(super) fn take_up_time(&mut self, now: Now) {
        let grace = if self.journal.is_empty() {
            0
        } else {
            RETURN_GRACE_MS
        };
        self.present.turn_began = now.mono + grace;
        // People count as away until they join; a computer opponent never does.
        self.present.gone_since =
            BySide::from_fn(|side| self.setup.bots[side].is_none().then_some(now.mono + grace));
    }

    /// Stores that a player has arrived or left.
    pub(super) fn note_presence(&mut self, now: Now, side: Side, here: bool) {
        let gone = &mut self.present.gone_since[side];
        if here {
            *gone = None;
        } else {
            gone.get_or_insert(now.mono);
        }
    }

    /// Returns the time since which each player has been away, as far as this room knows.
    #[must_use]
    pub fn gone_since(&self) -> BySide<Option<Millis>> {
        self.present.gone_since
    }

    /// The time for which a player must be away before the opponent may claim the match; `None` if it cannot be claimed.
    #[must_use]
    pub fn claim_after_ms(&self) -> Option<u64> {
        let claimable = self.is_among_people() && self.result.is_none();
        let after = match self.setup.time_control {
            TimeControl::Realtime { .. } if self.clock_runs() => {
                gone_for_good_ms(self.setup.time_control.speed())
            }
            TimeControl::Realtime { .. } | TimeControl::Correspondence { .. } => return None,
            TimeControl::Unlimited => UNLIMITED_GONE_MS,
        };
        claimable.then_some(after)
    }

    /// Whether the opponent of `side` is to move and has been away for long enough for `side` to claim the match.
    pub(super) fn may_claim(&self, now: Now, side: Side) -> bool {
        let Some(after) = self.claim_after_ms() else {
            return false;
        };
        let away_ms = if self.setup.time_control.is_realtime() {
            self.present.gone_since[side.other()].map_or(0, |since| now.mono.saturating_sub(since))
        } else {
            self.waited_ms(now)
        };
        self.record.turn() == side.other() && away_ms >= after
    }
}
