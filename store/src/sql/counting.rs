//! Counts a finished match: tallies, ratings and rating history.

use async_trait::async_trait;
use mawe_play::rating::{self, PAIR_WINDOW_MS, Rating, START_RATING};
use mawe_rules::{BySide, Side};
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::MatchId;

use super::backend::{Backend, Tx, begin, commit, match_id, select_ratings};
use super::notices::note_end;
use crate::detached::detached;
use crate::rows::{RatingRecord, ResultRecord, Stored, number};
use crate::{Counting, RateFn, RatingRow, StoreError};

#[async_trait]
impl Counting for Backend {
    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT match_id FROM outbox WHERE effect = 'count' ORDER BY created_ms, match_id LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Of two concurrent calls, the second waits here for the first, and then finds no outbox row.
            let paid = sqlx::query("DELETE FROM outbox WHERE match_id = $1 AND effect = 'count'")
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
            if paid.rows_affected() == 0 {
                return Ok(false);
            }
            count(&mut tx, &id, rate).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn counted(&self) -> Result<u64, StoreError> {
        let counted: i64 = sqlx::query_scalar("SELECT value FROM counters WHERE name = 'counted'")
            .fetch_one(self.reader())
            .await?;
        number("counter", counted)
    }
}

/// Adds a finished match to the tallies and ratings.
async fn count(tx: &mut Tx, id: &MatchId, rate: RateFn) -> Result<(), StoreError> {
    // Counting is serialised here across all nodes: ratings depend on the order, which is this number. The statements below may lock rows
    // in any order, since nobody else locks them, and they read the results of the previous count. A waiting transaction holds only the
    // lock on its outbox row, which the holder of this row never waits for.
    let ordinal: i64 = sqlx::query_scalar(
        "UPDATE counters SET value = value + 1 WHERE name = 'counted' RETURNING value",
    )
    .fetch_one(&mut **tx)
    .await?;
    let result: ResultRecord = sqlx::query_as(
        "SELECT game, speed, first_id, second_id, winner, reason, plies, finished_ms, rated, voided_ms, time_control FROM matches WHERE id = $1",
    )
    .bind(id.as_str())
    .fetch_one(&mut **tx)
    .await?;
    let winner = result.winner.as_deref().map(Side::from_text).transpose()?;
    // A room puts no such match into the outbox; the check stays because counting cannot be undone.
    let counts_for_nothing = is_called_off(&result.reason) || result.voided_ms.is_some();
    if result.first_id == result.second_id || counts_for_nothing {
        return Ok(());
    }
    count_tallies(tx, &result, winner).await?;
    if result.rated {
        count_rating(tx, id, &result, winner, ordinal, rate).await?;
    }
    note_end(tx, id, &result, winner).await
}

/// Updates the tally of each player, of each against the other, and of the game.
async fn count_tallies(
    tx: &mut Tx,
    result: &ResultRecord,
    winner: Option<Side>,
) -> Result<(), StoreError> {
    let players = BySide::new(result.first_id.as_str(), result.second_id.as_str());
    let drawn = i64::from(winner.is_none());
    let won_by = |side: Side| i64::from(winner == Some(side));
    for side in Side::ALL {
        sqlx::query(
            "INSERT INTO tallies (player_id, game, side, won, drawn, lost, plies) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (player_id, game, side) DO UPDATE SET won = tallies.won + excluded.won,
                drawn = tallies.drawn + excluded.drawn, lost = tallies.lost + excluded.lost,
                plies = tallies.plies + excluded.plies",
        )
        .bind(players[side])
        .bind(&result.game)
        .bind(side.text())
        .bind(won_by(side))
        .bind(drawn)
        .bind(won_by(side.other()))
        .bind(result.plies)
        .execute(&mut **tx)
        .await?;
        sqlx::query(
            "INSERT INTO head_to_head (player_id, opponent_id, game, won, drawn, lost) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (player_id, opponent_id, game) DO UPDATE SET won = head_to_head.won + excluded.won,
                drawn = head_to_head.drawn + excluded.drawn, lost = head_to_head.lost + excluded.lost",
        )
        .bind(players[side])
        .bind(players[side.other()])
        .bind(&result.game)
        .bind(won_by(side))
        .bind(drawn)
        .bind(won_by(side.other()))
        .execute(&mut **tx)
        .await?;
    }
    sqlx::query(
        "INSERT INTO game_tallies (game, first_won, drawn, second_won, plies) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (game) DO UPDATE SET first_won = game_tallies.first_won + excluded.first_won,
            drawn = game_tallies.drawn + excluded.drawn, second_won = game_tallies.second_won + excluded.second_won,
            plies = game_tallies.plies + excluded.plies",
    )
    .bind(&result.game)
    .bind(won_by(Side::First))
    .bind(drawn)
    .bind(won_by(Side::Second))
    .bind(result.plies)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Updates the ratings, the rating history and the rating changes in the match's row.
async fn count_rating(
    tx: &mut Tx,
    id: &MatchId,
    result: &ResultRecord,
    winner: Option<Side>,
    ordinal: i64,
    rate: RateFn,
) -> Result<(), StoreError> {
    let players = BySide::new(result.first_id.as_str(), result.second_id.as_str());
    let mut before: BySide<Option<Rating>> = BySide::default();
    for side in Side::ALL {
        let row: Option<RatingRecord> = sqlx::query_as(select_ratings!(
            "WHERE player_id = $1 AND game = $2 AND speed = $3"
        ))
        .bind(players[side])
        .bind(&result.game)
        .bind(&result.speed)
        .fetch_optional(&mut **tx)
        .await?;
        before[side] = row
            .map(RatingRow::try_from)
            .transpose()?
            .map(|row| row.rating);
    }

    let weight = rating::weight(earlier_of_pair(tx, result).await?);
    let after = rate(before, winner, weight, result.finished_ms);
    for side in Side::ALL {
        let seat = RatedSeat {
            side,
            player: players[side],
            opponent: players[side.other()],
            before: before[side],
            after: after[side],
            won: winner.map(|winner| winner == side),
        };
        // Must run before the history has a row for this match.
        let opponents = new_opponents(tx, result, &seat).await?;
        write_rating(tx, result, &seat, opponents).await?;
        write_history(tx, id, result, ordinal, &seat).await?;
    }

    write_changes(tx, id, before, after, Some(weight)).await
}

/// Returns the number of counted rated matches of this pair in this game that ended less than [`PAIR_WINDOW_MS`] before this one.
async fn earlier_of_pair(tx: &mut Tx, result: &ResultRecord) -> Result<u32, StoreError> {
    let earlier: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM rating_history
        WHERE player_id = $1 AND opponent_id = $2 AND game = $3 AND at_ms > $4",
    )
    .bind(&result.first_id)
    .bind(&result.second_id)
    .bind(&result.game)
    .bind(result.finished_ms.saturating_sub(PAIR_WINDOW_MS))
    .fetch_one(&mut **tx)
    .await?;
    number("number of matches", earlier)
}

