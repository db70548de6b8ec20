//! Keys of requests that create something.

use async_trait::async_trait;

use super::backend::{Backend, begin, commit, serialise};
use crate::detached::detached;
use crate::request_keys::{MAX_REQUEST_KEYS, REQUEST_KEY_MS};
use crate::{RequestKey, RequestKeys, StoreError};

#[async_trait]
impl RequestKeys for Backend {
    async fn claim_request_key(&self, new: &RequestKey) -> Result<RequestKey, StoreError> {
        self.has_space()?;
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Of two concurrent calls with one key, the second waits here for the first, and then finds its row.
            serialise(&mut tx, &format!("request keys of {}", new.player)).await?;
            let expired_ms = new.created_ms.saturating_sub(REQUEST_KEY_MS);
            sqlx::query("DELETE FROM request_keys WHERE player_id = $1 AND key = $2 AND created_ms <= $3")
                .bind(new.player.as_str())
                .bind(&new.key)
                .bind(expired_ms)
                .execute(&mut *tx)
                .await?;
            let known: Option<(Vec<u8>, String, i64)> = sqlx::query_as(
                "SELECT digest, made_id, created_ms FROM request_keys WHERE player_id = $1 AND key = $2",
            )
            .bind(new.player.as_str())
            .bind(&new.key)
            .fetch_optional(&mut *tx)
            .await?;
            if let Some((digest, made_id, created_ms)) = known {
                let digest = digest.try_into().map_err(|_| {
                    StoreError::damaged("request_keys.digest", format!("key {}", new.key))
                })?;
                return Ok(RequestKey {
                    digest,
                    made_id,
                    created_ms,
                    ..new
                });
            }
            // With the new one there are as many as there may be.
            sqlx::query(
                "DELETE FROM request_keys WHERE player_id = $1 AND key IN (
                    SELECT key FROM request_keys WHERE player_id = $1
                    ORDER BY created_ms DESC, key LIMIT $2 OFFSET $3
                )",
            )
            .bind(new.player.as_str())
            .bind(i64::from(MAX_REQUEST_KEYS))
            .bind(i64::from(MAX_REQUEST_KEYS - 1))
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "INSERT INTO request_keys (player_id, key, digest, made_id, created_ms) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(new.player.as_str())
            .bind(&new.key)
            .bind(new.digest.as_slice())
            .bind(&new.made_id)
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(new)
        })
        .await
    }
}
