//! Accounts as operators and moderators see and change them.

use async_trait::async_trait;
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};

use crate::{Attribution, NewPlayer, Player, StoreError};

/// Accounts, as operators and moderators see them.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Returns an account by player id; `None` also for the server's own computer opponents.
    async fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError>;

    /// Returns a page of accounts by name, after the name `after` if given.
    async fn accounts(
        &self,
        filter: &AccountFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError>;

    /// Creates an account and writes an audit log entry, in one transaction.
    ///
    /// # Errors
    /// As [`Players::create_player`](crate::Players::create_player).
    async fn create_account(
        &self,
        new: &NewPlayer,
        attribution: &Attribution,
    ) -> Result<(), StoreError>;

    /// Changes an account and writes an audit log entry, in one transaction. A change that has no effect writes nothing, neither to the
    /// account nor to the log.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the account does not exist, or has no such session or token; [`StoreError::Conflict`] when the name is
    /// taken, the account is deleted or has no display name to remove, an account to delete has a running match, the change does not apply to guests, or an account with
    /// matches would become a bot account or cease to be one.
    async fn change_account(
        &self,
        id: &PlayerId,
        change: &AccountChange,
        attribution: &Attribution,
    ) -> Result<Changed, StoreError>;

    /// Enables the accounts whose disabling ends by `now_ms`, and writes audit log entries. Returns their number.
    async fn enable_due(&self, now_ms: i64) -> Result<u64, StoreError>;

    /// Turns an account into a bot account, cancels its open seeks, and removes it from its clubs.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the player is not an account, or has a seat in any match.
    async fn become_bot(&self, player: &PlayerId, now_ms: i64) -> Result<Player, StoreError>;
}

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
    /// its seats in matches. The owner is shown the reason given in the [`Attribution`].
    Disable,
    /// Disables the account until this time, when [`Accounts::enable_due`] enables it.
    DisableUntil(i64),
    /// The account may neither send phrases nor write in chats until this time; `i64::MAX` for good.
    MuteUntil(i64),
    /// The account may not write in chats until this time; `i64::MAX` for good.
    MuteChatUntil(i64),
    /// The owner may log in again.
    Enable,
    /// The account gets this name; the old one becomes free. By the owner's wish it is [`rename_account`](crate::FormerNames::rename_account).
    Rename(String),
    /// The account loses its display name, and gets no other for the length of a period. By the owner's wish it is
    /// [`remove_display_name`](crate::DisplayNames::remove_display_name).
    RemoveDisplayName,
    /// The account gets the password of this hash, and its sessions, recovery codes, passkeys and e-mail address end.
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
            AccountChange::MuteChatUntil(_) => "mute-chat",
            AccountChange::Enable => "enable",
            AccountChange::Rename(_) => "rename",
            AccountChange::RemoveDisplayName => "remove-display-name",
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
