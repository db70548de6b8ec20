//! Rows of clubs.

use mawe_wire::clubs::{CardState, ClubAction, ClubKind, ClubStanding, Joining};
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number, stored};
use super::players::PlayerRecord;
use crate::{ClubInvitation, ClubLogRow, ClubMember, ClubOf, ClubRequest, ClubRow, StoreError};

stored! {
    ClubKind "kind of club",
    Joining "way to join a club",
    ClubAction "action in a club",
    CardState "state of a login card",
}

/// A club joined to its founder.
#[derive(FromRow)]
pub(crate) struct ClubRecord {
    club_id: String,
    handle: String,
    club_kind: String,
    club_name: String,
    joining: String,
    descriptions: String,
    banner: String,
    members: i64,
    club_created_ms: i64,
    #[sqlx(flatten)]
    founder: PlayerRecord,
}

impl TryFrom<ClubRecord> for ClubRow {
    type Error = StoreError;

    fn try_from(row: ClubRecord) -> Result<Self, StoreError> {
        let descriptions = serde_json::from_str(&row.descriptions)
            .map_err(|error| damaged("club", &error.to_string()))?;
        Ok(Self {
            id: id("club id", row.club_id)?,
            handle: row.handle,
            kind: ClubKind::from_text(&row.club_kind)?,
            name: row.club_name,
            joining: Joining::from_text(&row.joining)?,
            descriptions,
            banner: row.banner,
            members: number("number of members", row.members)?,
            founder: row.founder.try_into()?,
            created_ms: row.club_created_ms,
        })
    }
}

/// A club of a player's list.
#[derive(FromRow)]
pub(crate) struct ClubOfRecord {
    #[sqlx(flatten)]
    club: ClubRecord,
    since_ms: i64,
    officer: bool,
}

impl ClubOfRecord {
    /// Returns the club with this standing of the player, or with that of an officer.
    pub(crate) fn into_club(self, standing: ClubStanding) -> Result<ClubOf, StoreError> {
        Ok(ClubOf {
            club: self.club.try_into()?,
            standing: if self.officer {
                ClubStanding::Officer
            } else {
                standing
            },
            since_ms: self.since_ms,
        })
    }
}

/// The rows of a player at a club.
#[derive(FromRow)]
pub(crate) struct StandingRecord {
    officer: Option<bool>,
    invited: bool,
    requested: bool,
}

impl From<StandingRecord> for ClubStanding {
    fn from(row: StandingRecord) -> Self {
        match row.officer {
            Some(true) => ClubStanding::Officer,
            Some(false) => ClubStanding::Member,
            None if row.invited => ClubStanding::Invited,
            None if row.requested => ClubStanding::Requested,
            None => ClubStanding::None,
        }
    }
}

/// A member.
#[derive(FromRow)]
pub(crate) struct ClubMemberRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    officer: bool,
    since_ms: i64,
    blocked_by: bool,
    pupil: bool,
}

impl TryFrom<ClubMemberRecord> for ClubMember {
    type Error = StoreError;

    fn try_from(row: ClubMemberRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            officer: row.officer,
            since_ms: row.since_ms,
            blocked_by: row.blocked_by,
            pupil: row.pupil,
        })
    }
}

/// A request to join.
#[derive(FromRow)]
pub(crate) struct ClubRequestRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    line: String,
    since_ms: i64,
}

impl TryFrom<ClubRequestRecord> for ClubRequest {
    type Error = StoreError;

    fn try_from(row: ClubRequestRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            line: row.line,
            since_ms: row.since_ms,
        })
    }
}

/// An invitation.
#[derive(FromRow)]
pub(crate) struct ClubInvitationRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    by_name: String,
    since_ms: i64,
}

impl TryFrom<ClubInvitationRecord> for ClubInvitation {
    type Error = StoreError;

    fn try_from(row: ClubInvitationRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            by: row.by_name,
            since_ms: row.since_ms,
        })
    }
}

/// An entry of the log.
#[derive(FromRow)]
pub(crate) struct ClubLogRecord {
    number: i64,
    at_ms: i64,
    actor: Option<String>,
    action: String,
    about: Option<String>,
    detail: String,
}

impl TryFrom<ClubLogRecord> for ClubLogRow {
    type Error = StoreError;

    fn try_from(row: ClubLogRecord) -> Result<Self, StoreError> {
        Ok(Self {
            number: number("number of an entry", row.number)?,
            at_ms: row.at_ms,
            actor: row.actor,
            action: ClubAction::from_text(&row.action)?,
            about: row.about,
            detail: row.detail,
        })
    }
}
