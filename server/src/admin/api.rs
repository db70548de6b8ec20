//! The requests of the operator, and the answers.

use std::path::PathBuf;

use mawe_rules::{GameKind, Side};
use mawe_store::{Account, AuditRow, InvitationRow, Player, SessionRow, TokenRow};
use mawe_wire::grants::Grant;
use mawe_wire::{PlayerKind, Speed};
use serde::{Deserialize, Serialize};

use crate::clock::unix_ms;
use crate::live::view::timestamp;
pub use crate::metrics::{MatchesStatus, QueuesStatus, SizesStatus, StatusView};
use crate::page::site::Registration;

/// A request of the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Create an account.
    Create(Create),
    /// Show an account.
    Show {
        /// The account's name.
        name: String,
    },
    /// List accounts.
    List(List),
    /// Change an account.
    Change {
        /// The account's name.
        name: String,
        /// The change.
        step: Step,
        /// The reason.
        why: String,
    },
    /// List the sessions and tokens of an account.
    Sessions {
        /// The account's name.
        name: String,
    },
    /// Delete an account.
    Delete {
        /// The account's name.
        name: String,
        /// The reason.
        why: String,
    },
    /// Make an invitation.
    Invite(Invite),
    /// List invitations.
    Invitations(InvitationList),
    /// Revoke an invitation.
    RevokeInvitation {
        /// The invitation's id.
        id: String,
        /// The reason.
        why: String,
    },
    /// End a match.
    CloseMatch {
        /// The match's id.
        id: String,
        /// The side that loses; without one the match is called off.
        loser: Option<Side>,
        /// The reason.
        why: String,
    },
    /// Read the log.
    Audit(AuditPage),
    /// Make rated matches count for nothing.
    VoidMatches(Void),
    /// Count all matches again, and compare.
    CheckRatings,
    /// Count all matches again, and write the result.
    RebuildRatings {
        /// The reason.
        why: String,
    },
    /// Show how the ratings are distributed.
    Distributions,
    /// Delete rows that are no longer needed.
    Prune {
        /// Count the rows without deleting them.
        dry_run: bool,
    },
    /// Show the state of the server.
    Status,
    /// Write a copy of the database while it is in use.
    Backup {
        /// The absolute path of the copy.
        file: PathBuf,
        /// Overwrite an existing file.
        force: bool,
    },
}

/// The matches to make void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Void {
    /// The name of the player.
    pub name: String,
    /// The opponent in these matches; without one, any.
    pub against: Option<String>,
    /// The earliest end of the matches.
    pub since: Option<jiff::Timestamp>,
    /// The end before which the matches ended.
    pub until: Option<jiff::Timestamp>,
    /// The reason.
    pub why: String,
}

/// The result of making matches void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidedView {
    /// The number of matches that became void.
    pub matches: u64,
    /// The result of counting everything again.
    pub recounted: RecountView,
}

/// An account to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Create {
    /// Its name.
    pub name: String,
    /// Its password.
    pub password: String,
    /// Its grants.
    pub grants: Vec<Grant>,
    /// The reason.
    pub why: String,
}

/// An invitation to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invite {
    /// The number of accounts that it makes; 1 by default.
    pub uses: Option<u32>,
    /// The number of days in which it can be used; 14 by default.
    pub days: Option<u32>,
    /// The author's note on its purpose.
    pub note: String,
    /// The reason.
    pub why: String,
}

/// A new invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeInvitation {
    /// Its id, which names it in lists.
    pub id: String,
    /// Its code, which is shown once.
    pub code: String,
    /// The address of the form with the code filled in; a path where the server does not know its own origin.
    pub link: String,
    /// The number of accounts that it makes.
    pub uses: u32,
    /// The time from which it makes none.
    pub expires_at: jiff::Timestamp,
    /// The rule of registration of the server; on an open one nobody needs the invitation.
    pub registration: Registration,
}

