//! Former names: an account that its owner renames keeps the old name for a time, in which nobody else gets it.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::{Changed, Player, StoreError};

/// The time for which an old name is held, and after which the account may be renamed again.
pub const NAME_HELD_MS: i64 = 90 * 24 * 60 * 60 * 1_000;

/// Former names.
#[async_trait]
pub trait FormerNames: Send + Sync {
    /// Renames an account by the wish of its owner, holds the old name, and writes an audit log entry, in one transaction. The same name
    /// again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken, or held for another account; [`StoreError::NotFound`] for a player without an
    /// account.
    async fn rename_account(
        &self,
        player: &PlayerId,
        name: &str,
        now_ms: i64,
    ) -> Result<Renamed, StoreError>;

    /// Returns the time from which on the owner may rename the account again; `None` if that is now.
    async fn renamable_from(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError>;

    /// Returns the account for which a name is held.
    async fn find_player_by_former_name(
        &self,
        name: &str,
        now_ms: i64,
    ) -> Result<Option<Player>, StoreError>;
}

/// The result of renaming an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renamed {
    /// The account has the name.
    Done(Changed),
    /// The owner has renamed it before, and may do so again from this time on.
    TooEarly(i64),
}
