//! Passkeys: key pairs of a browser or a device (WebAuthn) by which the owner of an account logs in without a password.
//!
//! The store keeps the public part. It verifies nothing: the caller has checked the answer of the authenticator.

use async_trait::async_trait;
use mawe_wire::ids::{PasskeyId, PlayerId, TokenHash};

use crate::{Player, StoreError};

/// The most passkeys of one account.
pub const MAX_PASSKEYS: u32 = 10;

/// Passkeys.
#[async_trait]
pub trait Passkeys: Send + Sync {
    /// Returns the passkeys of an account, the oldest first.
    async fn passkeys_of(&self, player: &PlayerId) -> Result<Vec<PasskeyRow>, StoreError>;

    /// Returns the passkey with this credential id; `None` also if its account has no password, as a deleted one.
    async fn passkey(&self, credential_id: &[u8]) -> Result<Option<LoginPasskey>, StoreError>;

    /// Stores a passkey that was made in answer to this challenge. The limit `max` holds for concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without a password.
    async fn create_passkey(
        &self,
        new: &NewPasskey,
        challenge: &UsedChallenge,
        max: u32,
    ) -> Result<PasskeyCreated, StoreError>;

    /// Notes a login that has answered this challenge. Returns `false`, and changes nothing, when the challenge was answered before, or the
    /// passkey was deleted or used since it was read: of two concurrent logins with one counter, the second gets this.
    async fn use_passkey(
        &self,
        used: &PasskeyUse,
        challenge: &UsedChallenge,
    ) -> Result<bool, StoreError>;

    /// Renames a passkey; returns `false` if the player has no such passkey.
    async fn rename_passkey(
        &self,
        player: &PlayerId,
        id: &PasskeyId,
        name: &str,
    ) -> Result<bool, StoreError>;

    /// Deletes a passkey; returns `false` if the player has no such passkey.
    async fn delete_passkey(&self, player: &PlayerId, id: &PasskeyId) -> Result<bool, StoreError>;
}

/// A passkey, without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyRow {
    /// Its id.
    pub id: PasskeyId,
    /// The authenticator's id for it.
    pub credential_id: Vec<u8>,
    /// The owner's name for it.
    pub name: String,
    /// The ways to its authenticator, as the library of WebAuthn writes them.
    pub transports: u8,
    /// The time of registration.
    pub created_ms: i64,
    /// The time of the last login.
    pub last_used_ms: Option<i64>,
}

/// A passkey to log in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginPasskey {
    /// Its id.
    pub id: PasskeyId,
    /// The account.
    pub player: Player,
    /// The hash of the account's password, with which known devices are signed.
    pub password_hash: String,
    /// The public key, as the library of WebAuthn writes it.
    pub public_key: Vec<u8>,
    /// The counter and the state of backup, as the library of WebAuthn writes them.
    pub state: Vec<u8>,
}

/// A passkey to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPasskey {
    /// Its id.
    pub id: PasskeyId,
    /// The account.
    pub player: PlayerId,
    /// The authenticator's id for it.
    pub credential_id: Vec<u8>,
    /// The owner's name for it.
    pub name: String,
    /// The public key.
    pub public_key: Vec<u8>,
    /// The counter and the state of backup.
    pub state: Vec<u8>,
    /// The ways to its authenticator.
    pub transports: u8,
    /// The time of registration.
    pub created_ms: i64,
}

/// A login by a passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyUse {
    /// The passkey.
    pub id: PasskeyId,
    /// The state with which the login was checked.
    pub old_state: Vec<u8>,
    /// The state after it.
    pub new_state: Vec<u8>,
    /// The time of the login.
    pub at_ms: i64,
}

/// A challenge that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedChallenge {
    /// Its SHA-256.
    pub hash: TokenHash,
    /// The time from which on it is refused for its age.
    pub expires_ms: i64,
}

/// The result of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasskeyCreated {
    /// The passkey is stored.
    Yes,
    /// The challenge was answered before; nothing was written.
    ChallengeUsed,
    /// The credential is registered, here or with another account; nothing was written.
    Taken,
    /// The account has the maximum number of passkeys; nothing was written.
    TooMany,
}
