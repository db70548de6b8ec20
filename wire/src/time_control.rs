//! The permitted time controls, and the speed of each (`docs/decisions/0011-clocks-and-speeds.md`).

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The time control of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TimeControl {
    /// A clock for each side.
    Realtime {
        /// The time on each clock at the start, in milliseconds: 10 seconds to 3 hours.
        base_ms: u64,
        /// The time added after each turn, in milliseconds: up to 3 minutes.
        increment_ms: u64,
    },
    /// A number of days for each turn.
    Correspondence {
        /// The days for each turn, 1 to 14.
        days: u8,
    },
    /// No clocks; never rated.
    Unlimited,
}

/// Classes of time control, each with its own rating: by base + 40 × increment, under 3, 8 and 25 minutes, and above; and days for each
/// move.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// Under 3 minutes.
    Bullet,
    /// Under 8 minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// 25 minutes and above.
    Classical,
    /// Days for each move, or no clocks at all.
    Daily,
}

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// The number of increments that an average game is assumed to last.
const INCREMENTS: u64 = 40;

impl TimeControl {
    /// The time on each clock at the start, in milliseconds.
    pub const BASE_MS: RangeInclusive<u64> = 10 * SECOND_MS..=180 * MINUTE_MS;

    /// The time added after each turn, in milliseconds.
    pub const INCREMENT_MS: RangeInclusive<u64> = 0..=3 * MINUTE_MS;

    /// The days for each turn.
    pub const DAYS: RangeInclusive<u8> = 1..=14;

    /// Returns the speed of the time control, by base + 40 × increment.
    #[must_use]
    pub fn speed(self) -> Speed {
        let TimeControl::Realtime {
            base_ms,
            increment_ms,
        } = self
        else {
            return Speed::Daily;
        };
        match base_ms.saturating_add(increment_ms.saturating_mul(INCREMENTS)) {
            total if total < 3 * MINUTE_MS => Speed::Bullet,
            total if total < 8 * MINUTE_MS => Speed::Blitz,
            total if total < 25 * MINUTE_MS => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// Checks whether a match may be played with the time control.
    ///
    /// # Errors
    /// A message for the user with the fault.
    pub fn check(self) -> Result<TimeControl, &'static str> {
        match self {
            TimeControl::Realtime { base_ms, .. } if !Self::BASE_MS.contains(&base_ms) => {
                Err("base_ms must be from 10000 (ten seconds) to 10800000 (three hours)")
            }
            TimeControl::Realtime { increment_ms, .. }
                if !Self::INCREMENT_MS.contains(&increment_ms) =>
            {
                Err("increment_ms must be at most 180000 (three minutes)")
            }
            TimeControl::Correspondence { days } if !Self::DAYS.contains(&days) => {
                Err("days must be from 1 to 14")
            }
            control => Ok(control),
        }
    }

    /// Returns whether the clocks run by the second: a match with such clocks stays in memory while it runs.
    #[must_use]
    pub fn is_realtime(self) -> bool {
        matches!(self, TimeControl::Realtime { .. })
    }

    /// Returns the length of a turn of correspondence, in milliseconds; `None` for other time controls.
    #[must_use]
    pub fn turn_ms(self) -> Option<u64> {
        match self {
            TimeControl::Correspondence { days } => Some(u64::from(days) * DAY_MS),
            _ => None,
        }
    }
}

impl Speed {
    /// All speeds, fastest first.
    pub const ALL: [Speed; 5] = [
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Daily,
    ];

    /// Returns the speed's name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Daily => "daily",
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Speed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Speed, Self::Err> {
        let known = Speed::ALL.into_iter().find(|speed| speed.as_str() == text);
        known.ok_or("a speed is bullet, blitz, rapid, classical or daily")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(base_s: u64, increment_s: u64) -> TimeControl {
        TimeControl::Realtime {
            base_ms: base_s * SECOND_MS,
            increment_ms: increment_s * SECOND_MS,
        }
    }

    #[test]
    fn speeds_are_told_apart_by_base_and_forty_increments() {
        let table = [
            (60, 0, Speed::Bullet),
            (179, 0, Speed::Bullet),
            (180, 0, Speed::Blitz),
            (60, 3, Speed::Blitz),
            (300, 3, Speed::Blitz),
            (480, 0, Speed::Rapid),
            (600, 10, Speed::Rapid),
            (1_500, 0, Speed::Classical),
        ];
        for (base, increment, speed) in table {
            assert_eq!(
                control(base, increment).speed(),
                speed,
                "{base}+{increment}"
            );
        }
    }

    #[test]
    fn without_seconds_it_is_daily() {
        assert_eq!(
            TimeControl::Correspondence { days: 3 }.speed(),
            Speed::Daily
        );
        assert_eq!(TimeControl::Unlimited.speed(), Speed::Daily);
    }

    #[test]
    fn time_controls_have_bounds() {
        assert!(control(300, 3).check().is_ok());
        assert!(TimeControl::Unlimited.check().is_ok());
        for (days, fits) in [(0, false), (1, true), (14, true), (15, false)] {
            assert_eq!(
                TimeControl::Correspondence { days }.check().is_ok(),
                fits,
                "{days}"
            );
        }
        for (base, increment) in [
            (9, 0),
            (10_801, 0),
            (60, 181),
            (u64::MAX / 1_000, u64::MAX / 1_000),
        ] {
            assert!(
                control(base, increment).check().is_err(),
                "{base}+{increment}"
            );
        }
    }
}
