//! Chat: lines, the setting of an account, and mutes.

use async_trait::async_trait;
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{MatchId, PlayerId};

use super::audit::insert_audit;
use super::backend::{Backend, begin, commit, serialise};
use super::pupils::class_forbids;
use crate::detached::detached;
use crate::rows::{ChatFactsRecord, ChatLineRecord, PlayerRecord, Stored, number, parsed};
use crate::{Attribution, Chat, ChatFacts, ChatLineRow, NewAudit, NewChatLine, Player, StoreError};

/// Whether a player has chat: by the setting `$chat`, and by the rules of the class of the player `$id`.
macro_rules! has_chat {
    ($chat:literal, $id:literal) => {
        concat!("(", $chat, " AND NOT ", class_forbids!("phrases", $id), ")")
    };
}

#[async_trait]
impl Chat for Backend {
    async fn chat_facts(
        &self,
        match_id: &MatchId,
        reader: Option<&PlayerId>,
    ) -> Result<Option<ChatFacts>, StoreError> {
        let row: Option<ChatFactsRecord> = sqlx::query_as(concat!(
            "SELECT m.first_id, f.kind AS first_kind, ",
            has_chat!("f.chat", "f.id"),
            " AS first_chat,
                m.second_id, s.kind AS second_kind, ",
            has_chat!("s.chat", "s.id"),
            " AS second_chat, m.by_challenge, m.finished_ms,
                r.kind AS reader_kind, ",
            has_chat!("r.chat", "r.id"),
            " AS reader_chat, r.muted_until_ms, r.chat_muted_until_ms
            FROM matches m JOIN players f ON f.id = m.first_id JOIN players s ON s.id = m.second_id
                LEFT JOIN players r ON r.id = $2
            WHERE m.id = $1",
        ))
        .bind(match_id.as_str())
        .bind(reader.map(PlayerId::as_str))
        .fetch_optional(self.reader())
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let mutes = match reader {
            None => Vec::new(),
            Some(reader) => {
                sqlx::query_scalar(
                    "SELECT muted_id FROM chat_mutes WHERE player_id = $1
                    UNION SELECT blocked_id FROM blocks WHERE player_id = $1",
                )
                .bind(reader.as_str())
                .fetch_all(self.reader())
                .await?
            }
        };
        row.with_mutes(mutes).map(Some)
    }

    async fn has_chat(&self, player: &PlayerId) -> Result<bool, StoreError> {
        let chat: Option<bool> = sqlx::query_scalar(concat!(
            "SELECT ",
            has_chat!("p.chat", "p.id"),
            " FROM players p WHERE p.id = $1"
        ))
        .bind(player.as_str())
        .fetch_optional(self.reader())
        .await?;
        Ok(chat.unwrap_or_default())
    }

