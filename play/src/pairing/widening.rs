//! The rating difference that a waiting player accepts.

use mawe_wire::pool::PoolKey;

/// Milliseconds of a monotonic clock.
pub type Millis = u64;

/// The rating difference that a player accepts: `base` at once, `per_second` more for each second of waiting, `most` in the end. A player
/// whose rating is uncertain accepts more, by `per_deviation` for each point of deviation above [`SETTLED_DEVIATION`]. (The opponent must
/// accept the difference too, so a settled player is not paired with a player of unknown strength.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// Accepted at once, in points.
    pub base: f64,
    /// Added for each second of waiting, in points.
    pub per_second: f64,
    /// Added for each point of deviation above [`SETTLED_DEVIATION`], in points.
    pub per_deviation: f64,
    /// Upper limit, in points.
    pub most: f64,
}

/// Deviation of a player with enough matches.
pub const SETTLED_DEVIATION: f64 = 75.0;

/// Rated pools: a small difference makes the match worth playing. `docs/pairing.md` gives the results of these values.
pub const RATED: Widening = Widening {
    base: 60.0,
    per_second: 6.0,
    per_deviation: 0.5,
    most: 500.0,
};

/// Casual pools: an opponent now is worth more than an equal one later, and the strength of guests is unknown anyway.
pub const CASUAL: Widening = Widening {
    base: 150.0,
    per_second: 15.0,
    per_deviation: 0.5,
    most: 1_000.0,
};

impl Widening {
    /// The widening of a pool.
    #[must_use]
    pub fn of_pool(key: PoolKey) -> Widening {
        if key.rated { RATED } else { CASUAL }
    }

    /// The difference accepted at this deviation after waiting for `waited`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a wait is far below 2^52 ms
    pub fn within(&self, deviation: f64, waited: Millis) -> f64 {
        let uncertain = (deviation - SETTLED_DEVIATION).max(0.0) * self.per_deviation;
        let waited_s = waited as f64 / 1_000.0;
        (self.base + self.per_second * waited_s + uncertain).min(self.most)
    }
}
