//! Players.

use std::fmt;

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;
use mawe_wire::{Avatar, Flag, Language, Look, PlayerKind};

use crate::{InvitationUse, NewSession, RecoveryCodeSet, StoreError};

/// Players: people, guests and computer opponents.
#[async_trait]
pub trait Players: Send + Sync {
    /// Creates a player, with a first session if one is given.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken (case-insensitive).
    async fn create_player(
        &self,
        new: &NewPlayer,
        session: Option<&NewSession>,
    ) -> Result<(), StoreError>;

    /// Creates an account with its first session and its first recovery codes, and uses an invitation if one is given, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken (case-insensitive), [`StoreError::NotInvited`] when the invitation makes no account.
    async fn register_account(
        &self,
        new: &NewPlayer,
        session: &NewSession,
        codes: &RecoveryCodeSet,
        invitation: Option<InvitationUse>,
    ) -> Result<(), StoreError>;

    /// Turns a guest into an account with the same id, and so with the same matches, gives it its first recovery codes, and uses an
    /// invitation if one is given, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken, [`StoreError::NotFound`] when the guest does not exist, [`StoreError::NotInvited`]
    /// when the invitation makes no account.
    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
        codes: &RecoveryCodeSet,
        invitation: Option<InvitationUse>,
    ) -> Result<Player, StoreError>;

    /// Returns the computer opponent of a level; creates it with `name` if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it does not exist and the name is taken.
    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError>;

    /// Finds a player by id.
    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError>;

    /// Finds a player by name, case-insensitively.
    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError>;

    /// Returns players whose names or display names begin with `name_start` (case-insensitive), by name, without guests and disabled accounts.
    async fn find_players(&self, name_start: &str, limit: u32) -> Result<Vec<Player>, StoreError>;

    /// Returns the language that a player has chosen.
    async fn language(&self, player: &PlayerId) -> Result<Option<Language>, StoreError>;

    /// Stores the chosen avatar, the chosen flag, or both.
    async fn change_look(&self, player: &PlayerId, change: LookChange) -> Result<(), StoreError>;

    /// Stores a player's language.
    async fn set_language(&self, player: &PlayerId, language: Language) -> Result<(), StoreError>;

    /// Returns a player and the password hash, by name; `None` also for guests and computer opponents.
    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError>;

    /// Returns the password hashes of these players, with their ids; skips players without a password.
    async fn password_hashes(&self, of: &[PlayerId])
    -> Result<Vec<(PlayerId, String)>, StoreError>;
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The id.
    pub id: PlayerId,
    /// The name.
    pub name: String,
    /// The player's kind.
    pub kind: PlayerKind,
    /// A computer opponent's level; a bot account has none.
    pub level: Option<u8>,
    /// The display name, the avatar and the flag; the last two are absent in lists of moderators.
    pub look: Look,
    /// The time of creation.
    pub created_ms: i64,
}

impl Player {
    /// Returns the name by which the player is called: the display name, if there is one.
    #[must_use]
    pub fn called(&self) -> &str {
        self.look.display_name.as_deref().unwrap_or(&self.name)
    }

    /// Whether it is one of the server's own computer opponents. A bot account is not: it is played by its owner's program, has no level,
    /// and needs to be online and to accept, as a person does.
    #[must_use]
    pub fn is_computer(&self) -> bool {
        self.kind == PlayerKind::Bot && self.level.is_some()
    }
}

/// A change of a player's look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LookChange {
    /// The new avatar, `Some(None)` for none; `None` leaves it.
    pub avatar: Option<Option<Avatar>>,
    /// The new flag, in the same way.
    pub flag: Option<Option<Flag>>,
}

/// A player to create.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPlayer {
    /// The player.
    pub player: Player,
    /// The hash of the password in PHC form; `None` for guests.
    pub password_hash: Option<String>,
}

impl fmt::Debug for NewPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewPlayer")
            .field("player", &self.player)
            .finish_non_exhaustive()
    }
}
