//! Events: their states, the changes of these, and the work that is due at a time.
//!
//! [`mawe_play::events`] decides; this module connects it to the store and the clock. Every change is a decision on the state that was read from
//! the journal, and one append to the journal at the head that was read. So any node may make it, and it happens once.

mod calls;
mod changes;
mod clock;
mod ends;
mod fill_ins;
mod seating;
mod watching;

pub use self::changes::{EventFault, first_append};
pub use self::watching::{WatchRefusal, run as run_watching};
