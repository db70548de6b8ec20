//! Queries for ratings, rating changes and leaderboards.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::Speed;
use mawe_wire::ids::PlayerId;

use super::backend::{Backend, select_ratings};
use super::pupils::class_forbids;
use crate::rows::{
    ChangeRecord, LeaderboardRecord, RatingCountRecord, RatingRecord, Stored, int, parsed,
};
use crate::{
    HistoryCursor, HistoryOrder, LeaderboardRow, RatingChange, RatingCount, RatingRow, Ratings,
    StoreError,
};

/// Selects changes as `ChangeRecord`s: `h`, joined to the opponent `p`.
macro_rules! select_changes {
    ($($rest:literal),+) => {
        concat!(
            "SELECT h.ordinal, h.match_id, h.side, h.player_id, h.game, h.speed, h.score,
                h.rating_before, h.deviation_before, h.volatility_before,
                h.rating_after, h.deviation_after, h.volatility_after, h.at_ms,
                p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM rating_history h JOIN players p ON p.id = h.opponent_id ",
            $($rest),+
        )
    };
}

#[async_trait]
impl Ratings for Backend {
    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError> {
        let row: Option<RatingRecord> = sqlx::query_as(select_ratings!(
            "WHERE player_id = $1 AND game = $2 AND speed = $3"
        ))
        .bind(player.as_str())
        .bind(game.text())
        .bind(speed.text())
        .fetch_optional(self.reader())
        .await?;
        row.map(RatingRow::try_from).transpose()
    }

    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError> {
        let rows: Vec<RatingRecord> =
            sqlx::query_as(select_ratings!("WHERE player_id = $1 ORDER BY game, speed"))
                .bind(player.as_str())
                .fetch_all(self.reader())
                .await?;
        parsed(rows)
    }

    async fn rating_history(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
        order: HistoryOrder,
        cursor: Option<&HistoryCursor>,
        limit: u32,
    ) -> Result<Vec<RatingChange>, StoreError> {
        // Without a cursor, the page starts at a position before all changes. The first comparison lets the query use the index on time.
        let (sql, end) = match order {
            HistoryOrder::OldestFirst => (
                select_changes!(
                    "WHERE h.player_id = $1 AND h.game = $2 AND h.speed = $3 AND h.at_ms >= $4 AND (h.at_ms, h.ordinal) > ($4, $5)
                    ORDER BY h.at_ms, h.ordinal LIMIT $6"
                ),
                (i64::MIN, i64::MIN),
            ),
            HistoryOrder::NewestFirst => (
                select_changes!(
                    "WHERE h.player_id = $1 AND h.game = $2 AND h.speed = $3 AND h.at_ms <= $4 AND (h.at_ms, h.ordinal) < ($4, $5)
                    ORDER BY h.at_ms DESC, h.ordinal DESC LIMIT $6"
                ),
                (i64::MAX, i64::MAX),
            ),
        };
        let (at_ms, ordinal) = cursor.map_or(end, |cursor| (cursor.at_ms, int(cursor.ordinal)));
        let rows: Vec<ChangeRecord> = sqlx::query_as(sql)
            .bind(player.as_str())
            .bind(game.text())
            .bind(speed.text())
            .bind(at_ms)
            .bind(ordinal)
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }

    async fn rating_changes(&self, after: u64, to: u64) -> Result<Vec<RatingChange>, StoreError> {
        let rows: Vec<ChangeRecord> = sqlx::query_as(select_changes!(
            "WHERE h.ordinal > $1 AND h.ordinal <= $2 ORDER BY h.ordinal, h.side"
        ))
        .bind(int(after))
        .bind(int(to))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        min_opponents: u32,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError> {
        // The subquery finds the page from the index alone, before the rows of its players are read. (SQLite keeps the order of a CROSS JOIN;
        // otherwise it might begin with all ratings of the game.)
        let rows: Vec<LeaderboardRecord> = sqlx::query_as(
            concat!("SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms,
                r.game, r.speed, r.rating, r.deviation, r.volatility, r.updated_ms, r.won, r.drawn, r.lost, r.opponents
            FROM (
                SELECT player_id, rating FROM ratings WHERE game = $1 AND speed = $2 AND deviation <= $3 AND opponents >= $6
                     AND player_id NOT IN (SELECT id FROM players WHERE disabled_ms IS NOT NULL)
                     AND NOT ", class_forbids!("profiles", "ratings.player_id"), "
                     AND player_id NOT IN (SELECT player_id FROM ratings WHERE game = $1 AND speed = $2 AND won + drawn + lost = 0)
                ORDER BY rating DESC, player_id LIMIT $5 OFFSET $4
            ) AS page
            CROSS JOIN ratings r CROSS JOIN players p
            WHERE r.player_id = page.player_id AND r.game = $1 AND r.speed = $2 AND p.id = page.player_id
            ORDER BY page.rating DESC, page.player_id"),
        )
        .bind(game.text())
        .bind(speed.text())
        .bind(max_deviation)
        .bind(i64::from(offset))
        .bind(i64::from(limit))
        .bind(i64::from(min_opponents))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn rating_counts(&self, max_deviation: f64) -> Result<Vec<RatingCount>, StoreError> {
        // Whole ratings, so that the result is small, however many players there are.
        let rows: Vec<RatingCountRecord> = sqlx::query_as(
            "SELECT r.game, r.speed, CAST(ROUND(r.rating) AS BIGINT) AS rating, COUNT(*) AS players,
                COUNT(CASE WHEN r.deviation > $1 THEN 1 END) AS provisional
            FROM ratings r JOIN players p ON p.id = r.player_id
            WHERE r.won + r.drawn + r.lost > 0 AND p.disabled_ms IS NULL AND p.level IS NULL
            GROUP BY r.game, r.speed, CAST(ROUND(r.rating) AS BIGINT) ORDER BY r.game, r.speed, rating",
        )
        .bind(max_deviation)
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}
