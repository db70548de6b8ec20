//! Finds and deletes rows that are no longer needed.

use async_trait::async_trait;

use super::backend::{Backend, Tx, begin, commit};
use super::notices::of_moderators;
use crate::detached::detached;
use crate::{Stale, StoreError, Upkeep};

/// The condition for a row to be stale at `$1`.
macro_rules! is_stale {
    (sessions) => {
        "expires_ms <= $1"
    };
    (tokens) => {
        "expires_ms <= $1"
    };
    (unmet_challenges) => {
        "expires_ms <= $1 AND match_id IS NULL"
    };
    (met_challenges) => {
        "expires_ms <= $1 AND match_id IS NOT NULL"
    };
    (matches) => {
        "finished_ms <= $1 AND plies <= 1 AND reason IN ('aborted', 'no-show', 'closed')
            AND (plies = 0 OR EXISTS (SELECT 1 FROM players p WHERE p.id = matches.first_id AND p.level IS NOT NULL))
            AND NOT EXISTS (SELECT 1 FROM matches next WHERE next.rematch_of = matches.id)
            AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.match_id = matches.id)
            AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.match_id = matches.id)
            AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.match_id = matches.id)"
    };
    (chat_lines) => {
        "created_ms <= $1
            AND EXISTS (SELECT 1 FROM matches m WHERE m.id = chat_lines.match_id AND m.finished_ms <= $1)
            AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.match_id = chat_lines.match_id AND r.resolved_ms IS NULL)"
    };
    (shared_devices) => {
        "seen_ms <= $1"
    };
    (request_keys) => {
        "created_ms <= $1"
    };
    (oauth_codes) => {
        "created_ms <= $1"
    };
    (passkey_challenges) => {
        "expires_ms <= $1"
    };
    (email_confirmations) => {
        "expires_ms <= $1"
    };
    (password_resets) => {
        "expires_ms <= $1"
    };
    (former_names) => {
        "until_ms <= $1"
    };
    (former_display_names) => {
        "until_ms <= $1"
    };
    (invitations) => {
        "expires_ms <= $1"
    };
    (notices) => {
        concat!(
            "created_ms <= $1 AND (read_ms IS NOT NULL OR kind NOT IN ",
            of_moderators!(),
            ")"
        )
    };
    // A guest cannot be a moderator, so `taken_by`, `resolved_by` and `appeal_by` of reports and the author of audit log entries need no check.
    (guests) => {
        "kind = 'guest' AND created_ms <= $1
            AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.first_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.second_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.player_id = players.id
                AND coalesce(sessions.last_used_ms, sessions.created_ms) > $1)
            AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.challenger_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.to_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.reporter_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM reports WHERE reports.reported_id = players.id)
            AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.about_id = players.id)"
    };
}

/// The oldest `$2` stale rows. Each statement of a transaction selects the same ones.
macro_rules! oldest {
    (matches) => {
        concat!(
            "(SELECT id FROM matches WHERE ",
            is_stale!(matches),
            " ORDER BY finished_ms, id LIMIT $2)"
        )
    };
    (guests) => {
        concat!(
            "(SELECT id FROM players WHERE ",
            is_stale!(guests),
            " ORDER BY created_ms, id LIMIT $2)"
        )
    };
    ($kind:ident, $table:literal, $key:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE ",
            $key,
            " IN (SELECT ",
            $key,
            " FROM ",
            $table,
            " WHERE ",
            is_stale!($kind),
            " ORDER BY expires_ms, ",
            $key,
            " LIMIT $2)"
        )
    };
}

