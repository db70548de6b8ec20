//! Passkeys.

use async_trait::async_trait;
use mawe_wire::ids::{PasskeyId, PlayerId};

use super::backend::{Backend, Tx, begin, commit};
use crate::detached::detached;
use crate::rows::{LoginPasskeyRecord, PasskeyRecord, parsed};
use crate::{
    LoginPasskey, NewPasskey, PasskeyCreated, PasskeyRow, PasskeyUse, Passkeys, StoreError,
    UsedChallenge,
};

#[async_trait]
impl Passkeys for Backend {
    async fn passkeys_of(&self, player: &PlayerId) -> Result<Vec<PasskeyRow>, StoreError> {
        let rows: Vec<PasskeyRecord> = sqlx::query_as(
            "SELECT id, credential_id, name, transports, created_ms, last_used_ms FROM passkeys
            WHERE player_id = $1 ORDER BY created_ms, id",
        )
        .bind(player.as_str())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn passkey(&self, credential_id: &[u8]) -> Result<Option<LoginPasskey>, StoreError> {
        let row: Option<LoginPasskeyRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, p.password_hash,
                k.id AS passkey_id, k.public_key, k.state
            FROM passkeys k JOIN players p ON p.id = k.player_id WHERE k.credential_id = $1 AND p.password_hash IS NOT NULL",
        )
        .bind(credential_id.to_vec())
        .fetch_optional(self.reader())
        .await?;
        row.map(LoginPasskey::try_from).transpose()
    }

    async fn create_passkey(
        &self,
        new: &NewPasskey,
        challenge: &UsedChallenge,
        max: u32,
    ) -> Result<PasskeyCreated, StoreError> {
        self.has_space()?;
        let (writer, new, challenge) = (self.writer().clone(), new.clone(), challenge.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Locks the row: of two registrations at once, the second counts the first.
            let account = sqlx::query(
                "UPDATE players SET name = name WHERE id = $1 AND password_hash IS NOT NULL",
            )
            .bind(new.player.as_str())
            .execute(&mut *tx)
            .await?;
            if account.rows_affected() == 0 {
                return Err(StoreError::NotFound);
            }
            if !use_up(&mut tx, &challenge).await? {
                return Ok(PasskeyCreated::ChallengeUsed);
            }
            let count: i64 =
                sqlx::query_scalar("SELECT count(*) FROM passkeys WHERE player_id = $1")
                    .bind(new.player.as_str())
                    .fetch_one(&mut *tx)
                    .await?;
            if count >= i64::from(max) {
                return Ok(PasskeyCreated::TooMany);
            }
            let inserted = sqlx::query(
                "INSERT INTO passkeys (id, player_id, credential_id, name, public_key, state, transports, created_ms)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING",
            )
            .bind(new.id.as_str())
            .bind(new.player.as_str())
            .bind(new.credential_id)
            .bind(new.name)
            .bind(new.public_key)
            .bind(new.state)
            .bind(i64::from(new.transports))
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
            if inserted.rows_affected() == 0 {
                return Ok(PasskeyCreated::Taken);
            }
            commit(tx).await?;
            Ok(PasskeyCreated::Yes)
        })
        .await
    }

    async fn use_passkey(
        &self,
        used: &PasskeyUse,
        challenge: &UsedChallenge,
    ) -> Result<bool, StoreError> {
        let (writer, used, challenge) = (self.writer().clone(), used.clone(), challenge.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            if !use_up(&mut tx, &challenge).await? {
                return Ok(false);
            }
            let updated = sqlx::query(
                "UPDATE passkeys SET state = $3, last_used_ms = $4 WHERE id = $1 AND state = $2",
            )
            .bind(used.id.as_str())
            .bind(used.old_state)
            .bind(used.new_state)
            .bind(used.at_ms)
            .execute(&mut *tx)
            .await?;
            if updated.rows_affected() == 0 {
                return Ok(false);
            }
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn rename_passkey(
        &self,
        player: &PlayerId,
        id: &PasskeyId,
        name: &str,
    ) -> Result<bool, StoreError> {
        let (writer, player, id) = (self.writer().clone(), player.clone(), id.clone());
        let name = name.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let renamed =
                sqlx::query("UPDATE passkeys SET name = $3 WHERE id = $1 AND player_id = $2")
                    .bind(id.as_str())
                    .bind(player.as_str())
                    .bind(name)
                    .execute(&mut *tx)
                    .await?;
            commit(tx).await?;
            Ok(renamed.rows_affected() > 0)
        })
        .await
    }

    async fn delete_passkey(&self, player: &PlayerId, id: &PasskeyId) -> Result<bool, StoreError> {
        let (writer, player, id) = (self.writer().clone(), player.clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let deleted = sqlx::query("DELETE FROM passkeys WHERE id = $1 AND player_id = $2")
                .bind(id.as_str())
                .bind(player.as_str())
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(deleted.rows_affected() > 0)
        })
        .await
    }
}

/// Notes that a challenge was answered; returns `false` if it was before. A transaction that is dropped afterwards leaves it unanswered.
async fn use_up(tx: &mut Tx, challenge: &UsedChallenge) -> Result<bool, StoreError> {
    let noted = sqlx::query(
        "INSERT INTO passkey_challenges (challenge_hash, expires_ms) VALUES ($1, $2) ON CONFLICT (challenge_hash) DO NOTHING",
    )
    .bind(challenge.hash.to_vec())
    .bind(challenge.expires_ms)
    .execute(&mut **tx)
    .await?;
    Ok(noted.rows_affected() > 0)
}

/// Deletes the passkeys of an account.
pub(super) async fn delete_passkeys(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM passkeys WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
