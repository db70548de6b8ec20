//! The match core: a state machine without I/O, clock or randomness. [`core`] handles inputs on the [`state`], judged in `judge.rs` and timed in
//! [`timing`]; [`io`] has the inputs and effects, [`entry`] the journal entries. Matches by the day also have [`conditional`] moves and
//! [`vacation`]s.

pub mod conditional;
pub mod core;
pub mod due;
pub mod entry;
pub mod io;
mod judge;
pub mod phrases;
mod results;
pub mod spectator_delay;
pub mod state;
pub mod timing;
pub mod vacation;

pub use self::judge::MOVES_TO_COUNT;
