//! Sessions and their holders.

use async_trait::async_trait;
use mawe_wire::grants::Grants;
use mawe_wire::ids::{PlayerId, TokenHash};
use mawe_wire::scope::Scopes;

use crate::{NewSession, Player, StoreError};

/// Sessions, and the passwords that end them.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Creates a session. The store holds only the SHA-256 of a session's or a token's secret. A player has at
    /// most 50 sessions: returns the hashes of those that were ended to keep the limit.
    async fn create_session(&self, new: &NewSession) -> Result<Vec<TokenHash>, StoreError>;

    /// Returns the holder of a session that has not expired.
    async fn session(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// Returns the sessions of a player that have not expired, the last used first.
    async fn sessions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError>;

    /// Returns those of these sessions and tokens that no longer exist. An expired one exists until it is deleted from its table.
    async fn ended_sessions(&self, hashes: &[TokenHash]) -> Result<Vec<TokenHash>, StoreError>;

    /// Ends a session; no error if it does not exist.
    async fn delete_session(&self, hash: &TokenHash) -> Result<(), StoreError>;

    /// Ends all sessions of a player except `keep`. Returns the hashes of the ended ones.
    async fn delete_other_sessions(
        &self,
        player: &PlayerId,
        keep: &TokenHash,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Changes a password. Ends all sessions of the player except `keep`, and with `end_tokens` all tokens; returns the hashes of the ended
    /// ones.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without a password.
    async fn change_password(
        &self,
        player: &PlayerId,
        password_hash: &str,
        keep: &TokenHash,
        end_tokens: bool,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Stores when sessions and tokens were last used; skips those that no longer exist.
    async fn mark_used(
        &self,
        sessions: &[(TokenHash, i64)],
        tokens: &[(TokenHash, i64)],
    ) -> Result<(), StoreError>;
}

/// A session as shown to its player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The SHA-256 of its token.
    pub hash: TokenHash,
    /// A short description of the browser.
    pub label: String,
    /// The time of creation.
    pub created_ms: i64,
    /// The time of the last use, to the hour.
    pub last_used_ms: i64,
    /// The time of expiry.
    pub expires_ms: i64,
}

/// The player for whom a session or a token acts, and its rights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The player.
    pub player: Player,
    /// The grants of the account.
    pub grants: Grants,
    /// Whether the account is disabled.
    pub is_disabled: bool,
    /// The scopes of a token; `None` for a session, which is not restricted.
    pub scopes: Option<Scopes>,
    /// The last stored time of use.
    pub last_used_ms: Option<i64>,
    /// The time of expiry.
    pub expires_ms: i64,
}
