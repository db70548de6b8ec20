//! Chat: the check of a text ([`text`]), the sockets that follow a room ([`watchers`]), and lines as their readers see them.
//!
//! A line is stored before anybody receives it, and has a number in its room. A socket receives a copy, which may be lost between
//! nodes: a client sees the gap in the numbers and reads the missing lines.

pub mod text;
pub mod watchers;

use std::collections::HashSet;

use mawe_store::{ChatLineRow, Player};
use mawe_wire::chat::{ChatHidden, ChatLine};
use mawe_wire::ids::PlayerId;

use crate::live::view;

/// The number of the latest lines that a new watcher gets: together they fit into the outbox of a socket.
pub const LATEST: u32 = 40;

/// Returns a line as everybody may see it.
#[must_use]
pub fn line(row: &ChatLineRow) -> ChatLine {
    let hidden = match &row.author {
        None => Some(ChatHidden::Erased),
        Some(_) if row.removed => Some(ChatHidden::Removed),
        Some(_) => None,
    };
    ChatLine {
        hidden,
        text: hidden.is_none().then(|| row.text.clone()),
        ..shown(row)
    }
}

/// Returns a line for a reader with these muted players.
#[must_use]
pub fn line_for(row: &ChatLineRow, mutes: &HashSet<PlayerId>) -> ChatLine {
    let line = line(row);
    if line.text.is_some() && is_muted(row.author.as_ref(), mutes) {
        line.without_text(ChatHidden::Muted)
    } else {
        line
    }
}

/// Returns a line as a moderator sees it: with the text of a removed one.
#[must_use]
pub fn line_for_moderator(row: &ChatLineRow) -> ChatLine {
    ChatLine {
        hidden: line(row).hidden,
        ..shown(row)
    }
}

fn shown(row: &ChatLineRow) -> ChatLine {
    ChatLine {
        number: row.number,
        from: row.author.as_ref().map(view::player),
        text: row.author.is_some().then(|| row.text.clone()),
        hidden: None,
        at: view::timestamp(row.at_ms),
    }
}

fn is_muted(author: Option<&Player>, mutes: &HashSet<PlayerId>) -> bool {
    author.is_some_and(|author| mutes.contains(&author.id))
}

#[cfg(test)]
mod tests {
    use mawe_wire::PlayerKind;

    use super::*;

    #[test]
    fn a_reader_sees_no_text_that_is_hidden_from_them() {
        let author = Player {
            id: PlayerId::random(),
            name: "Amina".to_owned(),
            kind: PlayerKind::Account,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 0,
        };
        let row = ChatLineRow {
            number: 3,
            author: Some(author.clone()),
            text: "hello".to_owned(),
            at_ms: 0,
            removed: false,
        };
        let (nobody, them) = (HashSet::new(), HashSet::from([author.id]));
        let seen = |row: &ChatLineRow, mutes| {
            let line = line_for(row, mutes);
            (line.text, line.hidden)
        };
        assert_eq!(seen(&row, &nobody), (Some("hello".to_owned()), None));
        assert_eq!(seen(&row, &them), (None, Some(ChatHidden::Muted)));
        let removed = ChatLineRow {
            removed: true,
            ..row.clone()
        };
        assert_eq!(seen(&removed, &nobody), (None, Some(ChatHidden::Removed)));
        assert_eq!(seen(&removed, &them), (None, Some(ChatHidden::Removed)));
        let kept = line_for_moderator(&removed);
        assert_eq!(
            (kept.text.as_deref(), kept.hidden),
            (Some("hello"), Some(ChatHidden::Removed))
        );
        let erased = ChatLineRow {
            author: None,
            text: String::new(),
            ..row
        };
        assert_eq!(seen(&erased, &nobody), (None, Some(ChatHidden::Erased)));
        assert_eq!(line_for_moderator(&erased).text, None);
    }
}
