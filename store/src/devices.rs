//! Browsers that several accounts share.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// Browsers that several accounts share.
#[async_trait]
pub trait Devices: Send + Sync {
    /// Returns the key that signs the cookies of known devices; stores `new` as the key if there is none.
    async fn device_key(&self, new: &DeviceKey) -> Result<DeviceKey, StoreError>;

    /// Stores that a player has logged in from a browser that these other accounts had used before. Accounts without a password are
    /// skipped. At most 50 others are kept for a player, the last seen.
    async fn note_shared_device(
        &self,
        player: &PlayerId,
        others: &[PlayerId],
        seen_ms: i64,
    ) -> Result<(), StoreError>;
}

/// The key that signs the cookies of known devices.
pub type DeviceKey = [u8; 32];
