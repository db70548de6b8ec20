//! Follows, blocks, and the challenges by name that a player takes.

use async_trait::async_trait;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{DeclineReason, NoticeKind};

use super::backend::{
    Backend, Tx, Writer, begin, called_off_in_sql, commit, run, select_matches, serialise,
};
use super::notices::delete_about;
use super::pupils::profile_hidden;
use crate::detached::detached;
use crate::rows::{
    ChallengeRuleRecord, FollowCountsRecord, MatchRecord, RelatedRecord, RelationRecord, Stored,
    id as parsed_id, parsed,
};
use crate::{
    ChallengeRule, ClosedByBlock, FollowCounts, Followed, MAX_FOLLOWERS_COUNTED, MatchCursor,
    MatchRow, Related, Relation, RelationCursor, Relations, StoreError,
};

/// Selects a page of a list as `RelatedRecord`s: `r` is the relation of the player `$1` to the other player `p`, after the row with the time
/// `$2` and the player `$3`; `$mutual` finds the relation in the other direction.
macro_rules! select_related {
    ($table:literal, $mine:literal, $other:literal, $mutual:literal, $rest:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.avatar, p.flag, p.created_ms AS player_created_ms, r.created_ms AS since_ms,
                EXISTS (SELECT 1 FROM ",
            $mutual,
            ") AS mutual,
                (EXISTS (SELECT 1 FROM blocks b WHERE b.player_id = p.id AND b.blocked_id = $1) OR ",
            profile_hidden!("p.id", "$1"),
            ") AS hidden
            FROM ",
            $table,
            " r JOIN players p ON p.id = r.",
            $other,
            " WHERE r.",
            $mine,
            " = $1 AND (r.created_ms, r.",
            $other,
            ") < ($2, $3) ",
            $rest,
            " ORDER BY r.created_ms DESC, r.",
            $other,
            " DESC LIMIT $4"
        )
    };
}

/// Selects the players that `$1` follows and is not blocked by, and whose profiles `$1` sees.
macro_rules! seen_followed {
    () => {
        concat!(
            "SELECT f.followed_id FROM follows f WHERE f.player_id = $1
                AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.player_id = f.followed_id AND b.blocked_id = $1) AND NOT ",
            profile_hidden!("f.followed_id", "$1")
        )
    };
}

