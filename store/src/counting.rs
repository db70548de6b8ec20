//! Counting of finished matches.

use async_trait::async_trait;
use mawe_play::rating::Rating;
use mawe_rules::{BySide, Side};
use mawe_wire::ids::MatchId;

use crate::StoreError;

/// Counting of finished matches into ratings and tallies.
#[async_trait]
pub trait Counting: Send + Sync {
    /// Returns finished matches that are not counted yet (the outbox), oldest first.
    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Counts a finished match, in one transaction: removes it from the outbox, adds it to the tallies, and, for a rated match, computes
    /// both ratings with `rate` and writes them with their history rows, and writes the notices to its players. Returns `false` when the match is not in the outbox, so a repeated
    /// call does nothing. Matches are counted one at a time across all nodes, and numbered in that order. A match that was called off or
    /// made void, or that has one player at both seats, changes no tally and no rating.
    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError>;

    /// Returns the number of counted matches, which is the last ordinal. While it is unchanged, so are the ratings and tallies made by
    /// counting.
    async fn counted(&self) -> Result<u64, StoreError>;
}

/// Computes the new ratings of both players after a match of this weight ([`mawe_play::rating::weight`]) that `winner` won (`None` for a draw)
/// at the given time. A rating before is `None` for a player's first rated match.
pub type RateFn = fn(
    before: BySide<Option<Rating>>,
    winner: Option<Side>,
    weight: f64,
    at_ms: i64,
) -> BySide<Rating>;
