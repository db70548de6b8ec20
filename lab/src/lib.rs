//! The training and the measurement of the engine: matches between players, and the weights of its evaluation.
//!
//! The binary `lab` has a command for each task; `mawe duel` and `mawe arena` play their matches with [`arena`]. [`outside`] speaks to engines
//! of other authors. Nothing here takes part in the play of a server.

pub mod arena;
pub mod chart;
pub mod learn;
pub mod outside;
pub mod reversi;
