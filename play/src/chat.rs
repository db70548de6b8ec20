//! The rights in the chat of a match: to read a room, and to write there.
//!
//! The players' room exists only between two accounts that have chosen each other. The room of the spectators is closed to the players as
//! long as the match runs, so that nobody can be advised there.

use mawe_wire::Code;
use mawe_wire::chat::ChatRoom;

/// The time for which lines can be written after the end of a match: later, nobody would see them.
pub const OPEN_AFTER_END_MS: i64 = 24 * 60 * 60 * 1_000;

/// The most lines of one room of one match.
pub const MAX_LINES: u32 = 300;

/// The longest text of a line, in characters.
pub const MAX_TEXT_CHARS: usize = 200;

/// The most players that one account may mute.
pub const MAX_MUTES: u32 = 200;

/// A person at a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// A visitor without a session.
    Nobody,
    /// A guest.
    Guest,
    /// A bot account, or a computer opponent.
    Bot,
    /// A registered account.
    Account {
        /// Whether chat is on in its settings.
        chat: bool,
    },
}

/// The state of a match, as far as its chat depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The reader or writer.
    pub person: Person,
    /// The person at the other seat; `None` for a spectator.
    pub opponent: Option<Person>,
    /// Whether the players have chosen each other: by a challenge by link or by name, or by a rematch of such a match.
    pub by_challenge: bool,
    /// Whether one person plays both sides.
    pub one_player: bool,
    /// The time since the end of the match; `None` while it runs.
    pub over_ms: Option<i64>,
    /// Whether a moderator has muted the person.
    pub muted: bool,
}

/// A refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRefusal {
    /// Nobody is signed in.
    SignInFirst,
    /// Guests have no chat.
    AccountNeeded,
    /// Bot accounts have no chat.
    NoBots,
    /// Chat is off in the settings of the account.
    Off,
    /// The players of this match have no chat.
    NoChat,
    /// The room is that of the players, and the person is not one.
    NotSeated,
    /// The room is that of the spectators, the person plays, and the match runs.
    MatchNotOver,
    /// The other player has chat off.
    OpponentOff,
    /// A moderator has muted the person.
    Muted,
    /// The match has been over for too long.
    Closed,
}

impl ChatRefusal {
    /// Returns the stable code.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            ChatRefusal::SignInFirst => Code::SignInFirst,
            ChatRefusal::AccountNeeded => Code::AccountNeeded,
            ChatRefusal::NoBots => Code::NoBots,
            ChatRefusal::Off => Code::ChatOff,
            ChatRefusal::NoChat => Code::NoChat,
            ChatRefusal::NotSeated => Code::NotSeated,
            ChatRefusal::MatchNotOver => Code::MatchNotOver,
            ChatRefusal::OpponentOff => Code::OpponentChatOff,
            ChatRefusal::Muted => Code::Muted,
            ChatRefusal::Closed => Code::ChatClosed,
        }
    }

    /// Returns a message in English for programmers.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            ChatRefusal::SignInFirst => "chat needs an account: sign in first",
            ChatRefusal::AccountNeeded => {
                "guests have no chat; become an account: POST /api/v1/accounts"
            }
            ChatRefusal::NoBots => "bot accounts have no chat",
            ChatRefusal::Off => "chat is off in your settings: PATCH /api/v1/me/preferences",
            ChatRefusal::NoChat => {
                "the players of this match have no chat: it needs a challenge by link or by name between two accounts"
            }
            ChatRefusal::NotSeated => "this room is for the players of the match",
            ChatRefusal::MatchNotOver => {
                "the players see the chat of the spectators when the match is over"
            }
            ChatRefusal::OpponentOff => "the other player has chat off",
            ChatRefusal::Muted => "a moderator has muted you",
            ChatRefusal::Closed => "the chat of a match takes no more lines a day after its end",
        }
    }
}

impl Place {
    /// Checks that the person may read the lines of a room.
    ///
    /// # Errors
    /// [`ChatRefusal`].
    pub fn may_read(&self, room: ChatRoom) -> Result<(), ChatRefusal> {
        match self.person {
            Person::Nobody => return Err(ChatRefusal::SignInFirst),
            Person::Guest => return Err(ChatRefusal::AccountNeeded),
            Person::Bot => return Err(ChatRefusal::NoBots),
            Person::Account { .. } => {}
        }
        match (room, self.opponent) {
            (ChatRoom::Players, None) => return Err(ChatRefusal::NotSeated),
            (ChatRoom::Players, Some(opponent)) => {
                let with_account = matches!(opponent, Person::Account { .. });
                if !self.by_challenge || self.one_player || !with_account {
                    return Err(ChatRefusal::NoChat);
                }
            }
            (ChatRoom::Spectators, Some(_)) if self.over_ms.is_none() => {
                return Err(ChatRefusal::MatchNotOver);
            }
            (ChatRoom::Spectators, _) => {}
        }
        match self.person {
            Person::Account { chat: false } => Err(ChatRefusal::Off),
            _ => Ok(()),
        }
    }