/// Returns 1 if the opponent is a person or a bot account that the player has not met before in this game at this speed, else 0.
async fn new_opponents(
    tx: &mut Tx,
    result: &ResultRecord,
    seat: &RatedSeat<'_>,
) -> Result<i64, StoreError> {
    let new = sqlx::query_scalar(
        "SELECT count(*) FROM players p WHERE p.id = $2 AND p.level IS NULL AND NOT EXISTS (
            SELECT 1 FROM rating_history h
            WHERE h.player_id = $1 AND h.opponent_id = $2 AND h.game = $3 AND h.speed = $4)",
    )
    .bind(seat.player)
    .bind(seat.opponent)
    .bind(&result.game)
    .bind(&result.speed)
    .fetch_one(&mut **tx)
    .await?;
    Ok(new)
}

/// Writes the rating changes into the row of the match.
pub(super) async fn write_changes(
    tx: &mut Tx,
    id: &MatchId,
    before: BySide<Option<Rating>>,
    after: BySide<Rating>,
    weight: Option<f64>,
) -> Result<(), StoreError> {
    let change =
        |side: Side| after[side].rating - before[side].map_or(START_RATING, |before| before.rating);
    sqlx::query(
        "UPDATE matches SET first_change = $2, second_change = $3, rating_weight = $4 WHERE id = $1",
    )
    .bind(id.as_str())
    .bind(change(Side::First))
    .bind(change(Side::Second))
    .bind(weight)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The change of one player's rating by a match.
pub(super) struct RatedSeat<'a> {
    pub(super) side: Side,
    pub(super) player: &'a str,
    pub(super) opponent: &'a str,
    pub(super) before: Option<Rating>,
    pub(super) after: Rating,
    /// `None` for a draw.
    pub(super) won: Option<bool>,
}

async fn write_rating(
    tx: &mut Tx,
    result: &ResultRecord,
    seat: &RatedSeat<'_>,
    new_opponents: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO ratings (player_id, game, speed, rating, deviation, volatility, updated_ms,
            won, drawn, lost, opponents)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (player_id, game, speed) DO UPDATE SET rating = excluded.rating,
            deviation = excluded.deviation, volatility = excluded.volatility, updated_ms = excluded.updated_ms,
            won = ratings.won + excluded.won, drawn = ratings.drawn + excluded.drawn,
            lost = ratings.lost + excluded.lost, opponents = ratings.opponents + excluded.opponents",
    )
    .bind(seat.player)
    .bind(&result.game)
    .bind(&result.speed)
    .bind(seat.after.rating)
    .bind(seat.after.deviation)
    .bind(seat.after.volatility)
    // For a match without weight this is the time of the previous change.
    .bind(seat.after.updated_ms.unwrap_or(result.finished_ms))
    .bind(i64::from(seat.won == Some(true)))
    .bind(i64::from(seat.won.is_none()))
    .bind(i64::from(seat.won == Some(false)))
    .bind(new_opponents)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn write_history(
    tx: &mut Tx,
    id: &MatchId,
    result: &ResultRecord,
    ordinal: i64,
    seat: &RatedSeat<'_>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO rating_history (match_id, side, player_id, opponent_id, game, speed, score,
            rating_before, deviation_before, volatility_before,
            rating_after, deviation_after, volatility_after, at_ms, ordinal)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(id.as_str())
    .bind(seat.side.text())
    .bind(seat.player)
    .bind(seat.opponent)
    .bind(&result.game)
    .bind(&result.speed)
    .bind(seat.won.map_or(0.5, |won| if won { 1.0 } else { 0.0 }))
    .bind(seat.before.map(|before| before.rating))
    .bind(seat.before.map(|before| before.deviation))
    .bind(seat.before.map(|before| before.volatility))
    .bind(seat.after.rating)
    .bind(seat.after.deviation)
    .bind(seat.after.volatility)
    .bind(result.finished_ms)
    .bind(ordinal)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