#[async_trait]
impl Relations for Backend {
    async fn relation(&self, player: &PlayerId, other: &PlayerId) -> Result<Relation, StoreError> {
        let row: RelationRecord = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM follows WHERE player_id = $1 AND followed_id = $2) AS follows,
                EXISTS (SELECT 1 FROM follows WHERE player_id = $2 AND followed_id = $1) AS followed_by,
                EXISTS (SELECT 1 FROM blocks WHERE player_id = $1 AND blocked_id = $2) AS blocks,
                EXISTS (SELECT 1 FROM blocks WHERE player_id = $2 AND blocked_id = $1) AS blocked_by",
        )
        .bind(player.as_str())
        .bind(other.as_str())
        .fetch_one(self.reader())
        .await?;
        Ok(row.into())
    }

    async fn follow(
        &self,
        player: &PlayerId,
        followed: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<Followed, StoreError> {
        let (writer, player, followed) = (self.writer().clone(), player.clone(), followed.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, &format!("relations of {player}")).await?;
            let (blocked, others): (bool, i64) = sqlx::query_as(
                "SELECT EXISTS (SELECT 1 FROM blocks WHERE player_id = $1 AND blocked_id = $2),
                    (SELECT count(*) FROM follows WHERE player_id = $1 AND followed_id <> $2)",
            )
            .bind(player.as_str())
            .bind(followed.as_str())
            .fetch_one(&mut *tx)
            .await?;
            if blocked {
                return Ok(Followed::Blocked);
            }
            if others >= i64::from(max) {
                return Ok(Followed::TooMany);
            }
            sqlx::query(
                "INSERT INTO follows (player_id, followed_id, created_ms) VALUES ($1, $2, $3)
                ON CONFLICT (player_id, followed_id) DO NOTHING",
            )
            .bind(player.as_str())
            .bind(followed.as_str())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(Followed::Yes)
        })
        .await
    }

    async fn unfollow(&self, player: &PlayerId, followed: &PlayerId) -> Result<(), StoreError> {
        let sql = "DELETE FROM follows WHERE player_id = $1 AND followed_id = $2";
        end_relation(self.writer(), sql, player, followed).await
    }

    async fn following(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError> {
        let sql = select_related!(
            "follows",
            "player_id",
            "followed_id",
            "follows m WHERE m.player_id = p.id AND m.followed_id = $1",
            ""
        );
        self.page_of_relations(sql, player, after, limit).await
    }

    async fn followers(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError> {
        let sql = select_related!(
            "follows",
            "followed_id",
            "player_id",
            "follows m WHERE m.player_id = $1 AND m.followed_id = p.id",
            "AND NOT EXISTS (SELECT 1 FROM blocks o WHERE o.player_id = $1 AND o.blocked_id = p.id)"
        );
        self.page_of_relations(sql, player, after, limit).await
    }

    async fn follow_counts(&self, player: &PlayerId) -> Result<FollowCounts, StoreError> {
        let row: Option<FollowCountsRecord> = sqlx::query_as(
            "SELECT (SELECT count(*) FROM follows WHERE player_id = $1) AS following,
                (SELECT count(*) FROM (SELECT 1 FROM follows f WHERE f.followed_id = $1 AND NOT EXISTS
                    (SELECT 1 FROM blocks b WHERE b.player_id = $1 AND b.blocked_id = f.player_id) LIMIT $2) AS page) AS followers
            FROM players WHERE id = $1",
        )
        .bind(player.as_str())
        .bind(i64::from(MAX_FOLLOWERS_COUNTED))
        .fetch_optional(self.reader())
        .await?;
        row.map_or(Ok(FollowCounts::default()), FollowCounts::try_from)
    }

    async fn running_of_followed(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        // One part per seat, each along its own index.
        let rows: Vec<MatchRecord> = sqlx::query_as(select_matches!(
            "JOIN (SELECT id FROM matches WHERE finished_ms IS NULL AND NOT private AND speed <> 'daily' AND first_id IN (",
            seen_followed!(),
            ") UNION SELECT id FROM matches WHERE finished_ms IS NULL AND NOT private AND speed <> 'daily' AND second_id IN (",
            seen_followed!(),
            ")) AS page ON page.id = m.id ORDER BY m.created_ms DESC, m.id DESC LIMIT $2"
        ))
        .bind(player.as_str())
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn finished_of_followed(
        &self,
        player: &PlayerId,
        since_ms: i64,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        // The ids come first: in one statement with the rows, Postgres expects a long page and reads all matches.
        /// One part of the page for each seat.
        macro_rules! arm {
            ($seat:literal) => {
                concat!(
                    "SELECT * FROM (SELECT id, created_ms FROM matches WHERE ",
                    $seat,
                    " IN (",
                    seen_followed!(),
                    ") AND created_ms >= $2 AND (created_ms, id) < ($3, $4) AND finished_ms IS NOT NULL AND NOT private
                        AND reason NOT IN (",
                )
            };
        }
        let end = format!(
            "{}) ORDER BY created_ms DESC, id DESC LIMIT $5) AS at_seat",
            called_off_in_sql()
        );
        let sql = format!(
            "SELECT id FROM ({}{end} UNION {}{end}) AS page ORDER BY created_ms DESC, id DESC LIMIT $5",
            arm!("first_id"),
            arm!("second_id"),
        );
        let ids: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(player.as_str())
            .bind(since_ms)
            .bind(after.map_or(i64::MAX, |after| after.created_ms))
            .bind(after.map_or("", |after| after.id.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        self.matches_by_id(ids).await
    }

    async fn block(
        &self,
        player: &PlayerId,
        blocked: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<Option<ClosedByBlock>, StoreError> {
        let (writer, player, blocked) = (self.writer().clone(), player.clone(), blocked.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // A match that is being made between the two is made before; none is made after.
            serialise(&mut tx, &format!("matches of {player}")).await?;
            serialise(&mut tx, &format!("relations of {player}")).await?;
            let others: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM blocks WHERE player_id = $1 AND blocked_id <> $2",
            )
            .bind(player.as_str())
            .bind(blocked.as_str())
            .fetch_one(&mut *tx)
            .await?;
            if others >= i64::from(max) {
                return Ok(None);
            }
            sqlx::query(
                "INSERT INTO blocks (player_id, blocked_id, created_ms) VALUES ($1, $2, $3)
                ON CONFLICT (player_id, blocked_id) DO NOTHING",
            )
            .bind(player.as_str())
            .bind(blocked.as_str())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            sqlx::query("DELETE FROM follows WHERE player_id = $1 AND followed_id = $2")
                .bind(player.as_str())
                .bind(blocked.as_str())
                .execute(&mut *tx)
                .await?;
            let closed = close_challenges(&mut tx, &player, &blocked, now_ms).await?;
            commit(tx).await?;
            Ok(Some(closed))
        })
        .await
    }

    async fn unblock(&self, player: &PlayerId, blocked: &PlayerId) -> Result<(), StoreError> {
        let sql = "DELETE FROM blocks WHERE player_id = $1 AND blocked_id = $2";
        end_relation(self.writer(), sql, player, blocked).await
    }

    async fn blocks(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError> {
        let sql = select_related!(
            "blocks",
            "player_id",
            "blocked_id",
            "blocks m WHERE m.player_id = p.id AND m.blocked_id = $1",
            ""
        );
        self.page_of_relations(sql, player, after, limit).await
    }

    async fn is_blocked_at(
        &self,
        match_id: &MatchId,
        player: &PlayerId,
    ) -> Result<bool, StoreError> {
        let is_blocked = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM matches m JOIN blocks b ON b.blocked_id = $2
                AND b.player_id = CASE WHEN m.first_id = $2 THEN m.second_id ELSE m.first_id END
                WHERE m.id = $1 AND (m.first_id = $2 OR m.second_id = $2))
            OR EXISTS (SELECT 1 FROM matches m JOIN pupils q ON q.player_id IN (m.first_id, m.second_id)
                JOIN classes c ON c.club_id = q.club_id WHERE m.id = $1 AND NOT c.phrases)",
        )
        .bind(match_id.as_str())
        .bind(player.as_str())
        .fetch_one(self.reader())
        .await?;
        Ok(is_blocked)
    }

    async fn challenge_rule(&self, player: &PlayerId) -> Result<ChallengeRule, StoreError> {
        let row: Option<ChallengeRuleRecord> = sqlx::query_as(
            "SELECT challenges_from, refuses_guests, challenge_min_rating, challenge_max_rating FROM players WHERE id = $1",
        )
        .bind(player.as_str())
        .fetch_optional(self.reader())
        .await?;
        row.map_or(Ok(ChallengeRule::default()), ChallengeRule::try_from)
    }

    async fn set_challenge_rule(
        &self,
        player: &PlayerId,
        rule: ChallengeRule,
    ) -> Result<(), StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        let (from, refuses_guests) = ChallengeRuleRecord::columns(rule.from);
        detached(async move {
            let statement = sqlx::query(
                "UPDATE players SET challenges_from = $2, refuses_guests = $3, challenge_min_rating = $4, challenge_max_rating = $5
                WHERE id = $1",
            )
            .bind(player.as_str())
            .bind(from)
            .bind(refuses_guests)
            .bind(rule.min_rating.map(i64::from))
            .bind(rule.max_rating.map(i64::from));
            run(&writer, statement).await?;
            Ok(())
        })
        .await
    }
}

impl Backend {
    /// Executes a query of [`select_related`].
    async fn page_of_relations(
        &self,
        sql: &'static str,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError> {
        let rows: Vec<RelatedRecord> = sqlx::query_as(sql)
            .bind(player.as_str())
            .bind(after.map_or(i64::MAX, |after| after.since_ms))
            .bind(after.map_or("", |after| after.player.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }
}

/// Executes the deletion of a relation of the player `$1` to the player `$2`.
async fn end_relation(
    writer: &Writer,
    sql: &'static str,
    player: &PlayerId,
    other: &PlayerId,
) -> Result<(), StoreError> {
    let (writer, player, other) = (writer.clone(), player.clone(), other.clone());
    detached(async move {
        let statement = sqlx::query(sql).bind(player.as_str()).bind(other.as_str());
        run(&writer, statement).await?;
        Ok(())
    })
    .await
}

/// Declines the open challenges by name of a blocked player to the blocker, and cancels those of the blocker, with their notices.
async fn close_challenges(
    tx: &mut Tx,
    player: &PlayerId,
    blocked: &PlayerId,
    now_ms: i64,
) -> Result<ClosedByBlock, StoreError> {
    let declined: Vec<String> = sqlx::query_scalar(
        "UPDATE challenges SET declined = $3, declined_ms = $4
        WHERE challenger_id = $2 AND to_id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL
        RETURNING id",
    )
    .bind(player.as_str())
    .bind(blocked.as_str())
    .bind(DeclineReason::Generic.text())
    .bind(now_ms)
    .fetch_all(&mut **tx)
    .await?;
    let cancelled: Vec<String> = sqlx::query_scalar(
        "UPDATE challenges SET cancelled = $3
        WHERE challenger_id = $1 AND to_id = $2 AND match_id IS NULL AND NOT cancelled AND declined IS NULL
        RETURNING id",
    )
    .bind(player.as_str())
    .bind(blocked.as_str())
    .bind(true)
    .fetch_all(&mut **tx)
    .await?;
    for (ids, reader) in [(&declined, player), (&cancelled, blocked)] {
        for id in ids {
            delete_about(tx, reader, id, NoticeKind::Challenge).await?;
        }
    }
    let parsed = |ids: Vec<String>| -> Result<Vec<ChallengeId>, StoreError> {
        let ids = ids.into_iter().map(|id| parsed_id("challenge id", id));
        ids.collect()
    };
    Ok(ClosedByBlock {
        declined: parsed(declined)?,
        cancelled: parsed(cancelled)?,
    })
}
