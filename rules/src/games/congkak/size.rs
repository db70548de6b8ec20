//! The size of the board.

/// The number of houses a side.
pub const HOUSES: usize = 7;
/// The number of seeds in a house at the start of a round.
pub const SEEDS: u16 = 7;
