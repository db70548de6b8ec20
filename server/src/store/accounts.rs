//! What an operator and moderators do about accounts, and the log of it.

use crate::grants::{Grant, Grants};
use crate::ids::{MatchId, PlayerId, TokenId};
use crate::sessions::TokenHash;
use crate::store::Player;

/// An account as operators see it; guests and bot accounts among them, the server's own computer opponents not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Whose.
    pub player: Player,
    /// What it was granted.
    pub grants: Grants,
    /// Since when and why nobody gets in.
    pub disabled: Option<Disabled>,
    /// Since when nothing is left of it but its matches.
    pub deleted_ms: Option<i64>,
}

/// That an account was disabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// When.
    pub at_ms: i64,
    /// Why, as its owner is told.
    pub why: String,
    /// Until when; `None` for good.
    pub until_ms: Option<i64>,
}

/// Which accounts. Every filter holds together with every other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountFilter {
    /// This is part of the name, without regard to case; empty for any.
    pub name_part: String,
    /// It was granted this.
    pub grant: Option<Grant>,
    /// Only disabled ones.
    pub disabled: bool,
    /// Guests too.
    pub guests: bool,
}

/// What is done to an account.
#[derive(Clone, PartialEq, Eq)]
pub enum AccountChange {
    /// Nobody gets in until it is enabled again: its sessions and tokens end, its open seeks and challenges are taken back. Its seats
    /// stay. Its owner is told the reason that the deed gives.
    Disable,
    /// The same until this time, when [`crate::store::Store::enable_due`] enables it.
    DisableUntil(i64),
    /// It says no phrases until this time; the largest for good.
    MuteUntil(i64),
    /// Its owner may log in again.
    Enable,
    /// It is called this from now on; the old name is free.
    Rename(String),
    /// It has the password of this hash from now on, and its sessions end.
    SetPassword(String),
    /// It gets this.
    Grant(Grant),
    /// It loses this.
    Revoke(Grant),
    /// This session of it ends.
    EndSession(TokenHash),
    /// This token of it ends.
    EndToken(TokenId),
    /// All its sessions and tokens end.
    EndSessions,
    /// Everything personal goes, for good: it is called this, nobody gets in, and its matches stay. It must have no running match.
    Delete(String),
}

impl AccountChange {
    /// Its word in the log.
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

/// What became of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// How it is now.
    pub account: Account,
    /// The sessions and tokens that ended.
    pub ended: Vec<TokenHash>,
}

/// By whom something is done, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// Who; `None` for the operator at the console.
    pub by: Option<PlayerId>,
    /// Why, in their words; may be empty.
    pub why: String,
    /// When.
    pub at_ms: i64,
}

/// Something to write into the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAudit {
    /// Who and why.
    pub deed: Deed,
    /// What, in a word.
    pub action: &'static str,
    /// To whom.
    pub about: Option<PlayerId>,
    /// To which match.
    pub match_id: Option<MatchId>,
    /// What exactly; may be empty.
    pub detail: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number: the order of the log.
    pub id: u64,
    /// When.
    pub at_ms: i64,
    /// Who; `None` for the operator at the console.
    pub actor: Option<Player>,
    /// What, in a word.
    pub action: String,
    /// To whom.
    pub about: Option<Player>,
    /// To which match.
    pub match_id: Option<MatchId>,
    /// What exactly; may be empty.
    pub detail: String,
    /// Why, in their words; may be empty.
    pub why: String,
}

/// Which lines of the log. Both filters hold together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// What was done to this player.
    pub about: Option<PlayerId>,
    /// What this player did.
    pub actor: Option<PlayerId>,
}
