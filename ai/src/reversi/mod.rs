//! Reversi has an engine of its own: its ends of games are solved exactly, and solving wants bit sets and
//! nothing else.

pub mod board;
mod engine;
mod known;
mod last;
mod midgame;
mod patterns;
mod probcut;
mod solve;
mod solver;
mod stability;
pub mod train;

pub(crate) use engine::search;
pub use known::Known;
pub use patterns::Patterns;
pub use solve::{Counting, Ending, PASS, Solution};
