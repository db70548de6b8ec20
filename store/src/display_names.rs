//! Display names: names in any script, which are shown beside the names in addresses.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::{Player, StoreError};

/// The period in which the changes of a display name are counted.
pub const DISPLAY_NAME_PERIOD_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The number of times that a player sets a display name in that period: a first one, and two corrections.
pub const DISPLAY_NAMES_IN_PERIOD: u32 = 3;

/// Display names of players.
#[async_trait]
pub trait DisplayNames: Send + Sync {
    /// Sets the display name of an account, holds the old one as long as a former name, and writes an audit log entry, in one transaction. The
    /// same name again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::LooksAlike`] when the name looks like a name or a display name of another player, also one held for them;
    /// [`StoreError::NotFound`] for a player without an account.
    async fn set_display_name(
        &self,
        player: &PlayerId,
        name: &NewDisplayName,
        now_ms: i64,
    ) -> Result<DisplayNameSet, StoreError>;

    /// Removes the display name of an account by the wish of its owner, in the same way. Returns the player; without a display name nothing
    /// changes.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without an account.
    async fn remove_display_name(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Player, StoreError>;

    /// Returns what decides about a display name of the player: see [`DisplayNameState`].
    async fn display_name_state(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<DisplayNameState, StoreError>;
}

/// A display name that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDisplayName {
    /// The name as it is shown.
    pub text: String,
    /// The same for all names that look alike; for a name in ASCII it is [`name_look`](crate::name_look).
    pub key: String,
}

/// The result of setting a display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DisplayNameSet {
    /// The player has the name.
    Done(Player),
    /// The player has changed it as often as permitted, or a moderator has removed one; from this time on it can be set again.
    TooOften(i64),
    /// A class has made the account.
    Pupil,
}

/// The permission to set a display name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisplayNameState {
    /// The time from which on it can be set; `None` if that is now.
    pub settable_from_ms: Option<i64>,
    /// Whether a class has made the account: it has no display name then.
    pub is_pupil: bool,
}
