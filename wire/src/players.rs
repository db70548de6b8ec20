//! Players and ratings in messages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::looks::Look;

/// A player's name and kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerRef {
    /// The name, unique without regard to case.
    pub name: String,
    /// The kind of player.
    pub kind: PlayerKind,
    /// A computer opponent's level, 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The display name, the avatar and the flag that the player has chosen.
    #[serde(flatten)]
    pub look: Look,
}

/// Kinds of player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A visitor without an account; becomes an account by registering.
    Guest,
    /// A player with a name and a password.
    Account,
    /// A program: with a `level`, a computer opponent of this server; without, a bot account, for which its owner's program plays.
    Bot,
}

/// A player's rating, rounded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingRef {
    /// Glicko-2 rating, rounded.
    pub rating: i32,
    /// Glicko-2 deviation, rounded.
    pub deviation: i32,
    /// Whether the deviation is still too large to rank the player.
    pub provisional: bool,
}

/// A language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// English.
    En,
    /// Kiswahili.
    Sw,
    /// Polski.
    Pl,
    /// മലയാളം (Malayalam).
    Ml,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::En, Language::Sw, Language::Pl, Language::Ml];

    /// The BCP 47 tag, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Sw => "sw",
            Language::Pl => "pl",
            Language::Ml => "ml",
        }
    }
}
