//! The lease of this node: whether it may still act as owner of its matches.
//!
//! The lease itself is a row in the database and ends by the database's clock. The deadline kept here is never later: it counts from before
//! the renewal was requested, by a clock that goes on while the process is stopped.

use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Duration of a lease without renewal. Other nodes wait this long before they take over the matches of a silent node.
pub(crate) const LEASE: Duration = Duration::from_millis(2_000);

/// Interval of renewals.
pub(crate) const RENEW_EVERY: Duration = Duration::from_millis(400);

/// Allowance for the difference between the clocks of the node and the database.
const DRIFT: Duration = Duration::from_millis(100);

/// The lease of this node.
#[derive(Debug)]
pub(crate) struct Lease {
    tenure: watch::Sender<Tenure>,
}

#[derive(Debug, Clone, Copy)]
struct Tenure {
    /// Number of times the lease has ended. A match that was opened in an earlier generation may have another owner now.
    generation: u64,
    until: Instant,
}

impl Lease {
    /// A lease that was requested at this time and granted.
    pub(crate) fn granted(asked: Instant) -> Lease {
        let tenure = Tenure {
            generation: 0,
            until: end(asked),
        };
        Lease {
            tenure: watch::Sender::new(tenure),
        }
    }

    /// Extends the lease, whose renewal was requested at this time.
    pub(crate) fn renewed(&self, asked: Instant) {
        self.tenure.send_modify(|tenure| tenure.until = end(asked));
    }

    /// Begins a new generation after the lease had ended.
    pub(crate) fn begun_anew(&self, asked: Instant) {
        self.tenure.send_modify(|tenure| {
            tenure.generation += 1;
            tenure.until = end(asked);
        });
    }

    /// The current generation.
    pub(crate) fn generation(&self) -> u64 {
        self.tenure.borrow().generation
    }

    /// Whether the lease certainly lasts at present.
    pub(crate) fn is_held(&self) -> bool {
        self.lasts(self.generation())
    }

    /// Whether the lease of this generation certainly still lasts.
    pub(crate) fn lasts(&self, generation: u64) -> bool {
        let tenure = *self.tenure.borrow();
        tenure.lasts(generation)
    }

    /// Waits until it is known whether the lease of this generation still lasts.
    pub(crate) async fn settled(&self, generation: u64) -> bool {
        let mut tenures = self.tenure.subscribe();
        let known = tenures
            .wait_for(|tenure| tenure.generation != generation || tenure.lasts(generation))
            .await;
        // The sender lives as long as `self`.
        known.is_ok_and(|tenure| tenure.generation == generation)
    }
}

impl Tenure {
    fn lasts(self, generation: u64) -> bool {
        self.generation == generation && Instant::now() < self.until
    }
}

fn end(asked: Instant) -> Instant {
    asked + LEASE - DRIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_ends_by_itself_and_the_next_is_another() {
        let now = Instant::now();
        let lease = Lease::granted(now);
        assert!(lease.lasts(0));
        let lease = Lease::granted(
            now.checked_sub(LEASE)
                .expect("the machine has run for seconds"),
        );
        assert!(!lease.lasts(0), "nobody renewed it");
        lease.renewed(now);
        assert!(lease.lasts(0), "it was renewed in time after all");
        lease.begun_anew(now);
        assert!(!lease.lasts(0) && lease.lasts(1));
    }

    #[tokio::test]
    async fn one_in_doubt_is_settled_by_the_next_renewal() {
        let now = Instant::now();
        let past = now
            .checked_sub(LEASE)
            .expect("the machine has run for seconds");
        let lease = Lease::granted(past);
        let (settled, ()) = tokio::join!(lease.settled(0), async { lease.renewed(now) });
        assert!(settled);
        let lease = Lease::granted(past);
        let (settled, ()) = tokio::join!(lease.settled(0), async { lease.begun_anew(now) });
        assert!(!settled);
    }
}
