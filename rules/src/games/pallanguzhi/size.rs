//! The size of the board.

/// The number of pits a side.
pub const HOUSES: usize = 7;
