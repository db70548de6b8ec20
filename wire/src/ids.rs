//! Ids. Each kind is a type that parses and prints itself; a value is always well-formed.
//!
//! Ids are drawn from 62 letters and digits by the system's random source: 12 characters hold 71 bits, so an id that grants something
//! (a challenge's link) cannot be guessed, and none needs escaping in an address. The text is shared by all copies of an id, since each
//! move copies some.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The length of a drawn id, in characters.
pub const ID_CHARS: usize = 12;

/// The greatest length of a client's id for a command, in bytes: a UUID fits.
const MAX_CLIENT_ID_BYTES: usize = 40;

/// The error for a text that is not a valid id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} must be {rule}")]
pub struct IdError {
    what: &'static str,
    rule: &'static str,
}

macro_rules! drawn_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// Draws a new id at random.
            #[cfg(any(test, feature = "random"))]
            #[must_use]
            pub fn random() -> Self {
                Self(crate::random::text(ID_CHARS).into())
            }

            /// Returns the id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                if text.len() == ID_CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                    Ok(Self(text.into()))
                } else {
                    Err(IdError { what: $what, rule: "12 letters or digits" })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.as_str().to_owned()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                text(&format!("^[0-9A-Za-z]{{{ID_CHARS}}}$"), "7hG2kQ9xWzB1")
            }
        }

        impl ToSchema for $name {}
    };
}

/// The schema of a text with a pattern.
fn text(pattern: &str, example: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(pattern))
        .examples([example])
        .into()
}

drawn_id!(
    /// A match's id.
    MatchId,
    "a match id"
);
drawn_id!(
    /// A player's id; users see names instead.
    PlayerId,
    "a player id"
);
drawn_id!(
    /// A club's id; users see handles instead.
    ClubId,
    "a club id"
);
drawn_id!(
    /// The id of a club match.
    ClubMatchId,
    "a club match id"
);
drawn_id!(
    /// The id of an event.
    EventId,
    "an event id"
);
drawn_id!(
    /// The id of a timetable of events.
    EventTimetableId,
    "the id of a timetable"
);
drawn_id!(
    /// A challenge's id: anybody who has it may accept the challenge.
    ChallengeId,
    "a challenge id"
);

drawn_id!(
    /// A token's id, which names the token in lists; it cannot be used to log in.
    TokenId,
    "a token id"
);
drawn_id!(
    /// An invitation's id, which names the invitation in lists; nobody can register with it.
    InvitationId,
    "an invitation id"
);
drawn_id!(
    /// A passkey's id, which names the passkey in lists; it cannot be used to log in.
    PasskeyId,
    "a passkey id"
);
drawn_id!(
    /// A report's id.
    ReportId,
    "a report id"
);
drawn_id!(
    /// The id of a notice to a player.
    NoticeId,
    "a notice id"
);
drawn_id!(
    /// The id that a worker chooses for itself: only the worker with this id may answer a job lent to it.
    WorkerId,
    "a worker's name"
);

/// A client's id for a command: 1 to 40 letters, digits, `-` or `_`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct ClientId(Arc<str>);

impl ClientId {
    /// Returns the id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for ClientId {
    fn schema() -> RefOr<Schema> {
        text(
            &format!("^[0-9A-Za-z_-]{{1,{MAX_CLIENT_ID_BYTES}}}$"),
            "a-1",
        )
    }
}

impl ToSchema for ClientId {}

impl FromStr for ClientId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let fits = (1..=MAX_CLIENT_ID_BYTES).contains(&text.len());
        if fits
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        {
            Ok(Self(text.into()))
        } else {
            Err(IdError {
                what: "a client_id",
                rule: "1 to 40 letters, digits, - or _",
            })
        }
    }
}

impl TryFrom<String> for ClientId {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<ClientId> for String {
    fn from(id: ClientId) -> String {
        id.as_str().to_owned()
    }
}

impl Serialize for ClientId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of a token in the store: its SHA-256. A token is 256 random bits, so a fast hash is enough.
pub type TokenHash = [u8; 32];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_ids_parse_back_and_differ() {
        let (a, b) = (MatchId::random(), MatchId::random());
        assert_eq!(a.to_string().parse(), Ok(a.clone()));
        assert_ne!(a, b);
    }

    #[test]
    fn texts_that_are_no_ids_are_refused() {
        for text in ["", "short", "thirteen13char", "with-a-dash1", "Übermatch12"] {
            assert!(text.parse::<MatchId>().is_err(), "{text}");
        }
        for text in ["", "a b", "é", &"x".repeat(41)] {
            assert!(text.parse::<ClientId>().is_err(), "{text}");
        }
    }
}
