//! What it costs to walk away from matches again and again: a wait before one may join a pool.

use std::time::Duration;

/// How far back walking away counts.
pub const REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);

/// The waits in minutes, after the first, second, third time and so on; the last one for any more. The first is free: lines break.
const WAITS_MIN: [u64; 5] = [0, 1, 5, 15, 60];

/// How long somebody waits who has walked away so many times of late.
#[must_use]
pub fn wait(times: u32) -> Duration {
    let Some(before) = times.checked_sub(1) else {
        return Duration::ZERO;
    };
    let step = usize::try_from(before).map_or(WAITS_MIN.len(), |before| before);
    Duration::from_secs(60 * WAITS_MIN[step.min(WAITS_MIN.len() - 1)])
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
}
