//! Time controls: which are allowed, and which speed they belong to (DESIGN.md section 9).

use std::fmt;
use std::str::FromStr;

use crate::protocol::{Speed, TimeControl};

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60 * SECOND_MS;

/// A game is reckoned to last this many increments.
const INCREMENTS: u64 = 40;

impl TimeControl {
    /// The speed it belongs to: by base + 40 × increment.
    #[must_use]
    pub fn speed(self) -> Speed {
        let TimeControl::Realtime {
            base_ms,
            increment_ms,
        } = self;
        match base_ms.saturating_add(increment_ms.saturating_mul(INCREMENTS)) {
            total if total < 3 * MINUTE_MS => Speed::Bullet,
            total if total < 8 * MINUTE_MS => Speed::Blitz,
            total if total < 25 * MINUTE_MS => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// Whether a match may be played with it.
    ///
    /// # Errors
    /// What is wrong, for the one who asked for it.
    pub fn check(self) -> Result<TimeControl, &'static str> {
        let TimeControl::Realtime {
            base_ms,
            increment_ms,
        } = self;
        if !(10 * SECOND_MS..=180 * MINUTE_MS).contains(&base_ms) {
            Err("base_ms must be from 10000 (ten seconds) to 10800000 (three hours)")
        } else if increment_ms > 3 * MINUTE_MS {
            Err("increment_ms must be at most 180000 (three minutes)")
        } else {
            Ok(self)
        }
    }
}

impl Speed {
    /// All speeds, fastest first.
    pub const ALL: [Speed; 4] = [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical];

    /// Its text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
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
        known.ok_or("a speed is bullet, blitz, rapid or classical")
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
    fn time_controls_have_bounds() {
        assert!(control(300, 3).check().is_ok());
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
