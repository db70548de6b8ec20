//! Rows of players.

use mawe_play::pairing::penalty::Abandonments;
use mawe_wire::{Avatar, Look, PlayerKind};
use sqlx_macros::FromRow;

use super::convert::{Stored, id, number};
use crate::{Player, StoreError};

/// A player.
#[derive(FromRow)]
pub(crate) struct PlayerRecord {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) level: Option<i64>,
    pub(super) display_name: Option<String>,
    pub(super) avatar: Option<String>,
    pub(super) flag: Option<String>,
    // Renamed, because some joins have more than one `created_ms`.
    pub(super) player_created_ms: i64,
}

impl TryFrom<PlayerRecord> for Player {
    type Error = StoreError;

    fn try_from(row: PlayerRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("player id", row.id)?,
            name: row.name,
            kind: PlayerKind::from_text(&row.kind)?,
            level: row
                .level
                .map(|level| number("bot level", level))
                .transpose()?,
            look: look(row.display_name, row.avatar.as_deref(), row.flag.as_deref()),
            created_ms: row.player_created_ms,
        })
    }
}

/// Parses a stored look. What a later version has added is left out: a player needs no look.
fn look(display_name: Option<String>, avatar: Option<&str>, flag: Option<&str>) -> Look {
    let known = |text: &str| Avatar::ALL.into_iter().find(|one| one.as_str() == text);
    Look {
        display_name,
        avatar: avatar.and_then(known),
        flag: flag.and_then(|text| text.parse().ok()),
    }
}

/// A player who can log in, with the password's hash.
#[derive(FromRow)]
pub(crate) struct CredentialsRecord {
    #[sqlx(flatten)]
    pub(crate) player: PlayerRecord,
    pub(crate) password_hash: String,
}

/// The number of abandonments and call-offs, with the last time of each.
#[derive(FromRow)]
pub(crate) struct AbandonmentsRecord {
    times: i64,
    last_ms: Option<i64>,
    call_offs: i64,
    last_call_off_ms: Option<i64>,
}

impl TryFrom<AbandonmentsRecord> for Abandonments {
    type Error = StoreError;

    fn try_from(row: AbandonmentsRecord) -> Result<Self, StoreError> {
        Ok(Self {
            times: number("number of matches", row.times)?,
            last_ms: row.last_ms,
            call_offs: number("number of matches", row.call_offs)?,
            last_call_off_ms: row.last_call_off_ms,
        })
    }
}