#[async_trait]
impl Upkeep for Backend {
    async fn claim_upkeep(&self, before_ms: i64, now_ms: i64) -> Result<bool, StoreError> {
        let writer = self.writer().clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let claimed =
                sqlx::query("UPDATE counters SET value = $2 WHERE name = 'pruned' AND value <= $1")
                    .bind(before_ms)
                    .bind(now_ms)
                    .execute(&mut *tx)
                    .await?;
            commit(tx).await?;
            Ok(claimed.rows_affected() == 1)
        })
        .await
    }

    async fn count_stale(&self, stale: Stale, before_ms: i64) -> Result<u64, StoreError> {
        let sql = match stale {
            Stale::Sessions => concat!("SELECT count(*) FROM sessions WHERE ", is_stale!(sessions)),
            Stale::Tokens => concat!("SELECT count(*) FROM tokens WHERE ", is_stale!(tokens)),
            Stale::UnmetChallenges => concat!(
                "SELECT count(*) FROM challenges WHERE ",
                is_stale!(unmet_challenges)
            ),
            Stale::MetChallenges => concat!(
                "SELECT count(*) FROM challenges WHERE ",
                is_stale!(met_challenges)
            ),
            Stale::UnplayedMatches => {
                concat!("SELECT count(*) FROM matches WHERE ", is_stale!(matches))
            }
            Stale::ChatLines => concat!(
                "SELECT count(*) FROM chat_lines WHERE ",
                is_stale!(chat_lines)
            ),
            Stale::SharedDevices => concat!(
                "SELECT count(*) FROM shared_devices WHERE ",
                is_stale!(shared_devices)
            ),
            Stale::RequestKeys => concat!(
                "SELECT count(*) FROM request_keys WHERE ",
                is_stale!(request_keys)
            ),
            Stale::OauthCodes => concat!(
                "SELECT count(*) FROM oauth_codes WHERE ",
                is_stale!(oauth_codes)
            ),
            Stale::PasskeyChallenges => concat!(
                "SELECT count(*) FROM passkey_challenges WHERE ",
                is_stale!(passkey_challenges)
            ),
            Stale::EmailConfirmations => concat!(
                "SELECT count(*) FROM email_confirmations WHERE ",
                is_stale!(email_confirmations)
            ),
            Stale::PasswordResets => concat!(
                "SELECT count(*) FROM password_resets WHERE ",
                is_stale!(password_resets)
            ),
            Stale::FormerNames => concat!(
                "SELECT count(*) FROM former_names WHERE ",
                is_stale!(former_names)
            ),
            Stale::FormerDisplayNames => concat!(
                "SELECT count(*) FROM former_display_names WHERE ",
                is_stale!(former_display_names)
            ),
            Stale::Invitations => concat!(
                "SELECT count(*) FROM invitations WHERE ",
                is_stale!(invitations)
            ),
            Stale::Notices => concat!("SELECT count(*) FROM notices WHERE ", is_stale!(notices)),
            Stale::Guests => concat!("SELECT count(*) FROM players WHERE ", is_stale!(guests)),
        };
        let count: i64 = sqlx::query_scalar(sql)
            .bind(before_ms)
            .fetch_one(self.slow_reader())
            .await?;
        Ok(count.cast_unsigned())
    }

    async fn delete_stale(
        &self,
        stale: Stale,
        before_ms: i64,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let writer = self.writer().clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let mut deleted = 0;
            for sql in statements(stale) {
                // The last statement deletes the rows themselves; its count is the result.
                deleted = delete(&mut tx, sql, before_ms, limit).await?;
            }
            commit(tx).await?;
            Ok(deleted)
        })
        .await
    }
}

