//! The bounds of the log: lines about requests in a second, and a summary each minute in place of lines about refused ones.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use mawe_wire::Code;
use parking_lot::Mutex;

/// The lines about requests in a second, of all addresses together: at 200 bytes a line, 40 kB/s at most.
const LINES_PER_SECOND: NonZeroU32 = NonZeroU32::new(200).expect("not zero");

/// The lines that may be written at once after a quiet time: a school that opens the page.
const BURST: NonZeroU32 = NonZeroU32::new(2_000).expect("not zero");

/// Decides which requests get a line of their own, and counts the others.
pub struct LogLines<C: Clock = DefaultClock> {
    lines: RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>,
    omitted: AtomicU64,
    /// The refused requests by code. The codes come from a table of the program, so there are few.
    refused: Mutex<HashMap<Code, u64>>,
}

impl Default for LogLines {
    fn default() -> LogLines {
        LogLines::with_clock(DefaultClock::default())
    }
}

impl<C: Clock> LogLines<C> {
    fn with_clock(clock: C) -> LogLines<C> {
        let quota = Quota::per_second(LINES_PER_SECOND).allow_burst(BURST);
        LogLines {
            lines: RateLimiter::direct_with_clock(quota, clock),
            omitted: AtomicU64::new(0),
            refused: Mutex::default(),
        }
    }

    /// Returns whether a request may have a line of its own; otherwise counts it for the summary.
    pub(crate) fn admit(&self) -> bool {
        let is_admitted = self.lines.check().is_ok();
        if !is_admitted {
            self.omitted.fetch_add(1, Ordering::Relaxed);
        }
        is_admitted
    }

    /// Counts a request that a limit has refused.
    pub(crate) fn count_refused(&self, code: &Code) {
        let mut refused = self.refused.lock();
        match refused.get_mut(code) {
            Some(count) => *count += 1,
            None => {
                refused.insert(code.clone(), 1);
            }
        }
    }

    /// Logs the counts since the last summary, a line for each kind, and begins anew.
    pub(crate) fn write_summary(&self) {
        let refused = std::mem::take(&mut *self.refused.lock());
        for (code, count) in refused {
            tracing::warn!(code = code.as_str(), count, "requests were refused");
        }
        let count = self.omitted.swap(0, Ordering::Relaxed);
        if count > 0 {
            tracing::warn!(
                count,
                "requests have no line of their own: there were more than {LINES_PER_SECOND} in a second"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    #[test]
    fn a_flood_gets_a_bounded_number_of_lines_and_the_rest_is_counted() {
        let clock = FakeRelativeClock::default();
        let log = LogLines::with_clock(clock.clone());
        let flood = 100_000;
        let burst = (0..flood).filter(|_| log.admit()).count();
        assert_eq!(burst, BURST.get() as usize);
        clock.advance(Duration::from_secs(1));
        let second = (0..flood).filter(|_| log.admit()).count();
        assert_eq!(second, LINES_PER_SECOND.get() as usize);
        let omitted = log.omitted.load(Ordering::Relaxed);
        assert_eq!(omitted as usize, 2 * flood - burst - second);
        log.write_summary();
        assert_eq!(log.omitted.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn refused_requests_are_counted_by_their_code() {
        let log = LogLines::default();
        for _ in 0..3 {
            log.count_refused(&Code::TooManyRequests);
        }
        log.count_refused(&Code::PoolWait);
        let counts = log.refused.lock().clone();
        let expected = [(Code::TooManyRequests, 3), (Code::PoolWait, 1)];
        assert_eq!(counts, HashMap::from(expected));
        log.write_summary();
        assert!(log.refused.lock().is_empty());
    }
}
