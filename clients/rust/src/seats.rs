//! A value for each of the two seats.

use serde::{Deserialize, Serialize};

/// A value for each of the two seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seats<T> {
    /// The side that moves first.
    pub first: T,
    /// The other side.
    pub second: T,
}
