//! Rows of pairs of players to review.

use sqlx_macros::FromRow;

use super::convert::number;
use super::players::PlayerRecord;
use crate::{PairToReview, StoreError};

/// A pair.
#[derive(FromRow)]
pub(crate) struct PairToReviewRecord {
    one_id: String,
    one_name: String,
    one_kind: String,
    one_display_name: Option<String>,
    one_created_ms: i64,
    other_id: String,
    other_name: String,
    other_kind: String,
    other_display_name: Option<String>,
    other_created_ms: i64,
    matches: i64,
    won: i64,
    lost: i64,
    one_of: i64,
    other_of: i64,
    only_each_other: bool,
    share_device: bool,
}

impl TryFrom<PairToReviewRecord> for PairToReview {
    type Error = StoreError;

    fn try_from(row: PairToReviewRecord) -> Result<Self, StoreError> {
        let player = |id, name, kind, display_name, player_created_ms| PlayerRecord {
            id,
            name,
            kind,
            level: None,
            display_name,
            avatar: None,
            flag: None,
            player_created_ms,
        };
        let one = player(
            row.one_id,
            row.one_name,
            row.one_kind,
            row.one_display_name,
            row.one_created_ms,
        );
        let other = player(
            row.other_id,
            row.other_name,
            row.other_kind,
            row.other_display_name,
            row.other_created_ms,
        );
        let count = |stored| number("number of matches", stored);
        Ok(Self {
            players: [one.try_into()?, other.try_into()?],
            matches: count(row.matches)?,
            won: [count(row.won)?, count(row.lost)?],
            of: [count(row.one_of)?, count(row.other_of)?],
            only_each_other: row.only_each_other,
            share_device: row.share_device,
        })
    }
}
