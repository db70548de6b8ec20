//! E-mail addresses of accounts, and links by mail with which their owners set a new password.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};

use crate::{Player, StoreError};

/// The time for which the link that confirms an address is good.
pub const CONFIRMATION_MS: i64 = 24 * 60 * 60 * 1_000;

/// The time for which the link that sets a new password is good.
pub const RESET_MS: i64 = 60 * 60 * 1_000;

/// E-mail addresses, and resets of passwords by mail.
///
/// An address counts from its confirmation on, by a link that was sent to it. Several accounts may have the same one. Each account has one link
/// of each kind at most, the newest. The store holds only the SHA-256 of the token in a link.
#[async_trait]
pub trait Emails: Send + Sync {
    /// Returns the addresses of an account.
    async fn email(&self, player: &PlayerId) -> Result<OwnEmail, StoreError>;

    /// Stores an address that waits for its confirmation, in the place of another one that waits.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without a password; [`StoreError::Club`] for a pupil of a class.
    async fn await_email(
        &self,
        player: &PlayerId,
        address: &str,
        link: &NewLink,
    ) -> Result<(), StoreError>;

    /// Uses up a link: its address is the account's from now on, and a link that would set its password is worth nothing. Returns `None`, and
    /// changes nothing, when there is no such link or it has expired.
    async fn confirm_email(
        &self,
        token: &TokenHash,
        now_ms: i64,
    ) -> Result<Option<EmailConfirmed>, StoreError>;

    /// Removes the addresses of an account, confirmed or not, and with them a link that would set its password. Returns the confirmed one.
    async fn remove_email(&self, player: &PlayerId) -> Result<Option<String>, StoreError>;

    /// Returns accounts with a password by their confirmed address, in any case of its letters; the earliest first.
    async fn players_by_email(&self, address: &str, limit: u32) -> Result<Vec<Player>, StoreError>;

    /// Stores a link that sets a new password, in the place of an older one. Returns the confirmed address of the account, to which it is sent;
    /// `None`, and changes nothing, for an account without one.
    async fn begin_reset(
        &self,
        player: &PlayerId,
        link: &NewLink,
    ) -> Result<Option<String>, StoreError>;

    /// Returns the account of a link that sets a new password, unless it has expired.
    async fn reset_of(&self, token: &TokenHash, now_ms: i64) -> Result<Option<Player>, StoreError>;

    /// Uses up a link: sets the password and ends all sessions of the account, whose hashes it returns. Returns `None`, and changes nothing,
    /// when there is no such link or it has expired: of two concurrent uses of one link, the second gets this.
    async fn reset_password(
        &self,
        token: &TokenHash,
        password_hash: &str,
        now_ms: i64,
    ) -> Result<Option<Vec<TokenHash>>, StoreError>;
}

/// A new link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLink {
    /// The SHA-256 of its token.
    pub token: TokenHash,
    /// The time.
    pub created_ms: i64,
    /// The time from which it is worth nothing.
    pub expires_ms: i64,
}

/// The addresses of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnEmail {
    /// Whether a class has made the account, which therefore has no address.
    pub is_pupil: bool,
    /// The confirmed address, with the time of its confirmation.
    pub confirmed: Option<(String, i64)>,
    /// The address that waits for its confirmation, with the time until which it does.
    pub waiting: Option<(String, i64)>,
}

/// An address that was confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailConfirmed {
    /// The account.
    pub player: Player,
    /// Its address from now on.
    pub address: String,
    /// The address that it had before.
    pub former: Option<String>,
}
