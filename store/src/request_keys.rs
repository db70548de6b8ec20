//! Keys of requests that create something: a request that is sent twice creates one thing.
//!
//! A key is stored with the id that the thing will get, before the thing is created. A repeated request gets the same id, on every node and after every
//! failure: the thing exists already under it, or is created under it now.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// The time for which a key is kept.
pub const REQUEST_KEY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The most keys of one player; the oldest give way.
pub const MAX_REQUEST_KEYS: u32 = 1_000;

/// Keys of requests.
#[async_trait]
pub trait RequestKeys: Send + Sync {
    /// Stores a key unless the player has it already; returns the one that is stored.
    async fn claim_request_key(&self, new: &RequestKey) -> Result<RequestKey, StoreError>;
}

/// The key of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The sender.
    pub player: PlayerId,
    /// The key as the sender has chosen it.
    pub key: String,
    /// The digest of the route and the body.
    pub digest: [u8; 32],
    /// The id of the thing that the request creates.
    pub made_id: String,
    /// The time at which the key came first, in Unix milliseconds.
    pub created_ms: i64,
}
