//! Display names of players.

use async_trait::async_trait;
use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;

use super::accounts::locked;
use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin, commit};
use super::held_display_names::give_up;
use super::looks::check_look;
use crate::detached::detached;
use crate::rows::name_key;
use crate::{
    Account, Attribution, DISPLAY_NAME_PERIOD_MS, DISPLAY_NAMES_IN_PERIOD, DisplayNameSet,
    DisplayNameState, DisplayNames, NewAudit, NewDisplayName, Player, StoreError,
};

#[async_trait]
impl DisplayNames for Backend {
    async fn set_display_name(
        &self,
        player: &PlayerId,
        name: &NewDisplayName,
        now_ms: i64,
    ) -> Result<DisplayNameSet, StoreError> {
        let (writer, player, name) = (self.writer().clone(), player.clone(), name.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let before = named(&mut tx, &player).await?;
            let old = before.player.look.display_name.as_ref();
            if old == Some(&name.text) {
                return Ok(DisplayNameSet::Done(before.player));
            }
            let (since_ms, changes, is_pupil): (Option<i64>, Option<i64>, bool) = sqlx::query_as(
                "SELECT display_since_ms, display_changes, EXISTS (SELECT 1 FROM pupils q WHERE q.player_id = p.id)
                FROM players p WHERE p.id = $1",
            )
            .bind(player.as_str())
            .fetch_one(&mut *tx)
            .await?;
            if is_pupil {
                return Ok(DisplayNameSet::Pupil);
            }
            let (since_ms, changes) = match counted(since_ms, changes, now_ms) {
                None => (now_ms, 0),
                Some((since_ms, changes)) => (since_ms, changes),
            };
            if changes >= i64::from(DISPLAY_NAMES_IN_PERIOD) {
                return Ok(DisplayNameSet::TooOften(since_ms.saturating_add(DISPLAY_NAME_PERIOD_MS)));
            }
            check_look(&mut tx, &player, &name.key, now_ms).await?;
            give_up(&mut tx, &player, now_ms).await?;
            // The owner takes a held name back, or one that is free again.
            sqlx::query("DELETE FROM former_display_names WHERE display_key = $1")
                .bind(&name.key)
                .execute(&mut *tx)
                .await?;
            sqlx::query(
                "UPDATE players SET display_name = $2, display_key = $3, display_find = $4, display_since_ms = $5, display_changes = $6
                WHERE id = $1",
            )
            .bind(player.as_str())
            .bind(&name.text)
            .bind(&name.key)
            .bind(name_key(&name.text))
            .bind(since_ms)
            .bind(changes + 1)
            .execute(&mut *tx)
            .await?;
            let detail = match old {
                Some(old) => format!("from {old} to {}", name.text),
                None => name.text.clone(),
            };
            note(&mut tx, &player, ("set-display-name", detail), now_ms).await?;
            let account = locked(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(DisplayNameSet::Done(account.player))
        })
        .await
    }

    async fn remove_display_name(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Player, StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let before = named(&mut tx, &player).await?;
            let Some(old) = before.player.look.display_name.clone() else {
                return Ok(before.player);
            };
            give_up(&mut tx, &player, now_ms).await?;
            note(&mut tx, &player, ("remove-display-name", old), now_ms).await?;
            let account = locked(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(account.player)
        })
        .await
    }

    async fn display_name_state(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<DisplayNameState, StoreError> {
        let (since_ms, changes, is_pupil): (Option<i64>, Option<i64>, bool) = sqlx::query_as(
            "SELECT display_since_ms, display_changes, EXISTS (SELECT 1 FROM pupils q WHERE q.player_id = p.id)
            FROM players p WHERE p.id = $1",
        )
        .bind(player.as_str())
        .fetch_one(self.reader())
        .await?;
        let used_up = counted(since_ms, changes, now_ms)
            .filter(|(_, changes)| *changes >= i64::from(DISPLAY_NAMES_IN_PERIOD));
        Ok(DisplayNameState {
            settable_from_ms: used_up
                .map(|(since_ms, _)| since_ms.saturating_add(DISPLAY_NAME_PERIOD_MS)),
            is_pupil,
        })
    }
}

/// Returns the period that runs and the changes in it.
fn counted(since_ms: Option<i64>, changes: Option<i64>, now_ms: i64) -> Option<(i64, i64)> {
    let since_ms =
        since_ms.filter(|since| since.saturating_add(DISPLAY_NAME_PERIOD_MS) > now_ms)?;
    Some((since_ms, changes.unwrap_or_default()))
}

/// Returns an account that may have a display name, and locks its row until the commit.
async fn named(tx: &mut Tx, player: &PlayerId) -> Result<Account, StoreError> {
    let account = locked(tx, player).await?;
    if account.player.kind == PlayerKind::Guest || account.deleted_ms.is_some() {
        return Err(StoreError::NotFound);
    }
    Ok(account)
}

/// Writes an entry about a change by the owner to the audit log.
async fn note(
    tx: &mut Tx,
    player: &PlayerId,
    (action, detail): (&'static str, String),
    now_ms: i64,
) -> Result<(), StoreError> {
    let audit = NewAudit {
        attribution: Attribution {
            by: Some(player.clone()),
            why: String::new(),
            at_ms: now_ms,
        },
        action,
        about: Some(player.clone()),
        match_id: None,
        detail,
    };
    insert_audit(tx, &audit).await
}
