//! Accounts as operators and moderators see and change them, and the audit log.

use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::TokenHash;
use mawe_wire::ids::{MatchId, PlayerId, TokenId};

use crate::Player;

/// An account as shown to operators. Guests and bot accounts have one, the server's own computer opponents do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The player.
    pub player: Player,
    /// The grants.
    pub grants: Grants,
    /// Set while the account is disabled.
    pub disabled: Option<Disabled>,
    /// The time of deletion; a deleted account keeps only its matches.
    pub deleted_ms: Option<i64>,
}

/// The disabling of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// The time.
    pub at_ms: i64,
    /// The reason, as shown to the account's owner.
    pub why: String,
    /// The time until which it lasts; `None` for good.
    pub until_ms: Option<i64>,
}

/// A filter for accounts. All conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountFilter {
    /// A part of the name, case-insensitive; empty for any name.
    pub name_part: String,
    /// Accounts with this grant.
    pub grant: Option<Grant>,
    /// Only disabled accounts.
    pub disabled: bool,
    /// Whether guests are included.
    pub guests: bool,
}

/// A change of an account.
#[derive(Clone, PartialEq, Eq)]
pub enum AccountChange {
    /// Disables the account until it is enabled again: ends its sessions and tokens, and cancels its open seeks and challenges. It keeps
    /// its seats in matches. The owner is shown the reason given in the [`Deed`].
    Disable,
    /// Disables the account until this time, when [`crate::Store::enable_due`] enables it.
    DisableUntil(i64),
    /// The account may not send phrases until this time; `i64::MAX` for good.
    MuteUntil(i64),
    /// The owner may log in again.
    Enable,
    /// The account gets this name; the old one becomes free.
    Rename(String),
    /// The account gets the password of this hash, and its sessions end.
    SetPassword(String),
    /// The account gets this grant.
    Grant(Grant),
    /// The account loses this grant.
    Revoke(Grant),
    /// Ends this session of the account.
    EndSession(TokenHash),
    /// Ends this token of the account.
    EndToken(TokenId),
    /// Ends all sessions and tokens of the account.
    EndSessions,
    /// Deletes all personal data for good. The account gets this name and cannot log in; its matches stay. It must have no running match.
    Delete(String),
}

impl AccountChange {
    /// Returns the action's code in the audit log.
    #[must_use]
    pub const fn action(&self) -> &'static str {
        match self {
            AccountChange::Disable | AccountChange::DisableUntil(_) => "disable",
            AccountChange::MuteUntil(_) => "mute",
            AccountChange::Enable => "enable",
            AccountChange::Rename(_) => "rename",
            AccountChange::SetPassword(_) => "set-password",
            AccountChange::Grant(_) => "grant",
            AccountChange::Revoke(_) => "revoke",
            AccountChange::EndSession(_) => "end-session",
            AccountChange::EndToken(_) => "end-token",
            AccountChange::EndSessions => "end-sessions",
            AccountChange::Delete(_) => "delete",
        }
    }
}

/// The result of changing an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The account after the change.
    pub account: Account,
    /// The sessions and tokens that ended.
    pub ended: Vec<TokenHash>,
}

/// The author, reason and time of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The moderator; `None` for the operator at the console.
    pub by: Option<PlayerId>,
    /// The moderator's or operator's reason; may be empty.
    pub why: String,
    /// The time.
    pub at_ms: i64,
}

/// An audit log entry to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAudit {
    /// The author, reason and time.
    pub deed: Deed,
    /// The code of the action.
    pub action: &'static str,
    /// The player concerned.
    pub about: Option<PlayerId>,
    /// The match concerned.
    pub match_id: Option<MatchId>,
    /// Details of the action; may be empty.
    pub detail: String,
}

/// An audit log entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// The number of the entry, in the order of the log.
    pub id: u64,
    /// The time.
    pub at_ms: i64,
    /// The moderator; `None` for the operator at the console.
    pub actor: Option<Player>,
    /// The code of the action.
    pub action: String,
    /// The player concerned.
    pub about: Option<Player>,
    /// The match concerned.
    pub match_id: Option<MatchId>,
    /// Details of the action; may be empty.
    pub detail: String,
    /// The moderator's or operator's reason; may be empty.
    pub why: String,
}

/// A filter for audit log entries. Both conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Actions that concern this player.
    pub about: Option<PlayerId>,
    /// Actions of this player.
    pub actor: Option<PlayerId>,
}