/// The invitations to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationList {
    /// The id of the invitation before which the listed ones were made.
    pub before: Option<String>,
    /// The most invitations in the list.
    pub limit: u32,
}

/// An invitation, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationView {
    /// Its id.
    pub id: String,
    /// The author's note on its purpose.
    pub note: String,
    /// The number of accounts that it makes.
    pub uses: u32,
    /// The number of accounts that it has made.
    pub used: u32,
    /// Whether it makes accounts now.
    pub open: bool,
    /// The name of its author, or null for the operator at the console.
    pub created_by: Option<String>,
    /// The time of its creation.
    pub created_at: jiff::Timestamp,
    /// The time from which it makes no account.
    pub expires_at: jiff::Timestamp,
    /// The time at which it was revoked.
    pub revoked_at: Option<jiff::Timestamp>,
}

/// The accounts to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// A part of the name; empty for any.
    pub part: String,
    /// A grant that they have.
    pub grant: Option<Grant>,
    /// Only disabled ones.
    pub disabled: bool,
    /// Guests too.
    pub guests: bool,
    /// The name after which the list begins.
    pub after: Option<String>,
    /// The most accounts in the list.
    pub limit: u32,
}

/// A change of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Nobody can log in to it.
    Disable,
    /// Its owner may log in again.
    Enable,
    /// It gets this name.
    Rename(String),
    /// It gets this password.
    SetPassword(String),
    /// It gets this grant.
    Grant(Grant),
    /// It loses this grant.
    Revoke(Grant),
    /// The session or token with this id ends.
    EndSession(String),
    /// All its sessions and tokens end.
    EndSessions,
}

/// The part of the log to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    /// The name of the player whom the actions concern.
    pub about: Option<String>,
    /// The name of the player who acted.
    pub by: Option<String>,
    /// The number of the line before which the part ends.
    pub before: Option<u64>,
    /// The most lines.
    pub limit: u32,
}

/// An account, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    /// Its id, which never changes.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Guest, account or bot account.
    pub kind: PlayerKind,
    /// Its grants.
    pub grants: Vec<Grant>,
    /// The time of its creation.
    pub created_at: jiff::Timestamp,
    /// The time and the reason of its disabling, if it is disabled.
    pub disabled: Option<DisabledView>,
    /// The time of its deletion, after which only its matches remain.
    pub deleted_at: Option<jiff::Timestamp>,
}

/// The disabling of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledView {
    /// The time.
    pub at: jiff::Timestamp,
    /// The reason.
    pub why: String,
}

/// A session or a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// Its id, which does not authenticate.
    pub id: String,
    /// `session` or `token`.
    pub kind: String,
    /// The browser of a session, or the owner's name for a token.
    pub label: String,
    /// The scopes of a token.
    pub scopes: Option<String>,
    /// The time of its creation.
    pub created_at: jiff::Timestamp,
    /// The time of its last use, to the hour.
    pub last_used_at: Option<jiff::Timestamp>,
    /// The time of its expiry.
    pub expires_at: jiff::Timestamp,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditView {
    /// Its number.
    pub id: u64,
    /// The time.
    pub at: jiff::Timestamp,
    /// The name of the actor, or null for the operator at the console.
    pub by: Option<String>,
    /// The action, as one word.
    pub action: String,
    /// The name of the player concerned.
    pub about: Option<String>,
    /// The id of the match concerned.
    pub match_id: Option<String>,
    /// The details of the action.
    pub detail: String,
    /// The reason.
    pub why: String,
}

/// The end of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedView {
    /// The match's id.
    pub id: String,
    /// The winner; null if the match was called off.
    pub winner: Option<Side>,
    /// The reason of the end, as it is shown.
    pub reason: String,
}

