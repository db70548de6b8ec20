//! Vacations of accounts.

use async_trait::async_trait;
use mawe_play::room::vacation::{DAY_MS, Refused, Vacation};
use mawe_wire::ids::PlayerId;

use super::backend::{Backend, Tx, begin, commit, serialise};
use crate::detached::detached;
use crate::{StoreError, Vacations};

/// The time after which a vacation is in no year that counts, and in no turn that runs.
const KEPT_MS: i64 = 400 * DAY_MS;

#[async_trait]
impl Vacations for Backend {
    async fn vacations_of(
        &self,
        player: &PlayerId,
        since_ms: i64,
    ) -> Result<Vec<Vacation>, StoreError> {
        let rows: Vec<(i64, i64)> = sqlx::query_as(
            "SELECT from_ms, until_ms FROM vacations WHERE player_id = $1 AND until_ms > $2 ORDER BY from_ms",
        )
        .bind(player.as_str())
        .bind(since_ms)
        .fetch_all(self.reader())
        .await?;
        Ok(rows.into_iter().map(vacation).collect())
    }

    async fn begin_vacation(
        &self,
        player: &PlayerId,
        days: u32,
        now_ms: i64,
    ) -> Result<Result<Vacation, Refused>, StoreError> {
        self.has_space()?;
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let earlier = locked(&mut tx, &player).await?;
            let new = match Vacation::begin(&earlier, days, now_ms) {
                Ok(new) => new,
                Err(refused) => return Ok(Err(refused)),
            };
            sqlx::query("DELETE FROM vacations WHERE player_id = $1 AND until_ms < $2")
                .bind(player.as_str())
                .bind(now_ms.saturating_sub(KEPT_MS))
                .execute(&mut *tx)
                .await?;
            sqlx::query("INSERT INTO vacations (player_id, from_ms, until_ms) VALUES ($1, $2, $3)")
                .bind(player.as_str())
                .bind(new.from_ms)
                .bind(new.until_ms)
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(Ok(new))
        })
        .await
    }

    async fn end_vacation(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Option<Vacation>, StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let vacations = locked(&mut tx, &player).await?;
            let lasts = |vacation: &&Vacation| vacation.until_ms > now_ms;
            let Some(ended) = vacations.iter().find(lasts) else {
                return Ok(None);
            };
            let ended = ended.ended(now_ms);
            sqlx::query("UPDATE vacations SET until_ms = $3 WHERE player_id = $1 AND from_ms = $2")
                .bind(player.as_str())
                .bind(ended.from_ms)
                .bind(ended.until_ms)
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(Some(ended))
        })
        .await
    }
}

/// Returns a player's vacations. Concurrent changes of one player's take turns.
async fn locked(tx: &mut Tx, player: &PlayerId) -> Result<Vec<Vacation>, StoreError> {
    serialise(tx, &format!("vacations of {player}")).await?;
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT from_ms, until_ms FROM vacations WHERE player_id = $1 ORDER BY from_ms",
    )
    .bind(player.as_str())
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(vacation).collect())
}

fn vacation((from_ms, until_ms): (i64, i64)) -> Vacation {
    Vacation { from_ms, until_ms }
}
