//! Counters and histograms that the parts of the server keep about themselves: atomics, without a lock and without an allocation where
//! something is counted. [`crate::metrics`] reads them.

mod histogram;
pub mod node;
pub mod requests;

use std::sync::atomic::{AtomicU64, Ordering};

pub use self::histogram::{BATCHES, DURATIONS, Histogram, HistogramReading};

/// A count that only rises.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Counts one more.
    pub fn count(&self) {
        self.add(1);
    }

    /// Counts so many more.
    pub fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }

    /// Returns the count.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
