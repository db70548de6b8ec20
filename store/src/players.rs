//! Players and the number of matches that they have abandoned.

use std::fmt;

use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;

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
    /// The time of creation.
    pub created_ms: i64,
}

impl Player {
    /// Whether it is one of the server's own computer opponents. A bot account is not: it is played by its owner's program, has no level,
    /// and needs to be online and to accept, as a person does.
    #[must_use]
    pub fn is_computer(&self) -> bool {
        self.kind == PlayerKind::Bot && self.level.is_some()
    }
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