/// Returns the statements that delete first the dependent rows, then the rows.
fn statements(stale: Stale) -> &'static [&'static str] {
    match stale {
        Stale::Sessions => &[oldest!(sessions, "sessions", "token_hash")],
        Stale::Tokens => &[oldest!(tokens, "tokens", "id")],
        Stale::UnmetChallenges => &[oldest!(unmet_challenges, "challenges", "id")],
        Stale::MetChallenges => &[oldest!(met_challenges, "challenges", "id")],
        Stale::UnplayedMatches => &[
            concat!("DELETE FROM entries WHERE match_id IN ", oldest!(matches)),
            concat!(
                "DELETE FROM conditional_moves WHERE match_id IN ",
                oldest!(matches)
            ),
            concat!("DELETE FROM analyses WHERE match_id IN ", oldest!(matches)),
            concat!(
                "DELETE FROM challenges WHERE match_id IN ",
                oldest!(matches)
            ),
            concat!("DELETE FROM wishes WHERE match_id IN ", oldest!(matches)),
            concat!(
                "DELETE FROM chat_lines WHERE match_id IN ",
                oldest!(matches)
            ),
            concat!(
                "DELETE FROM notices WHERE about IS NOT NULL AND about IN ",
                oldest!(matches)
            ),
            concat!("DELETE FROM matches WHERE id IN ", oldest!(matches)),
        ],
        Stale::ChatLines => &[concat!(
            "DELETE FROM chat_lines WHERE (match_id, room, number) IN (
                SELECT match_id, room, number FROM chat_lines WHERE ",
            is_stale!(chat_lines),
            " ORDER BY created_ms, match_id, room, number LIMIT $2)"
        )],
        Stale::SharedDevices => &[concat!(
            "DELETE FROM shared_devices WHERE (player_id, other_id) IN (
                SELECT player_id, other_id FROM shared_devices WHERE ",
            is_stale!(shared_devices),
            " ORDER BY seen_ms, player_id, other_id LIMIT $2)"
        )],
        Stale::RequestKeys => &[concat!(
            "DELETE FROM request_keys WHERE (player_id, key) IN (SELECT player_id, key FROM request_keys WHERE ",
            is_stale!(request_keys),
            " ORDER BY created_ms, player_id, key LIMIT $2)"
        )],
        Stale::OauthCodes => &[concat!(
            "DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes WHERE ",
            is_stale!(oauth_codes),
            " ORDER BY created_ms, code_hash LIMIT $2)"
        )],
        Stale::PasskeyChallenges => &[oldest!(
            passkey_challenges,
            "passkey_challenges",
            "challenge_hash"
        )],
        Stale::EmailConfirmations => &[oldest!(
            email_confirmations,
            "email_confirmations",
            "player_id"
        )],
        Stale::PasswordResets => &[oldest!(password_resets, "password_resets", "player_id")],
        Stale::FormerNames => &[concat!(
            "DELETE FROM former_names WHERE name_key IN (SELECT name_key FROM former_names WHERE ",
            is_stale!(former_names),
            " ORDER BY until_ms, name_key LIMIT $2)"
        )],
        Stale::FormerDisplayNames => &[concat!(
            "DELETE FROM former_display_names WHERE display_key IN (SELECT display_key FROM former_display_names WHERE ",
            is_stale!(former_display_names),
            " ORDER BY until_ms, display_key LIMIT $2)"
        )],
        Stale::Invitations => &[oldest!(invitations, "invitations", "id")],
        Stale::Notices => &[concat!(
            "DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE ",
            is_stale!(notices),
            " ORDER BY created_ms, id LIMIT $2)"
        )],
        Stale::Guests => &[
            concat!("DELETE FROM tokens WHERE player_id IN ", oldest!(guests)),
            concat!("DELETE FROM notices WHERE player_id IN ", oldest!(guests)),
            concat!(
                "DELETE FROM request_keys WHERE player_id IN ",
                oldest!(guests)
            ),
            concat!("DELETE FROM follows WHERE followed_id IN ", oldest!(guests)),
            concat!("DELETE FROM blocks WHERE blocked_id IN ", oldest!(guests)),
            concat!("DELETE FROM wishes WHERE player_id IN ", oldest!(guests)),
            concat!("DELETE FROM sessions WHERE player_id IN ", oldest!(guests)),
            concat!("DELETE FROM players WHERE id IN ", oldest!(guests)),
        ],
    }
}

async fn delete(
    tx: &mut Tx,
    sql: &'static str,
    before_ms: i64,
    limit: u32,
) -> Result<u64, StoreError> {
    let deleted = sqlx::query(sql)
        .bind(before_ms)
        .bind(i64::from(limit))
        .execute(&mut **tx)
        .await?;
    Ok(deleted.rows_affected())
}
