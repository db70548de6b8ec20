//! What is remembered of how matches ended, by number.

use mawe_rules::{BySide, GameKind, Side};

use super::RatingRow;
use crate::ids::PlayerId;

/// Won, drawn, lost.
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
    /// At which seat.
    pub side: Side,
    /// How the matches ended.
    pub tally: Tally,
    /// How many plies they had together.
    pub plies: u64,
}

/// How all matches of a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTally {
    /// The game kind.
    pub game: GameKind,
    /// Matches won by each side.
    pub won: BySide<u64>,
    /// Matches drawn.
    pub drawn: u64,
    /// How many plies they had together.
    pub plies: u64,
}

/// Everything that counting has made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standings {
    /// All ratings.
    pub ratings: Vec<(PlayerId, RatingRow)>,
    /// All tallies.
    pub tallies: Vec<(PlayerId, SideTally)>,
    /// All pairs, from both sides: player, opponent.
    pub head_to_head: Vec<(PlayerId, PlayerId, GameKind, Tally)>,
    /// All games.
    pub games: Vec<GameTally>,
}
