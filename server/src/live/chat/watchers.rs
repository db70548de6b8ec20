//! The sockets of this node that follow rooms of chats.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mawe_wire::ServerMsg;
use mawe_wire::chat::{ChatHidden, ChatLine, ChatRoom};
use mawe_wire::ids::{MatchId, PlayerId};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::live::outbox::{Outbox, encode};

/// A room of the chat of a match.
pub type RoomKey = (MatchId, ChatRoom);

/// The sockets that follow rooms. A socket follows only rooms of matches that it has joined, so their number is bounded.
#[derive(Debug, Default)]
pub struct ChatWatchers {
    rooms: Mutex<HashMap<RoomKey, HashMap<u64, Watcher>>>,
}

/// A line of chat that is new or has changed, on its way to the sockets that follow its room.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChatNews {
    /// The match.
    pub match_id: MatchId,
    /// The room.
    pub room: ChatRoom,
    /// The author, for readers with mutes.
    pub author: Option<PlayerId>,
    /// The line, as everybody else may see it.
    pub line: ChatLine,
}

/// A socket that follows a room.
#[derive(Debug, Clone)]
pub struct Watcher {
    /// Its account.
    pub player: PlayerId,
    /// Its outbox.
    pub outbox: Arc<Outbox>,
    /// The muted players: it gets none of their lines.
    pub mutes: Arc<HashSet<PlayerId>>,
}

impl ChatWatchers {
    /// Makes a socket follow a room, from now on.
    pub fn watch(&self, match_id: &MatchId, room: ChatRoom, socket: u64, watcher: Watcher) {
        let mut rooms = self.rooms.lock();
        let watchers = rooms.entry((match_id.clone(), room)).or_default();
        watchers.insert(socket, watcher);
    }

    /// Ends that.
    pub fn unwatch(&self, match_id: &MatchId, room: ChatRoom, socket: u64) {
        let mut rooms = self.rooms.lock();
        let key = (match_id.clone(), room);
        if let Some(watchers) = rooms.get_mut(&key) {
            watchers.remove(&socket);
            if watchers.is_empty() {
                rooms.remove(&key);
            }
        }
    }

    /// Ends it for all rooms that a player follows: chat is off for them.
    pub fn end_player(&self, player: &PlayerId) {
        self.rooms.lock().retain(|_, watchers| {
            watchers.retain(|_, watcher| watcher.player != *player);
            !watchers.is_empty()
        });
    }

    /// Hides a player's further lines from a reader's sockets.
    pub fn mute(&self, reader: &PlayerId, muted: &PlayerId) {
        for watcher in self.rooms.lock().values_mut().flat_map(HashMap::values_mut) {
            if watcher.player == *reader {
                Arc::make_mut(&mut watcher.mutes).insert(muted.clone());
            }
        }
    }

    /// Sends a line that is new, or has changed, to the sockets that follow the room.
    pub fn tell(&self, news: &ChatNews) {
        let ChatNews {
            match_id,
            room,
            author,
            line,
        } = news;
        let room = *room;
        let rooms = self.rooms.lock();
        let Some(watchers) = rooms.get(&(match_id.clone(), room)) else {
            return;
        };
        let frame = frame(match_id, room, vec![line.clone()]);
        // Encoded when the first reader needs it.
        let mut muted: Option<Utf8Bytes> = None;
        for watcher in watchers.values() {
            let is_muted = author
                .as_ref()
                .is_some_and(|author| watcher.mutes.contains(author));
            let frame = if is_muted && line.text.is_some() {
                let without = || {
                    let line = line.without_text(ChatHidden::Muted);
                    self::frame(match_id, room, vec![line])
                };
                muted.get_or_insert_with(without)
            } else {
                &frame
            };
            watcher.outbox.push(frame.clone());
        }
    }

    /// Returns the number of rooms that any socket follows.
    #[must_use]
    pub fn room_count(&self) -> usize {
        self.rooms.lock().len()
    }
}

/// Encodes a message with lines.
#[must_use]
pub fn frame(match_id: &MatchId, room: ChatRoom, lines: Vec<ChatLine>) -> Utf8Bytes {
    encode(&ServerMsg::Chat {
        match_id: match_id.clone(),
        room,
        lines,
    })
}

#[cfg(test)]
mod tests {
    use mawe_wire::{PlayerKind, PlayerRef};

    use super::*;

    fn watcher(mutes: &[&PlayerId]) -> Watcher {
        Watcher {
            player: PlayerId::random(),
            outbox: Arc::default(),
            mutes: Arc::new(mutes.iter().map(|id| (*id).clone()).collect()),
        }
    }

    fn news(match_id: &MatchId, author: PlayerId, text: &str) -> ChatNews {
        ChatNews {
            match_id: match_id.clone(),
            room: ChatRoom::Players,
            author: Some(author),
            line: ChatLine {
                number: 1,
                from: Some(PlayerRef {
                    name: "Amina".to_owned(),
                    kind: PlayerKind::Account,
                    level: None,
                    look: mawe_wire::Look::default(),
                }),
                text: Some(text.to_owned()),
                hidden: None,
                at: jiff::Timestamp::UNIX_EPOCH,
            },
        }
    }

    fn received(watcher: &Watcher) -> Vec<(Option<String>, Option<ChatHidden>)> {
        let mut frames = Vec::new();
        watcher.outbox.drain(&mut frames);
        let lines =
            frames.iter().flat_map(
                |frame| match serde_json::from_str(frame).expect("a message") {
                    ServerMsg::Chat { lines, .. } => lines,
                    other => panic!("{other:?}"),
                },
            );
        lines.map(|line| (line.text, line.hidden)).collect()
    }

    #[test]
    fn a_line_reaches_its_room_and_a_muted_one_comes_without_text() {
        let watchers = ChatWatchers::default();
        let (here, author) = (MatchId::random(), PlayerId::random());
        let (friend, other, elsewhere) = (watcher(&[]), watcher(&[&author]), watcher(&[]));
        watchers.watch(&here, ChatRoom::Players, 1, friend.clone());
        watchers.watch(&here, ChatRoom::Players, 2, other.clone());
        watchers.watch(&here, ChatRoom::Spectators, 3, elsewhere.clone());
        let news = news(&here, author, "hello");
        watchers.tell(&news);
        assert_eq!(received(&friend), [(Some("hello".to_owned()), None)]);
        assert_eq!(received(&other), [(None, Some(ChatHidden::Muted))]);
        assert_eq!(received(&elsewhere), []);
        watchers.end_player(&friend.player);
        watchers.unwatch(&here, ChatRoom::Players, 2);
        watchers.tell(&news);
        assert_eq!((received(&friend), received(&other)), (vec![], vec![]));
        watchers.unwatch(&here, ChatRoom::Spectators, 3);
        assert_eq!(watchers.room_count(), 0, "an empty room is forgotten");
    }

    /// A reader that takes nothing costs what its outbox may hold.
    #[test]
    fn a_reader_that_takes_no_line_is_given_up() {
        let watchers = ChatWatchers::default();
        let (here, slow) = (MatchId::random(), watcher(&[]));
        watchers.watch(&here, ChatRoom::Players, 1, slow.clone());
        let news = news(&here, PlayerId::random(), &"a".repeat(200));
        for _ in 0..1_000 {
            watchers.tell(&news);
        }
        let mut frames = Vec::new();
        let closed = slow.outbox.drain(&mut frames);
        assert!(closed.is_some());
        let bytes: usize = frames.iter().map(|frame| frame.len()).sum();
        assert!(bytes <= crate::live::outbox::MAX_WAITING_BYTES, "{bytes}");
    }
}
