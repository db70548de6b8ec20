//! Computer analyses of matches.

use async_trait::async_trait;
use mawe_wire::ids::MatchId;

use super::backend::{Backend, begin, commit, match_id as read_match_id, serialise};
use crate::detached::detached;
use crate::{Analyses, Analysis, AnalysisState, NewAnalysis, RequestedAnalysis, StoreError};

#[async_trait]
impl Analyses for Backend {
    async fn request_analysis(&self, new: &NewAnalysis) -> Result<RequestedAnalysis, StoreError> {
        self.has_space()?;
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, &format!("analyses of {}", new.by)).await?;
            let known: Option<String> = sqlx::query_scalar(
                "SELECT state FROM analyses WHERE match_id = $1 AND engine = $2",
            )
            .bind(new.match_id.as_str())
            .bind(&new.engine)
            .fetch_optional(&mut *tx)
            .await?;
            if known.is_some_and(|state| state != AnalysisState::Failed.as_str()) {
                // It may be of a transaction that shares this commit: the caller reads it then.
                commit(tx).await?;
                return Ok(RequestedAnalysis::Known);
            }
            let requested: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM analyses WHERE requested_by = $1 AND requested_ms >= $2",
            )
            .bind(new.by.as_str())
            .bind(new.since_ms)
            .fetch_one(&mut *tx)
            .await?;
            if requested >= i64::from(new.most) {
                return Ok(RequestedAnalysis::Spent);
            }
            // Another account may request it at the same time: the first counts.
            let stored = sqlx::query(
                "INSERT INTO analyses (match_id, engine, state, requested_by, requested_ms) VALUES ($1, $2, 'waiting', $3, $4)
                ON CONFLICT (match_id, engine) DO UPDATE
                SET state = 'waiting', requested_by = excluded.requested_by, requested_ms = excluded.requested_ms, claimed_until_ms = 0
                WHERE analyses.state = 'failed'",
            )
            .bind(new.match_id.as_str())
            .bind(&new.engine)
            .bind(new.by.as_str())
            .bind(new.at_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(match stored.rows_affected() {
                0 => RequestedAnalysis::Known,
                _ => RequestedAnalysis::New,
            })
        })
        .await
    }

    async fn analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
    ) -> Result<Option<Analysis>, StoreError> {
        let row: Option<(String, String, String)> = sqlx::query_as(
            "SELECT engine, state, evaluations FROM analyses WHERE match_id = $1 AND (engine = $2 OR state = 'done')
            ORDER BY engine = $2 DESC, requested_ms DESC, engine LIMIT 1",
        )
        .bind(match_id.as_str())
        .bind(engine)
        .fetch_optional(self.reader())
        .await?;
        row.map(|(engine, state, evaluations)| {
            let state = match state.as_str() {
                "waiting" => AnalysisState::Waiting,
                "done" => AnalysisState::Done,
                "failed" => AnalysisState::Failed,
                _ => {
                    let place = format!("match {match_id}");
                    return Err(StoreError::damaged("analyses.state", place));
                }
            };
            Ok(Analysis {
                engine,
                state,
                evaluations,
            })
        })
        .transpose()
    }

    async fn claim_analyses(
        &self,
        engine: &str,
        now_ms: i64,
        until_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchId>, StoreError> {
        // Nearly always there is none: then nothing is written.
        let waits: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM analyses WHERE state = 'waiting' AND engine = $1 AND claimed_until_ms <= $2)",
        )
        .bind(engine)
        .bind(now_ms)
        .fetch_one(self.reader())
        .await?;
        if !waits {
            return Ok(Vec::new());
        }
        // Without space the result could not be stored, and would be computed again and again.
        self.has_space()?;
        let (writer, engine) = (self.writer().clone(), engine.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, "claims of analyses").await?;
            let ids: Vec<String> = sqlx::query_scalar(
                "UPDATE analyses SET claimed_until_ms = $3 WHERE engine = $1 AND match_id IN (
                    SELECT match_id FROM analyses WHERE state = 'waiting' AND engine = $1 AND claimed_until_ms <= $2
                    ORDER BY requested_ms, match_id LIMIT $4
                ) RETURNING match_id",
            )
            .bind(&engine)
            .bind(now_ms)
            .bind(until_ms)
            .bind(i64::from(limit))
            .fetch_all(&mut *tx)
            .await?;
            commit(tx).await?;
            ids.into_iter().map(read_match_id).collect()
        })
        .await
    }

    async fn keep_analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
        until_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, match_id, engine) =
            (self.writer().clone(), match_id.clone(), engine.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query(
                "UPDATE analyses SET claimed_until_ms = $3 WHERE match_id = $1 AND engine = $2 AND state = 'waiting'",
            )
            .bind(match_id.as_str())
            .bind(engine)
            .bind(until_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn end_analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
        evaluations: Option<&str>,
    ) -> Result<bool, StoreError> {
        if evaluations.is_some() {
            self.has_space()?;
        }
        let state = match evaluations {
            Some(_) => AnalysisState::Done,
            None => AnalysisState::Failed,
        };
        let (writer, match_id) = (self.writer().clone(), match_id.clone());
        let (engine, evaluations) = (
            engine.to_owned(),
            evaluations.unwrap_or_default().to_owned(),
        );
        detached(async move {
            let mut tx = begin(&writer).await?;
            let ended = sqlx::query(
                "UPDATE analyses SET state = $3, evaluations = $4 WHERE match_id = $1 AND engine = $2 AND state = 'waiting'",
            )
            .bind(match_id.as_str())
            .bind(engine)
            .bind(state.as_str())
            .bind(evaluations)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(ended.rows_affected() == 1)
        })
        .await
    }
}
