//! Invitations.

use async_trait::async_trait;
use mawe_wire::ids::{InvitationId, TokenHash};

use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin, commit, serialise};
use crate::detached::detached;
use crate::invitations::author;
use crate::rows::{InvitationRecord, parsed};
use crate::{
    Attribution, InvitationCursor, InvitationRow, InvitationUse, Invitations, NewAudit,
    NewInvitation, StoreError,
};

/// Selects invitations as `InvitationRecord`s: `i`.
macro_rules! select_invitations {
    ($rest:literal) => {
        concat!(
            "SELECT i.id, i.note, i.uses, i.used, p.name AS created_by, i.created_ms, i.expires_ms, i.revoked_ms
            FROM invitations i LEFT JOIN players p ON p.id = i.created_by ",
            $rest
        )
    };
}

/// The condition for the code `$1` to make an account at `$2`.
macro_rules! is_open {
    () => {
        "code_hash = $1 AND expires_ms > $2 AND used < uses AND revoked_ms IS NULL"
    };
}

#[async_trait]
impl Invitations for Backend {
    async fn create_invitation(
        &self,
        new: &NewInvitation,
        max: u32,
        attribution: &Attribution,
    ) -> Result<bool, StoreError> {
        self.has_space()?;
        let (writer, new, attribution) = (self.writer().clone(), new.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, "invitations").await?;
            let live: i64 =
                sqlx::query_scalar("SELECT count(*) FROM invitations WHERE expires_ms > $1")
                    .bind(attribution.at_ms)
                    .fetch_one(&mut *tx)
                    .await?;
            if live >= i64::from(max) {
                return Ok(false);
            }
            sqlx::query(
                "INSERT INTO invitations (id, code_hash, note, uses, used, created_by, created_ms, expires_ms)
                VALUES ($1, $2, $3, $4, 0, $5, $6, $7)",
            )
            .bind(new.id.as_str())
            .bind(new.code.to_vec())
            .bind(&new.note)
            .bind(i64::from(new.uses))
            .bind(author(&attribution))
            .bind(attribution.at_ms)
            .bind(new.expires_ms)
            .execute(&mut *tx)
            .await?;
            let detail = format!("{} for {} accounts", new.id, new.uses);
            insert_audit(&mut tx, &entry("invite", attribution, detail)).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn invitations(
        &self,
        after: Option<&InvitationCursor>,
        limit: u32,
    ) -> Result<Vec<InvitationRow>, StoreError> {
        let rows: Vec<InvitationRecord> = sqlx::query_as(select_invitations!(
            "WHERE (i.created_ms, i.id) < ($1, $2) ORDER BY i.created_ms DESC, i.id DESC LIMIT $3"
        ))
        .bind(after.map_or(i64::MAX, |after| after.created_ms))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn invitation(&self, id: &InvitationId) -> Result<Option<InvitationRow>, StoreError> {
        let row: Option<InvitationRecord> = sqlx::query_as(select_invitations!("WHERE i.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(InvitationRow::try_from).transpose()
    }

    async fn revoke_invitation(
        &self,
        id: &InvitationId,
        attribution: &Attribution,
    ) -> Result<(), StoreError> {
        let (writer, id, attribution) = (self.writer().clone(), id.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Locks the row: of two that revoke it at once, the second sees that it is revoked.
            let found = sqlx::query("UPDATE invitations SET used = used WHERE id = $1")
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
            if found.rows_affected() == 0 {
                return Err(StoreError::NotFound);
            }
            let revoked = sqlx::query(
                "UPDATE invitations SET revoked_ms = $2 WHERE id = $1 AND revoked_ms IS NULL",
            )
            .bind(id.as_str())
            .bind(attribution.at_ms)
            .execute(&mut *tx)
            .await?;
            if revoked.rows_affected() == 0 {
                return Ok(());
            }
            let detail = id.to_string();
            insert_audit(&mut tx, &entry("revoke-invitation", attribution, detail)).await?;
            commit(tx).await
        })
        .await
    }

    async fn is_invited(&self, code: &TokenHash, now_ms: i64) -> Result<bool, StoreError> {
        let is_invited = sqlx::query_scalar(concat!(
            "SELECT EXISTS (SELECT 1 FROM invitations WHERE ",
            is_open!(),
            ")"
        ))
        .bind(code.to_vec())
        .bind(now_ms)
        .fetch_one(self.reader())
        .await?;
        Ok(is_invited)
    }
}

fn entry(action: &'static str, attribution: Attribution, detail: String) -> NewAudit {
    NewAudit {
        attribution,
        action,
        about: None,
        match_id: None,
        detail,
    }
}

/// Uses an invitation once, as a part of the transaction that registers an account. The row is locked until its end: of two registrations
/// with the last use, the second waits and gets none.
///
/// # Errors
/// [`StoreError::NotInvited`] when the code makes no account.
pub(super) async fn use_invitation(tx: &mut Tx, used: InvitationUse) -> Result<(), StoreError> {
    let found = sqlx::query(concat!(
        "UPDATE invitations SET used = used + 1 WHERE ",
        is_open!()
    ))
    .bind(used.code.to_vec())
    .bind(used.at_ms)
    .execute(&mut **tx)
    .await?;
    match found.rows_affected() {
        0 => Err(StoreError::NotInvited),
        _ => Ok(()),
    }
}
