//! All ratings and tallies at once, and corrections of them.

use async_trait::async_trait;
use mawe_rules::{GameKind, Side};
use mawe_wire::ids::PlayerId;

use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin_alone, commit};
use super::counting::{RatedSeat, write_changes, write_history};
use crate::detached::{LONG_WRITE_LIMIT, detached_within};
use crate::rows::{
    OfPlayer, OpponentTallyRecord, RatingRecord, ResultRecord, SideTallyRecord, Stored, id, int,
    parsed,
};
use crate::{
    Attribution, Corrections, NewAudit, RatedMatch, Recounts, Standings, StoreError, Tallies, Tally,
};

#[async_trait]
impl Recounts for Backend {
    async fn standings(&self) -> Result<Standings, StoreError> {
        let ratings: Vec<OfPlayer<RatingRecord>> = sqlx::query_as(
            "SELECT player_id AS of_player, game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents
            FROM ratings ORDER BY player_id, game, speed",
        )
        .fetch_all(self.slow_reader())
        .await?;
        let tallies: Vec<OfPlayer<SideTallyRecord>> = sqlx::query_as(
            "SELECT player_id AS of_player, game, side, won, drawn, lost, plies FROM tallies ORDER BY player_id, game, side",
        )
        .fetch_all(self.slow_reader())
        .await?;
        let pairs: Vec<OfPlayer<OfOpponent>> = sqlx::query_as(
            "SELECT player_id AS of_player, opponent_id, game, won, drawn, lost FROM head_to_head
            ORDER BY player_id, opponent_id, game",
        )
        .fetch_all(self.slow_reader())
        .await?;
        let games = self.game_tallies().await?;
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

    async fn correct(
        &self,
        corrections: &Corrections,
        attribution: &Attribution,
    ) -> Result<bool, StoreError> {
        let (writer, corrections) = (self.writer().clone(), corrections.clone());
        let attribution = attribution.clone();
        detached_within(LONG_WRITE_LIMIT, async move {
            let mut tx = begin_alone(&writer).await?;
            // Locks the counter against concurrent counting. If a match was counted first, the corrections are out of date.
            let unmoved =
                sqlx::query("UPDATE counters SET value = $2 WHERE name = 'counted' AND value = $1")
                    .bind(int(corrections.counted))
                    .bind(int(corrections.counted_after))
                    .execute(&mut *tx)
                    .await?;
            if unmoved.rows_affected() == 0 {
                return Ok(false);
            }
            correct_matches(&mut tx, &corrections).await?;
            take_away(&mut tx, &corrections).await?;
            put(&mut tx, &corrections.standings).await?;
            let audit = NewAudit {
                attribution,
                action: "rebuild-ratings",
                about: None,
                match_id: None,
                detail: String::new(),
            };
            insert_audit(&mut tx, &audit).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }
}

async fn correct_matches(tx: &mut Tx, corrections: &Corrections) -> Result<(), StoreError> {
    for (id, finish) in &corrections.ends {
        sqlx::query(
            "UPDATE matches SET winner = $2, reason = $3, score_first = $4, score_second = $5, plies = $6, finished_ms = $7, left_by = $8
            WHERE id = $1",
        )
        .bind(id.as_str())
        .bind(finish.winner.map(Stored::text))
        .bind(&finish.reason)
        .bind(finish.score.map(|score| i64::from(score.first)))
        .bind(finish.score.map(|score| i64::from(score.second)))
        .bind(i64::from(finish.plies))
        .bind(finish.at_ms)
        .bind(finish.left_by.map(Stored::text))
        .execute(&mut **tx)
        .await?;
    }
    for ordinal in &corrections.struck {
        sqlx::query("DELETE FROM rating_history WHERE ordinal = $1")
            .bind(int(*ordinal))
            .execute(&mut **tx)
            .await?;
    }
    for id in &corrections.unrated {
        sqlx::query("UPDATE matches SET first_change = NULL, second_change = NULL, rating_weight = NULL WHERE id = $1")
            .bind(id.as_str())
            .execute(&mut **tx)
            .await?;
    }
    for rated in &corrections.rated {
        correct_rated(tx, rated).await?;
    }
    Ok(())
}

async fn correct_rated(tx: &mut Tx, rated: &RatedMatch) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM rating_history WHERE match_id = $1")
        .bind(rated.match_id.as_str())
        .execute(&mut **tx)
        .await?;
    let result = ResultRecord {
        game: rated.game.text().to_owned(),
        speed: rated.speed.text().to_owned(),
        first_id: rated.players.first.to_string(),
        second_id: rated.players.second.to_string(),
        winner: rated.winner.map(|side| side.text().to_owned()),
        reason: String::new(),
        plies: 0,
        finished_ms: rated.at_ms,
        rated: true,
        voided_ms: None,
        time_control: String::new(),
    };
    for side in Side::ALL {
        let seat = RatedSeat {
            side,
            player: rated.players[side].as_str(),
            opponent: rated.players[side.other()].as_str(),
            before: rated.before[side],
            after: rated.after[side],
            won: rated.winner.map(|winner| winner == side),
        };
        write_history(tx, &rated.match_id, &result, int(rated.ordinal), &seat).await?;
    }
    write_changes(tx, &rated.match_id, rated.before, rated.after, rated.weight).await
}

async fn take_away(tx: &mut Tx, corrections: &Corrections) -> Result<(), StoreError> {
    for (player, game, speed) in &corrections.no_ratings {
        sqlx::query("DELETE FROM ratings WHERE player_id = $1 AND game = $2 AND speed = $3")
            .bind(player.as_str())
            .bind(game.text())
            .bind(speed.text())
            .execute(&mut **tx)
            .await?;
    }
    for (player, game, side) in &corrections.no_tallies {
        sqlx::query("DELETE FROM tallies WHERE player_id = $1 AND game = $2 AND side = $3")
            .bind(player.as_str())
            .bind(game.text())
            .bind(side.text())
            .execute(&mut **tx)
            .await?;
    }
    for (player, opponent, game) in &corrections.no_pairs {
        sqlx::query(
            "DELETE FROM head_to_head WHERE player_id = $1 AND opponent_id = $2 AND game = $3",
        )
        .bind(player.as_str())
        .bind(opponent.as_str())
        .bind(game.text())
        .execute(&mut **tx)
        .await?;
    }
    for game in &corrections.no_games {
        sqlx::query("DELETE FROM game_tallies WHERE game = $1")
            .bind(game.text())
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

async fn put(tx: &mut Tx, standings: &Standings) -> Result<(), StoreError> {
    for (player, row) in &standings.ratings {
        sqlx::query(
            "INSERT INTO ratings (player_id, game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (player_id, game, speed) DO UPDATE SET rating = excluded.rating,
                deviation = excluded.deviation, volatility = excluded.volatility, updated_ms = excluded.updated_ms,
                won = excluded.won, drawn = excluded.drawn, lost = excluded.lost, opponents = excluded.opponents",
        )
        .bind(player.as_str())
        .bind(row.game.text())
        .bind(row.speed.text())
        .bind(row.rating.rating)
        .bind(row.rating.deviation)
        .bind(row.rating.volatility)
        .bind(row.rating.updated_ms.unwrap_or_default())
        .bind(i64::from(row.tally.won))
        .bind(i64::from(row.tally.drawn))
        .bind(i64::from(row.tally.lost))
        .bind(i64::from(row.opponents))
        .execute(&mut **tx)
        .await?;
    }
    for (player, row) in &standings.tallies {
        sqlx::query(
            "INSERT INTO tallies (player_id, game, side, won, drawn, lost, plies) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (player_id, game, side) DO UPDATE SET won = excluded.won, drawn = excluded.drawn,
                lost = excluded.lost, plies = excluded.plies",
        )
        .bind(player.as_str())
        .bind(row.game.text())
        .bind(row.side.text())
        .bind(i64::from(row.tally.won))
        .bind(i64::from(row.tally.drawn))
        .bind(i64::from(row.tally.lost))
        .bind(int(row.plies))
        .execute(&mut **tx)
        .await?;
    }
    for (player, opponent, game, tally) in &standings.head_to_head {
        sqlx::query(
            "INSERT INTO head_to_head (player_id, opponent_id, game, won, drawn, lost) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (player_id, opponent_id, game) DO UPDATE SET won = excluded.won, drawn = excluded.drawn,
                lost = excluded.lost",
        )
        .bind(player.as_str())
        .bind(opponent.as_str())
        .bind(game.text())
        .bind(i64::from(tally.won))
        .bind(i64::from(tally.drawn))
        .bind(i64::from(tally.lost))
        .execute(&mut **tx)
        .await?;
    }
    for row in &standings.games {
        sqlx::query(
            "INSERT INTO game_tallies (game, first_won, drawn, second_won, plies) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (game) DO UPDATE SET first_won = excluded.first_won, drawn = excluded.drawn,
                second_won = excluded.second_won, plies = excluded.plies",
        )
        .bind(row.game.text())
        .bind(int(row.won.first))
        .bind(int(row.drawn))
        .bind(int(row.won.second))
        .bind(int(row.plies))
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
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
