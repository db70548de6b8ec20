//! Seeks.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::{ChallengeRow, NewChallenge, StoreError};

/// Seeks: challenges that are listed in the lobby, for any opponent.
#[async_trait]
pub trait Seeks: Send + Sync {
    /// Creates a seek. Returns `false`, and writes nothing, when the seeker has `max_open` open seeks. The limit holds for concurrent
    /// calls.
    async fn create_seek(&self, new: &NewChallenge, max_open: u32) -> Result<bool, StoreError>;

    /// Returns the open seeks (listed challenges) of one player or of all, newest first.
    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// Cancels all open seeks of players for realtime matches, when they have left or got a match. Returns their number.
    async fn cancel_live_seeks(&self, of: &[PlayerId]) -> Result<u64, StoreError>;

    /// Cancels all open seeks of a player. Returns their number.
    async fn cancel_seeks(&self, of: &PlayerId) -> Result<u64, StoreError>;
}
