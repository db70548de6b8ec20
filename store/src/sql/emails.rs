//! E-mail addresses, and resets of passwords by mail.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};

use super::backend::{Backend, Tx, begin, commit};
use super::email_ends::{delete_email, delete_reset};
use super::sessions::{end_sessions, replace_password};
use crate::detached::detached;
use crate::rows::{PlayerRecord, id as parsed_id, name_key, parsed};
use crate::{ClubRefusal, EmailConfirmed, Emails, NewLink, OwnEmail, Player, StoreError};

#[async_trait]
impl Emails for Backend {
    async fn email(&self, player: &PlayerId) -> Result<OwnEmail, StoreError> {
        let confirmed =
            sqlx::query_as("SELECT address, confirmed_ms FROM emails WHERE player_id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        let waiting = sqlx::query_as(
            "SELECT address, expires_ms FROM email_confirmations WHERE player_id = $1",
        )
        .bind(player.as_str())
        .fetch_optional(self.reader())
        .await?;
        let is_pupil =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pupils WHERE player_id = $1)")
                .bind(player.as_str())
                .fetch_one(self.reader())
                .await?;
        Ok(OwnEmail {
            is_pupil,
            confirmed,
            waiting,
        })
    }

    async fn await_email(
        &self,
        player: &PlayerId,
        address: &str,
        link: &NewLink,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let (writer, player, link) = (self.writer().clone(), player.clone(), *link);
        let address = address.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            if !lock_with_password(&mut tx, &player).await? {
                return Err(StoreError::NotFound);
            }
            let is_pupil: bool =
                sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pupils WHERE player_id = $1)")
                    .bind(player.as_str())
                    .fetch_one(&mut *tx)
                    .await?;
            if is_pupil {
                return Err(ClubRefusal::Pupil.into());
            }
            sqlx::query(
                "INSERT INTO email_confirmations (player_id, address, token_hash, created_ms, expires_ms) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (player_id) DO UPDATE SET address = excluded.address, token_hash = excluded.token_hash,
                    created_ms = excluded.created_ms, expires_ms = excluded.expires_ms",
            )
            .bind(player.as_str())
            .bind(address)
            .bind(link.token.to_vec())
            .bind(link.created_ms)
            .bind(link.expires_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn confirm_email(
        &self,
        token: &TokenHash,
        now_ms: i64,
    ) -> Result<Option<EmailConfirmed>, StoreError> {
        let (writer, token) = (self.writer().clone(), token.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let sql = "SELECT player_id FROM email_confirmations WHERE token_hash = $1 AND expires_ms > $2";
            let Some(player) = holder(&mut tx, sql, &token, now_ms).await? else {
                return Ok(None);
            };
            // The row of the account is locked first, as by all that change it; the link may be gone by then.
            if !lock_with_password(&mut tx, &player).await? {
                return Ok(None);
            }
            let address: Option<String> = sqlx::query_scalar(
                "DELETE FROM email_confirmations WHERE player_id = $1 AND token_hash = $2 RETURNING address",
            )
            .bind(player.as_str())
            .bind(token)
            .fetch_optional(&mut *tx)
            .await?;
            let Some(address) = address else {
                return Ok(None);
            };
            let former: Option<String> =
                sqlx::query_scalar("SELECT address FROM emails WHERE player_id = $1")
                    .bind(player.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
            sqlx::query(
                "INSERT INTO emails (player_id, address, address_key, confirmed_ms) VALUES ($1, $2, $3, $4)
                ON CONFLICT (player_id) DO UPDATE SET address = excluded.address, address_key = excluded.address_key,
                    confirmed_ms = excluded.confirmed_ms",
            )
            .bind(player.as_str())
            .bind(&address)
            .bind(name_key(&address))
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            delete_reset(&mut tx, &player).await?;
            let row: PlayerRecord = sqlx::query_as(
                "SELECT id, name, kind, level, display_name, avatar, flag, created_ms AS player_created_ms FROM players WHERE id = $1",
            )
            .bind(player.as_str())
            .fetch_one(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(Some(EmailConfirmed {
                player: row.try_into()?,
                address,
                former,
            }))
        })
        .await
    }

    async fn remove_email(&self, player: &PlayerId) -> Result<Option<String>, StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_with_password(&mut tx, &player).await?;
            let removed: Option<String> =
                sqlx::query_scalar("SELECT address FROM emails WHERE player_id = $1")
                    .bind(player.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
            delete_email(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(removed)
        })
        .await
    }

    async fn players_by_email(&self, address: &str, limit: u32) -> Result<Vec<Player>, StoreError> {
        let rows: Vec<PlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM emails e JOIN players p ON p.id = e.player_id
            WHERE e.address_key = $1 AND p.password_hash IS NOT NULL ORDER BY e.player_id LIMIT $2",
        )
        .bind(name_key(address))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn begin_reset(
        &self,
        player: &PlayerId,
        link: &NewLink,
    ) -> Result<Option<String>, StoreError> {
        self.has_space()?;
        let (writer, player, link) = (self.writer().clone(), player.clone(), *link);
        detached(async move {
            let mut tx = begin(&writer).await?;
            if !lock_with_password(&mut tx, &player).await? {
                return Ok(None);
            }
            let address: Option<String> =
                sqlx::query_scalar("SELECT address FROM emails WHERE player_id = $1")
                    .bind(player.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
            let Some(address) = address else {
                return Ok(None);
            };
            sqlx::query(
                "INSERT INTO password_resets (player_id, token_hash, created_ms, expires_ms) VALUES ($1, $2, $3, $4)
                ON CONFLICT (player_id) DO UPDATE SET token_hash = excluded.token_hash, created_ms = excluded.created_ms,
                    expires_ms = excluded.expires_ms",
            )
            .bind(player.as_str())
            .bind(link.token.to_vec())
            .bind(link.created_ms)
            .bind(link.expires_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(Some(address))
        })
        .await
    }

    async fn reset_of(&self, token: &TokenHash, now_ms: i64) -> Result<Option<Player>, StoreError> {
        let row: Option<PlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM password_resets r JOIN players p ON p.id = r.player_id
            WHERE r.token_hash = $1 AND r.expires_ms > $2 AND p.password_hash IS NOT NULL",
        )
        .bind(token.to_vec())
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        row.map(Player::try_from).transpose()
    }

    async fn reset_password(
        &self,
        token: &TokenHash,
        password_hash: &str,
        now_ms: i64,
    ) -> Result<Option<Vec<TokenHash>>, StoreError> {
        let (writer, token) = (self.writer().clone(), token.to_vec());
        let password_hash = password_hash.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let sql =
                "SELECT player_id FROM password_resets WHERE token_hash = $1 AND expires_ms > $2";
            let Some(player) = holder(&mut tx, sql, &token, now_ms).await? else {
                return Ok(None);
            };
            // The row of the account is locked first, as by all that change it.
            let has_password = replace_password(&mut tx, &player, &password_hash).await?;
            let used =
                sqlx::query("DELETE FROM password_resets WHERE player_id = $1 AND token_hash = $2")
                    .bind(player.as_str())
                    .bind(token)
                    .execute(&mut *tx)
                    .await?;
            if !has_password || used.rows_affected() == 0 {
                // The transaction is dropped, and with it the new password.
                return Ok(None);
            }
            let ended = end_sessions(&mut tx, &player).await?;
            commit(tx).await?;
            Ok(Some(ended))
        })
        .await
    }
}

/// Locks the row of an account until the commit; `false` for a player without a password.
async fn lock_with_password(tx: &mut Tx, player: &PlayerId) -> Result<bool, StoreError> {
    let account =
        sqlx::query("UPDATE players SET name = name WHERE id = $1 AND password_hash IS NOT NULL")
            .bind(player.as_str())
            .execute(&mut **tx)
            .await?;
    Ok(account.rows_affected() > 0)
}

/// Returns the account that a link is for, as long as it is good.
async fn holder(
    tx: &mut Tx,
    sql: &'static str,
    token: &[u8],
    now_ms: i64,
) -> Result<Option<PlayerId>, StoreError> {
    let holder: Option<String> = sqlx::query_scalar(sql)
        .bind(token.to_vec())
        .bind(now_ms)
        .fetch_optional(&mut **tx)
        .await?;
    holder.map(|id| parsed_id("player id", id)).transpose()
}
