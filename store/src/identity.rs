//! Sessions and tokens.

use mawe_wire::grants::Grants;
use mawe_wire::ids::TokenHash;
use mawe_wire::ids::{PlayerId, TokenId};
use mawe_wire::scope::Scopes;

use crate::Player;

/// The key that signs the cookies of known devices.
pub type DeviceKey = [u8; 32];

/// A session to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The SHA-256 of its token.
    pub hash: TokenHash,
    /// The player.
    pub player: PlayerId,
    /// A short description of the browser.
    pub label: String,
    /// The time of creation.
    pub created_ms: i64,
    /// The time of expiry.
    pub expires_ms: i64,
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