    async fn set_chat(&self, player: &PlayerId, on: bool) -> Result<(), StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query("UPDATE players SET chat = $2 WHERE id = $1")
                .bind(player.as_str())
                .bind(on)
                .execute(&mut *tx)
                .await?;
            commit(tx).await
        })
        .await
    }

    async fn write_chat_line(
        &self,
        new: &NewChatLine,
        max: u32,
    ) -> Result<Option<u32>, StoreError> {
        self.has_space()?;
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Concurrent calls for the same room wait here, so that each gets the number after that of the one before.
            let (match_id, room) = (&new.match_id, new.room);
            serialise(&mut tx, &format!("chat of {match_id} {room}")).await?;
            let last: i64 = sqlx::query_scalar(
                "SELECT coalesce(max(number), 0) FROM chat_lines WHERE match_id = $1 AND room = $2",
            )
            .bind(match_id.as_str())
            .bind(room.text())
            .fetch_one(&mut *tx)
            .await?;
            if last >= i64::from(max) {
                return Ok(None);
            }
            let next = last + 1;
            sqlx::query(
                "INSERT INTO chat_lines (match_id, room, number, player_id, text, created_ms)
                VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(match_id.as_str())
            .bind(room.text())
            .bind(next)
            .bind(new.player.as_str())
            .bind(&new.text)
            .bind(new.at_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            number("number of a line", next).map(Some)
        })
        .await
    }

    async fn last_chat_line(&self, match_id: &MatchId, room: ChatRoom) -> Result<u32, StoreError> {
        let last: i64 = sqlx::query_scalar(
            "SELECT coalesce(max(number), 0) FROM chat_lines WHERE match_id = $1 AND room = $2",
        )
        .bind(match_id.as_str())
        .bind(room.text())
        .fetch_one(self.reader())
        .await?;
        number("number of a line", last)
    }

    async fn chat_lines(
        &self,
        match_id: &MatchId,
        room: ChatRoom,
        after: u32,
        limit: u32,
    ) -> Result<Vec<ChatLineRow>, StoreError> {
        let rows: Vec<ChatLineRecord> = sqlx::query_as(
            "SELECT c.number, c.text, c.created_ms, c.removed_ms, p.id AS author_id, p.name AS author_name, p.display_name AS author_display_name, p.avatar AS author_avatar, p.flag AS author_flag,
                p.kind AS author_kind, p.created_ms AS author_created_ms
            FROM chat_lines c LEFT JOIN players p ON p.id = c.player_id
            WHERE c.match_id = $1 AND c.room = $2 AND c.number > $3 ORDER BY c.number LIMIT $4",
        )
        .bind(match_id.as_str())
        .bind(room.text())
        .bind(i64::from(after))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn remove_chat_line(
        &self,
        match_id: &MatchId,
        room: ChatRoom,
        line: u32,
        attribution: &Attribution,
    ) -> Result<bool, StoreError> {
        let (writer, match_id) = (self.writer().clone(), match_id.clone());
        let attribution = attribution.clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let removed: Option<Option<String>> = sqlx::query_scalar(
                "UPDATE chat_lines SET removed_by = $4, removed_ms = $5
                WHERE match_id = $1 AND room = $2 AND number = $3 AND removed_ms IS NULL RETURNING player_id",
            )
            .bind(match_id.as_str())
            .bind(room.text())
            .bind(i64::from(line))
            .bind(attribution.by.as_ref().map(PlayerId::as_str))
            .bind(attribution.at_ms)
            .fetch_optional(&mut *tx)
            .await?;
            let Some(author) = removed else {
                let exists: bool = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM chat_lines WHERE match_id = $1 AND room = $2 AND number = $3)",
                )
                .bind(match_id.as_str())
                .bind(room.text())
                .bind(i64::from(line))
                .fetch_one(&mut *tx)
                .await?;
                return exists.then_some(false).ok_or(StoreError::NotFound);
            };
            let about = author.map(|id| crate::rows::id("player id", id)).transpose()?;
            let audit = NewAudit {
                attribution,
                action: "remove-chat-line",
                about,
                match_id: Some(match_id),
                detail: format!("{room} {line}"),
            };
            insert_audit(&mut tx, &audit).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn mute_in_chat(
        &self,
        reader: &PlayerId,
        muted: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (writer, reader, muted) = (self.writer().clone(), reader.clone(), muted.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, &format!("chat mutes of {reader}")).await?;
            let others: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM chat_mutes WHERE player_id = $1 AND muted_id <> $2",
            )
            .bind(reader.as_str())
            .bind(muted.as_str())
            .fetch_one(&mut *tx)
            .await?;
            if others >= i64::from(max) {
                return Ok(false);
            }
            sqlx::query(
                "INSERT INTO chat_mutes (player_id, muted_id, created_ms) VALUES ($1, $2, $3)
                ON CONFLICT (player_id, muted_id) DO NOTHING",
            )
            .bind(reader.as_str())
            .bind(muted.as_str())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn unmute_in_chat(&self, reader: &PlayerId, muted: &PlayerId) -> Result<(), StoreError> {
        let (writer, reader, muted) = (self.writer().clone(), reader.clone(), muted.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query("DELETE FROM chat_mutes WHERE player_id = $1 AND muted_id = $2")
                .bind(reader.as_str())
                .bind(muted.as_str())
                .execute(&mut *tx)
                .await?;
            commit(tx).await
        })
        .await
    }

    async fn chat_mutes(&self, reader: &PlayerId) -> Result<Vec<Player>, StoreError> {
        let rows: Vec<PlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM chat_mutes c JOIN players p ON p.id = c.muted_id
            WHERE c.player_id = $1 ORDER BY c.created_ms DESC, p.id",
        )
        .bind(reader.as_str())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}
