//! What is remembered of browsers that want to be called by push messages.

use std::fmt;

use crate::protocol::Language;
use crate::sessions::TokenHash;

/// A private key for push services: a number of the curve P-256.
pub type PushSecret = [u8; 32];

/// What a browser that wants to be called has given, as it is written down and as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriptionRow {
    /// The session of the browser.
    pub session: TokenHash,
    /// Where its messages are sent.
    pub endpoint: String,
    /// The browser's public key: a point of P-256 in 65 bytes.
    pub p256dh: Vec<u8>,
    /// What it shares with this server: 16 bytes.
    pub auth: Vec<u8>,
    /// In which language the browser says what it is told. To be written, `None` leaves it as it was; as read, it is the
    /// account's where the browser has said nothing, and `None` where neither has.
    pub language: Option<Language>,
    /// Since when.
    pub created_ms: i64,
}

// Who has the address may send there: it is in no log.
impl fmt::Debug for SubscriptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubscriptionRow")
            .field("language", &self.language)
            .field("created_ms", &self.created_ms)
            .finish_non_exhaustive()
    }
}
