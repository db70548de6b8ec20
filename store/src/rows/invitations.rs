//! Rows of invitations.

use sqlx_macros::FromRow;

use super::convert::{id, number};
use crate::{InvitationRow, StoreError};

/// An invitation, without its code.
#[derive(FromRow)]
pub(crate) struct InvitationRecord {
    id: String,
    note: String,
    uses: i64,
    used: i64,
    created_by: Option<String>,
    created_ms: i64,
    expires_ms: i64,
    revoked_ms: Option<i64>,
}

impl TryFrom<InvitationRecord> for InvitationRow {
    type Error = StoreError;

    fn try_from(row: InvitationRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("invitation id", row.id)?,
            note: row.note,
            uses: number("number of uses", row.uses)?,
            used: number("number of uses", row.used)?,
            created_by: row.created_by,
            created_ms: row.created_ms,
            expires_ms: row.expires_ms,
            revoked_ms: row.revoked_ms,
        })
    }
}
