//! Rows of matches and their journals.

use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::{MatchOptions, Speed, TimeControl};
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, int, number};
use super::players::PlayerRecord;
use crate::{MatchRow, StoreError};

/// A match joined to its two players.
#[derive(FromRow)]
pub(crate) struct MatchRecord {
    id: String,
    game: String,
    setup: String,
    rated: bool,
    #[sqlx(flatten)]
    time: TimeColumns,
    speed: String,
    first_extra_ms: i64,
    second_extra_ms: i64,
    berserk: bool,
    #[sqlx(flatten)]
    options: OptionColumns,
    private: bool,
    first_id: String,
    first_name: String,
    first_kind: String,
    first_level: Option<i64>,
    first_display_name: Option<String>,
    first_avatar: Option<String>,
    first_flag: Option<String>,
    first_created_ms: i64,
    second_id: String,
    second_name: String,
    second_kind: String,
    second_level: Option<i64>,
    second_display_name: Option<String>,
    second_avatar: Option<String>,
    second_flag: Option<String>,
    second_created_ms: i64,
    first_rating: Option<f64>,
    first_deviation: Option<f64>,
    second_rating: Option<f64>,
    second_deviation: Option<f64>,
    first_change: Option<f64>,
    second_change: Option<f64>,
    created_ms: i64,
    finished_ms: Option<i64>,
    winner: Option<String>,
    reason: Option<String>,
    score_first: Option<i64>,
    score_second: Option<i64>,
    plies: Option<i64>,
    uncounted: bool,
    left_by: Option<String>,
    rating_weight: Option<f64>,
    voided_ms: Option<i64>,
    head: i64,
    epoch: i64,
}

impl TryFrom<MatchRecord> for MatchRow {
    type Error = StoreError;

    fn try_from(row: MatchRecord) -> Result<Self, StoreError> {
        let first = PlayerRecord {
            id: row.first_id,
            name: row.first_name,
            kind: row.first_kind,
            level: row.first_level,
            display_name: row.first_display_name,
            avatar: row.first_avatar,
            flag: row.first_flag,
            player_created_ms: row.first_created_ms,
        };
        let second = PlayerRecord {
            id: row.second_id,
            name: row.second_name,
            kind: row.second_kind,
            level: row.second_level,
            display_name: row.second_display_name,
            avatar: row.second_avatar,
            flag: row.second_flag,
            player_created_ms: row.second_created_ms,
        };
        let finish = match (row.finished_ms, row.reason, row.plies) {
            (None, None, None) => None,
            (Some(at_ms), Some(reason), Some(plies)) => Some(Finish {
                winner: row.winner.as_deref().map(Side::from_text).transpose()?,
                reason,
                score: match (row.score_first, row.score_second) {
                    (Some(first), Some(second)) => Some(BySide::new(
                        number("score", first)?,
                        number("score", second)?,
                    )),
                    _ => None,
                },
                at_ms,
                plies: number("number of plies", plies)?,
                uncounted: row.uncounted,
                left_by: row.left_by.as_deref().map(Side::from_text).transpose()?,
            }),
            _ => return Err(damaged("match", "it is half finished")),
        };
        Ok(Self {
            id: id("match id", row.id)?,
            game: GameKind::from_text(&row.game)?,
            setup: row.setup,
            rated: row.rated,
            time_control: row.time.try_into()?,
            speed: Speed::from_text(&row.speed)?,
            extra_ms: BySide::new(
                number("extra time", row.first_extra_ms)?,
                number("extra time", row.second_extra_ms)?,
            ),
            options: MatchOptions {
                berserk: row.berserk,
                ..row.options.into()
            },
            private: row.private,
            players: BySide::new(first.try_into()?, second.try_into()?),
            ratings: BySide::new(
                row.first_rating.zip(row.first_deviation),
                row.second_rating.zip(row.second_deviation),
            ),
            rating_changes: BySide::new(row.first_change, row.second_change),
            rating_weight: row.rating_weight,
            voided_ms: row.voided_ms,
            created_ms: row.created_ms,
            finish,
            head: number("head", row.head)?,
            epoch: number("epoch", row.epoch)?,
        })
    }
}

/// The columns of a finished match that counting needs.
#[derive(FromRow)]
pub(crate) struct ResultRecord {
    pub(crate) game: String,
    pub(crate) speed: String,
    pub(crate) first_id: String,
    pub(crate) second_id: String,
    pub(crate) winner: Option<String>,
    pub(crate) reason: String,
    pub(crate) plies: i64,
    pub(crate) finished_ms: i64,
    pub(crate) rated: bool,
    pub(crate) voided_ms: Option<i64>,
    pub(crate) time_control: String,
}

/// An entry.
#[derive(FromRow)]
pub(crate) struct EntryRecord {
    seq: i64,
    epoch: i64,
    kind: String,
    payload: String,
    client_id: Option<String>,
    at_ms: i64,
}

impl TryFrom<EntryRecord> for StoredEntry {
    type Error = StoreError;

    fn try_from(row: EntryRecord) -> Result<Self, StoreError> {
        Ok(Self {
            seq: number("seq", row.seq)?,
            epoch: number("epoch", row.epoch)?,
            kind: row.kind,
            payload: row.payload,
            client_id: row.client_id,
            at_ms: row.at_ms,
        })
    }
}

/// A time control in its four columns.
#[derive(FromRow)]
pub(crate) struct TimeColumns {
    pub(crate) time_control: String,
    pub(crate) base_ms: Option<i64>,
    pub(crate) increment_ms: Option<i64>,
    pub(crate) days: Option<i64>,
}

impl From<TimeControl> for TimeColumns {
    fn from(control: TimeControl) -> Self {
        let columns = |kind: &str| Self {
            time_control: kind.to_owned(),
            base_ms: None,
            increment_ms: None,
            days: None,
        };
        match control {
            TimeControl::Realtime {
                base_ms,
                increment_ms,
            } => Self {
                base_ms: Some(int(base_ms)),
                increment_ms: Some(int(increment_ms)),
                ..columns("realtime")
            },
            TimeControl::Correspondence { days } => Self {
                days: Some(days.into()),
                ..columns("correspondence")
            },
            TimeControl::Unlimited => columns("unlimited"),
        }
    }
}

impl TryFrom<TimeColumns> for TimeControl {
    type Error = StoreError;

    fn try_from(row: TimeColumns) -> Result<Self, StoreError> {
        match (row.time_control.as_str(), row.base_ms, row.increment_ms) {
            ("realtime", Some(base_ms), Some(increment_ms)) => Ok(Self::Realtime {
                base_ms: number("base_ms", base_ms)?,
                increment_ms: number("increment_ms", increment_ms)?,
            }),
            ("correspondence", ..) => match row.days {
                Some(days) => Ok(Self::Correspondence {
                    days: number("days", days)?,
                }),
                None => Err(damaged("time control", "correspondence without days")),
            },
            ("unlimited", ..) => Ok(Self::Unlimited),
            (kind, ..) => Err(damaged("time control", kind)),
        }
    }
}

/// Match options in their columns, but for the one that a challenge does not have.
#[derive(FromRow)]
pub(crate) struct OptionColumns {
    takebacks: bool,
    give_time: bool,
    phrases: bool,
    free_takebacks: bool,
}

impl From<OptionColumns> for MatchOptions {
    fn from(row: OptionColumns) -> Self {
        Self {
            takebacks: row.takebacks,
            give_time: row.give_time,
            phrases: row.phrases,
            free_takebacks: row.free_takebacks,
            berserk: false,
        }
    }
}
