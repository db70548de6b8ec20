//! What is remembered of browsers that want to be called by push messages.

use std::fmt;

use crate::protocol::Language;
use crate::sessions::TokenHash;

/// A subscription to write down.
#[derive(Clone, PartialEq, Eq)]
pub struct NewSubscription {
    /// The session of the browser.
    pub session: TokenHash,
    /// Where its messages are sent.
    pub endpoint: String,
    /// The browser's public key: a point of P-256 in 65 bytes.
    pub p256dh: Vec<u8>,
    /// What it shares with this server: 16 bytes.
    pub auth: Vec<u8>,
    /// In which language the browser says what it is told; `None` leaves it as it was.
    pub language: Option<Language>,
    /// When.
    pub created_ms: i64,
}

/// A subscription as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriptionRow {
    /// The session of the browser.
    pub session: TokenHash,
    /// Where its messages are sent.
    pub endpoint: String,
    /// The browser's public key.
    pub p256dh: Vec<u8>,
    /// What it shares with this server.
    pub auth: Vec<u8>,
    /// In which language the browser speaks, or else the account; `None` where neither has said so.
    pub language: Option<Language>,
    /// Since when.
    pub created_ms: i64,
}

// Who has the address may send there: it is in no log.
impl fmt::Debug for NewSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSubscription").finish_non_exhaustive()
    }
}

impl fmt::Debug for SubscriptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubscriptionRow")
            .field("language", &self.language)
            .field("created_ms", &self.created_ms)
            .finish_non_exhaustive()
    }
}
