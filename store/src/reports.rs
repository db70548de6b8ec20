//! Reports and verdicts.

use async_trait::async_trait;
use mawe_wire::NoticeKind;
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{ClubId, MatchId, PlayerId, ReportId};
use mawe_wire::reports::{ReportReason, Resolution};

use crate::{Attribution, Changed, NoticeRow, Player, StoreError};

/// Reports about players.
#[async_trait]
pub trait Reports: Send + Sync {
    /// Creates a report.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] while another report by the same reporter about the same player is open.
    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError>;

    /// Finds a report by id.
    async fn report(&self, id: &ReportId) -> Result<Option<ReportRow>, StoreError>;

    /// Returns a page of reports, after `cursor` if given: those that wait for a moderator oldest first, the others latest first.
    async fn reports(
        &self,
        filter: &ReportFilter,
        cursor: Option<&ReportCursor>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError>;

    /// Assigns an open report to a moderator, and writes an audit log entry. Returns `false` when it is not open, or another moderator has
    /// taken it after `stale_ms`.
    async fn take_report(
        &self,
        id: &ReportId,
        attribution: &Attribution,
        stale_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Resolves a report, as the moderator who has taken it: applies the verdict to the account, creates the notices to the player and the reporter, and writes
    /// the audit log entries, in one transaction.
    ///
    /// # Errors
    /// As [`Accounts::change_account`](crate::Accounts::change_account); nothing is changed then.
    async fn resolve_report(
        &self,
        id: &ReportId,
        verdict: &Verdict,
        attribution: &Attribution,
    ) -> Result<Judged, StoreError>;

    /// Returns the latest resolutions about a player that were measures against them, latest first.
    async fn decisions_about(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError>;

    /// Returns the resolution of this kind about a player that was made at this moment.
    async fn decision_at(
        &self,
        player: &PlayerId,
        resolution: Resolution,
        at_ms: i64,
    ) -> Result<Option<ReportRow>, StoreError>;

    /// Stores the appeal of the reported player against the resolution of a report. Returns `false` if there is one already, or the report is
    /// not theirs or without a measure against them.
    async fn create_appeal(
        &self,
        id: &ReportId,
        player: &PlayerId,
        text: &str,
        at_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Decides about an appeal: if it is accepted, ends the measure where no later one of its kind is in force; creates the notices to the
    /// player and to the moderator of the resolution, and writes the audit log entries, in one transaction. The note is the attribution's
    /// reason. Returns `None` when no appeal is open.
    async fn decide_appeal(
        &self,
        id: &ReportId,
        is_accepted: bool,
        attribution: &Attribution,
    ) -> Result<Option<AppealDecided>, StoreError>;

    /// Returns the time until which a player may not send phrases.
    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError>;
}

/// A report to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    /// Its id.
    pub id: ReportId,
    /// The reporter.
    pub reporter: PlayerId,
    /// The reported player.
    pub reported: PlayerId,
    /// The reason.
    pub reason: ReportReason,
    /// The reporter's text; may be empty.
    pub text: String,
    /// The match in question.
    pub match_id: Option<MatchId>,
    /// The line of the chat of that match in question: its room and number.
    pub chat_line: Option<(ChatRoom, u32)>,
    /// The club in question, of which the reported player is an officer, with its name.
    pub club: Option<(ClubId, String)>,
    /// The time of the report.
    pub at_ms: i64,
}

/// A club that was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedClub {
    /// Its name when it was reported.
    pub name: String,
    /// Its handle; `None` if it was closed.
    pub handle: Option<String>,
}

/// A report as shown to moderators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// Its id.
    pub id: ReportId,
    /// The reporter.
    pub reporter: Player,
    /// The reported player.
    pub reported: Player,
    /// The reason.
    pub reason: ReportReason,
    /// The reporter's text; may be empty.
    pub text: String,
    /// The match in question.
    pub match_id: Option<MatchId>,
    /// The line of the chat of that match in question: its room and number.
    pub chat_line: Option<(ChatRoom, u32)>,
    /// The club in question.
    pub club: Option<ReportedClub>,
    /// The time of the report.
    pub at_ms: i64,
    /// The number of open reports about the same player, including this one.
    pub open_about: u32,
    /// The moderator who has taken the report, and the time.
    pub taken: Option<(PlayerName, i64)>,
    /// The resolution; `None` while open.
    pub resolved: Option<Resolved>,
}

/// A moderator's id and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerName {
    /// The player's id.
    pub id: PlayerId,
    /// The player's name.
    pub name: String,
}

