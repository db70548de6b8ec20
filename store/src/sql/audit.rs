//! The audit log of actions by the operator and moderators.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use super::backend::{Backend, Tx, begin, commit};
use crate::detached::detached;
use crate::rows::{AuditRecord, int, parsed};
use crate::{AuditFilter, AuditLog, AuditRow, NewAudit, StoreError};

#[async_trait]
impl AuditLog for Backend {
    async fn write_audit(&self, new: &NewAudit) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_audit(&mut tx, &new).await?;
            commit(tx).await
        })
        .await
    }

    async fn audit(
        &self,
        filter: &AuditFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError> {
        let rows: Vec<AuditRecord> = sqlx::query_as(
            "SELECT a.id AS audit_id, a.at_ms, a.action, a.match_id, a.detail, a.why,
                b.id AS actor_id, b.name AS actor_name, b.kind AS actor_kind, b.display_name AS actor_display_name, b.level AS actor_level,
                b.created_ms AS actor_created_ms,
                p.id AS about_id, p.name AS about_name, p.kind AS about_kind, p.display_name AS about_display_name, p.level AS about_level,
                p.created_ms AS about_created_ms
            FROM audit a LEFT JOIN players b ON b.id = a.actor_id LEFT JOIN players p ON p.id = a.about_id
            WHERE a.id < $1 AND (a.about_id = $2 OR $2 IS NULL) AND (a.actor_id = $3 OR $3 IS NULL)
            ORDER BY a.id DESC LIMIT $4",
        )
        .bind(before.map_or(i64::MAX, int))
        .bind(filter.about.as_ref().map(PlayerId::as_str))
        .bind(filter.actor.as_ref().map(PlayerId::as_str))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}

pub(super) async fn insert_audit(tx: &mut Tx, new: &NewAudit) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO audit (at_ms, actor_id, action, about_id, match_id, detail, why)
        VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.attribution.at_ms)
    .bind(new.attribution.by.as_ref().map(PlayerId::as_str))
    .bind(new.action)
    .bind(new.about.as_ref().map(PlayerId::as_str))
    .bind(new.match_id.as_ref().map(MatchId::as_str))
    .bind(&new.detail)
    .bind(&new.attribution.why)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
