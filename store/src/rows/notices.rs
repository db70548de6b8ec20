//! Rows of notices.

use mawe_wire::{NoticeAbout, NoticeKind};
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, stored};
use super::players::PlayerRecord;
use crate::{NoticeRow, Player, StoreError};

/// A notice joined to the other player, if there is one.
#[derive(FromRow)]
pub(crate) struct NoticeRecord {
    notice_id: String,
    notice_player_id: String,
    notice_kind: String,
    text: String,
    until_ms: Option<i64>,
    notice_created_ms: i64,
    data: Option<String>,
    read_ms: Option<i64>,
    id: Option<String>,
    name: Option<String>,
    kind: Option<String>,
    level: Option<i64>,
    display_name: Option<String>,
    avatar: Option<String>,
    flag: Option<String>,
    player_created_ms: Option<i64>,
}

impl TryFrom<NoticeRecord> for NoticeRow {
    type Error = StoreError;

    fn try_from(row: NoticeRecord) -> Result<Self, StoreError> {
        let by = match (row.id, row.name, row.kind, row.player_created_ms) {
            (Some(id), Some(name), Some(kind), Some(player_created_ms)) => {
                Some(Player::try_from(PlayerRecord {
                    id,
                    name,
                    kind,
                    level: row.level,
                    display_name: row.display_name,
                    avatar: row.avatar,
                    flag: row.flag,
                    player_created_ms,
                })?)
            }
            _ => None,
        };
        let about = match &row.data {
            Some(data) => {
                serde_json::from_str(data).map_err(|error| damaged("notice", &error.to_string()))?
            }
            None => NoticeAbout::default(),
        };
        Ok(Self {
            id: id("notice id", row.notice_id)?,
            player: id("player id", row.notice_player_id)?,
            kind: NoticeKind::from_text(&row.notice_kind)?,
            text: row.text,
            until_ms: row.until_ms,
            at_ms: row.notice_created_ms,
            read: row.read_ms.is_some(),
            by,
            about,
        })
    }
}

stored! {
    NoticeKind "kind of notice",
}
