//! Queries for tallies, and for all ratings and tallies at once.

use mawe_rules::GameKind;
use mawe_wire::ids::PlayerId;

use super::backend::Backend;
use crate::rows::{
    GameTallyRecord, OfPlayer, OpponentTallyRecord, RatingRecord, SideTallyRecord, id, number,
    parsed,
};
use crate::{GameTally, SideTally, Standings, StoreError, Tally};

pub(super) async fn tallies_of(
    store: &Backend,
    player: &PlayerId,
) -> Result<Vec<SideTally>, StoreError> {
    let rows: Vec<SideTallyRecord> = sqlx::query_as(
        "SELECT game, side, won, drawn, lost, plies FROM tallies WHERE player_id = $1 ORDER BY game, side",
    )
    .bind(player.as_str())
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}

pub(super) async fn head_to_head(
    store: &Backend,
    player: &PlayerId,
    opponent: &PlayerId,
) -> Result<Vec<(GameKind, Tally)>, StoreError> {
    let rows: Vec<OpponentTallyRecord> = sqlx::query_as(
        "SELECT game, won, drawn, lost FROM head_to_head WHERE player_id = $1 AND opponent_id = $2 ORDER BY game",
    )
    .bind(player.as_str())
    .bind(opponent.as_str())
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}

pub(super) async fn game_tallies(store: &Backend) -> Result<Vec<GameTally>, StoreError> {
    let rows: Vec<GameTallyRecord> = sqlx::query_as(
        "SELECT game, first_won, drawn, second_won, plies FROM game_tallies ORDER BY game",
    )
    .fetch_all(store.reader())
    .await?;
    parsed(rows)
}

pub(super) async fn counted(store: &Backend) -> Result<u64, StoreError> {
    let counted: i64 = sqlx::query_scalar("SELECT value FROM counters WHERE name = 'counted'")
        .fetch_one(store.reader())
        .await?;
    number("counter", counted)
}

pub(super) async fn standings(store: &Backend) -> Result<Standings, StoreError> {
    let ratings: Vec<OfPlayer<RatingRecord>> = sqlx::query_as(
        "SELECT player_id AS of_player, game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents
        FROM ratings ORDER BY player_id, game, speed",
    )
    .fetch_all(store.slow_reader())
    .await?;
    let tallies: Vec<OfPlayer<SideTallyRecord>> = sqlx::query_as(
        "SELECT player_id AS of_player, game, side, won, drawn, lost, plies FROM tallies ORDER BY player_id, game, side",
    )
    .fetch_all(store.slow_reader())
    .await?;
    let pairs: Vec<OfPlayer<OfOpponent>> = sqlx::query_as(
        "SELECT player_id AS of_player, opponent_id, game, won, drawn, lost FROM head_to_head
        ORDER BY player_id, opponent_id, game",
    )
    .fetch_all(store.slow_reader())
    .await?;
    let games = game_tallies(store).await?;
    let pairs: Vec<(PlayerId, (PlayerId, GameKind, Tally))> = parsed(pairs)?;
    Ok(Standings {
        ratings: parsed(ratings)?,
        tallies: parsed(tallies)?,
        head_to_head: pairs
            .into_iter()
            .map(|(player, (opponent, game, tally))| (player, opponent, game, tally))
            .collect(),
        games,
    })
}

/// A tally against one opponent.
#[derive(sqlx_macros::FromRow)]
struct OfOpponent {
    opponent_id: String,
    #[sqlx(flatten)]
    tally: OpponentTallyRecord,
}

impl TryFrom<OfOpponent> for (PlayerId, GameKind, Tally) {
    type Error = StoreError;

    fn try_from(row: OfOpponent) -> Result<Self, StoreError> {
        let (game, tally) = row.tally.try_into()?;
        Ok((id("player id", row.opponent_id)?, game, tally))
    }
}
