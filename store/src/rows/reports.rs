//! Rows of reports.

use mawe_wire::chat::ChatRoom;
use mawe_wire::reports::{ReportReason, Resolution};
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number, stored};
use super::players::PlayerRecord;
use crate::{Appeal, AppealEnd, Player, PlayerName, ReportRow, ReportedClub, Resolved, StoreError};

/// A report.
#[derive(FromRow)]
pub(crate) struct ReportRecord {
    report_id: String,
    reason: String,
    text: String,
    match_id: Option<String>,
    chat_room: Option<String>,
    chat_number: Option<i64>,
    club_name: Option<String>,
    club_handle: Option<String>,
    report_created_ms: i64,
    #[sqlx(flatten)]
    reported: PlayerRecord,
    reporter_id: String,
    reporter_name: String,
    reporter_kind: String,
    reporter_display_name: Option<String>,
    reporter_created_ms: i64,
    open_about: i64,
    taken_by: Option<String>,
    taken_name: Option<String>,
    taken_ms: Option<i64>,
    resolved_by: Option<String>,
    resolved_name: Option<String>,
    resolved_ms: Option<i64>,
    resolution: Option<String>,
    why: Option<String>,
    resolved_until_ms: Option<i64>,
    appeal: Option<String>,
    appeal_ms: Option<i64>,
    appeal_by: Option<String>,
    appeal_name: Option<String>,
    appeal_end_ms: Option<i64>,
    appeal_accepted: Option<bool>,
    appeal_note: Option<String>,
}

/// Returns a moderator's id and name.
fn moderator(by: Option<String>, name: Option<String>) -> Result<Option<PlayerName>, StoreError> {
    match (by, name) {
        (Some(by), Some(name)) => Ok(Some(PlayerName {
            id: id("player id", by)?,
            name,
        })),
        _ => Ok(None),
    }
}

impl TryFrom<ReportRecord> for ReportRow {
    type Error = StoreError;

    fn try_from(row: ReportRecord) -> Result<Self, StoreError> {
        let appeal_by = moderator(row.appeal_by, row.appeal_name)?;
        let appeal_end = match (appeal_by, row.appeal_end_ms, row.appeal_accepted) {
            (None, None, None) => None,
            (Some(by), Some(at_ms), Some(is_accepted)) => Some(AppealEnd {
                by,
                at_ms,
                is_accepted,
                note: row.appeal_note.unwrap_or_default(),
            }),
            _ => return Err(damaged("report", "its appeal is half decided")),
        };
        let appeal = row.appeal_ms.map(|at_ms| Appeal {
            text: row.appeal.unwrap_or_default(),
            at_ms,
            end: appeal_end,
        });
        let resolved_by = moderator(row.resolved_by, row.resolved_name)?;
        let resolved = match (resolved_by, row.resolved_ms, row.resolution) {
            (None, None, None) => None,
            (Some(by), Some(at_ms), Some(resolution)) => Some(Resolved {
                by,
                at_ms,
                resolution: Resolution::from_text(&resolution)?,
                why: row.why.unwrap_or_default(),
                until_ms: row.resolved_until_ms,
                appeal,
            }),
            _ => return Err(damaged("report", "it is half resolved")),
        };
        Ok(Self {
            id: id("report id", row.report_id)?,
            reporter: Player::try_from(PlayerRecord {
                id: row.reporter_id,
                name: row.reporter_name,
                kind: row.reporter_kind,
                level: None,
                display_name: row.reporter_display_name,
                avatar: None,
                flag: None,
                player_created_ms: row.reporter_created_ms,
            })?,
            reported: row.reported.try_into()?,
            reason: ReportReason::from_text(&row.reason)?,
            text: row.text,
            match_id: row
                .match_id
                .map(|match_id| id("match id", match_id))
                .transpose()?,
            chat_line: match (row.chat_room, row.chat_number) {
                (Some(room), Some(line)) => Some((
                    ChatRoom::from_text(&room)?,
                    number("number of a line", line)?,
                )),
                _ => None,
            },
            club: row.club_name.map(|name| ReportedClub {
                name,
                handle: row.club_handle,
            }),
            at_ms: row.report_created_ms,
            open_about: number("number of reports", row.open_about)?,
            taken: moderator(row.taken_by, row.taken_name)?.zip(row.taken_ms),
            resolved,
        })
    }
}

stored! {
    ReportReason "reason of a report",
    Resolution "resolution of a report",
}
