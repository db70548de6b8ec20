//! Rows of accounts and of the audit log.

use sqlx_macros::FromRow;

use super::convert::{id, number};
use super::identity::grants;
use super::players::PlayerRecord;
use crate::{Account, AuditRow, Disabled, Player, StoreError};

/// An account.
#[derive(FromRow)]
pub(crate) struct AccountRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    grants: String,
    disabled_ms: Option<i64>,
    disabled_why: Option<String>,
    disabled_until_ms: Option<i64>,
    deleted_ms: Option<i64>,
}

impl TryFrom<AccountRecord> for Account {
    type Error = StoreError;

    fn try_from(row: AccountRecord) -> Result<Self, StoreError> {
        let player = Player::try_from(row.player)?;
        let disabled = |at_ms| Disabled {
            at_ms,
            why: row.disabled_why.unwrap_or_default(),
            until_ms: row.disabled_until_ms,
        };
        Ok(Self {
            grants: grants(&row.grants, player.kind)?,
            player,
            disabled: row.disabled_ms.map(disabled),
            deleted_ms: row.deleted_ms,
        })
    }
}

/// An audit log entry.
#[derive(FromRow)]
pub(crate) struct AuditRecord {
    audit_id: i64,
    at_ms: i64,
    action: String,
    match_id: Option<String>,
    detail: String,
    why: String,
    actor_id: Option<String>,
    actor_name: Option<String>,
    actor_kind: Option<String>,
    actor_display_name: Option<String>,
    actor_level: Option<i64>,
    actor_created_ms: Option<i64>,
    about_id: Option<String>,
    about_name: Option<String>,
    about_kind: Option<String>,
    about_display_name: Option<String>,
    about_level: Option<i64>,
    about_created_ms: Option<i64>,
}

impl TryFrom<AuditRecord> for AuditRow {
    type Error = StoreError;

    fn try_from(row: AuditRecord) -> Result<Self, StoreError> {
        let player = |id, name, kind, level, display_name, created_ms| {
            let (id, name, kind, created_ms) = (id?, name?, kind?, created_ms?);
            Some(Player::try_from(PlayerRecord {
                id,
                name,
                kind,
                level,
                display_name,
                avatar: None,
                flag: None,
                player_created_ms: created_ms,
            }))
        };
        Ok(Self {
            id: number("audit id", row.audit_id)?,
            at_ms: row.at_ms,
            actor: player(
                row.actor_id,
                row.actor_name,
                row.actor_kind,
                row.actor_level,
                row.actor_display_name,
                row.actor_created_ms,
            )
            .transpose()?,
            action: row.action,
            about: player(
                row.about_id,
                row.about_name,
                row.about_kind,
                row.about_level,
                row.about_display_name,
                row.about_created_ms,
            )
            .transpose()?,
            match_id: row
                .match_id
                .map(|match_id| id("match id", match_id))
                .transpose()?,
            detail: row.detail,
            why: row.why,
        })
    }
}
