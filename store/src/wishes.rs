//! Wishes of players for an opponent.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::{NewMatch, StoreError};

/// The wishes of players for an opponent, and the matches that grant them.
#[async_trait]
pub trait Wishes: Send + Sync {
    /// Stores that a player waits for an opponent, and discards the match that an earlier wish was granted.
    async fn set_wish(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// Returns the match that a player's wish for an opponent was granted; `None` while the wish is open, and without a wish.
    async fn granted_match(&self, player: &PlayerId) -> Result<Option<MatchId>, StoreError>;

    /// Returns the state of a player's wish.
    async fn wish_state(&self, player: &PlayerId) -> Result<WishState, StoreError>;

    /// Creates a match for players with open wishes, grants the wishes, and cancels the players' seeks for realtime matches, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of the wishes is granted already, or does not exist; nothing is written then.
    async fn create_wished_match(
        &self,
        new: &NewMatch,
        players: &[PlayerId],
    ) -> Result<(), StoreError>;
}

/// The state of a player's wish for an opponent at one time. A match is made with the state that was read before; this fails if the wish
/// was granted or renewed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WishState {
    /// The player.
    pub player: PlayerId,
    /// `None` without a wish; `Some(None)` while the wish is open; otherwise the match that it was granted last.
    pub got: Option<Option<MatchId>>,
}