/// The resolution of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The moderator.
    pub by: PlayerName,
    /// The time.
    pub at_ms: i64,
    /// The resolution.
    pub resolution: Resolution,
    /// The moderator's explanation.
    pub why: String,
    /// The end of the measure; `None` for good, and where it has none.
    pub until_ms: Option<i64>,
    /// The player's appeal.
    pub appeal: Option<Appeal>,
}

/// A player's appeal against a resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appeal {
    /// The player's objection; empty if their account was deleted.
    pub text: String,
    /// The time.
    pub at_ms: i64,
    /// The decision about it; `None` while it is open.
    pub end: Option<AppealEnd>,
}

/// The decision about an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealEnd {
    /// The moderator.
    pub by: PlayerName,
    /// The time.
    pub at_ms: i64,
    /// Whether the measure was taken back.
    pub is_accepted: bool,
    /// The moderator's answer.
    pub note: String,
}

/// The effects of a decision about an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealDecided {
    /// The change of the account, if any.
    pub changed: Option<Box<Changed>>,
    /// The notice for the player.
    pub notice: Box<NoticeRow>,
}

/// A filter for reports. Both conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportFilter {
    /// Reports about this player.
    pub about: Option<PlayerId>,
    /// The state of the reports.
    pub state: ReportState,
}

/// A state of reports to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReportState {
    /// Open reports, oldest first.
    #[default]
    Open,
    /// Resolved reports, latest first.
    Resolved,
    /// Resolved reports with an open appeal, oldest appeal first.
    Appealed,
    /// Reports with a decided appeal, latest decision first.
    AppealDecided,
}

/// The position after which a page of reports begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportCursor {
    /// The time of the last report of the previous page: of its creation, its resolution, its appeal or the decision about that, by the state.
    pub at_ms: i64,
    /// The id of that report.
    pub id: ReportId,
}

/// A moderator's decision on a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is done.
    Dismiss,
    /// The player gets a warning.
    Warn,
    /// The player may neither send phrases nor write in chats until this time; `None` for good.
    Mute(Option<i64>),
    /// The player may not write in chats until this time; `None` for good.
    MuteChat(Option<i64>),
    /// The account is disabled until this time; `None` for good.
    Disable(Option<i64>),
    /// The account gets this name.
    Rename(String),
    /// The account loses its display name.
    RemoveDisplayName,
}

impl Verdict {
    /// Returns the end of the measure, if it has one.
    #[must_use]
    pub const fn until_ms(&self) -> Option<i64> {
        match self {
            Verdict::Mute(until_ms) | Verdict::MuteChat(until_ms) | Verdict::Disable(until_ms) => {
                *until_ms
            }
            Verdict::Dismiss | Verdict::Warn | Verdict::Rename(_) | Verdict::RemoveDisplayName => {
                None
            }
        }
    }

    /// Returns the resolution to store.
    #[must_use]
    pub const fn resolution(&self) -> Resolution {
        match self {
            Verdict::Dismiss => Resolution::Dismiss,
            Verdict::Warn => Resolution::Warn,
            Verdict::Mute(_) => Resolution::Mute,
            Verdict::MuteChat(_) => Resolution::MuteChat,
            Verdict::Disable(_) => Resolution::Disable,
            Verdict::Rename(_) => Resolution::Rename,
            Verdict::RemoveDisplayName => Resolution::RemoveDisplayName,
        }
    }

    /// Returns the notice for the player. A disabled account gets none, because its owner cannot read it: the login shows the reason
    /// instead.
    #[must_use]
    pub const fn notice(&self) -> Option<(NoticeKind, Option<i64>)> {
        match self {
            Verdict::Dismiss | Verdict::Disable(_) => None,
            Verdict::Warn => Some((NoticeKind::Warning, None)),
            Verdict::Mute(until_ms) => Some((NoticeKind::Muted, *until_ms)),
            Verdict::MuteChat(until_ms) => Some((NoticeKind::ChatMuted, *until_ms)),
            Verdict::Rename(_) => Some((NoticeKind::Renamed, None)),
            Verdict::RemoveDisplayName => Some((NoticeKind::DisplayNameRemoved, None)),
        }
    }
}

/// The result of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// The verdict was applied.
    Done {
        /// The change of the account, if any.
        changed: Option<Box<Changed>>,
        /// The notice for the player, if any.
        notice: Option<Box<NoticeRow>>,
    },
    /// The report is resolved already, or not taken by this moderator.
    NotTheirs,
}
