//! Recovery codes: the owner of an account who has forgotten the password sets a new one with a code, once.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash};

use crate::StoreError;

/// The number of codes in a set.
pub const RECOVERY_CODES: usize = 8;

/// Recovery codes. The store holds only the SHA-256 of each.
#[async_trait]
pub trait RecoveryCodes: Send + Sync {
    /// Gives an account a set of codes in the place of those that it has.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without a password.
    async fn set_recovery_codes(
        &self,
        player: &PlayerId,
        codes: &RecoveryCodeSet,
    ) -> Result<(), StoreError>;

    /// Returns the codes of an account that are left.
    async fn recovery_codes(&self, player: &PlayerId) -> Result<RecoveryCodeSet, StoreError>;

    /// Uses up a code: sets the password and ends all sessions of the account, whose hashes it returns. Returns `None`, and changes nothing,
    /// when the account has no such code: of two concurrent uses of one code, the second gets this.
    async fn recover(
        &self,
        player: &PlayerId,
        code: &TokenHash,
        password_hash: &str,
    ) -> Result<Option<Vec<TokenHash>>, StoreError>;
}

/// The codes of an account, which are made together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecoveryCodeSet {
    /// The SHA-256 of each; those read from the store are sorted.
    pub hashes: Vec<TokenHash>,
    /// The time at which they were made; 0 if there are none.
    pub created_ms: i64,
}
