//! Pairing: pools of waiting players, and the pairs made from them.

mod matching;
pub mod penalty;
mod pools;
mod sides;
mod widening;

pub use self::pools::*;
pub use self::sides::{RECENT, SideHistory, seat};
pub use self::widening::*;
