//! What is remembered of a player.

use std::fmt;

use crate::ids::PlayerId;
use crate::protocol::PlayerKind;

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The id.
    pub id: PlayerId,
    /// The name.
    pub name: String,
    /// What kind.
    pub kind: PlayerKind,
    /// A computer opponent's level; a bot account has none.
    pub level: Option<u8>,
    /// Since when.
    pub created_ms: i64,
}

impl Player {
    /// Whether it is one of the server's own computer opponents. A bot account, which somebody's program plays for, is none: it has no
    /// level, comes and goes as people do, and is asked as they are.
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
    /// The password's hash in PHC form; accounts have one.
    pub password_hash: Option<String>,
}

impl fmt::Debug for NewPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewPlayer")
            .field("player", &self.player)
            .finish_non_exhaustive()
    }
}

/// How often a player has walked away from matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Abandonments {
    /// So often.
    pub times: u32,
    /// The last time.
    pub last_ms: Option<i64>,
    /// How often they have called a match off, or not come to one, since the later of the two times asked for.
    pub call_offs: u32,
    /// The last time.
    pub last_call_off_ms: Option<i64>,
}
