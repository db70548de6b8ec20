//! Rows of chats.

use std::collections::HashSet;

use mawe_play::chat::Person;
use mawe_rules::BySide;
use mawe_wire::PlayerKind;
use mawe_wire::chat::ChatRoom;
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number, stored};
use super::players::PlayerRecord;
use crate::{ChatFacts, ChatLineRow, Player, StoreError};

/// The facts about a match that decide about its chat.
#[derive(FromRow)]
pub(crate) struct ChatFactsRecord {
    first_id: String,
    first_kind: String,
    first_chat: bool,
    second_id: String,
    second_kind: String,
    second_chat: bool,
    by_challenge: bool,
    finished_ms: Option<i64>,
    reader_kind: Option<String>,
    reader_chat: Option<bool>,
    muted_until_ms: Option<i64>,
    chat_muted_until_ms: Option<i64>,
}

fn person(kind: &str, chat: bool) -> Result<Person, StoreError> {
    Ok(match PlayerKind::from_text(kind)? {
        PlayerKind::Guest => Person::Guest,
        PlayerKind::Bot => Person::Bot,
        PlayerKind::Account => Person::Account { chat },
    })
}

impl ChatFactsRecord {
    pub(crate) fn with_mutes(self, mutes: Vec<String>) -> Result<ChatFacts, StoreError> {
        let first = (
            id("player id", self.first_id)?,
            person(&self.first_kind, self.first_chat)?,
        );
        let second = (
            id("player id", self.second_id)?,
            person(&self.second_kind, self.second_chat)?,
        );
        let reader = match &self.reader_kind {
            None => Person::Nobody,
            Some(kind) => person(kind, self.reader_chat.unwrap_or_default())?,
        };
        let mutes = mutes.into_iter().map(|muted| id("player id", muted));
        Ok(ChatFacts {
            seats: BySide::new(first, second),
            by_challenge: self.by_challenge,
            finished_ms: self.finished_ms,
            reader,
            // The later of both ends: a mute of everything is one of the chat too.
            muted_until_ms: self.muted_until_ms.max(self.chat_muted_until_ms),
            mutes: mutes.collect::<Result<HashSet<_>, _>>()?,
        })
    }
}

/// A line.
#[derive(FromRow)]
pub(crate) struct ChatLineRecord {
    number: i64,
    text: String,
    created_ms: i64,
    removed_ms: Option<i64>,
    author_id: Option<String>,
    author_name: Option<String>,
    author_kind: Option<String>,
    author_display_name: Option<String>,
    author_avatar: Option<String>,
    author_flag: Option<String>,
    author_created_ms: Option<i64>,
}

impl TryFrom<ChatLineRecord> for ChatLineRow {
    type Error = StoreError;

    fn try_from(row: ChatLineRecord) -> Result<Self, StoreError> {
        let author = match (
            row.author_id,
            row.author_name,
            row.author_kind,
            row.author_created_ms,
        ) {
            (None, ..) => None,
            (Some(id), Some(name), Some(kind), Some(player_created_ms)) => {
                Some(Player::try_from(PlayerRecord {
                    id,
                    name,
                    kind,
                    level: None,
                    display_name: row.author_display_name,
                    avatar: row.author_avatar,
                    flag: row.author_flag,
                    player_created_ms,
                })?)
            }
            _ => return Err(damaged("line of chat", "its author is no player")),
        };
        Ok(Self {
            number: number("number of a line", row.number)?,
            author,
            text: row.text,
            at_ms: row.created_ms,
            removed: row.removed_ms.is_some(),
        })
    }
}

stored! {
    ChatRoom "room of a chat",
}
