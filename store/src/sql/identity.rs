//! Sessions, tokens, shared devices, and bot accounts.

use std::collections::HashSet;

use mawe_wire::PlayerKind;
use mawe_wire::ids::TokenHash;
use mawe_wire::ids::{PlayerId, TokenId};
use sqlx::QueryBuilder;

use super::backend::{Backend, Db, Tx, begin, commit, serialise};
use crate::carried::carried_through;
use crate::rows::{
    HolderRecord, PlayerRecord, SessionRecord, Stored, TokenRecord, damaged, parsed, token_hash,
};
use crate::{DeviceKey, Holder, NewSession, NewToken, Player, SessionRow, StoreError, TokenRow};

/// The number of sessions that one player may have; the least recently used one is ended to keep it. It is more than the number of devices
/// of one person, and a program that logs in at each run cannot fill the table.
const MAX_SESSIONS: i64 = 50;

/// The number of other accounts on shared devices that are kept for one player: enough for a school class with one tablet. The least
/// recently seen one is deleted, so that many accounts made in one browser do not fill the table with all their pairs.
const MAX_SHARED: i64 = 50;

/// The number of sessions in one query.
const ASKED_AT_ONCE: usize = 500;

/// A practically unlimited `LIMIT`: SQLite allows no `OFFSET` without one.
pub(super) const ALL: i64 = 1_000_000;

pub(super) async fn create_session(
    store: &Backend,
    new: &NewSession,
) -> Result<Vec<TokenHash>, StoreError> {
    let (writer, new) = (store.writer().clone(), new.clone());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        // Each login deletes expired sessions, so that the table does not grow without bound.
        sqlx::query("DELETE FROM sessions WHERE expires_ms <= $1")
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
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
        sqlx::query(
            "INSERT INTO sessions (token_hash, player_id, label, created_ms, last_used_ms, expires_ms)
            VALUES ($1, $2, $3, $4, $4, $5)",
        )
        .bind(new.hash.to_vec())
        .bind(new.player.as_str())
        .bind(new.label)
        .bind(new.created_ms)
        .bind(new.expires_ms)
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        hashes(ended)
    })
    .await
}

pub(super) async fn session(
    store: &Backend,
    hash: &TokenHash,
    now_ms: i64,
) -> Result<Option<Holder>, StoreError> {
    let row: Option<HolderRecord> = sqlx::query_as(
        "SELECT p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms,
            p.grants, p.disabled_ms, NULL AS scopes, coalesce(t.last_used_ms, t.created_ms) AS last_used_ms, t.expires_ms
        FROM players p JOIN sessions t ON t.player_id = p.id WHERE t.token_hash = $1 AND t.expires_ms > $2",
    )
    .bind(hash.to_vec())
    .bind(now_ms)
    .fetch_optional(store.reader())
    .await?;
    row.map(Holder::try_from).transpose()
}

pub(super) async fn ended_sessions(
    store: &Backend,
    hashes: &[TokenHash],
) -> Result<Vec<TokenHash>, StoreError> {
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
        let there: Vec<Vec<u8>> = rows.fetch_all(store.reader()).await?;
        let there: HashSet<Vec<u8>> = there.into_iter().collect();
        let gone = some.iter().filter(|hash| !there.contains(hash.as_slice()));
        ended.extend(gone.copied());
    }
    Ok(ended)
}

pub(super) async fn sessions_of(
    store: &Backend,
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
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}

pub(super) async fn delete_session(store: &Backend, hash: &TokenHash) -> Result<(), StoreError> {
    let (writer, hash) = (store.writer().clone(), hash.to_vec());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
            .bind(hash)
            .execute(&mut *tx)
            .await?;
        commit(tx).await
    })
    .await
}

pub(super) async fn delete_other_sessions(
    store: &Backend,
    player: &PlayerId,
    keep: &TokenHash,
) -> Result<Vec<TokenHash>, StoreError> {
    let (writer, player, keep) = (store.writer().clone(), player.clone(), *keep);
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        let ended = end_others(&mut tx, &player, &keep).await?;
        commit(tx).await?;
        Ok(ended)
    })
    .await
}

