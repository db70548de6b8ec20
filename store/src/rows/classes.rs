//! Rows of classes.

use mawe_wire::clubs::{CardState, ClassRules};
use sqlx_macros::FromRow;

use super::convert::{Stored, number};
use super::players::PlayerRecord;
use crate::{ClassRow, LoginCard, PupilRow, StoreError};

/// The rules of a class.
#[derive(FromRow)]
pub(crate) struct ClassRulesRecord {
    outsiders: bool,
    phrases: bool,
    spectators: bool,
    profiles: bool,
}

impl From<ClassRulesRecord> for ClassRules {
    fn from(row: ClassRulesRecord) -> Self {
        Self {
            outsiders: row.outsiders,
            phrases: row.phrases,
            spectators: row.spectators,
            profiles: row.profiles,
        }
    }
}

/// The rules of a class, and the number of its pupils.
#[derive(FromRow)]
pub(crate) struct ClassRecord {
    #[sqlx(flatten)]
    rules: ClassRulesRecord,
    pupils: i64,
}

impl TryFrom<ClassRecord> for ClassRow {
    type Error = StoreError;

    fn try_from(row: ClassRecord) -> Result<Self, StoreError> {
        Ok(Self {
            rules: row.rules.into(),
            pupils: number("number of pupils", row.pupils)?,
        })
    }
}

/// A pupil with the latest login card.
#[derive(FromRow)]
pub(crate) struct PupilRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    real_name: String,
    pupil_created_ms: i64,
    card_state: Option<String>,
    card_expires_ms: Option<i64>,
    last_login_ms: Option<i64>,
}

impl TryFrom<PupilRecord> for PupilRow {
    type Error = StoreError;

    fn try_from(row: PupilRecord) -> Result<Self, StoreError> {
        let state = row.card_state.as_deref().map(CardState::from_text);
        Ok(Self {
            player: row.player.try_into()?,
            real_name: row.real_name,
            created_ms: row.pupil_created_ms,
            card: state.transpose()?.zip(row.card_expires_ms),
            last_login_ms: row.last_login_ms,
        })
    }
}

/// A login card joined to its account.
#[derive(FromRow)]
pub(crate) struct LoginCardRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    state: String,
    expires_ms: i64,
}

impl TryFrom<LoginCardRecord> for LoginCard {
    type Error = StoreError;

    fn try_from(row: LoginCardRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            state: CardState::from_text(&row.state)?,
            expires_ms: row.expires_ms,
        })
    }
}
