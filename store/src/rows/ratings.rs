//! Rows of ratings.

use mawe_play::rating::Rating;
use mawe_rules::{GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::ids::PlayerId;
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number};
use super::players::PlayerRecord;
use super::tallies::TallyRecord;
use crate::{LeaderboardRow, PlacedSeed, RatingChange, RatingCount, RatingRow, Seed, StoreError};

/// A rating and record.
#[derive(FromRow)]
pub(crate) struct RatingRecord {
    game: String,
    speed: String,
    rating: f64,
    deviation: f64,
    volatility: f64,
    updated_ms: i64,
    won: i64,
    drawn: i64,
    lost: i64,
    opponents: i64,
}

impl TryFrom<RatingRecord> for RatingRow {
    type Error = StoreError;

    fn try_from(row: RatingRecord) -> Result<Self, StoreError> {
        let rating = Rating {
            rating: row.rating,
            deviation: row.deviation,
            volatility: row.volatility,
            updated_ms: Some(row.updated_ms),
        };
        let tally = TallyRecord {
            won: row.won,
            drawn: row.drawn,
            lost: row.lost,
        };
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            speed: Speed::from_text(&row.speed)?,
            rating,
            tally: tally.try_into()?,
            opponents: number("number of opponents", row.opponents)?,
        })
    }
}

/// A rating that was set for a computer opponent.
#[derive(FromRow)]
pub(crate) struct SeedRecord {
    player_id: String,
    game: String,
    speed: String,
    rating: f64,
    deviation: f64,
    volatility: f64,
    ordinal: i64,
    at_ms: i64,
}

impl TryFrom<SeedRecord> for PlacedSeed {
    type Error = StoreError;

    fn try_from(row: SeedRecord) -> Result<Self, StoreError> {
        Ok(Self {
            seed: Seed {
                player: id("player id", row.player_id)?,
                game: GameKind::from_text(&row.game)?,
                speed: Speed::from_text(&row.speed)?,
                rating: row.rating,
                deviation: row.deviation,
                volatility: row.volatility,
            },
            ordinal: number("seed", row.ordinal)?,
            at_ms: row.at_ms,
        })
    }
}

/// A rating change joined to the opponent.
#[derive(FromRow)]
pub(crate) struct ChangeRecord {
    ordinal: i64,
    match_id: String,
    side: String,
    player_id: String,
    game: String,
    speed: String,
    score: f64,
    rating_before: Option<f64>,
    deviation_before: Option<f64>,
    volatility_before: Option<f64>,
    rating_after: f64,
    deviation_after: f64,
    volatility_after: f64,
    at_ms: i64,
    #[sqlx(flatten)]
    opponent: PlayerRecord,
}

impl TryFrom<ChangeRecord> for RatingChange {
    type Error = StoreError;

    fn try_from(row: ChangeRecord) -> Result<Self, StoreError> {
        let before = match (
            row.rating_before,
            row.deviation_before,
            row.volatility_before,
        ) {
            (Some(rating), Some(deviation), Some(volatility)) => Some(Rating {
                rating,
                deviation,
                volatility,
                updated_ms: None,
            }),
            _ => None,
        };
        let won = match row.score {
            1.0 => Some(true),
            0.5 => None,
            0.0 => Some(false),
            score => return Err(damaged("score", &score.to_string())),
        };
        Ok(Self {
            ordinal: number("ordinal", row.ordinal)?,
            match_id: id("match id", row.match_id)?,
            side: Side::from_text(&row.side)?,
            player: id("player id", row.player_id)?,
            opponent: row.opponent.try_into()?,
            game: GameKind::from_text(&row.game)?,
            speed: Speed::from_text(&row.speed)?,
            won,
            before,
            after: Rating {
                rating: row.rating_after,
                deviation: row.deviation_after,
                volatility: row.volatility_after,
                updated_ms: Some(row.at_ms),
            },
            at_ms: row.at_ms,
        })
    }
}

/// A line of a leaderboard.
#[derive(FromRow)]
pub(crate) struct LeaderboardRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    #[sqlx(flatten)]
    row: RatingRecord,
}

impl TryFrom<LeaderboardRecord> for LeaderboardRow {
    type Error = StoreError;

    fn try_from(record: LeaderboardRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: record.player.try_into()?,
            row: record.row.try_into()?,
        })
    }
}

/// The players with one rating.
#[derive(FromRow)]
pub(crate) struct RatingCountRecord {
    game: String,
    speed: String,
    rating: i64,
    players: i64,
    provisional: i64,
}

impl TryFrom<RatingCountRecord> for RatingCount {
    type Error = StoreError;

    fn try_from(row: RatingCountRecord) -> Result<Self, StoreError> {
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            speed: Speed::from_text(&row.speed)?,
            rating: row.rating,
            players: number("players", row.players)?,
            provisional: number("provisional", row.provisional)?,
        })
    }
}

/// A row of type `T` with its player.
#[derive(FromRow)]
pub(crate) struct OfPlayer<T> {
    of_player: String,
    #[sqlx(flatten)]
    row: T,
}

impl<T, U> TryFrom<OfPlayer<T>> for (PlayerId, U)
where
    U: TryFrom<T, Error = StoreError>,
{
    type Error = StoreError;

    fn try_from(record: OfPlayer<T>) -> Result<Self, StoreError> {
        Ok((id("player id", record.of_player)?, record.row.try_into()?))
    }
}
