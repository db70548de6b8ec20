//! Recovery codes.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};

use super::backend::{Backend, Tx, begin, commit};
use super::email_ends::delete_reset;
use super::sessions::{end_sessions, replace_password};
use crate::detached::detached;
use crate::rows::token_hash;
use crate::{RecoveryCodeSet, RecoveryCodes, StoreError};

#[async_trait]
impl RecoveryCodes for Backend {
    async fn set_recovery_codes(
        &self,
        player: &PlayerId,
        codes: &RecoveryCodeSet,
    ) -> Result<(), StoreError> {
        let (writer, player, codes) = (self.writer().clone(), player.clone(), codes.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Locks the row: of two sets that are made at once, the second replaces the first.
            let account = sqlx::query(
                "UPDATE players SET name = name WHERE id = $1 AND password_hash IS NOT NULL",
            )
            .bind(player.as_str())
            .execute(&mut *tx)
            .await?;
            if account.rows_affected() == 0 {
                return Err(StoreError::NotFound);
            }
            delete_recovery_codes(&mut tx, &player).await?;
            insert_recovery_codes(&mut tx, &player, &codes).await?;
            commit(tx).await
        })
        .await
    }

    async fn recovery_codes(&self, player: &PlayerId) -> Result<RecoveryCodeSet, StoreError> {
        let rows: Vec<(Vec<u8>, i64)> = sqlx::query_as(
            "SELECT code_hash, created_ms FROM recovery_codes WHERE player_id = $1 ORDER BY code_hash",
        )
        .bind(player.as_str())
        .fetch_all(self.reader())
        .await?;
        let created_ms = rows.first().map_or(0, |(_, created_ms)| *created_ms);
        let hashes = rows.into_iter().map(|(hash, _)| token_hash(hash));
        Ok(RecoveryCodeSet {
            hashes: hashes.collect::<Result<_, _>>()?,
            created_ms,
        })
    }

    async fn recover(
        &self,
        player: &PlayerId,
        code: &TokenHash,
        password_hash: &str,
    ) -> Result<Option<Vec<TokenHash>>, StoreError> {
        let (writer, player, code) = (self.writer().clone(), player.clone(), code.to_vec());
        let password_hash = password_hash.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            // The row of the account is locked first, as by all that change it.
            let has_password = replace_password(&mut tx, &player, &password_hash).await?;
            let used =
                sqlx::query("DELETE FROM recovery_codes WHERE player_id = $1 AND code_hash = $2")
                    .bind(player.as_str())
                    .bind(code)
                    .execute(&mut *tx)
                    .await?;
            if !has_password || used.rows_affected() == 0 {
                // The transaction is dropped, and with it the new password.
                return Ok(None);
            }
            delete_reset(&mut tx, &player).await?;
            let ended = end_sessions(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(Some(ended))
        })
        .await
    }
}

pub(super) async fn insert_recovery_codes(
    tx: &mut Tx,
    player: &PlayerId,
    codes: &RecoveryCodeSet,
) -> Result<(), StoreError> {
    for hash in &codes.hashes {
        sqlx::query(
            "INSERT INTO recovery_codes (player_id, code_hash, created_ms) VALUES ($1, $2, $3)",
        )
        .bind(player.as_str())
        .bind(hash.to_vec())
        .bind(codes.created_ms)
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Deletes the codes of an account.
pub(super) async fn delete_recovery_codes(
    tx: &mut Tx,
    player: &PlayerId,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM recovery_codes WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