    /// Checks that the person may write a line.
    ///
    /// # Errors
    /// [`ChatRefusal`].
    pub fn may_write(&self, room: ChatRoom) -> Result<(), ChatRefusal> {
        self.may_read(room)?;
        if self
            .over_ms
            .is_some_and(|over_ms| over_ms >= OPEN_AFTER_END_MS)
        {
            Err(ChatRefusal::Closed)
        } else if self.muted {
            Err(ChatRefusal::Muted)
        } else if room == ChatRoom::Players
            && self.opponent == Some(Person::Account { chat: false })
        {
            Err(ChatRefusal::OpponentOff)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ChatRefusal as No;
    use ChatRoom::{Players, Spectators};

    const ON: Person = Person::Account { chat: true };
    const OFF: Person = Person::Account { chat: false };

    /// A player of a running match between friends.
    const PLAYER: Place = Place {
        person: ON,
        opponent: Some(ON),
        by_challenge: true,
        one_player: false,
        over_ms: None,
        muted: false,
    };

    const SPECTATOR: Place = Place {
        opponent: None,
        ..PLAYER
    };

    #[test]
    fn the_rights_of_everybody_in_both_rooms() {
        let over = Some(1);
        let late = Some(OPEN_AFTER_END_MS);
        #[rustfmt::skip]
        let table = [
            // (place, room, may read, may write)
            (PLAYER, Players, Ok(()), Ok(())),
            (PLAYER, Spectators, Err(No::MatchNotOver), Err(No::MatchNotOver)),
            (Place { over_ms: over, ..PLAYER }, Players, Ok(()), Ok(())),
            (Place { over_ms: over, ..PLAYER }, Spectators, Ok(()), Ok(())),
            (Place { over_ms: late, ..PLAYER }, Players, Ok(()), Err(No::Closed)),
            (Place { over_ms: late, ..PLAYER }, Spectators, Ok(()), Err(No::Closed)),
            (Place { muted: true, ..PLAYER }, Players, Ok(()), Err(No::Muted)),
            (Place { person: OFF, ..PLAYER }, Players, Err(No::Off), Err(No::Off)),
            (Place { opponent: Some(OFF), ..PLAYER }, Players, Ok(()), Err(No::OpponentOff)),
            (Place { opponent: Some(OFF), over_ms: over, ..PLAYER }, Spectators, Ok(()), Ok(())),
            // A pair of strangers, a guest or a bot on the other side, and one person on both.
            (Place { by_challenge: false, ..PLAYER }, Players, Err(No::NoChat), Err(No::NoChat)),
            (Place { opponent: Some(Person::Guest), ..PLAYER }, Players, Err(No::NoChat), Err(No::NoChat)),
            (Place { opponent: Some(Person::Bot), ..PLAYER }, Players, Err(No::NoChat), Err(No::NoChat)),
            (Place { one_player: true, ..PLAYER }, Players, Err(No::NoChat), Err(No::NoChat)),
            // Where there is no chat, its setting is no reason.
            (Place { person: OFF, by_challenge: false, ..PLAYER }, Players, Err(No::NoChat), Err(No::NoChat)),
            (Place { person: Person::Guest, ..PLAYER }, Players, Err(No::AccountNeeded), Err(No::AccountNeeded)),
            (Place { person: Person::Guest, over_ms: over, ..PLAYER }, Spectators, Err(No::AccountNeeded), Err(No::AccountNeeded)),
            (Place { person: Person::Bot, ..PLAYER }, Players, Err(No::NoBots), Err(No::NoBots)),
            (SPECTATOR, Players, Err(No::NotSeated), Err(No::NotSeated)),
            (Place { over_ms: over, ..SPECTATOR }, Players, Err(No::NotSeated), Err(No::NotSeated)),
            (SPECTATOR, Spectators, Ok(()), Ok(())),
            (Place { by_challenge: false, ..SPECTATOR }, Spectators, Ok(()), Ok(())),
            (Place { over_ms: over, ..SPECTATOR }, Spectators, Ok(()), Ok(())),
            (Place { over_ms: late, ..SPECTATOR }, Spectators, Ok(()), Err(No::Closed)),
            (Place { muted: true, ..SPECTATOR }, Spectators, Ok(()), Err(No::Muted)),
            (Place { person: OFF, ..SPECTATOR }, Spectators, Err(No::Off), Err(No::Off)),
            (Place { person: Person::Guest, ..SPECTATOR }, Spectators, Err(No::AccountNeeded), Err(No::AccountNeeded)),
            (Place { person: Person::Bot, ..SPECTATOR }, Spectators, Err(No::NoBots), Err(No::NoBots)),
            (Place { person: Person::Nobody, ..SPECTATOR }, Spectators, Err(No::SignInFirst), Err(No::SignInFirst)),
            (Place { person: Person::Nobody, ..SPECTATOR }, Players, Err(No::SignInFirst), Err(No::SignInFirst)),
        ];
        for (place, room, read, write) in table {
            assert_eq!(place.may_read(room), read, "read {room} at {place:?}");
            assert_eq!(place.may_write(room), write, "write {room} at {place:?}");
        }
    }
}
