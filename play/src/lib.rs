//! The decisions of a match, a pairing and a rating: state machines without I/O, with time and chance as arguments.

use std::fmt;

pub mod chat;
pub mod club_match;
pub mod events;
pub mod openings;
pub mod pairing;
pub mod rating;
pub mod room;

/// A stored match that this program could not have written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The kind of the value.
    pub what: &'static str,
    /// The fault.
    pub detail: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a stored {} is damaged: {}", self.what, self.detail)
    }
}

impl std::error::Error for Damaged {}
