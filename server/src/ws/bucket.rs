//! A token bucket for one socket.
//!
//! Bytes that have been read cannot be refused any more: they are taken on credit, and the socket waits until the credit is paid back. The
//! limiters of governor, which count requests elsewhere, refuse instead, and take nothing of a number beyond the burst.

use std::time::{Duration, Instant};

/// A token bucket that refills at a constant rate, up to a burst.
#[derive(Debug)]
pub(super) struct Bucket {
    per_second: f64,
    burst: f64,
    /// The tokens left; negative after [`Bucket::spend`] took more than there were.
    left: f64,
    filled_at: Instant,
}

impl Bucket {
    /// Creates a bucket that is full at `at`.
    pub(super) fn full(per_second: f64, burst: f64, at: Instant) -> Bucket {
        Bucket {
            per_second,
            burst,
            left: burst,
            filled_at: at,
        }
    }

    /// Takes one token, or returns `false` if there is none.
    pub(super) fn acquire(&mut self, at: Instant) -> bool {
        self.fill(at);
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }

    /// Takes this many tokens, on credit if there are too few, and returns the time until the credit is paid back.
    pub(super) fn spend(&mut self, tokens: f64, at: Instant) -> Duration {
        self.fill(at);
        self.left -= tokens;
        Duration::from_secs_f64((-self.left).max(0.0) / self.per_second)
    }

    /// Returns whether the bucket is at its burst.
    pub(super) fn is_full(&mut self, at: Instant) -> bool {
        self.fill(at);
        self.left >= self.burst
    }

    fn fill(&mut self, at: Instant) {
        let gained = at.saturating_duration_since(self.filled_at).as_secs_f64() * self.per_second;
        self.left = (self.left + gained).min(self.burst);
        self.filled_at = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_empties_the_bucket_and_time_fills_it() {
        let start = Instant::now();
        let mut bucket = Bucket::full(15.0, 40.0, start);
        let taken = (0..1_000).filter(|_| bucket.acquire(start)).count();
        assert_eq!(taken, 40);
        assert!(bucket.acquire(start + Duration::from_secs(1)));
    }

    #[test]
    fn credit_is_paid_back_before_anything_else() {
        let start = Instant::now();
        let mut bucket = Bucket::full(10.0, 20.0, start);
        assert_eq!(bucket.spend(20.0, start), Duration::ZERO);
        assert_eq!(bucket.spend(5.0, start), Duration::from_millis(500));
        let later = start + Duration::from_millis(400);
        assert_eq!(bucket.spend(0.0, later), Duration::from_millis(100));
        assert!(!bucket.acquire(start + Duration::from_millis(500)));
        assert!(bucket.is_full(start + Duration::from_secs(60)));
    }
}
