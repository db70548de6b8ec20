//! The time of day.

/// Returns the time of day, in milliseconds since the Unix epoch.
#[must_use]
pub fn unix_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
