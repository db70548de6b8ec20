//! The two clocks of a match: time left, cost of a ply, compensation of lag.
//!
//! Pure arithmetic in whole milliseconds; the caller reads the time. A [`Clock`] holds the time left at the beginning of a turn; the time
//! elapsed since then is an argument.

use crate::vocab::{BySide, Side};

/// The lag credit of a side at the start. With it and [`LAG_REFILL_MS`] a ply, a line with a steady lag of half a second is fully
/// compensated for ten plies; a client that feigns lag gains a tenth of a second a ply at most.
const LAG_BANK_MS: u64 = 4_000;

/// The credit that a side gains with each of its plies.
const LAG_REFILL_MS: u64 = 100;

/// The most lag that is compensated in one ply.
const LAG_PER_PLY_MS: u64 = 500;

/// The clocks of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    tempo: Tempo,
    left: BySide<TimeLeft>,
    /// The sides that get no increment.
    halved: BySide<bool>,
}

/// The limit on the thinking time of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tempo {
    /// Each side has a clock, and gets the increment when the turn passes.
    Increment {
        /// The time of each clock at the start, in milliseconds.
        base_ms: u64,
        /// The time added to a side's clock when the turn passes, in milliseconds.
        increment_ms: u64,
    },
    /// Each turn has the same time; unused time is lost. Lag is not compensated: a second does not matter in games with days a turn.
    PerTurn {
        /// The time of a turn, in milliseconds.
        turn_ms: u64,
    },
    /// No clocks: no time is taken off, and no side is flagged.
    Untimed,
}

/// The time and lag credit of a side. Each journal entry holds all of it, so that a replay needs no arithmetic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// Thinking time, in milliseconds.
    pub clock_ms: u64,
    /// Lag that can still be compensated, in milliseconds.
    pub lag_bank_ms: u64,
}

/// The cost of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Time taken off the clock, in milliseconds.
    pub spent_ms: u64,
    /// Compensated lag, in milliseconds: elapsed time that was not taken off.
    pub lag_ms: u64,
}

/// The error of a ply that came after the side's time had run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flagged;

impl Clock {
    /// Both clocks at their full time.
    #[must_use]
    pub fn new(tempo: Tempo) -> Clock {
        let (clock_ms, lag_bank_ms) = match tempo {
            Tempo::Increment { base_ms, .. } => (base_ms, LAG_BANK_MS),
            Tempo::PerTurn { turn_ms } => (turn_ms, 0),
            Tempo::Untimed => (0, 0),
        };
        let full = TimeLeft {
            clock_ms,
            lag_bank_ms,
        };
        Clock {
            tempo,
            left: BySide::new(full, full),
            halved: BySide::default(),
        }
    }

    /// The time limit of the match.
    #[must_use]
    pub fn tempo(&self) -> Tempo {
        self.tempo
    }

    /// The time left of both sides at the beginning of the turn.
    #[must_use]
    pub fn left(&self) -> &BySide<TimeLeft> {
        &self.left
    }

    /// Sets the clocks to the values of a journal entry.
    pub fn set_left(&mut self, left: BySide<TimeLeft>) {
        self.left = left;
    }

    /// The time until `side` is flagged if it does not play, in milliseconds, with a lag of `lag_ms`; `None` without clocks.
    #[must_use]
    pub fn allowance_ms(&self, side: Side, lag_ms: u64) -> Option<u64> {
        let left = self.left[side];
        let lag_ms = lag_ms.min(left.lag_bank_ms).min(LAG_PER_PLY_MS);
        (self.tempo != Tempo::Untimed).then_some(left.clock_ms + lag_ms)
    }

