//! What is remembered of reports, and of what moderators let players know.

use crate::ids::{MatchId, NoticeId, PlayerId, ReportId};
use crate::protocol::NoticeKind;
use crate::reports::{ReportReason, Resolution};
use crate::store::{Changed, Player};

/// A report to write down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    /// Its id.
    pub id: ReportId,
    /// Who reports.
    pub reporter: PlayerId,
    /// Whom.
    pub reported: PlayerId,
    /// What for.
    pub reason: ReportReason,
    /// In their own words; may be empty.
    pub text: String,
    /// Where it happened.
    pub match_id: Option<MatchId>,
    /// When.
    pub at_ms: i64,
}

/// A report as moderators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// Its id.
    pub id: ReportId,
    /// Who reports.
    pub reporter: Player,
    /// Whom.
    pub reported: Player,
    /// What for.
    pub reason: ReportReason,
    /// In their own words; may be empty.
    pub text: String,
    /// Where it happened.
    pub match_id: Option<MatchId>,
    /// When.
    pub at_ms: i64,
    /// How many reports of the same player are open, this one among them.
    pub open_about: u32,
    /// Which moderator has taken it, and when.
    pub taken: Option<(PlayerName, i64)>,
    /// What became of it.
    pub resolved: Option<Resolved>,
}

/// A moderator, in few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerName {
    /// Who.
    pub id: PlayerId,
    /// What they are called.
    pub name: String,
}

/// What became of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// By whom.
    pub by: PlayerName,
    /// When.
    pub at_ms: i64,
    /// What was done.
    pub resolution: Resolution,
    /// Why, in their words.
    pub why: String,
}

/// Which reports. Both filters hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportFilter {
    /// Of this player.
    pub about: Option<PlayerId>,
    /// Those that are resolved, latest first; otherwise the open ones, oldest first.
    pub resolved: bool,
}

/// Where a page of reports begins: beyond the report with these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportCursor {
    /// When the last one of the page before was made, or, of resolved ones, resolved.
    pub at_ms: i64,
    /// Its id.
    pub id: ReportId,
}

/// What is to be done about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Dismiss,
    /// The player is told.
    Warn,
    /// The player says no phrases until this time; `None` for good.
    Mute(Option<i64>),
    /// Nobody gets into the account until this time; `None` for good.
    Disable(Option<i64>),
    /// The account is called this.
    Rename(String),
}

impl Verdict {
    /// Its word.
    #[must_use]
    pub const fn resolution(&self) -> Resolution {
        match self {
            Verdict::Dismiss => Resolution::Dismiss,
            Verdict::Warn => Resolution::Warn,
            Verdict::Mute(_) => Resolution::Mute,
            Verdict::Disable(_) => Resolution::Disable,
            Verdict::Rename(_) => Resolution::Rename,
        }
    }

    /// What the player is told of it. Of a disabled account nobody reads: its owner is told at the login.
    #[must_use]
    pub const fn notice(&self) -> Option<(NoticeKind, Option<i64>)> {
        match self {
            Verdict::Dismiss | Verdict::Disable(_) => None,
            Verdict::Warn => Some((NoticeKind::Warning, None)),
            Verdict::Mute(until_ms) => Some((NoticeKind::Muted, *until_ms)),
            Verdict::Rename(_) => Some((NoticeKind::Renamed, None)),
        }
    }
}

/// What a verdict has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It is done.
    Done {
        /// What became of the account, where that was changed.
        changed: Option<Box<Changed>>,
        /// What the player is to be told.
        notice: Option<NoticeRow>,
    },
    /// It is resolved already, or not taken by who judges.
    NotTheirs,
}

/// Something that a moderator lets a player know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Its id.
    pub id: NoticeId,
    /// Whom.
    pub player: PlayerId,
    /// What kind.
    pub kind: NoticeKind,
    /// In the moderator's words.
    pub text: String,
    /// Until when it holds, where it ends by itself.
    pub until_ms: Option<i64>,
    /// When.
    pub at_ms: i64,
}
