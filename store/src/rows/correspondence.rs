//! Rows of conditional moves.

use mawe_play::room::conditional::ConditionalMoves;
use mawe_rules::Side;
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, number};
use crate::StoreError;

/// The conditional moves of a side.
#[derive(FromRow)]
pub(crate) struct ConditionalRecord {
    side: String,
    ply: i64,
    seq: i64,
    lines: String,
}

impl TryFrom<ConditionalRecord> for (Side, ConditionalMoves) {
    type Error = StoreError;

    fn try_from(row: ConditionalRecord) -> Result<Self, StoreError> {
        let lines = serde_json::from_str(&row.lines);
        let moves = ConditionalMoves {
            ply: number("ply", row.ply)?,
            seq: number("seq", row.seq)?,
            lines: lines.map_err(|error| damaged("conditional moves", &error.to_string()))?,
        };
        Ok((Side::from_text(&row.side)?, moves))
    }
}
