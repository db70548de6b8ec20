//! The engine for Reversi: its endgames are solved exactly, on bit sets for speed.

pub mod board;
mod board_search;
mod board_weights;
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

pub use board::PASS;
pub use board_search::BoardSearch;
pub use board_weights::BoardWeights;
pub(crate) use engine::search;
pub use known::Known;
pub use patterns::Patterns;
pub use probcut::shallow_depth;
pub use solve::{Counting, Ending, Solution};
