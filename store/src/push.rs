//! Push subscriptions of browsers.

use std::fmt;

use async_trait::async_trait;
use mawe_wire::Language;
use mawe_wire::ids::{PlayerId, TokenHash};

use crate::StoreError;

/// The key for push services, and the push subscriptions of browsers.
#[async_trait]
pub trait PushSubscriptions: Send + Sync {
    /// Returns the private key that identifies this server to push services; stores `new` as the key if there is none.
    async fn push_key(&self, new: &PushSecret) -> Result<PushSecret, StoreError>;

    /// Stores a session's push subscription; any other session with the same endpoint loses its own. A player has at most `max`
    /// subscriptions; the oldest is deleted. A subscription ends with its session.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the session has ended, [`StoreError::Conflict`] when a concurrent call stores the same endpoint.
    async fn subscribe(&self, new: &SubscriptionRow, max: u32) -> Result<(), StoreError>;

    /// Returns the push subscriptions of a player, newest first.
    async fn subscriptions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SubscriptionRow>, StoreError>;

    /// Deletes a session's push subscription.
    async fn unsubscribe(&self, session: &TokenHash) -> Result<(), StoreError>;

    /// Deletes the subscription with an endpoint that the push service reports as gone.
    async fn forget_endpoint(&self, endpoint: &str) -> Result<(), StoreError>;
}

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