    /// Takes a ply off the clock of `side`: `elapsed_ms` since the beginning of the turn (or since the last ply, if the side plays several
    /// in a turn), of which up to `lag_ms` is compensated. The increment is credited when the turn passes, not for each ply of one turn.
    ///
    /// # Errors
    /// [`Flagged`] if the side had less time left; the clock is then unchanged.
    pub fn spend(
        &mut self,
        side: Side,
        elapsed_ms: u64,
        lag_ms: u64,
        turn_passes: bool,
    ) -> Result<Spent, Flagged> {
        if self.tempo == Tempo::Untimed {
            return Ok(Spent {
                spent_ms: elapsed_ms,
                lag_ms: 0,
            });
        }
        let increment_ms = self.increment_ms(side);
        let left = &mut self.left[side];
        let lag_ms = lag_ms
            .min(left.lag_bank_ms)
            .min(LAG_PER_PLY_MS)
            .min(elapsed_ms);
        let spent_ms = elapsed_ms - lag_ms;
        // A clock at zero has run out, so a ply that uses the last millisecond is too late.
        if spent_ms >= left.clock_ms {
            return Err(Flagged);
        }
        left.clock_ms -= spent_ms;
        match self.tempo {
            Tempo::Increment { .. } => {
                left.lag_bank_ms = (left.lag_bank_ms - lag_ms + LAG_REFILL_MS).min(LAG_BANK_MS);
                if turn_passes {
                    left.clock_ms += increment_ms;
                }
            }
            Tempo::PerTurn { turn_ms } if turn_passes => left.clock_ms = turn_ms,
            Tempo::PerTurn { .. } | Tempo::Untimed => {}
        }
        Ok(Spent { spent_ms, lag_ms })
    }

    /// Halves the clock of `side`, which gets no increment any more.
    pub fn halve(&mut self, side: Side) {
        self.left[side].clock_ms /= 2;
        self.forgo_increment(side);
    }

    /// Takes the increment from `side`, whose clock was halved before the time left was read from a journal entry.
    pub fn forgo_increment(&mut self, side: Side) {
        self.halved[side] = true;
    }

    /// The time added to the clock of `side` when its turn passes.
    #[must_use]
    pub fn increment_ms(&self, side: Side) -> u64 {
        match self.tempo {
            Tempo::Increment { increment_ms, .. } if !self.halved[side] => increment_ms,
            Tempo::Increment { .. } | Tempo::PerTurn { .. } | Tempo::Untimed => 0,
        }
    }

    /// Adds time that the opponent gives to the clock of `side`, up to a total of `most_ms`.
    pub fn give(&mut self, side: Side, ms: u64, most_ms: u64) {
        let clock_ms = &mut self.left[side].clock_ms;
        *clock_ms = clock_ms.saturating_add(ms).min(most_ms.max(*clock_ms));
    }

    /// Restarts the turn after a takeback: with a time limit for each turn, both sides get the full time.
    pub fn begin_turn(&mut self) {
        if let Tempo::PerTurn { turn_ms } = self.tempo {
            for side in Side::ALL {
                self.left[side].clock_ms = turn_ms;
            }
        }
    }

    /// Takes `elapsed_ms` off the clock of `side` in the middle of a turn; a side that is not flagged keeps at least a millisecond.
    pub fn charge(&mut self, side: Side, elapsed_ms: u64) {
        let left = &mut self.left[side];
        left.clock_ms = left
            .clock_ms
            .saturating_sub(elapsed_ms)
            .max(left.clock_ms.min(1));
    }

    /// Sets the clock of a flagged side to zero.
    pub fn run_out(&mut self, side: Side) {
        self.left[side].clock_ms = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        Clock::new(Tempo::Increment {
            base_ms: 60_000,
            increment_ms: 2_000,
        })
    }

    #[test]
    fn a_turn_of_days_begins_anew_when_it_passes() {
        let mut c = Clock::new(Tempo::PerTurn { turn_ms: 1_000 });
        assert!(c.spend(Side::First, 300, 500, false).is_ok());
        assert_eq!(c.left()[Side::First].clock_ms, 700, "no lag is given back");
        assert_eq!(c.allowance_ms(Side::First, 500), Some(700));
        assert!(c.spend(Side::First, 300, 0, true).is_ok());
        assert_eq!(c.left()[Side::First].clock_ms, 1_000);
        assert_eq!(c.spend(Side::Second, 1_000, 0, true), Err(Flagged));
        c.charge(Side::Second, 900);
        c.begin_turn();
        assert_eq!(c.left()[Side::Second].clock_ms, 1_000);
    }

