//! Tokens of programs.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};

use super::backend::{Backend, Tx, begin, commit};
use crate::detached::detached;
use crate::rows::{HolderRecord, TokenRecord, parsed, token_hash};
use crate::{Holder, NewToken, StoreError, TokenRow, Tokens};

#[async_trait]
impl Tokens for Backend {
    async fn create_token(&self, new: &NewToken, max: u32) -> Result<bool, StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_player(&mut tx, &new.player).await?;
            if !insert_token(&mut tx, &new, max).await? {
                return Ok(false);
            }
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn token(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError> {
        let row: Option<HolderRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms,
                p.grants, p.disabled_ms, t.scopes, t.last_used_ms, t.expires_ms
            FROM players p JOIN tokens t ON t.player_id = p.id WHERE t.token_hash = $1 AND t.expires_ms > $2",
        )
        .bind(hash.to_vec())
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        row.map(Holder::try_from).transpose()
    }

    async fn tokens_of(&self, player: &PlayerId, now_ms: i64) -> Result<Vec<TokenRow>, StoreError> {
        let rows: Vec<TokenRecord> = sqlx::query_as(
            "SELECT id, name, scopes, created_ms, expires_ms, last_used_ms FROM tokens
            WHERE player_id = $1 AND expires_ms > $2 ORDER BY created_ms DESC, id",
        )
        .bind(player.as_str())
        .bind(now_ms)
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn delete_token(
        &self,
        player: &PlayerId,
        id: &TokenId,
    ) -> Result<Option<TokenHash>, StoreError> {
        let (writer, player, id) = (self.writer().clone(), player.clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let revoked: Option<Vec<u8>> = sqlx::query_scalar(
                "DELETE FROM tokens WHERE id = $1 AND player_id = $2 RETURNING token_hash",
            )
            .bind(id.as_str())
            .bind(player.as_str())
            .fetch_optional(&mut *tx)
            .await?;
            commit(tx).await?;
            revoked.map(token_hash).transpose()
        })
        .await
    }

    async fn revoke_token(&self, hash: &TokenHash) -> Result<bool, StoreError> {
        // A guess costs a read, and no turn of the writer.
        let found: Option<i64> =
            sqlx::query_scalar("SELECT created_ms FROM tokens WHERE token_hash = $1")
                .bind(hash.to_vec())
                .fetch_optional(self.reader())
                .await?;
        if found.is_none() {
            return Ok(false);
        }
        let (writer, hash) = (self.writer().clone(), hash.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let deleted = sqlx::query("DELETE FROM tokens WHERE token_hash = $1")
                .bind(hash)
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(deleted.rows_affected() > 0)
        })
        .await
    }
}

/// Locks the row of a player: of two concurrent transactions that count the player's tokens, the second waits for the first.
pub(super) async fn lock_player(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("UPDATE players SET name = name WHERE id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Counts the tokens of a player that have not expired.
pub(super) async fn count_tokens(
    tx: &mut Tx,
    player: &PlayerId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let count =
        sqlx::query_scalar("SELECT count(*) FROM tokens WHERE player_id = $1 AND expires_ms > $2")
            .bind(player.as_str())
            .bind(now_ms)
            .fetch_one(&mut **tx)
            .await?;
    Ok(count)
}

/// Inserts a token in the place of those that have expired; returns `false` if the player, whose row is locked, has `max` others.
pub(super) async fn insert_token(
    tx: &mut Tx,
    new: &NewToken,
    max: u32,
) -> Result<bool, StoreError> {
    if count_tokens(tx, &new.player, new.created_ms).await? >= i64::from(max) {
        return Ok(false);
    }
    sqlx::query("DELETE FROM tokens WHERE player_id = $1 AND expires_ms <= $2")
        .bind(new.player.as_str())
        .bind(new.created_ms)
        .execute(&mut **tx)
        .await?;
    sqlx::query(
        "INSERT INTO tokens (id, token_hash, player_id, name, scopes, created_ms, expires_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.id.as_str())
    .bind(new.hash.to_vec())
    .bind(new.player.as_str())
    .bind(&new.name)
    .bind(new.scopes.to_string())
    .bind(new.created_ms)
    .bind(new.expires_ms)
    .execute(&mut **tx)
    .await?;
    Ok(true)
}
