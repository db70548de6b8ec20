//! Seeds for the ratings of computer opponents, set when the engine's ladder gets a new version.

use async_trait::async_trait;

use super::backend::{Backend, begin, commit};
use crate::detached::detached;
use crate::rows::{SeedRecord, Stored, int, parsed};
use crate::{PlacedSeed, Seed, Seeds, StoreError};

#[async_trait]
impl Seeds for Backend {
    async fn seed_ratings(
        &self,
        ladder: u32,
        seeds: &[Seed],
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (writer, seeds) = (self.writer().clone(), seeds.to_vec());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Of several servers that start at once, one continues from here; the others find it done.
            let risen = sqlx::query("UPDATE counters SET value = $1 WHERE name = 'ladder' AND value < $1")
                .bind(i64::from(ladder))
                .execute(&mut *tx)
                .await?;
            if risen.rows_affected() == 0 {
                return Ok(false);
            }
            // Locks the counter, so that no match is counted while the seeds are set.
            let ordinal: i64 = sqlx::query_scalar(
                "UPDATE counters SET value = value WHERE name = 'counted' RETURNING value",
            )
            .fetch_one(&mut *tx)
            .await?;
            for seed in &seeds {
                // The rating of a person is computed from matches only, so seeds for people are refused.
                let set = sqlx::query(
                    "INSERT INTO rating_seeds (ladder, player_id, game, speed, rating, deviation, volatility, ordinal, at_ms)
                    SELECT $1, p.id, $3, $4, $5, $6, $7, $8, $9 FROM players p
                    WHERE p.id = $2 AND p.kind = 'bot' AND p.level IS NOT NULL",
                )
                .bind(i64::from(ladder))
                .bind(seed.player.as_str())
                .bind(seed.game.text())
                .bind(seed.speed.text())
                .bind(seed.rating)
                .bind(seed.deviation)
                .bind(seed.volatility)
                .bind(ordinal)
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
                if set.rows_affected() == 0 {
                    return Err(StoreError::Conflict);
                }
            }
            sqlx::query(
                "INSERT INTO ratings (player_id, game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost)
                SELECT player_id, game, speed, rating, deviation, volatility, at_ms, 0, 0, 0 FROM rating_seeds WHERE ladder = $1
                ON CONFLICT (player_id, game, speed) DO UPDATE SET rating = excluded.rating,
                    deviation = excluded.deviation, volatility = excluded.volatility, updated_ms = excluded.updated_ms",
            )
            .bind(i64::from(ladder))
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn rating_seeds(&self, up_to: u64) -> Result<Vec<PlacedSeed>, StoreError> {
        let rows: Vec<SeedRecord> = sqlx::query_as(
            "SELECT player_id, game, speed, rating, deviation, volatility, ordinal, at_ms FROM rating_seeds
            WHERE ordinal <= $1 ORDER BY ladder, player_id, game, speed",
        )
        .bind(int(up_to))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}
