//! Rows of tallies.

use mawe_rules::{BySide, GameKind, Side};
use sqlx_macros::FromRow;

use super::convert::{Stored, number};
use crate::{GameTally, SideTally, StoreError, Tally};

/// The numbers of matches won, drawn and lost.
#[derive(FromRow)]
pub(crate) struct TallyRecord {
    pub(super) won: i64,
    pub(super) drawn: i64,
    pub(super) lost: i64,
}

impl TryFrom<TallyRecord> for Tally {
    type Error = StoreError;

    fn try_from(row: TallyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            won: number("number of matches", row.won)?,
            drawn: number("number of matches", row.drawn)?,
            lost: number("number of matches", row.lost)?,
        })
    }
}

/// A tally at one side of a game.
#[derive(FromRow)]
pub(crate) struct SideTallyRecord {
    game: String,
    side: String,
    #[sqlx(flatten)]
    tally: TallyRecord,
    plies: i64,
}

impl TryFrom<SideTallyRecord> for SideTally {
    type Error = StoreError;

    fn try_from(row: SideTallyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            side: Side::from_text(&row.side)?,
            tally: row.tally.try_into()?,
            plies: number("number of plies", row.plies)?,
        })
    }
}

/// A tally of one game against one opponent.
#[derive(FromRow)]
pub(crate) struct OpponentTallyRecord {
    game: String,
    #[sqlx(flatten)]
    tally: TallyRecord,
}

impl TryFrom<OpponentTallyRecord> for (GameKind, Tally) {
    type Error = StoreError;

    fn try_from(row: OpponentTallyRecord) -> Result<Self, StoreError> {
        Ok((GameKind::from_text(&row.game)?, row.tally.try_into()?))
    }
}

/// A game's tally.
#[derive(FromRow)]
pub(crate) struct GameTallyRecord {
    game: String,
    first_won: i64,
    drawn: i64,
    second_won: i64,
    plies: i64,
}

impl TryFrom<GameTallyRecord> for GameTally {
    type Error = StoreError;

    fn try_from(row: GameTallyRecord) -> Result<Self, StoreError> {
        let matches = |stored| number("number of matches", stored);
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            won: BySide::new(matches(row.first_won)?, matches(row.second_won)?),
            drawn: matches(row.drawn)?,
            plies: number("number of plies", row.plies)?,
        })
    }
}
