//! Chat: its lines, the accounts with chat, and mutes.

use std::collections::HashSet;

use async_trait::async_trait;
use mawe_play::chat::{Person, Place};
use mawe_rules::BySide;
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::{Attribution, Player, StoreError};

/// The chat of matches.
#[async_trait]
pub trait Chat: Send + Sync {
    /// Returns the facts about a match and a reader that decide about the chat; `None` when there is no such match.
    async fn chat_facts(
        &self,
        match_id: &MatchId,
        reader: Option<&PlayerId>,
    ) -> Result<Option<ChatFacts>, StoreError>;

    /// Returns whether an account has switched chat on; false for one that does not exist.
    async fn has_chat(&self, player: &PlayerId) -> Result<bool, StoreError>;

    /// Switches chat on or off.
    async fn set_chat(&self, player: &PlayerId, on: bool) -> Result<(), StoreError>;

    /// Stores a line under the next number of its room, and returns that number; `None`, and nothing is written, when the room has `max`
    /// lines. The limit and the order hold for concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::LowSpace`].
    async fn write_chat_line(&self, new: &NewChatLine, max: u32)
    -> Result<Option<u32>, StoreError>;

    /// Returns the number of the last line of a room; 0 for an empty one.
    async fn last_chat_line(&self, match_id: &MatchId, room: ChatRoom) -> Result<u32, StoreError>;

    /// Returns at most `limit` lines of a room after the number `after`, in order.
    async fn chat_lines(
        &self,
        match_id: &MatchId,
        room: ChatRoom,
        after: u32,
        limit: u32,
    ) -> Result<Vec<ChatLineRow>, StoreError>;

    /// Marks a line as removed by a moderator, and writes an audit log entry, in one transaction. Returns `false`, and writes nothing, when
    /// it is removed already.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    async fn remove_chat_line(
        &self,
        match_id: &MatchId,
        room: ChatRoom,
        number: u32,
        attribution: &Attribution,
    ) -> Result<bool, StoreError>;

    /// Mutes a player for a reader. Returns `false`, and writes nothing, when the reader has muted `max` others. The limit holds for
    /// concurrent calls.
    async fn mute_in_chat(
        &self,
        reader: &PlayerId,
        muted: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Ends that; does nothing where the player is not muted.
    async fn unmute_in_chat(&self, reader: &PlayerId, muted: &PlayerId) -> Result<(), StoreError>;

    /// Returns the players that a reader has muted, the last one first.
    async fn chat_mutes(&self, reader: &PlayerId) -> Result<Vec<Player>, StoreError>;
}

/// The facts about a match and a reader, for [`Place`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatFacts {
    /// The player at each seat, as an account with or without chat, a guest or a bot.
    pub seats: BySide<(PlayerId, Person)>,
    /// Whether the players have chosen each other.
    pub by_challenge: bool,
    /// The time of the end.
    pub finished_ms: Option<i64>,
    /// The reader; [`Person::Nobody`] without one.
    pub reader: Person,
    /// The time until which moderators have muted the reader.
    pub muted_until_ms: Option<i64>,
    /// The players that the reader has muted or blocked.
    pub mutes: HashSet<PlayerId>,
}

impl ChatFacts {
    /// Returns the reader's place at the match.
    #[must_use]
    pub fn place(&self, reader: Option<&PlayerId>, now_ms: i64) -> Place {
        let BySide { first, second } = &self.seats;
        let opponent = if reader == Some(&first.0) {
            Some(second.1)
        } else if reader == Some(&second.0) {
            Some(first.1)
        } else {
            None
        };
        Place {
            person: self.reader,
            opponent,
            by_challenge: self.by_challenge,
            one_player: first.0 == second.0,
            over_ms: self.finished_ms.map(|at_ms| now_ms - at_ms),
            muted: self
                .muted_until_ms
                .is_some_and(|until_ms| now_ms < until_ms),
        }
    }
}

/// A line to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChatLine {
    /// The match.
    pub match_id: MatchId,
    /// The room.
    pub room: ChatRoom,
    /// The author.
    pub player: PlayerId,
    /// The text, checked.
    pub text: String,
    /// The time.
    pub at_ms: i64,
}

/// A stored line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatLineRow {
    /// The number.
    pub number: u32,
    /// The author; `None` when the account was deleted.
    pub author: Option<Player>,
    /// The text; empty when the account was deleted.
    pub text: String,
    /// The time.
    pub at_ms: i64,
    /// Whether a moderator has removed it.
    pub removed: bool,
}
