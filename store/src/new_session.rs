//! Sessions to create, alone or with their player.

use mawe_wire::ids::{PlayerId, TokenHash};

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
