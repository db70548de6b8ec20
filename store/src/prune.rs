//! Rows that are no longer needed.

use async_trait::async_trait;

use crate::StoreError;

/// The daily upkeep: rows that are no longer needed.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Claims the daily upkeep, unless it was claimed after `before_ms`: of several nodes, one gets it.
    async fn claim_upkeep(&self, before_ms: i64, now_ms: i64) -> Result<bool, StoreError>;

    /// Counts the rows of a kind that were stale at `before_ms`.
    async fn count_stale(&self, stale: Stale, before_ms: i64) -> Result<u64, StoreError>;

    /// Deletes at most `limit` rows of a kind that were stale at `before_ms`, the oldest first, with their dependent rows, in one
    /// transaction. Returns the number of rows of that kind.
    async fn delete_stale(
        &self,
        stale: Stale,
        before_ms: i64,
        limit: u32,
    ) -> Result<u64, StoreError>;
}

/// A kind of row that is deleted some time after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// Sessions that have expired.
    Sessions,
    /// Tokens that have expired.
    Tokens,
    /// Challenges and seeks that have expired without a match.
    UnmetChallenges,
    /// Challenges that became a match and have expired since. Until then their links lead to the match.
    MetChallenges,
    /// Matches that were called off before any person made a move, with their journals. A match is kept if it has a rematch, or if a report
    /// or an audit log entry names it.
    UnplayedMatches,
    /// Lines of chat of finished matches. A line is kept while an open report names its match.
    ChatLines,
    /// Records of accounts that share a device.
    SharedDevices,
    /// Keys of requests that have expired.
    RequestKeys,
    /// Authorization codes that have expired.
    OauthCodes,
    /// Answered challenges of passkeys that have expired.
    PasskeyChallenges,
    /// E-mail addresses whose confirmation has expired.
    EmailConfirmations,
    /// Links to set a password that have expired.
    PasswordResets,
    /// Former names that are no longer held.
    FormerNames,
    /// Former display names that are no longer held.
    FormerDisplayNames,
    /// Invitations that have expired.
    Invitations,
    /// Notices, but for unread ones of moderators.
    Notices,
    /// Guests without a match, and without a session that was used since.
    Guests,
}

impl Stale {
    /// All kinds. Rows that refer to others are deleted before them.
    pub const ALL: [Stale; 17] = [
        Stale::Sessions,
        Stale::Tokens,
        Stale::UnmetChallenges,
        Stale::MetChallenges,
        Stale::ChatLines,
        Stale::UnplayedMatches,
        Stale::SharedDevices,
        Stale::RequestKeys,
        Stale::OauthCodes,
        Stale::PasskeyChallenges,
        Stale::EmailConfirmations,
        Stale::PasswordResets,
        Stale::FormerNames,
        Stale::FormerDisplayNames,
        Stale::Invitations,
        Stale::Notices,
        Stale::Guests,
    ];
}
