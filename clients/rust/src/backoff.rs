//! Pauses: doubled each time, partly by chance, and never without end.

use std::time::{Duration, Instant};

/// Pauses before a new connection: doubled each time, between these.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A connection that lasted this long was a good one: the next pause is a short one again.
const GOOD_CONNECTION: Duration = Duration::from_secs(5);
/// A server may ask for a pause, but for none that amounts to the end of the program.
const LONGEST_ASKED: Duration = Duration::from_secs(3_600);

/// The pauses between connections, of the socket and of streams.
#[derive(Debug)]
pub(crate) struct Backoff {
    chance: fastrand::Rng,
    attempts: u32,
    opened_at: Option<Instant>,
}

impl Backoff {
    pub(crate) fn new(chance: fastrand::Rng) -> Backoff {
        Backoff {
            chance,
            attempts: 0,
            opened_at: None,
        }
    }

    /// Notes the beginning of a connection.
    pub(crate) fn opened(&mut self, now: Instant) {
        self.opened_at = Some(now);
    }

    /// Returns the pause before the next connection, after the end of one or a failed attempt. `asked` is the wish of the server.
    pub(crate) fn pause(&mut self, now: Instant, asked: Duration) -> Duration {
        let opened_at = self.opened_at.take();
        if opened_at.is_some_and(|at| now - at >= GOOD_CONNECTION) {
            self.attempts = 0;
        }
        let own = doubled(FIRST_PAUSE, LONGEST_PAUSE, self.attempts, &mut self.chance);
        self.attempts = self.attempts.saturating_add(1);
        own.max(asked.mul_f64(1.0 + self.chance.f64() / 2.0))
    }
}

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
    fn a_pause_is_short_again_only_after_a_good_connection() {
        let mut backoff = Backoff::new(fastrand::Rng::with_seed(1));
        let mut now = Instant::now();
        for attempt in 0..6 {
            backoff.opened(now);
            now += Duration::from_millis(4_900);
            let least = Duration::from_millis(250 << attempt);
            let pause = backoff.pause(now, Duration::ZERO);
            assert!(least <= pause && pause <= 2 * least, "{attempt}: {pause:?}");
        }
        backoff.opened(now);
        let pause = backoff.pause(now + GOOD_CONNECTION, Duration::ZERO);
        assert!(pause <= FIRST_PAUSE, "{pause:?}");
        backoff.opened(now);
        let asked = Duration::from_secs(30);
        assert!(backoff.pause(now, asked) >= asked);
        // An attempt without a connection does not count the time since the last one.
        let later = now + Duration::from_secs(1_000);
        assert!(backoff.pause(later, Duration::ZERO) >= Duration::from_secs(1));
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
