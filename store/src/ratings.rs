//! Ratings, their changes, and leaderboards.

use async_trait::async_trait;
use mawe_play::rating::Rating;
use mawe_rules::{GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::ids::{MatchId, PlayerId};

use super::players::Player;
use super::tallies::Tally;
use crate::StoreError;

/// Ratings, their changes, and leaderboards.
#[async_trait]
pub trait Ratings: Send + Sync {
    /// Returns a player's rating; `None` before the first rated match of this game and speed, except for a computer opponent with a seeded
    /// rating.
    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError>;

    /// Returns all ratings of a player.
    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError>;

    /// Returns a page of the changes of a player's rating, ordered by time, then by ordinal, after `cursor` if given.
    async fn rating_history(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
        order: HistoryOrder,
        cursor: Option<&HistoryCursor>,
        limit: u32,
    ) -> Result<Vec<RatingChange>, StoreError>;

    /// Returns the rating changes of the matches counted with an ordinal above `after` and up to `to`, by ordinal, then side.
    async fn rating_changes(&self, after: u64, to: u64) -> Result<Vec<RatingChange>, StoreError>;

    /// Returns a page of players by rating, highest first, without disabled accounts. A player is included with a stored deviation of at
    /// most `max_deviation` and at least `min_opponents` different opponents (people and bot accounts). The growth of the deviation since
    /// the last match is ignored.
    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        min_opponents: u32,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError>;

    /// Returns the number of players at each rating, by game, speed and rating: those with a rated match of that game and speed, without
    /// computer opponents and disabled accounts. The growth of the deviation since the last match is ignored.
    async fn rating_counts(&self, max_deviation: f64) -> Result<Vec<RatingCount>, StoreError>;
}

/// The players with one rating in a game and speed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingCount {
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The rating, rounded.
    pub rating: i64,
    /// The number of players.
    pub players: u64,
    /// The number of those with a deviation above the maximum.
    pub provisional: u64,
}

/// A player's rating and record in one game kind and speed.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: Rating,
    /// The rated matches, by result.
    pub tally: Tally,
    /// The number of different opponents, without computer opponents.
    pub opponents: u32,
}

/// The change of one rating by one match.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingChange {
    /// The match's number in the order of counting.
    pub ordinal: u64,
    /// The match.
    pub match_id: MatchId,
    /// The seat of the player.
    pub side: Side,
    /// The player whose rating changed.
    pub player: PlayerId,
    /// The opponent.
    pub opponent: Player,
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// Whether it was won; `None` for a draw.
    pub won: Option<bool>,
    /// The rating before; `None` for a first rated match.
    pub before: Option<Rating>,
    /// The rating after.
    pub after: Rating,
    /// The time at which the match ended.
    pub at_ms: i64,
}

/// The order in which a rating history is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryOrder {
    /// From the first rated match onwards.
    OldestFirst,
    /// From the last rated match backwards.
    NewestFirst,
}

/// The position after which a page of a rating history begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// [`RatingChange::at_ms`] of the last change of the previous page.
    pub at_ms: i64,
    /// [`RatingChange::ordinal`] of that change.
    pub ordinal: u64,
}

/// One line of a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaderboardRow {
    /// The player.
    pub player: Player,
    /// The rating and record.
    pub row: RatingRow,
}
