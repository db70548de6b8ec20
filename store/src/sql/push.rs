//! The key for push services, and the push subscriptions of browsers.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};

use super::backend::{ALL, Backend, Db, Writer, begin, commit, serialise};
use crate::detached::detached;
use crate::rows::{Stored, SubscriptionRecord, damaged, parsed};
use crate::{PushSecret, PushSubscriptions, StoreError, SubscriptionRow};

#[async_trait]
impl PushSubscriptions for Backend {
    async fn push_key(&self, new: &PushSecret) -> Result<PushSecret, StoreError> {
        let (writer, new) = (self.writer().clone(), new.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Of several nodes that start at once, the first one's key is kept; the others wait for its commit here.
            sqlx::query("INSERT INTO push_key (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING")
                .bind(new)
                .execute(&mut *tx)
                .await?;
            let kept: Vec<u8> = sqlx::query_scalar("SELECT secret FROM push_key WHERE one = 1")
                .fetch_one(&mut *tx)
                .await?;
            commit(tx).await?;
            PushSecret::try_from(kept).map_err(|_| damaged("push key", "it has another length"))
        })
        .await
    }

    async fn subscribe(&self, new: &SubscriptionRow, max: u32) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Concurrent calls for one player are serialised, so that each counts the subscriptions before it.
            let player: Option<String> =
                sqlx::query_scalar("SELECT player_id FROM sessions WHERE token_hash = $1")
                    .bind(new.session.to_vec())
                    .fetch_optional(&mut *tx)
                    .await?;
            let player = player.ok_or(StoreError::NotFound)?;
            serialise(&mut tx, &format!("subscriptions of {player}")).await?;
            sqlx::query("DELETE FROM push_subscriptions WHERE endpoint = $1 AND session_hash <> $2")
                .bind(&new.endpoint)
                .bind(new.session.to_vec())
                .execute(&mut *tx)
                .await?;
            sqlx::query(
                "DELETE FROM push_subscriptions WHERE session_hash IN (
                    SELECT p.session_hash FROM push_subscriptions p JOIN sessions s ON s.token_hash = p.session_hash
                    WHERE s.player_id = (SELECT player_id FROM sessions WHERE token_hash = $1) AND p.session_hash <> $1
                    ORDER BY p.created_ms DESC, p.session_hash LIMIT $2 OFFSET $3)",
            )
            .bind(new.session.to_vec())
            .bind(ALL)
            .bind(i64::from(max) - 1)
            .execute(&mut *tx)
            .await?;
            // The page repeats its subscription at each visit: an unchanged one is not written.
            sqlx::query(
                "INSERT INTO push_subscriptions AS old (session_hash, endpoint, p256dh, auth, language, created_ms)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (session_hash) DO UPDATE SET endpoint = excluded.endpoint, p256dh = excluded.p256dh,
                    auth = excluded.auth, language = coalesce(excluded.language, old.language), created_ms = excluded.created_ms
                WHERE (old.endpoint, old.p256dh, old.auth) <> (excluded.endpoint, excluded.p256dh, excluded.auth)
                    OR excluded.language IS NOT NULL AND excluded.language <> coalesce(old.language, '')",
            )
            .bind(new.session.to_vec())
            .bind(&new.endpoint)
            .bind(&new.p256dh)
            .bind(&new.auth)
            .bind(new.language.map(Stored::text))
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn subscriptions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SubscriptionRow>, StoreError> {
        let rows: Vec<SubscriptionRecord> = sqlx::query_as(
            "SELECT p.session_hash, p.endpoint, p.p256dh, p.auth, coalesce(p.language, player.language) AS language, p.created_ms
            FROM sessions s JOIN push_subscriptions p ON p.session_hash = s.token_hash JOIN players player ON player.id = s.player_id
            WHERE s.player_id = $1 AND s.expires_ms > $2 ORDER BY p.created_ms DESC, p.session_hash",
        )
        .bind(player.as_str())
        .bind(now_ms)
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn unsubscribe(&self, session: &TokenHash) -> Result<(), StoreError> {
        delete(
            self.writer().clone(),
            "DELETE FROM push_subscriptions WHERE session_hash = $1",
            session.to_vec(),
        )
        .await
    }

    async fn forget_endpoint(&self, endpoint: &str) -> Result<(), StoreError> {
        delete(
            self.writer().clone(),
            "DELETE FROM push_subscriptions WHERE endpoint = $1",
            endpoint.to_owned(),
        )
        .await
    }
}

async fn delete<T>(writer: Writer, sql: &'static str, key: T) -> Result<(), StoreError>
where
    T: for<'a> sqlx::Encode<'a, Db> + sqlx::Type<Db> + Send + 'static,
{
    detached(async move {
        let mut tx = begin(&writer).await?;
        sqlx::query(sql).bind(key).execute(&mut *tx).await?;
        commit(tx).await
    })
    .await
}
