//! The audit log.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::{Player, StoreError};

/// The audit log of actions by the operator and moderators.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Writes an audit log entry for an action outside the store.
    async fn write_audit(&self, new: &NewAudit) -> Result<(), StoreError>;

    /// Returns a page of the audit log, newest first, before the entry `before` if given.
    async fn audit(
        &self,
        filter: &AuditFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError>;
}

/// The author, reason and time of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// The moderator, or the owner of the account; `None` for the operator at the console.
    pub by: Option<PlayerId>,
    /// The moderator's or operator's reason; may be empty.
    pub why: String,
    /// The time.
    pub at_ms: i64,
}

/// An audit log entry to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAudit {
    /// The author, reason and time.
    pub attribution: Attribution,
    /// The code of the action.
    pub action: &'static str,
    /// The player concerned.
    pub about: Option<PlayerId>,
    /// The match concerned.
    pub match_id: Option<MatchId>,
    /// Details of the action; may be empty.
    pub detail: String,
}

/// An audit log entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// The number of the entry, in the order of the log.
    pub id: u64,
    /// The time.
    pub at_ms: i64,
    /// The moderator; `None` for the operator at the console.
    pub actor: Option<Player>,
    /// The code of the action.
    pub action: String,
    /// The player concerned.
    pub about: Option<Player>,
    /// The match concerned.
    pub match_id: Option<MatchId>,
    /// Details of the action; may be empty.
    pub detail: String,
    /// The moderator's or operator's reason; may be empty.
    pub why: String,
}

/// A filter for audit log entries. Both conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Actions that concern this player.
    pub about: Option<PlayerId>,
    /// Actions of this player.
    pub actor: Option<PlayerId>,
}