pub(super) async fn change_password(
    store: &Backend,
    player: &PlayerId,
    password_hash: &str,
    keep: &TokenHash,
    end_tokens: bool,
) -> Result<Vec<TokenHash>, StoreError> {
    let (writer, player, keep) = (store.writer().clone(), player.clone(), *keep);
    let password_hash = password_hash.to_owned();
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        // Guests and computer opponents have no password to change.
        let changed = sqlx::query(
            "UPDATE players SET password_hash = $2 WHERE id = $1 AND password_hash IS NOT NULL",
        )
        .bind(player.as_str())
        .bind(password_hash)
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(StoreError::NotFound);
        }
        let mut ended = end_others(&mut tx, &player, &keep).await?;
        if end_tokens {
            let tokens: Vec<Vec<u8>> =
                sqlx::query_scalar("DELETE FROM tokens WHERE player_id = $1 RETURNING token_hash")
                    .bind(player.as_str())
                    .fetch_all(&mut *tx)
                    .await?;
            ended.extend(hashes(tokens)?);
        }
        commit(tx).await?;
        Ok(ended)
    })
    .await
}

pub(super) async fn device_key(store: &Backend, new: &DeviceKey) -> Result<DeviceKey, StoreError> {
    let (writer, new) = (store.writer().clone(), new.to_vec());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        // Of several nodes that start at once, the first one's key is kept; the others wait for its commit here.
        sqlx::query("INSERT INTO device_key (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING")
            .bind(new)
            .execute(&mut *tx)
            .await?;
        let kept: Vec<u8> = sqlx::query_scalar("SELECT secret FROM device_key WHERE one = 1")
            .fetch_one(&mut *tx)
            .await?;
        commit(tx).await?;
        DeviceKey::try_from(kept).map_err(|_| damaged("device key", "it has another length"))
    })
    .await
}

pub(super) async fn note_shared_device(
    store: &Backend,
    player: &PlayerId,
    others: &[PlayerId],
    seen_ms: i64,
) -> Result<(), StoreError> {
    let writer = store.writer().clone();
    let (player, others) = (player.clone(), others.to_vec());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        // Concurrent logins of one player wait here, so that each counts the rows before it.
        serialise(&mut tx, &format!("shared devices of {player}")).await?;
        for other in &others {
            sqlx::query(
                "INSERT INTO shared_devices (player_id, other_id, seen_ms)
                SELECT p.id, o.id, $3 FROM players p JOIN players o ON o.id = $2
                WHERE p.id = $1 AND p.id <> o.id AND p.password_hash IS NOT NULL AND o.password_hash IS NOT NULL
                ON CONFLICT (player_id, other_id) DO UPDATE SET seen_ms = excluded.seen_ms
                WHERE shared_devices.seen_ms < excluded.seen_ms",
            )
            .bind(player.as_str())
            .bind(other.as_str())
            .bind(seen_ms)
            .execute(&mut *tx)
            .await?;
        }
        sqlx::query(
            "DELETE FROM shared_devices WHERE player_id = $1 AND other_id IN (
                SELECT other_id FROM shared_devices WHERE player_id = $1
                ORDER BY seen_ms DESC, other_id LIMIT $2 OFFSET $3)",
        )
        .bind(player.as_str())
        .bind(ALL)
        .bind(MAX_SHARED)
        .execute(&mut *tx)
        .await?;
        commit(tx).await
    })
    .await
}

async fn end_others(
    tx: &mut Tx,
    player: &PlayerId,
    keep: &TokenHash,
) -> Result<Vec<TokenHash>, StoreError> {
    let ended: Vec<Vec<u8>> = sqlx::query_scalar(
        "DELETE FROM sessions WHERE player_id = $1 AND token_hash <> $2 RETURNING token_hash",
    )
    .bind(player.as_str())
    .bind(keep.to_vec())
    .fetch_all(&mut **tx)
    .await?;
    hashes(ended)
}

