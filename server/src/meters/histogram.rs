//! A histogram with fixed buckets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets, in whole units, and the number of these in a unit that readers see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Buckets {
    bounds: &'static [u64],
    in_unit: f64,
}

/// Durations in microseconds, read in seconds: from a request in memory to the time limits of the store.
pub const DURATIONS: Buckets = Buckets {
    bounds: &[
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ],
    in_unit: 1e6,
};

/// Numbers of things that are done together.
pub const BATCHES: Buckets = Buckets {
    bounds: &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024],
    in_unit: 1.0,
};

/// A histogram. A record is two additions, without a lock.
#[derive(Debug)]
pub struct Histogram {
    buckets: Buckets,
    /// One more than there are bounds: the last counts the values above all of them.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

/// The content of a histogram. A reading during records may miss the sum of one that is counted already.
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramReading {
    /// The upper bound of each bucket with the number of values in it alone; the last bound is [`f64::INFINITY`].
    pub buckets: Vec<(f64, u64)>,
    /// The sum of the values.
    pub sum: f64,
}

impl Histogram {
    /// Creates an empty histogram.
    #[must_use]
    pub fn new(buckets: Buckets) -> Histogram {
        let counts = (0..=buckets.bounds.len()).map(|_| AtomicU64::new(0));
        Histogram {
            buckets,
            counts: counts.collect(),
            sum: AtomicU64::new(0),
        }
    }

    /// Records a duration, in a histogram of [`DURATIONS`].
    pub fn record(&self, duration: Duration) {
        self.record_units(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
    }

    /// Records a number of units.
    pub fn record_units(&self, value: u64) {
        let bucket = self.buckets.bounds.partition_point(|bound| *bound < value);
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Returns the content.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "readers compute with such numbers"
    )]
    pub fn read(&self) -> HistogramReading {
        // A quotient is the number nearest to the decimal fraction, so that labels are short.
        let in_unit = self.buckets.in_unit;
        let bounds = self.buckets.bounds.iter();
        let bounds = bounds.map(|bound| *bound as f64 / in_unit);
        let counts = self
            .counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed));
        HistogramReading {
            buckets: bounds.chain([f64::INFINITY]).zip(counts).collect(),
            sum: self.sum.load(Ordering::Relaxed) as f64 / in_unit,
        }
    }
}

impl HistogramReading {
    /// Returns the number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_the_first_bucket_whose_bound_it_does_not_exceed() {
        let histogram = Histogram::new(BATCHES);
        for value in [1, 2, 3, 4, 1_024, 1_025, u64::from(u32::MAX)] {
            histogram.record_units(value);
        }
        let reading = histogram.read();
        let counts: Vec<u64> = reading.buckets.iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
        assert_eq!(reading.buckets[11].0, f64::INFINITY);
        assert_eq!(reading.count(), 7);
    }

    #[test]
    fn durations_are_read_in_seconds() {
        let histogram = Histogram::new(DURATIONS);
        histogram.record(Duration::from_millis(20));
        histogram.record(Duration::from_secs(90));
        let reading = histogram.read();
        assert!((reading.sum - 90.02).abs() < 1e-6, "{reading:?}");
        let hit: Vec<f64> = reading
            .buckets
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(bound, _)| *bound)
            .collect();
        assert_eq!(hit, [0.025, f64::INFINITY]);
    }
}
