//! Tokens of programs.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};
use mawe_wire::scope::Scopes;

use crate::{Holder, StoreError};

/// Tokens of programs.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// Creates a token. Returns `false`, and creates nothing, when the player has `max` tokens that have not expired.
    async fn create_token(&self, new: &NewToken, max: u32) -> Result<bool, StoreError>;

    /// Returns the holder of a token that has not expired, with the token's scopes.
    async fn token(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// Returns the tokens of a player that have not expired, newest first.
    async fn tokens_of(&self, player: &PlayerId, now_ms: i64) -> Result<Vec<TokenRow>, StoreError>;

    /// Revokes a token of a player; `None` if the player has no token with this id.
    async fn delete_token(
        &self,
        player: &PlayerId,
        id: &TokenId,
    ) -> Result<Option<TokenHash>, StoreError>;

    /// Revokes a token by its hash: its holder may always give it up. Returns whether there was one.
    async fn revoke_token(&self, hash: &TokenHash) -> Result<bool, StoreError>;
}

/// A token to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Its id.
    pub id: TokenId,
    /// Its SHA-256.
    pub hash: TokenHash,
    /// The player for whom the token acts.
    pub player: PlayerId,
    /// The name given by the player.
    pub name: String,
    /// The scopes.
    pub scopes: Scopes,
    /// The time of creation.
    pub created_ms: i64,
    /// The time of expiry.
    pub expires_ms: i64,
}

/// A token as shown to its player, without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Its id.
    pub id: TokenId,
    /// The name given by the player.
    pub name: String,
    /// The scopes.
    pub scopes: Scopes,
    /// The time of creation.
    pub created_ms: i64,
    /// The time of expiry.
    pub expires_ms: i64,
    /// The time of the last use, to the hour; `None` before the first use.
    pub last_used_ms: Option<i64>,
}
