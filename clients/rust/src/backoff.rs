//! Pauses: doubled each time, partly by chance, and never without end.

use std::time::Duration;

/// A server may ask for a pause, but for none that amounts to the end of the program.
const LONGEST_ASKED: Duration = Duration::from_secs(3_600);

/// Returns `first`, doubled `times` times up to `longest`, and up to half of it less by chance.
pub(crate) fn doubled(
    first: Duration,
    longest: Duration,
    times: u32,
    chance: &mut fastrand::Rng,
) -> Duration {
    first
        .saturating_mul(1 << times.min(16))
        .min(longest)
        .mul_f64(0.5 + chance.f64() / 2.0)
}

/// Returns the pause that a server asks for in seconds (`Retry-After`).
pub(crate) fn asked_seconds(text: &str) -> Option<Duration> {
    let seconds = text.trim().parse().ok()?;
    let pause = Duration::try_from_secs_f64(seconds).ok()?;
    Some(pause.min(LONGEST_ASKED))
}

/// Returns the pause that a server asks for in milliseconds.
pub(crate) fn asked_ms(ms: u64) -> Duration {
    Duration::from_millis(ms).min(LONGEST_ASKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_doubled_up_to_the_longest() {
        let (first, longest) = (Duration::from_millis(500), Duration::from_secs(60));
        let mut chance = fastrand::Rng::with_seed(1);
        for (times, least_ms) in [
            (0, 250),
            (1, 500),
            (6, 16_000),
            (7, 30_000),
            (u32::MAX, 30_000),
        ] {
            let least = Duration::from_millis(least_ms);
            let pause = doubled(first, longest, times, &mut chance);
            assert!(least <= pause && pause <= 2 * least, "{times}: {pause:?}");
        }
    }

    #[test]
    fn a_pause_without_end_is_not_kept() {
        assert_eq!(asked_seconds("1.5"), Some(Duration::from_millis(1_500)));
        assert_eq!(asked_seconds("1e300"), None);
        assert_eq!(asked_seconds("1e9"), Some(LONGEST_ASKED));
        assert_eq!(asked_seconds("Wed, 21 Oct 2015 07:28:00 GMT"), None);
        assert_eq!(asked_seconds("-1"), None);
        assert_eq!(asked_ms(u64::MAX), LONGEST_ASKED);
    }
}
