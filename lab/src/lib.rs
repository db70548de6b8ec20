//! The training and the measurement of the engine: matches between players, and the weights of its evaluation.
//!
//! The binary `lab` has a command for each task; `mawe duel` plays its matches with [`arena`]. Nothing here takes part in play.

pub mod arena;
pub mod learn;
pub mod reversi;
