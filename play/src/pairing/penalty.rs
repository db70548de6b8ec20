//! The wait before the next pool or seek for players who abandon matches or call them off repeatedly.

use std::time::Duration;

/// The number of matches that a player has abandoned or called off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Abandonments {
    /// The number of abandoned matches.
    pub times: u32,
    /// The time of the last abandonment.
    pub last_ms: Option<i64>,
    /// The number of matches that the player has called off or not begun, since `call_offs_since_ms`.
    pub call_offs: u32,
    /// The time of the last call-off.
    pub last_call_off_ms: Option<i64>,
}

/// Period in which abandoned matches count.
pub const REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);

/// The waits in minutes after the first, second, third abandoned match and so on; the last one for any more. The first is free: connections
/// break.
const WAITS_MIN: [u64; 5] = [0, 1, 5, 15, 60];

/// Period in which matches called off, and no-shows, count.
pub const CALL_OFFS_REMEMBERED: Duration = Duration::from_secs(60 * 60);

/// The waits in minutes after the first, second, third match called off in that time and so on; the last one for any more. Two are free: a
/// player may not like an opponent, or may have pressed the wrong button.
const CALL_OFF_WAITS_MIN: [u64; 6] = [0, 0, 2, 5, 15, 60];

/// The wait after abandoning this many matches within [`REMEMBERED`].
#[must_use]
pub fn wait(times: u32) -> Duration {
    step(&WAITS_MIN, times)
}

/// The wait after calling off this many matches within [`CALL_OFFS_REMEMBERED`].
#[must_use]
pub fn call_off_wait(times: u32) -> Duration {
    step(&CALL_OFF_WAITS_MIN, times)
}

fn step(waits_min: &[u64], times: u32) -> Duration {
    let minutes = times.checked_sub(1).and_then(|before| {
        let at = usize::try_from(before).unwrap_or(usize::MAX);
        waits_min.get(at).or(waits_min.last())
    });
    Duration::from_secs(60 * minutes.copied().unwrap_or(0))
}

/// The remaining wait at `now_ms`, in milliseconds.
#[must_use]
pub fn still_ms(left: &Abandonments, now_ms: i64) -> u64 {
    let until = |last_ms: Option<i64>, wait: Duration| {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        last_ms.unwrap_or(now_ms).saturating_add_unsigned(wait_ms)
    };
    let until = until(left.last_ms, wait(left.times))
        .max(until(left.last_call_off_ms, call_off_wait(left.call_offs)));
    u64::try_from(until.saturating_sub(now_ms)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_free_and_no_wait_is_longer_than_an_hour() {
        let minutes = |times| wait(times).as_secs() / 60;
        let waits: Vec<u64> = (0..8).map(minutes).collect();
        assert_eq!(waits, [0, 0, 1, 5, 15, 60, 60, 60]);
        assert_eq!(minutes(u32::MAX), 60);
    }

    #[test]
    fn two_matches_an_hour_are_called_off_for_nothing() {
        let minutes = |times| call_off_wait(times).as_secs() / 60;
        let waits: Vec<u64> = (0..8).map(minutes).collect();
        assert_eq!(waits, [0, 0, 0, 2, 5, 15, 60, 60]);
    }

    #[test]
    fn the_longer_wait_holds_and_ends() {
        let left = Abandonments {
            times: 2,
            last_ms: Some(1_000),
            call_offs: 4,
            last_call_off_ms: Some(2_000),
        };
        assert_eq!(still_ms(&left, 2_000), 5 * 60_000);
        assert_eq!(still_ms(&left, 2_000 + 5 * 60_000), 0);
        assert_eq!(still_ms(&Abandonments::default(), 0), 0);
    }
}
