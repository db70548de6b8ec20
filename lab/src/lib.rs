//! How the engine is taught and measured: matches between players, and the training of its weights.
//!
//! The binary `lab` has a command for each task; `mawe duel` plays its matches with [`arena`]. Nothing here takes part in play.

pub mod arena;
pub mod learn;
pub mod reversi;
