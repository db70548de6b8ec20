//! The live host of a match.

pub mod entry;
pub mod state;
