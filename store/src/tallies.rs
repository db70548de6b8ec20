//! Tallies of results.

use mawe_rules::{BySide, GameKind, Side};

/// The numbers of matches won, drawn and lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Matches won.
    pub won: u32,
    /// Matches drawn.
    pub drawn: u32,
    /// Matches lost.
    pub lost: u32,
}

/// A player's tally at one side of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideTally {
    /// The game kind.
    pub game: GameKind,
    /// The side.
    pub side: Side,
    /// The tally.
    pub tally: Tally,
    /// The number of plies of all these matches.
    pub plies: u64,
}

/// The results of all matches of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTally {
    /// The game kind.
    pub game: GameKind,
    /// Matches won by each side.
    pub won: BySide<u64>,
    /// Matches drawn.
    pub drawn: u64,
    /// The number of plies of all these matches.
    pub plies: u64,
}
