//! The engine for Reversi: its endgames are solved exactly, on bit sets for speed.

pub mod board;
mod engine;
mod known;
mod last;
mod midgame;
mod node;
mod patterns;
mod probcut;
mod solve;
mod solver;
mod stability;
pub mod train;

pub use board::PASS;
pub(crate) use engine::search;
pub use known::Known;
pub use patterns::Patterns;
pub use solve::{Counting, Ending, Solution};