pub(super) async fn create_token(
    store: &Backend,
    new: &NewToken,
    max: u32,
) -> Result<bool, StoreError> {
    let (writer, new) = (store.writer().clone(), new.clone());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        // Of two concurrent calls for one player, the second waits here for the first, and then counts its token.
        sqlx::query("UPDATE players SET name = name WHERE id = $1")
            .bind(new.player.as_str())
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM tokens WHERE player_id = $1 AND expires_ms <= $2")
            .bind(new.player.as_str())
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
        let have: i64 = sqlx::query_scalar("SELECT count(*) FROM tokens WHERE player_id = $1")
            .bind(new.player.as_str())
            .fetch_one(&mut *tx)
            .await?;
        if have >= i64::from(max) {
            return Ok(false);
        }
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
        .execute(&mut *tx)
        .await?;
        commit(tx).await?;
        Ok(true)
    })
    .await
}

pub(super) async fn token(
    store: &Backend,
    hash: &TokenHash,
    now_ms: i64,
) -> Result<Option<Holder>, StoreError> {
    let row: Option<HolderRecord> = sqlx::query_as(
        "SELECT p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms,
            p.grants, p.disabled_ms, t.scopes, t.last_used_ms, t.expires_ms
        FROM players p JOIN tokens t ON t.player_id = p.id WHERE t.token_hash = $1 AND t.expires_ms > $2",
    )
    .bind(hash.to_vec())
    .bind(now_ms)
    .fetch_optional(store.reader())
    .await?;
    row.map(Holder::try_from).transpose()
}

pub(super) async fn tokens_of(
    store: &Backend,
    player: &PlayerId,
    now_ms: i64,
) -> Result<Vec<TokenRow>, StoreError> {
    let rows: Vec<TokenRecord> = sqlx::query_as(
        "SELECT id, name, scopes, created_ms, expires_ms, last_used_ms FROM tokens
        WHERE player_id = $1 AND expires_ms > $2 ORDER BY created_ms DESC, id",
    )
    .bind(player.as_str())
    .bind(now_ms)
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}

pub(super) async fn delete_token(
    store: &Backend,
    player: &PlayerId,
    id: &TokenId,
) -> Result<Option<TokenHash>, StoreError> {
    let (writer, player, id) = (store.writer().clone(), player.clone(), id.clone());
    carried_through(async move {
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

pub(super) async fn mark_used(
    store: &Backend,
    sessions: &[(TokenHash, i64)],
    tokens: &[(TokenHash, i64)],
) -> Result<(), StoreError> {
    let writer = store.writer().clone();
    let (mut sessions, mut tokens) = (sessions.to_vec(), tokens.to_vec());
    // A fixed order, so that two nodes that update the same rows do not deadlock.
    sessions.sort_unstable();
    tokens.sort_unstable();
    carried_through(async move {
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

pub(super) async fn become_bot(store: &Backend, player: &PlayerId) -> Result<Player, StoreError> {
    let (writer, player) = (store.writer().clone(), player.clone());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        let bot = make_bot(&mut tx, &player).await?;
        commit(tx).await?;
        Ok(bot)
    })
    .await
}

/// Turns an account that has never played into a bot account.
pub(super) async fn make_bot(tx: &mut Tx, player: &PlayerId) -> Result<Player, StoreError> {
    let bot: Option<PlayerRecord> = sqlx::query_as(
        "UPDATE players SET kind = $2 WHERE id = $1 AND kind = $3
            AND NOT EXISTS (SELECT 1 FROM matches WHERE first_id = $1)
            AND NOT EXISTS (SELECT 1 FROM matches WHERE second_id = $1)
        RETURNING id, name, kind, level, created_ms AS player_created_ms",
    )
    .bind(player.as_str())
    .bind(PlayerKind::Bot.text())
    .bind(PlayerKind::Account.text())
    .fetch_optional(&mut **tx)
    .await?;
    // The open seeks were made by a person.
    sqlx::query(
        "UPDATE challenges SET cancelled = $2
        WHERE challenger_id = $1 AND listed AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
    )
    .bind(player.as_str())
    .bind(true)
    .execute(&mut **tx)
    .await?;
    bot.ok_or(StoreError::Conflict)?.try_into()
}

pub(super) fn hashes(stored: Vec<Vec<u8>>) -> Result<Vec<TokenHash>, StoreError> {
    stored.into_iter().map(token_hash).collect()
}
