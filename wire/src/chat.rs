//! Chat: its rooms and lines.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::players::PlayerRef;

/// A room of the chat of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChatRoom {
    /// The two players.
    Players,
    /// The spectators; when the match is over, also the players.
    Spectators,
}

impl ChatRoom {
    /// Both rooms.
    pub const ALL: [ChatRoom; 2] = [ChatRoom::Players, ChatRoom::Spectators];

    /// Returns the room's name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ChatRoom::Players => "players",
            ChatRoom::Spectators => "spectators",
        }
    }
}

impl fmt::Display for ChatRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The reason why the text of a line is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChatHidden {
    /// A moderator has removed the line.
    Removed,
    /// The receiver has muted its author.
    Muted,
    /// The author's account was deleted.
    Erased,
}

/// A line of chat. Its text is plain text of another person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatLine {
    /// The number in its room, from 1 without a gap.
    pub number: u32,
    /// The author; null if the account was deleted.
    #[schema(required = true)]
    pub from: Option<PlayerRef>,
    /// The text; absent if it is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The reason why the text is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<ChatHidden>,
    /// The time at which it was stored.
    pub at: jiff::Timestamp,
}

impl ChatLine {
    /// Returns the line without its text.
    #[must_use]
    pub fn without_text(&self, hidden: ChatHidden) -> ChatLine {
        ChatLine {
            text: None,
            hidden: Some(hidden),
            ..self.clone()
        }
    }
}
