//! What the operator asks, and is told.

use std::path::PathBuf;

use mawe_rules::Side;
use serde::{Deserialize, Serialize};

use crate::grants::Grant;
use crate::protocol::PlayerKind;
use crate::room::view::timestamp;
use crate::store::{Account, AuditRow, Player, SessionRow, TokenRow};

/// What the operator asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Create an account.
    Create(Create),
    /// Show one.
    Show {
        /// Its name, as in all others.
        name: String,
    },
    /// List accounts.
    List(List),
    /// Change one.
    Change {
        /// Which.
        name: String,
        /// How.
        step: Step,
        /// Why.
        why: String,
    },
    /// List the sessions and tokens of an account.
    Sessions {
        /// Whose.
        name: String,
    },
    /// Delete an account.
    Delete {
        /// Which.
        name: String,
        /// Why.
        why: String,
    },
    /// End a match.
    CloseMatch {
        /// Which.
        id: String,
        /// Who loses it; without one it is called off.
        loser: Option<Side>,
        /// Why.
        why: String,
    },
    /// Read the log.
    Audit(AuditPage),
    /// Make rated matches count for nothing.
    VoidMatches(Void),
    /// Count all matches again, and compare.
    CheckRatings,
    /// Count all matches again, and write down what comes out.
    RebuildRatings {
        /// Why.
        why: String,
    },
    /// Delete what nobody needs any more.
    Prune {
        /// Only count it.
        dry_run: bool,
    },
    /// Write a copy of the database while it is in use.
    Backup {
        /// Where to; absolute.
        file: PathBuf,
        /// Also over a file that is there.
        force: bool,
    },
}

/// Which matches to make void.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Void {
    /// Whose.
    pub name: String,
    /// Against this player only.
    pub against: Option<String>,
    /// That ended at this time or later.
    pub since: Option<jiff::Timestamp>,
    /// That ended before this time.
    pub until: Option<jiff::Timestamp>,
    /// Why.
    pub why: String,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidedView {
    /// How many matches count for nothing from now on.
    pub matches: u64,
    /// What was found when everything was counted again.
    pub recounted: RecountView,
}

/// An account to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Create {
    /// What it is called.
    pub name: String,
    /// Its password.
    pub password: String,
    /// What it is granted.
    pub grants: Vec<Grant>,
    /// Why.
    pub why: String,
}

/// Which accounts to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// A part of the name; empty for any.
    pub part: String,
    /// Granted this.
    pub grant: Option<Grant>,
    /// Only disabled ones.
    pub disabled: bool,
    /// Guests too.
    pub guests: bool,
    /// From beyond this name.
    pub after: Option<String>,
    /// So many at most.
    pub limit: u32,
}

/// How an account is changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Nobody gets in.
    Disable,
    /// Its owner may log in again.
    Enable,
    /// It is called this.
    Rename(String),
    /// This is its password.
    SetPassword(String),
    /// It gets this.
    Grant(Grant),
    /// It loses this.
    Revoke(Grant),
    /// The session or token with this id ends.
    EndSession(String),
    /// All its sessions and tokens end.
    EndSessions,
}

/// Which part of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    /// What was done to this player.
    pub about: Option<String>,
    /// What this player did.
    pub by: Option<String>,
    /// From before this line.
    pub before: Option<u64>,
    /// So many lines at most.
    pub limit: u32,
}

/// An account, as the operator is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    /// Its id, which stays.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Guest, account or bot account.
    pub kind: PlayerKind,
    /// What it was granted.
    pub grants: Vec<Grant>,
    /// Since when.
    pub created_at: jiff::Timestamp,
    /// Since when and why nobody gets in.
    pub disabled: Option<DisabledView>,
    /// Since when nothing is left of it but its matches.
    pub deleted_at: Option<jiff::Timestamp>,
}

/// That an account is disabled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledView {
    /// When.
    pub at: jiff::Timestamp,
    /// Why.
    pub why: String,
}

/// A session or a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// Its id, of no use for getting in.
    pub id: String,
    /// `session` or `token`.
    pub kind: String,
    /// Which browser it is, or what its owner calls it.
    pub label: String,
    /// What a token may do.
    pub scopes: Option<String>,
    /// Since when.
    pub created_at: jiff::Timestamp,
    /// When it was last shown, to the hour.
    pub last_used_at: Option<jiff::Timestamp>,
    /// Until when.
    pub expires_at: jiff::Timestamp,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditView {
    /// Its number.
    pub id: u64,
    /// When.
    pub at: jiff::Timestamp,
    /// Who: a name, or null for the operator at the console.
    pub by: Option<String>,
    /// What, in a word.
    pub action: String,
    /// To whom.
    pub about: Option<String>,
    /// To which match.
    pub match_id: Option<String>,
    /// What exactly.
    pub detail: String,
    /// Why.
    pub why: String,
}

/// How a match was ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedView {
    /// Which.
    pub id: String,
    /// Who won; null where it was called off.
    pub winner: Option<Side>,
    /// Why, as it is shown.
    pub reason: String,
}

/// What came of counting all matches again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecountView {
    /// How many matches were counted.
    pub matches: u64,
    /// How many of them were rated.
    pub rated: u64,
    /// How many finished ones are yet to be counted: they are left out.
    pub owed: u64,
    /// What the store has otherwise, in sentences; the first thousand.
    pub differences: Vec<String>,
    /// How many differences there are beyond those.
    pub untold: u64,
}

/// What went, or would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PruneView {
    /// Whether it was only counted.
    pub dry_run: bool,
    /// Sessions and tokens that have expired.
    pub sessions: u64,
    /// Challenges and seeks that have expired.
    pub challenges: u64,
    /// Matches that were called off before a move.
    pub matches: u64,
    /// Guests who never finished a match.
    pub guests: u64,
    /// Accounts that shared a device more than a year ago, by twos.
    pub shared_devices: u64,
}

/// A backup that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupView {
    /// Where.
    pub file: PathBuf,
    /// How large.
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

impl From<SessionRow> for SessionView {
    fn from(row: SessionRow) -> SessionView {
        SessionView {
            id: crate::sessions::id(&row.hash),
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
