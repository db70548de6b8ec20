//! The size of the board.

/// The number of pits a side.
pub const HOUSES: usize = 7;

/// The seeds that fill a pit.
pub(super) const SEEDS: u16 = 6;

/// The number of seeds in the game.
pub const TOTAL: u16 = 2 * HOUSES as u16 * SEEDS;