    #[test]
    fn without_clocks_nobody_is_flagged() {
        let mut c = Clock::new(Tempo::Untimed);
        let spent = c.spend(Side::First, u64::MAX, 9, true);
        assert_eq!(
            spent,
            Ok(Spent {
                spent_ms: u64::MAX,
                lag_ms: 0
            })
        );
        assert_eq!(c.allowance_ms(Side::Second, 0), None);
    }

    #[test]
    fn given_time_has_a_bound() {
        let mut c = clock();
        c.give(Side::First, 15_000, 70_000);
        assert_eq!(c.left()[Side::First].clock_ms, 70_000);
        c.give(Side::First, 15_000, 10_000);
        assert_eq!(c.left()[Side::First].clock_ms, 70_000, "never less");
    }

    #[test]
    fn the_increment_comes_when_the_turn_passes() {
        let mut c = clock();
        assert_eq!(
            c.spend(Side::First, 5_000, 0, false),
            Ok(Spent {
                spent_ms: 5_000,
                lag_ms: 0
            })
        );
        assert_eq!(c.left()[Side::First].clock_ms, 55_000);
        assert_eq!(
            c.spend(Side::First, 5_000, 0, true),
            Ok(Spent {
                spent_ms: 5_000,
                lag_ms: 0
            })
        );
        assert_eq!(c.left()[Side::First].clock_ms, 52_000);
        assert_eq!(c.left()[Side::Second].clock_ms, 60_000);
    }

    #[test]
    fn a_halved_clock_gets_no_increment() {
        let mut c = clock();
        c.halve(Side::Second);
        assert_eq!(c.left()[Side::Second].clock_ms, 30_000);
        for side in Side::ALL {
            assert!(c.spend(side, 5_000, 0, true).is_ok());
        }
        assert_eq!(c.left()[Side::First].clock_ms, 57_000);
        assert_eq!(c.left()[Side::Second].clock_ms, 25_000);
        assert_eq!(c.increment_ms(Side::Second), 0);
    }

    #[test]
    fn the_last_millisecond_flags_and_leaves_the_clock_as_it_was() {
        let mut c = clock();
        assert_eq!(c.spend(Side::Second, 60_000, 0, true), Err(Flagged));
        assert_eq!(c, clock());
        assert!(c.spend(Side::Second, 59_999, 0, true).is_ok());
    }

    #[test]
    fn lag_is_given_back_from_a_bank_that_runs_dry() {
        let mut c = Clock::new(Tempo::Increment {
            base_ms: 600_000,
            increment_ms: 0,
        });
        let mut given = 0;
        for _ in 0..100 {
            given += c
                .spend(Side::First, 3_000, 10_000, true)
                .expect("there is time")
                .lag_ms;
        }
        assert!(given <= LAG_BANK_MS + 100 * LAG_REFILL_MS, "{given}");
        assert_eq!(
            c.spend(Side::Second, 200, 10_000, true),
            Ok(Spent {
                spent_ms: 0,
                lag_ms: 200
            }),
            "never more than elapsed"
        );
    }

    #[test]
    fn a_clock_rises_by_its_increment_only() {
        let mut c = clock();
        for elapsed in [0, 1, 700, 1_999, 2_000, 30_000] {
            let before = c.left()[Side::First].clock_ms;
            let passed = c.spend(Side::First, elapsed, 50, true);
            assert!(passed.is_ok() && c.left()[Side::First].clock_ms <= before + 2_000);
        }
    }

    #[test]
    fn what_is_allowed_is_what_can_be_spent() {
        for (elapsed, lag) in [
            (60_299, 300),
            (60_300, 300),
            (60_500, 9_000),
            (60_499, 9_000),
        ] {
            let mut c = clock();
            let allowed = c.allowance_ms(Side::First, lag).expect("there is a clock");
            assert_eq!(
                c.spend(Side::First, elapsed, lag, true).is_ok(),
                elapsed < allowed,
                "{elapsed} of {allowed}"
            );
        }
    }
}
