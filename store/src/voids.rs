//! Matches that a moderator makes void, and pairs of players whose matches a moderator should review.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use super::Player;
use crate::{Attribution, StoreError};

/// Matches made void, and pairs of players to review.
#[async_trait]
pub trait Voids: Send + Sync {
    /// Returns pairs of players, without computer opponents, who share a device, or of whom one has played at least four of five rated
    /// matches against the other; those with the most matches first. Slow, so only for moderators: it reads all rated matches since the
    /// filter's time.
    async fn pairs_to_review(
        &self,
        filter: &PairFilter,
        limit: u32,
    ) -> Result<Vec<PairToReview>, StoreError>;

    /// Makes rated matches void, writes an audit log entry, and puts the recount of the ratings into the outbox, in one transaction.
    /// Returns the number of matches. Skips matches that are void already or were called off.
    async fn void_matches(
        &self,
        void: &VoidMatches,
        attribution: &Attribution,
    ) -> Result<u64, StoreError>;

    /// Returns void matches that may still count in ratings and tallies.
    async fn pending_voids(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Removes void matches from the outbox, after a recount without them.
    async fn settle_voids(&self, ids: &[MatchId]) -> Result<(), StoreError>;
}

/// The rated matches to make void: they count for nothing from then on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidMatches {
    /// Matches of this player.
    pub player: PlayerId,
    /// Matches against this opponent only.
    pub opponent: Option<PlayerId>,
    /// Matches that ended at this time or later.
    pub since_ms: Option<i64>,
    /// Matches that ended before this time.
    pub until_ms: Option<i64>,
}

/// A filter for pairs of players to review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairFilter {
    /// Only rated matches since this time are read.
    pub since_ms: i64,
    /// The smallest number of matches for a pair of whom one has played hardly anybody else.
    pub min_matches: u32,
    /// The smallest number of matches for a pair that shares a device.
    pub min_matches_on_device: u32,
}

/// Two players whose matches with each other a moderator should review, for at least one of two reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairToReview {
    /// The two, by id.
    pub players: [Player; 2],
    /// The number of rated matches that they have played with each other.
    pub matches: u32,
    /// The number of these that each has won.
    pub won: [u32; 2],
    /// The number of rated matches that each has played against any opponent.
    pub of: [u32; 2],
    /// Whether at least one of them has played hardly anybody else.
    pub only_each_other: bool,
    /// Whether they have logged in from the same browser.
    pub share_device: bool,
}
