//! Browsers that several accounts share.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use super::backend::{ALL, Backend, begin, commit, serialise};
use crate::detached::detached;
use crate::rows::damaged;
use crate::{DeviceKey, Devices, StoreError};

/// The number of other accounts on shared devices that are kept for one player: enough for a school class with one tablet. The least
/// recently seen one is deleted, so that many accounts made in one browser do not fill the table with all their pairs.
const MAX_SHARED: i64 = 50;

#[async_trait]
impl Devices for Backend {
    async fn device_key(&self, new: &DeviceKey) -> Result<DeviceKey, StoreError> {
        let (writer, new) = (self.writer().clone(), new.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Of several nodes that start at once, the first one's key is kept; the others wait for its commit here.
            sqlx::query(
                "INSERT INTO device_key (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING",
            )
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

    async fn note_shared_device(
        &self,
        player: &PlayerId,
        others: &[PlayerId],
        seen_ms: i64,
    ) -> Result<(), StoreError> {
        let writer = self.writer().clone();
        let (player, others) = (player.clone(), others.to_vec());
        detached(async move {
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
}
