//! Events: their states, the changes of these, and the work that is due at a time.
//!
//! [`mawe_play::events`] decides; this module connects it to the store and the clock. Every change is a decision on the state that was read from
//! the journal, and one append to the journal at the head that was read. So any node may make it, and it happens once.

mod calls;
mod changes;
mod clock;
mod ends;
mod fill_ins;
mod recurring;
mod seating;
pub mod timetable;
mod watching;

pub use self::changes::{EventFault, first_append, first_append_of};
pub use self::watching::{WatchRefusal, run as run_watching};

/// The shortest time from the creation of an event to its start.
pub(crate) const LEAD_MS: i64 = 60 * 1_000;

/// The time for which a cancelled event without games is kept.
pub(crate) const CANCELLED_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
