//! Push subscriptions of browsers.

use std::fmt;

use mawe_wire::Language;
use mawe_wire::ids::TokenHash;

/// A private key for push services: a number of the curve P-256.
pub type PushSecret = [u8; 32];

/// A push subscription: the data that the browser has given.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriptionRow {
    /// The browser's session.
    pub session: TokenHash,
    /// The URL to which its messages are sent.
    pub endpoint: String,
    /// The browser's public key: a point of P-256 in 65 bytes.
    pub p256dh: Vec<u8>,
    /// The secret shared by the browser and this server: 16 bytes.
    pub auth: Vec<u8>,
    /// The language of the messages. When written, `None` leaves the stored value. When read, the account's language takes the place of a
    /// missing one, and `None` means that neither is set.
    pub language: Option<Language>,
    /// The time of creation.
    pub created_ms: i64,
}

// The endpoint is not logged: it is all that is needed to send messages there.
impl fmt::Debug for SubscriptionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubscriptionRow")
            .field("language", &self.language)
            .field("created_ms", &self.created_ms)
            .finish_non_exhaustive()
    }
}
