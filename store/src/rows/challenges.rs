//! Rows of challenges.

use mawe_rules::{GameKind, Side};
use mawe_wire::DeclineReason;
use sqlx_macros::FromRow;

use super::convert::{Stored, id, number, stored};
use super::matches::{OptionColumns, TimeColumns};
use super::players::PlayerRecord;
use crate::{ChallengeRow, ExtraTime, NewChallenge, Player, StoreError};

/// A challenge joined to its challenger.
#[derive(FromRow)]
pub(crate) struct ChallengeRecord {
    challenge_id: String,
    game: String,
    setup: String,
    side: Option<String>,
    #[sqlx(flatten)]
    time: TimeColumns,
    challenger_extra_ms: i64,
    opponent_extra_ms: i64,
    rated: bool,
    #[sqlx(flatten)]
    options: OptionColumns,
    private: bool,
    to_id: Option<String>,
    listed: bool,
    min_rating: Option<i64>,
    max_rating: Option<i64>,
    created_ms: i64,
    expires_ms: i64,
    match_id: Option<String>,
    cancelled: bool,
    declined: Option<String>,
    #[sqlx(flatten)]
    challenger: PlayerRecord,
}

impl TryFrom<ChallengeRecord> for ChallengeRow {
    type Error = StoreError;

    fn try_from(row: ChallengeRecord) -> Result<Self, StoreError> {
        let challenger = Player::try_from(row.challenger)?;
        Ok(Self {
            offer: NewChallenge {
                id: id("challenge id", row.challenge_id)?,
                challenger: challenger.id.clone(),
                game: GameKind::from_text(&row.game)?,
                setup: row.setup,
                side: row.side.as_deref().map(Side::from_text).transpose()?,
                time_control: row.time.try_into()?,
                extra: ExtraTime {
                    challenger_ms: number("extra time", row.challenger_extra_ms)?,
                    opponent_ms: number("extra time", row.opponent_extra_ms)?,
                },
                rated: row.rated,
                options: row.options.into(),
                private: row.private,
                to: row.to_id.map(|text| id("player id", text)).transpose()?,
                listed: row.listed,
                rating_range: (
                    row.min_rating.map(|r| number("rating", r)).transpose()?,
                    row.max_rating.map(|r| number("rating", r)).transpose()?,
                ),
                created_ms: row.created_ms,
                expires_ms: row.expires_ms,
            },
            challenger,
            match_id: row.match_id.map(|text| id("match id", text)).transpose()?,
            cancelled: row.cancelled,
            declined: row
                .declined
                .as_deref()
                .map(DeclineReason::from_text)
                .transpose()?,
        })
    }
}

stored! {
    DeclineReason "reason to decline",
}
