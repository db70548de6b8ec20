//! Ratings, tallies and leaderboards as they are read.

use mawe_rules::GameKind;

use super::{Backend, select_ratings};
use crate::ids::PlayerId;
use crate::protocol::Speed;
use crate::store::rows::{LeaderboardRecord, RatingRecord, Stored, TallyRecord, parsed};
use crate::store::{LeaderboardRow, RatingRow, StoreError, Tally};

pub(super) async fn rating(
    store: &Backend,
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
    .fetch_optional(store.reader())
    .await?;
    row.map(RatingRow::try_from).transpose()
}

pub(super) async fn ratings_of(
    store: &Backend,
    player: &PlayerId,
) -> Result<Vec<RatingRow>, StoreError> {
    let rows: Vec<RatingRecord> =
        sqlx::query_as(select_ratings!("WHERE player_id = $1 ORDER BY game, speed"))
            .bind(player.as_str())
            .fetch_all(store.reader())
            .await?;
    parsed(rows)
}

pub(super) async fn tally_of(store: &Backend, player: &PlayerId) -> Result<Tally, StoreError> {
    let row: TallyRecord = sqlx::query_as(
        "SELECT count(*) FILTER (WHERE winner = side) AS won,
            count(*) FILTER (WHERE winner IS NULL) AS drawn,
            count(*) FILTER (WHERE winner <> side) AS lost
        FROM (
            SELECT winner, reason, 'first' AS side FROM matches
            WHERE first_id = $1 AND finished_ms IS NOT NULL
            UNION ALL
            SELECT winner, reason, 'second' AS side FROM matches
            WHERE second_id = $1 AND finished_ms IS NOT NULL
        ) AS played WHERE reason <> 'aborted'",
    )
    .bind(player.as_str())
    .fetch_one(store.reader())
    .await?;
    row.try_into()
}

pub(super) async fn leaderboard(
    store: &Backend,
    game: GameKind,
    speed: Speed,
    max_deviation: f64,
    offset: u32,
    limit: u32,
) -> Result<Vec<LeaderboardRow>, StoreError> {
    let rows: Vec<LeaderboardRecord> = sqlx::query_as(
        "SELECT p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms,
            r.game, r.speed, r.rating, r.deviation, r.volatility, r.updated_ms, r.won, r.drawn, r.lost
        FROM ratings r JOIN players p ON p.id = r.player_id
        WHERE r.game = $1 AND r.speed = $2 AND r.deviation <= $3
        ORDER BY r.rating DESC, r.player_id LIMIT $5 OFFSET $4",
    )
    .bind(game.text())
    .bind(speed.text())
    .bind(max_deviation)
    .bind(i64::from(offset))
    .bind(i64::from(limit))
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}
