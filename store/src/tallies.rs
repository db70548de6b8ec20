//! Tallies of results.

use async_trait::async_trait;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// Tallies of results, made by counting.
#[async_trait]
pub trait Tallies: Send + Sync {
    /// Returns a player's tally at each side of each game, over all counted matches.
    async fn tallies_of(&self, player: &PlayerId) -> Result<Vec<SideTally>, StoreError>;

    /// Returns a player's tally against one opponent in each game.
    async fn head_to_head(
        &self,
        player: &PlayerId,
        opponent: &PlayerId,
    ) -> Result<Vec<(GameKind, Tally)>, StoreError>;

    /// Returns the tally of each game with at least one counted match.
    async fn game_tallies(&self) -> Result<Vec<GameTally>, StoreError>;
}

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
