//! Void matches, and pairs of players whose matches a moderator should review.

use async_trait::async_trait;
use mawe_wire::ids::MatchId;
use sqlx::AssertSqlSafe;

use super::audit::insert_audit;
use super::backend::{Backend, begin_alone, called_off_in_sql, commit, match_id};
use crate::detached::{LONG_WRITE_LIMIT, detached_within};
use crate::rows::{PairToReviewRecord, parsed};
use crate::{Attribution, NewAudit, PairFilter, PairToReview, StoreError, VoidMatches, Voids};

#[async_trait]
impl Voids for Backend {
    async fn pairs_to_review(
        &self,
        filter: &PairFilter,
        limit: u32,
    ) -> Result<Vec<PairToReview>, StoreError> {
        let min_matches = i64::from(filter.min_matches);
        let min_on_device = i64::from(filter.min_matches_on_device);
        // `only_each_other`: at least four of five matches of one of the two are against the other.
        let rows: Vec<PairToReviewRecord> = sqlx::query_as(
            "WITH recent AS (
                SELECT player_id, opponent_id, score FROM rating_history WHERE at_ms >= $1
            ), totals AS (
                SELECT player_id, count(*) AS matches FROM recent GROUP BY player_id
            ), pairs AS (
                SELECT player_id, opponent_id, count(*) AS matches,
                    count(*) FILTER (WHERE score = 1.0) AS won, count(*) FILTER (WHERE score = 0.0) AS lost
                FROM recent WHERE player_id < opponent_id GROUP BY player_id, opponent_id HAVING count(*) >= $2
            ), reasons AS (
                SELECT pairs.*, ta.matches AS one_of, tb.matches AS other_of,
                    pairs.matches >= $3 AND (5 * pairs.matches >= 4 * ta.matches OR 5 * pairs.matches >= 4 * tb.matches) AS only_each_other,
                    pairs.matches >= $4 AND (
                        EXISTS (SELECT 1 FROM shared_devices s WHERE s.player_id = pairs.player_id AND s.other_id = pairs.opponent_id)
                        OR EXISTS (SELECT 1 FROM shared_devices s WHERE s.player_id = pairs.opponent_id AND s.other_id = pairs.player_id)
                    ) AS share_device
                FROM pairs JOIN totals ta ON ta.player_id = pairs.player_id JOIN totals tb ON tb.player_id = pairs.opponent_id
            )
            SELECT a.id AS one_id, a.name AS one_name, a.kind AS one_kind, a.display_name AS one_display_name, a.created_ms AS one_created_ms,
                b.id AS other_id, b.name AS other_name, b.kind AS other_kind, b.display_name AS other_display_name, b.created_ms AS other_created_ms,
                r.matches, r.won, r.lost, r.one_of, r.other_of, r.only_each_other, r.share_device
            FROM reasons r JOIN players a ON a.id = r.player_id JOIN players b ON b.id = r.opponent_id
            WHERE a.level IS NULL AND b.level IS NULL AND (r.only_each_other OR r.share_device)
            ORDER BY r.matches DESC, a.id, b.id LIMIT $5",
        )
        .bind(filter.since_ms)
        .bind(min_matches.min(min_on_device))
        .bind(min_matches)
        .bind(min_on_device)
        .bind(i64::from(limit))
        .fetch_all(self.slow_reader())
        .await?;
        parsed(rows)
    }

    async fn void_matches(
        &self,
        void: &VoidMatches,
        attribution: &Attribution,
    ) -> Result<u64, StoreError> {
        let (writer, void, attribution) =
            (self.writer().clone(), void.clone(), attribution.clone());
        detached_within(LONG_WRITE_LIMIT, async move {
            let mut tx = begin_alone(&writer).await?;
            let opponent = void.opponent.as_ref().map_or("", |id| id.as_str());
            let sql = format!(
                "UPDATE matches SET voided_ms = $1
                WHERE rated AND finished_ms IS NOT NULL AND voided_ms IS NULL
                    AND reason NOT IN ({})
                    AND (first_id = $2 AND ($3 = '' OR second_id = $3) OR second_id = $2 AND ($3 = '' OR first_id = $3))
                    AND finished_ms >= $4 AND finished_ms < $5
                RETURNING id",
                called_off_in_sql()
            );
            let ids: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql))
                .bind(attribution.at_ms)
                .bind(void.player.as_str())
                .bind(opponent)
                .bind(void.since_ms.unwrap_or(i64::MIN))
                .bind(void.until_ms.unwrap_or(i64::MAX))
                .fetch_all(&mut *tx)
                .await?;
            if ids.is_empty() {
                return Ok(0);
            }
            for id in &ids {
                // The outbox row makes the recount happen even if this server stops now.
                sqlx::query("INSERT INTO outbox (match_id, effect, created_ms) VALUES ($1, 'void', $2)")
                    .bind(id)
                    .bind(attribution.at_ms)
                    .execute(&mut *tx)
                    .await?;
                // An event that has counted the match, or counts it at this moment, will count it no more.
                sqlx::query("UPDATE event_games SET changed = $2 WHERE match_id = $1")
                    .bind(id)
                    .bind(true)
                    .execute(&mut *tx)
                    .await?;
            }
            let against: Option<String> = sqlx::query_scalar("SELECT name FROM players WHERE id = $1")
                .bind(opponent)
                .fetch_optional(&mut *tx)
                .await?;
            let number = ids.len();
            let audit = NewAudit {
                attribution,
                action: "void-matches",
                about: Some(void.player),
                match_id: None,
                detail: against.map_or_else(
                    || format!("{number} matches"),
                    |name| format!("{number} matches against {name}"),
                ),
            };
            insert_audit(&mut tx, &audit).await?;
            commit(tx).await?;
            Ok(u64::try_from(number).unwrap_or(u64::MAX))
        })
        .await
    }

    async fn pending_voids(&self) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT match_id FROM outbox WHERE effect = 'void' ORDER BY created_ms, match_id",
        )
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn settle_voids(&self, ids: &[MatchId]) -> Result<(), StoreError> {
        let (writer, ids) = (self.writer().clone(), ids.to_vec());
        detached_within(LONG_WRITE_LIMIT, async move {
            let mut tx = begin_alone(&writer).await?;
            for id in &ids {
                sqlx::query("DELETE FROM outbox WHERE match_id = $1 AND effect = 'void'")
                    .bind(id.as_str())
                    .execute(&mut *tx)
                    .await?;
            }
            commit(tx).await
        })
        .await
    }
}
