//! Players as they are sent, and what they are told.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::NoticeId;

/// A player's name and kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerRef {
    /// The name, unique without regard to case.
    pub name: String,
    /// What kind of player.
    pub kind: PlayerKind,
    /// A computer opponent's level, 1 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}

/// Kinds of player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// Came without an account; becomes one by registering.
    Guest,
    /// Has a name and a password.
    Account,
    /// A program: with a `level` a computer opponent of this server, without one a bot account, which somebody's program plays for.
    Bot,
}

/// A rating as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingRef {
    /// Glicko-2 rating, rounded.
    pub rating: i32,
    /// Glicko-2 deviation, rounded.
    pub deviation: i32,
    /// Whether the deviation is still too large to rank the player.
    pub provisional: bool,
}

/// A language that the page speaks.
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

    /// Its tag (BCP 47), on the wire and in the store.
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

/// Something that a moderator lets a player know: told at once, and again at every visit until it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    /// Its id, to say that it was read.
    #[schema(value_type = String)]
    pub id: NoticeId,
    /// What it is.
    pub kind: NoticeKind,
    /// Why, in the moderator's words.
    pub text: String,
    /// Until when it holds; null where it does not end by itself.
    #[schema(required = true, value_type = Option<String>)]
    pub until: Option<jiff::Timestamp>,
    /// When it was written.
    #[schema(value_type = String)]
    pub at: jiff::Timestamp,
}

/// What a moderator lets a player know: a code, which the player reads in their own language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// What they did is not wanted here.
    Warning,
    /// They say no phrases any more.
    Muted,
    /// They have another name.
    Renamed,
}

impl NoticeKind {
    /// All of them.
    pub const ALL: [NoticeKind; 3] = [NoticeKind::Warning, NoticeKind::Muted, NoticeKind::Renamed];

    /// Its text, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NoticeKind::Warning => "warning",
            NoticeKind::Muted => "muted",
            NoticeKind::Renamed => "renamed",
        }
    }
}
