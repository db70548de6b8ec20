//! Former names, which are held for their owners.

use async_trait::async_trait;
use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;

use super::accounts::{locked, rename};
use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin, commit};
use super::held_names::take_name;
use super::looks::take_look;
use super::notices::lock;
use super::players::can_be_stored;
use crate::detached::detached;
use crate::rows::{PlayerRecord, name_key};
use crate::{
    Attribution, Changed, FormerNames, NAME_HELD_MS, NewAudit, Player, Renamed, StoreError,
};

/// The query of the time from which on an account may be renamed again.
const RENAMABLE_FROM: &str =
    "SELECT max(until_ms) FROM former_names WHERE player_id = $1 AND until_ms > $2";

#[async_trait]
impl FormerNames for Backend {
    async fn rename_account(
        &self,
        player: &PlayerId,
        name: &str,
        now_ms: i64,
    ) -> Result<Renamed, StoreError> {
        let (writer, player, name) = (self.writer().clone(), player.clone(), name.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // As any change of a name: it locks the row also against new notices, whose writers hold this already.
            lock(&mut tx, [&player]).await?;
            let before = locked(&mut tx, &player).await?;
            if before.player.kind == PlayerKind::Guest || before.deleted_ms.is_some() {
                return Err(StoreError::NotFound);
            }
            let old = &before.player.name;
            if *old == name {
                return Ok(Renamed::Done(Changed {
                    account: before,
                    ended: Vec::new(),
                }));
            }
            let from: Option<i64> = sqlx::query_scalar(RENAMABLE_FROM)
                .bind(player.as_str())
                .bind(now_ms)
                .fetch_one(&mut *tx)
                .await?;
            if let Some(from_ms) = from {
                return Ok(Renamed::TooEarly(from_ms));
            }
            rename(&mut tx, &player, &name).await?;
            take_name(&mut tx, &player, &name, now_ms).await?;
            take_look(&mut tx, &player, (Some(old), &name), now_ms).await?;
            hold(&mut tx, &player, old, now_ms).await?;
            let audit = NewAudit {
                attribution: Attribution {
                    by: Some(player.clone()),
                    why: String::new(),
                    at_ms: now_ms,
                },
                action: "rename",
                about: Some(player.clone()),
                match_id: None,
                detail: format!("from {old} to {name}"),
            };
            insert_audit(&mut tx, &audit).await?;
            let account = locked(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(Renamed::Done(Changed {
                account,
                ended: Vec::new(),
            }))
        })
        .await
    }

    async fn renamable_from(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let from = sqlx::query_scalar(RENAMABLE_FROM)
            .bind(player.as_str())
            .bind(now_ms)
            .fetch_one(self.reader())
            .await?;
        Ok(from)
    }

    async fn find_player_by_former_name(
        &self,
        name: &str,
        now_ms: i64,
    ) -> Result<Option<Player>, StoreError> {
        if !can_be_stored(name) {
            return Ok(None);
        }
        let row: Option<PlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM former_names f JOIN players p ON p.id = f.player_id WHERE f.name_key = $1 AND f.until_ms > $2",
        )
        .bind(name_key(name))
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        row.map(Player::try_from).transpose()
    }
}

/// Holds the old name of an account. Also a name that differs by case alone is held, for the account itself: the row says when it was renamed.
async fn hold(tx: &mut Tx, player: &PlayerId, old: &str, now_ms: i64) -> Result<(), StoreError> {
    // A row that is there is of a time that is over.
    sqlx::query(
        "INSERT INTO former_names (name_key, name, player_id, until_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, player_id = excluded.player_id, until_ms = excluded.until_ms",
    )
    .bind(name_key(old))
    .bind(old)
    .bind(player.as_str())
    .bind(now_ms.saturating_add(NAME_HELD_MS))
    .execute(&mut **tx)
    .await?;
    Ok(())
}
