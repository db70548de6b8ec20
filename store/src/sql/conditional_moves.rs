//! Conditional moves.

use async_trait::async_trait;
use mawe_play::room::conditional::ConditionalMoves;
use mawe_rules::Side;
use mawe_wire::ids::MatchId;

use super::backend::{Backend, begin, commit, match_id, run};
use crate::detached::detached;
use crate::rows::{ConditionalRecord, Stored, int, parsed};
use crate::{AnswerableMoves, StoreError};

#[async_trait]
impl AnswerableMoves for Backend {
    async fn conditional_moves(
        &self,
        id: &MatchId,
    ) -> Result<Vec<(Side, ConditionalMoves)>, StoreError> {
        let rows: Vec<ConditionalRecord> = sqlx::query_as(
            "SELECT side, ply, seq, lines FROM conditional_moves WHERE match_id = $1 ORDER BY side",
        )
        .bind(id.as_str())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn set_conditional_moves(
        &self,
        id: &MatchId,
        side: Side,
        moves: &ConditionalMoves,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let (writer, id, moves) = (self.writer().clone(), id.clone(), moves.clone());
        let lines = serde_json::to_string(&moves.lines).expect("texts are plain JSON");
        detached(async move {
            let mut tx = begin(&writer).await?;
            // The row is locked before the head is read. An append waits, and its room looks at these lines; one that is ahead has changed
            // the head that is read here.
            sqlx::query(concat!(
                "SELECT 1 FROM matches WHERE id = $1",
                for_update!()
            ))
            .bind(id.as_str())
            .execute(&mut *tx)
            .await?;
            let stored = sqlx::query(concat!(
                "INSERT INTO conditional_moves (match_id, side, ply, seq, lines)
                SELECT m.id, $2, $3, $4, $5 FROM matches m WHERE m.id = $1 AND m.finished_ms IS NULL AND ",
                head!(),
                " = $4
                ON CONFLICT (match_id, side) DO UPDATE SET ply = excluded.ply, seq = excluded.seq, lines = excluded.lines"
            ))
            .bind(id.as_str())
            .bind(side.text())
            .bind(i64::from(moves.ply))
            .bind(int(moves.seq))
            .bind(lines)
            .execute(&mut *tx)
            .await?;
            if stored.rows_affected() != 1 {
                return Err(StoreError::Conflict);
            }
            commit(tx).await
        })
        .await
    }

    async fn delete_conditional_moves(&self, id: &MatchId, side: Side) -> Result<bool, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let statement =
                sqlx::query("DELETE FROM conditional_moves WHERE match_id = $1 AND side = $2")
                    .bind(id.as_str())
                    .bind(side.text());
            let deleted = run(&writer, statement).await?;
            Ok(deleted.rows_affected() > 0)
        })
        .await
    }

    async fn advance_conditional_moves(
        &self,
        id: &MatchId,
        side: Side,
        seq: u64,
        head: Option<u64>,
    ) -> Result<(), StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let statement = match head {
                Some(head) => sqlx::query(
                    "UPDATE conditional_moves SET seq = $4 WHERE match_id = $1 AND side = $2 AND seq = $3",
                )
                .bind(id.as_str())
                .bind(side.text())
                .bind(int(seq))
                .bind(int(head)),
                None => sqlx::query(
                    "DELETE FROM conditional_moves WHERE match_id = $1 AND side = $2 AND seq = $3",
                )
                .bind(id.as_str())
                .bind(side.text())
                .bind(int(seq)),
            };
            run(&writer, statement).await?;
            Ok(())
        })
        .await
    }

    async fn matches_to_answer(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(concat!(
            "SELECT DISTINCT c.match_id FROM conditional_moves c JOIN matches m ON m.id = c.match_id
            WHERE c.seq < ",
            head!(),
            " ORDER BY c.match_id LIMIT $1"
        ))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }
}
