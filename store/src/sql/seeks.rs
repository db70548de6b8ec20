//! Seeks: challenges that are listed in the lobby.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use sqlx::QueryBuilder;

use super::backend::{Backend, Db, Writer, begin, commit, run, serialise};
use super::challenges::{insert_challenge, select_challenges};
use crate::detached::detached;
use crate::error::StoreError;
use crate::rows::{ChallengeRecord, parsed};
use crate::{ChallengeRow, NewChallenge, Seeks};

#[async_trait]
impl Seeks for Backend {
    async fn create_seek(&self, new: &NewChallenge, max_open: u32) -> Result<bool, StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, &format!("seeks of {}", new.challenger)).await?;
            let open: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM challenges
                WHERE challenger_id = $1 AND listed AND expires_ms > $2
                    AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
            )
            .bind(new.challenger.as_str())
            .bind(new.created_ms)
            .fetch_one(&mut *tx)
            .await?;
            if open >= i64::from(max_open) {
                return Ok(false);
            }
            insert_challenge(&mut tx, &new).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let query = match of {
            None => sqlx::query_as(select_challenges!(
                "WHERE c.listed AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL AND c.expires_ms > $1
                ORDER BY c.created_ms DESC, c.id LIMIT $2"
            ))
            .bind(now_ms)
            .bind(i64::from(limit)),
            Some(player) => sqlx::query_as(select_challenges!(
                "WHERE c.challenger_id = $3 AND c.listed AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL
                    AND c.expires_ms > $1
                ORDER BY c.created_ms DESC, c.id LIMIT $2"
            ))
            .bind(now_ms)
            .bind(i64::from(limit))
            .bind(player.as_str()),
        };
        let rows: Vec<ChallengeRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn cancel_live_seeks(&self, of: &[PlayerId]) -> Result<u64, StoreError> {
        cancel_open(self.writer().clone(), of, " AND time_control = 'realtime'").await
    }

    async fn cancel_seeks(&self, of: &PlayerId) -> Result<u64, StoreError> {
        cancel_open(self.writer().clone(), std::slice::from_ref(of), "").await
    }
}

async fn cancel_open(
    writer: Writer,
    of: &[PlayerId],
    kind: &'static str,
) -> Result<u64, StoreError> {
    let mut query = QueryBuilder::<Db>::new("UPDATE challenges SET cancelled = ");
    query.push_bind(true).push(
        " WHERE listed AND match_id IS NULL AND NOT cancelled AND declined IS NULL AND challenger_id IN (",
    );
    let mut listed = query.separated(", ");
    for player in of {
        listed.push_bind(player.as_str().to_owned());
    }
    query.push(")").push(kind);
    detached(async move {
        let cancelled = run(&writer, query.build()).await?;
        Ok(cancelled.rows_affected())
    })
    .await
}
