//! Time in the match core: whose clock runs, what is left, when somebody's time is up, and who has been gone for how long.

use mawe_rules::clock::Tempo;
use mawe_rules::{BySide, Side};

use crate::protocol::{ClockView, Speed, TimeControl};
use crate::room::state::RoomState;
use crate::room::words::{Millis, Now};

/// How long a person has for the first move against a person, before the server calls the match off.
const FIRST_MOVE_MS: u64 = 60_000;

/// The same against a computer, which waits gladly.
const FIRST_MOVE_AGAINST_BOT_MS: u64 = 600_000;

/// After a restart or a takeover the side to move has this much before its clock goes on: its page has to come back first.
const RETURN_GRACE_MS: u64 = 5_000;

/// A correspondence turn that ran out while nobody could move, because the server was not there, ends this long after it is back.
const REPRIEVE_MS: i64 = 15 * 60 * 1_000;

/// A match without clocks whose side to move has done nothing for so long may be claimed.
const UNLIMITED_GONE_MS: u64 = 14 * 24 * 60 * 60 * 1_000;

/// A match without clocks against a computer opponent is called off after so long without an entry: nobody else ends it.
pub(crate) const UNATTENDED_MS: u64 = 14 * 24 * 60 * 60 * 1_000;

/// How long a player must have been away from a running clock before the opponent may claim the match.
fn gone_for_good_ms(speed: Speed) -> u64 {
    match speed {
        Speed::Bullet => 20_000,
        Speed::Blitz => 40_000,
        Speed::Rapid => 75_000,
        Speed::Classical | Speed::Daily => 150_000,
    }
}

impl RoomState {
    /// The clocks as they stand now.
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
            Tempo::PerTurn { turn_ms } => Some(turn_ms),
            Tempo::Increment { .. } if self.is_among_people() => Some(FIRST_MOVE_MS),
            Tempo::Increment { .. } => Some(FIRST_MOVE_AGAINST_BOT_MS),
        }
    }

    pub(super) fn is_among_people(&self) -> bool {
        !self.setup.one_player && self.setup.bots == BySide::default()
    }

    /// Whether a computer opponent of this server sits at the match.
    fn is_against_bot(&self) -> bool {
        self.setup.bots != BySide::default()
    }

    /// How long since the last entry. By the monotonic clock where seconds count; where days do, by the time of day that stands in the
    /// journal: such a match is not in memory all the time.
    fn waited_ms(&self, now: Now) -> u64 {
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

    /// How long the side to move may take before its time is up; `None` for ever.
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

    /// How long until the time of the side to move is up, 0 once it is; `None` for never.
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

    /// By the day: when a turn that may last so long since the last entry ends.
    fn due_ms(&self, allowed_ms: u64) -> i64 {
        self.last_at_ms().saturating_add_unsigned(allowed_ms)
    }

    /// By the day: before this time of day no flag falls. A player who would have moved in time found nobody here: the time of an outage
    /// is nobody's.
    fn reprieve_until_ms(&self, now: Now) -> i64 {
        let due = self.allowed_ms().map(|allowed| self.due_ms(allowed));
        match due {
            Some(due) if due < now.up_since_ms => now.up_since_ms + REPRIEVE_MS,
            Some(_) | None => i64::MIN,
        }
    }

    /// How long the present turn has lasted since the last entry; a grace that still lasts costs nothing, and a reprieve leaves a
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

    /// Sets time going when the room is opened.
    pub(super) fn take_up_time(&mut self, now: Now) {
        let grace = if self.journal.is_empty() {
            0
        } else {
            RETURN_GRACE_MS
        };
        self.present.turn_began = now.mono + grace;
        // Nobody is known to be here yet; a computer always is.
        self.present.gone_since =
            BySide::from_fn(|side| self.setup.bots[side].is_none().then_some(now.mono + grace));
    }

    /// A player has come, or has gone.
    pub(super) fn note_presence(&mut self, now: Now, side: Side, here: bool) {
        let gone = &mut self.present.gone_since[side];
        if here {
            *gone = None;
        } else {
            gone.get_or_insert(now.mono);
        }
    }

    /// Since when each player has been away, as far as this room knows.
    #[must_use]
    pub fn gone_since(&self) -> BySide<Option<Millis>> {
        self.present.gone_since
    }

    /// How long a player must be away before the opponent may claim the match; `None` where the clock alone decides.
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

    /// Whether the opponent of `side` is to move and has been away for so long that `side` may claim the match.
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
