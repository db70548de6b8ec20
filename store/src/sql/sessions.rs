//! Sessions, and the passwords that end them.

use std::collections::HashSet;

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};
use sqlx::QueryBuilder;

use super::backend::{ALL, Backend, Db, Tx, begin, commit, serialise};
use super::email_ends::delete_reset;
use super::oauth_codes::delete_codes;
use crate::detached::detached;
use crate::rows::{HolderRecord, SessionRecord, parsed, token_hash};
use crate::{Holder, NewSession, SessionRow, Sessions, StoreError};

/// The number of sessions that one player may have; the least recently used one is ended to keep it. It is more than the number of devices
/// of one person, and a program that logs in at each run cannot fill the table.
const MAX_SESSIONS: i64 = 50;

/// The number of sessions in one query.
const ASKED_AT_ONCE: usize = 500;

#[async_trait]
impl Sessions for Backend {
    async fn create_session(&self, new: &NewSession) -> Result<Vec<TokenHash>, StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Concurrent logins of one player wait here, so that each counts the sessions before it.
            serialise(&mut tx, &format!("sessions of {}", new.player)).await?;
            let ended: Vec<Vec<u8>> = sqlx::query_scalar(
                "DELETE FROM sessions WHERE token_hash IN (
                    SELECT token_hash FROM sessions WHERE player_id = $1
                    ORDER BY coalesce(last_used_ms, created_ms) DESC, token_hash LIMIT $2 OFFSET $3)
                RETURNING token_hash",
            )
            .bind(new.player.as_str())
            .bind(ALL)
            .bind(MAX_SESSIONS - 1)
            .fetch_all(&mut *tx)
            .await?;
            insert_session(&mut tx, &new).await?;
            commit(tx).await?;
            hashes(ended)
        })
        .await
    }

    async fn session(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError> {
        let row: Option<HolderRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms,
                p.grants, p.disabled_ms, NULL AS scopes, coalesce(t.last_used_ms, t.created_ms) AS last_used_ms, t.expires_ms
            FROM players p JOIN sessions t ON t.player_id = p.id WHERE t.token_hash = $1 AND t.expires_ms > $2",
        )
        .bind(hash.to_vec())
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        row.map(Holder::try_from).transpose()
    }

    async fn sessions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let rows: Vec<SessionRecord> = sqlx::query_as(
            "SELECT token_hash, label, created_ms, coalesce(last_used_ms, created_ms) AS last_used_ms, expires_ms
            FROM sessions WHERE player_id = $1 AND expires_ms > $2
            ORDER BY coalesce(last_used_ms, created_ms) DESC, created_ms DESC, token_hash",
        )
        .bind(player.as_str())
        .bind(now_ms)
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn ended_sessions(&self, hashes: &[TokenHash]) -> Result<Vec<TokenHash>, StoreError> {
        let mut ended = Vec::new();
        for some in hashes.chunks(ASKED_AT_ONCE) {
            let mut query =
                QueryBuilder::<Db>::new("SELECT token_hash FROM sessions WHERE token_hash IN ");
            let list = |query: &mut QueryBuilder<Db>| {
                query.push("(");
                let mut listed = query.separated(", ");
                for hash in some {
                    listed.push_bind(hash.to_vec());
                }
                query.push(")");
            };
            list(&mut query);
            query.push(" UNION ALL SELECT token_hash FROM tokens WHERE token_hash IN ");
            list(&mut query);
            // Each length is a different statement, so none is worth caching.
            let rows = query.build_query_scalar().persistent(false);
            let there: Vec<Vec<u8>> = rows.fetch_all(self.reader()).await?;
            let there: HashSet<Vec<u8>> = there.into_iter().collect();
            let gone = some.iter().filter(|hash| !there.contains(hash.as_slice()));
            ended.extend(gone.copied());
        }
        Ok(ended)
    }

    async fn delete_session(&self, hash: &TokenHash) -> Result<(), StoreError> {
        let (writer, hash) = (self.writer().clone(), hash.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
                .bind(hash)
                .execute(&mut *tx)
                .await?;
            commit(tx).await
        })
        .await
    }

    async fn delete_other_sessions(
        &self,
        player: &PlayerId,
        keep: &TokenHash,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let (writer, player, keep) = (self.writer().clone(), player.clone(), *keep);
        detached(async move {
            let mut tx = begin(&writer).await?;
            let ended = end_others(&mut tx, &player, &keep).await?;
            commit(tx).await?;
            Ok(ended)
        })
        .await
    }

    async fn change_password(
        &self,
        player: &PlayerId,
        password_hash: &str,
        keep: &TokenHash,
        end_tokens: bool,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let (writer, player, keep) = (self.writer().clone(), player.clone(), *keep);
        let password_hash = password_hash.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            if !replace_password(&mut tx, &player, &password_hash).await? {
                return Err(StoreError::NotFound);
            }
            delete_reset(&mut tx, &player).await?;
            let mut ended = end_others(&mut tx, &player, &keep).await?;
            if end_tokens {
                ended.extend(delete_tokens(&mut tx, &player).await?);
            }
            commit(tx).await?;
            Ok(ended)
        })
        .await
    }

    async fn mark_used(
        &self,
        sessions: &[(TokenHash, i64)],
        tokens: &[(TokenHash, i64)],
    ) -> Result<(), StoreError> {
        let writer = self.writer().clone();
        let (mut sessions, mut tokens) = (sessions.to_vec(), tokens.to_vec());
        // A fixed order, so that two nodes that update the same rows do not deadlock.
        sessions.sort_unstable();
        tokens.sort_unstable();
        detached(async move {
            let mut tx = begin(&writer).await?;
            for (sql, used) in [
                (
                    "UPDATE sessions SET last_used_ms = $2 WHERE token_hash = $1",
                    sessions,
                ),
                (
                    "UPDATE tokens SET last_used_ms = $2 WHERE token_hash = $1",
                    tokens,
                ),
            ] {
                for (hash, at_ms) in used {
                    sqlx::query(sql)
                        .bind(hash.to_vec())
                        .bind(at_ms)
                        .execute(&mut *tx)
                        .await?;
                }
            }
            commit(tx).await
        })
        .await
    }
}

