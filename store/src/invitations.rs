//! Invitations: codes with which accounts are registered on a server that takes nobody else.

use async_trait::async_trait;
use mawe_wire::ids::{InvitationId, PlayerId, TokenHash};

use crate::{Attribution, StoreError};

/// The time for which an invitation stays in the list after its expiry.
pub const INVITATION_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Invitations. The store holds only the SHA-256 of each code; [`Players`](crate::Players) uses them up as it registers accounts.
#[async_trait]
pub trait Invitations: Send + Sync {
    /// Stores an invitation and writes an audit log entry, in one transaction. `false`, and nothing is written, when `max` others have
    /// not expired; the limit holds for concurrent calls.
    async fn create_invitation(
        &self,
        new: &NewInvitation,
        max: u32,
        attribution: &Attribution,
    ) -> Result<bool, StoreError>;

    /// Returns a page of the invitations, the latest first.
    async fn invitations(
        &self,
        after: Option<&InvitationCursor>,
        limit: u32,
    ) -> Result<Vec<InvitationRow>, StoreError>;

    /// Returns an invitation.
    async fn invitation(&self, id: &InvitationId) -> Result<Option<InvitationRow>, StoreError>;

    /// Revokes an invitation and writes an audit log entry, in one transaction; changes nothing where it is revoked already.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it does not exist.
    async fn revoke_invitation(
        &self,
        id: &InvitationId,
        attribution: &Attribution,
    ) -> Result<(), StoreError>;

    /// Whether a code would make an account now.
    async fn is_invited(&self, code: &TokenHash, now_ms: i64) -> Result<bool, StoreError>;
}

/// An invitation to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInvitation {
    /// The id, which names it in lists.
    pub id: InvitationId,
    /// The SHA-256 of its code.
    pub code: TokenHash,
    /// The words of its author about it; may be empty.
    pub note: String,
    /// The number of accounts that it makes.
    pub uses: u32,
    /// The time from which it makes none.
    pub expires_ms: i64,
}

/// A stored invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationRow {
    /// The id.
    pub id: InvitationId,
    /// The words of its author about it; may be empty.
    pub note: String,
    /// The number of accounts that it makes.
    pub uses: u32,
    /// The number of accounts that it has made.
    pub used: u32,
    /// The name of its author; `None` for the operator at the console.
    pub created_by: Option<String>,
    /// The time of its creation.
    pub created_ms: i64,
    /// The time from which it makes no account.
    pub expires_ms: i64,
    /// The time at which it was revoked.
    pub revoked_ms: Option<i64>,
}

impl InvitationRow {
    /// Whether it makes accounts at this time.
    #[must_use]
    pub fn is_open(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.used < self.uses && self.expires_ms > now_ms
    }
}

/// The position after which a page of invitations begins: that of the last row of the previous page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationCursor {
    /// `created_ms` of that row.
    pub created_ms: i64,
    /// `id` of that row.
    pub id: InvitationId,
}

/// The author of an invitation, for the row that refers to it.
pub(crate) fn author(attribution: &Attribution) -> Option<&str> {
    attribution.by.as_ref().map(PlayerId::as_str)
}
