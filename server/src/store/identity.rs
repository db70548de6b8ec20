//! What is remembered of sessions and tokens: the secrets that speak for a player.

use crate::grants::Grants;
use crate::ids::{PlayerId, TokenId};
use crate::sessions::TokenHash;
use crate::store::Player;
use crate::tokens::Scopes;

/// The key by which the cookies of known devices are signed.
pub type DeviceKey = [u8; 32];

/// A session to write down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The SHA-256 of its token.
    pub hash: TokenHash,
    /// Whose it is.
    pub player: PlayerId,
    /// Which browser it is, in a few words.
    pub label: String,
    /// When.
    pub created_ms: i64,
    /// Until when.
    pub expires_ms: i64,
}

/// A session as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The SHA-256 of its token.
    pub hash: TokenHash,
    /// Which browser it is, in a few words.
    pub label: String,
    /// When it began.
    pub created_ms: i64,
    /// When it was last shown, to the hour.
    pub last_used_ms: i64,
    /// Until when.
    pub expires_ms: i64,
}

/// A token to write down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Its id.
    pub id: TokenId,
    /// Its SHA-256.
    pub hash: TokenHash,
    /// For whom it speaks.
    pub player: PlayerId,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When.
    pub created_ms: i64,
    /// Until when.
    pub expires_ms: i64,
}

/// A token as its owner sees it: without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Its id.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_ms: i64,
    /// Until when.
    pub expires_ms: i64,
    /// When it was last shown, to the hour; `None` before the first time.
    pub last_used_ms: Option<i64>,
}

/// For whom a session or a token speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The player.
    pub player: Player,
    /// What the account was granted.
    pub grants: Grants,
    /// Whether nobody gets in by it.
    pub is_disabled: bool,
    /// What a token may do; `None` for a session, which may do all.
    pub scopes: Option<Scopes>,
    /// When it was last shown, as far as was written down.
    pub last_used_ms: Option<i64>,
    /// Until when.
    pub expires_ms: i64,
}