/// The result of counting all matches again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecountView {
    /// The number of matches that were counted.
    pub matches: u64,
    /// The number of rated ones among them.
    pub rated: u64,
    /// The number of finished matches that are not yet counted: they are left out.
    #[serde(rename = "owed")]
    pub uncounted: u64,
    /// The differences to the store, in sentences; the first thousand.
    pub differences: Vec<String>,
    /// The number of differences beyond those.
    #[serde(rename = "untold")]
    pub unlisted: u64,
}

/// The distribution of the ratings of a game and speed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistributionView {
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The number of players with a rated match, without computer opponents.
    pub players: u64,
    /// The number of those whose rating is provisional.
    pub provisional: u64,
    /// The median of the ratings; the lower of the two in the middle.
    pub median: i64,
    /// The bands from the lowest rating to the highest, without gaps.
    pub bands: Vec<BandView>,
}

/// A band of ratings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandView {
    /// The lowest rating in it.
    pub from: i64,
    /// The highest rating in it.
    pub to: i64,
    /// The number of players.
    pub players: u64,
}

/// The numbers of rows that were deleted, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PruneView {
    /// Whether the rows were only counted.
    pub dry_run: bool,
    /// Sessions and tokens that have expired.
    pub sessions: u64,
    /// Challenges and seeks that have expired.
    pub challenges: u64,
    /// Matches that were called off before a move.
    pub matches: u64,
    /// Guests who never finished a match.
    pub guests: u64,
    /// Lines of chat of matches that ended long ago.
    #[serde(default)]
    pub chat_lines: u64,
    /// Pairs of accounts that shared a device more than a year ago.
    pub shared_devices: u64,
    /// Notices of more than 90 days ago.
    #[serde(default)]
    pub notices: u64,
}

/// A backup that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupView {
    /// The path of the file.
    pub file: PathBuf,
    /// The size of the file, in bytes.
    pub size_bytes: u64,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> AccountView {
        AccountView {
            id: account.player.id.to_string(),
            name: account.player.name,
            kind: account.player.kind,
            grants: account.grants.iter().collect(),
            created_at: timestamp(account.player.created_ms),
            disabled: account.disabled.map(|disabled| DisabledView {
                at: timestamp(disabled.at_ms),
                why: disabled.why,
            }),
            deleted_at: account.deleted_ms.map(timestamp),
        }
    }
}

impl From<InvitationRow> for InvitationView {
    fn from(row: InvitationRow) -> InvitationView {
        InvitationView {
            open: row.is_open(unix_ms()),
            id: row.id.to_string(),
            note: row.note,
            uses: row.uses,
            used: row.used,
            created_by: row.created_by,
            created_at: timestamp(row.created_ms),
            expires_at: timestamp(row.expires_ms),
            revoked_at: row.revoked_ms.map(timestamp),
        }
    }
}

impl From<SessionRow> for SessionView {
    fn from(row: SessionRow) -> SessionView {
        SessionView {
            id: crate::identity::sessions::id(&row.hash),
            kind: "session".to_owned(),
            label: row.label,
            scopes: None,
            created_at: timestamp(row.created_ms),
            last_used_at: Some(timestamp(row.last_used_ms)),
            expires_at: timestamp(row.expires_ms),
        }
    }
}

impl From<TokenRow> for SessionView {
    fn from(row: TokenRow) -> SessionView {
        SessionView {
            id: row.id.to_string(),
            kind: "token".to_owned(),
            label: row.name,
            scopes: Some(row.scopes.to_string()),
            created_at: timestamp(row.created_ms),
            last_used_at: row.last_used_ms.map(timestamp),
            expires_at: timestamp(row.expires_ms),
        }
    }
}

impl From<AuditRow> for AuditView {
    fn from(row: AuditRow) -> AuditView {
        let name = |player: Player| player.name;
        AuditView {
            id: row.id,
            at: timestamp(row.at_ms),
            by: row.actor.map(name),
            action: row.action,
            about: row.about.map(name),
            match_id: row.match_id.map(|id| id.to_string()),
            detail: row.detail,
            why: row.why,
        }
    }
}