pub(super) async fn insert_session(tx: &mut Tx, new: &NewSession) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO sessions (token_hash, player_id, label, created_ms, last_used_ms, expires_ms)
        VALUES ($1, $2, $3, $4, $4, $5)",
    )
    .bind(new.hash.to_vec())
    .bind(new.player.as_str())
    .bind(&new.label)
    .bind(new.created_ms)
    .bind(new.expires_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Ends all sessions of a player, and with them the codes of OAuth.
pub(super) async fn end_sessions(tx: &mut Tx, id: &PlayerId) -> Result<Vec<TokenHash>, StoreError> {
    delete_codes(tx, id).await?;
    let ended: Vec<Vec<u8>> =
        sqlx::query_scalar("DELETE FROM sessions WHERE player_id = $1 RETURNING token_hash")
            .bind(id.as_str())
            .fetch_all(&mut **tx)
            .await?;
    hashes(ended)
}

async fn end_others(
    tx: &mut Tx,
    player: &PlayerId,
    keep: &TokenHash,
) -> Result<Vec<TokenHash>, StoreError> {
    delete_codes(tx, player).await?;
    let ended: Vec<Vec<u8>> = sqlx::query_scalar(
        "DELETE FROM sessions WHERE player_id = $1 AND token_hash <> $2 RETURNING token_hash",
    )
    .bind(player.as_str())
    .bind(keep.to_vec())
    .fetch_all(&mut **tx)
    .await?;
    hashes(ended)
}

fn hashes(stored: Vec<Vec<u8>>) -> Result<Vec<TokenHash>, StoreError> {
    stored.into_iter().map(token_hash).collect()
}

/// Ends all sessions and tokens of a player, and with them the codes of OAuth.
pub(super) async fn end_all(tx: &mut Tx, id: &PlayerId) -> Result<Vec<TokenHash>, StoreError> {
    let mut ended = end_sessions(tx, id).await?;
    ended.extend(delete_tokens(tx, id).await?);
    Ok(ended)
}

async fn delete_tokens(tx: &mut Tx, id: &PlayerId) -> Result<Vec<TokenHash>, StoreError> {
    let ended: Vec<Vec<u8>> =
        sqlx::query_scalar("DELETE FROM tokens WHERE player_id = $1 RETURNING token_hash")
            .bind(id.as_str())
            .fetch_all(&mut **tx)
            .await?;
    hashes(ended)
}

/// Replaces a password, and returns whether the account has one: guests, computer opponents and deleted accounts have none.
pub(super) async fn replace_password(
    tx: &mut Tx,
    player: &PlayerId,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let replaced = sqlx::query(
        "UPDATE players SET password_hash = $2 WHERE id = $1 AND password_hash IS NOT NULL",
    )
    .bind(player.as_str())
    .bind(password_hash)
    .execute(&mut **tx)
    .await?;
    Ok(replaced.rows_affected() == 1)
}
