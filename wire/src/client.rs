//! A frame from a client: a message to the server, or one to a match.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::{OneOfBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::ids::MatchId;
use crate::message::{MatchMsg, SessionMsg};

/// A message from a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ClientMsg {
    /// A message to the server.
    Session(SessionMsg),
    /// A message to a match.
    Match(ToMatch),
}

/// A message to a match, with the match's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToMatch {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The message.
    #[serde(flatten)]
    pub message: MatchMsg,
}

/// The part of a frame that says how to read the rest.
#[derive(Deserialize)]
struct Head {
    t: Group,
}

/// The two groups of messages, as lists of their names: the first name stands in `rename`, the others are aliases.
#[derive(Deserialize)]
enum Group {
    #[serde(
        rename = "join",
        alias = "leave",
        alias = "ping",
        alias = "join-pool",
        alias = "leave-pool",
        alias = "accept-bot",
        alias = "watch-lobby",
        alias = "unwatch-lobby",
        alias = "watch-tv",
        alias = "unwatch-tv",
        alias = "watch-event",
        alias = "unwatch-event",
        alias = "watch-chat",
        alias = "unwatch-chat"
    )]
    Session,
    #[serde(
        rename = "command",
        alias = "rematch",
        alias = "phrase",
        alias = "mute"
    )]
    Match,
}

/// Reads the name first. An untagged enum would lose the error texts, which the authors of bots read.
impl<'de> Deserialize<'de> for ClientMsg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ClientMsg, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let text = text.get();
        let message = match serde_json::from_str(text).map_err(D::Error::custom)? {
            Head { t: Group::Session } => serde_json::from_str(text).map(ClientMsg::Session),
            Head { t: Group::Match } => serde_json::from_str(text).map(ClientMsg::Match),
        };
        message.map_err(D::Error::custom)
    }
}

impl ToSchema for ClientMsg {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        SessionMsg::schemas(schemas);
        MatchMsg::schemas(schemas);
    }
}

/// One flat list of messages, as on the wire: the groups matter to the server only.
impl PartialSchema for ClientMsg {
    fn schema() -> RefOr<Schema> {
        let mut messages = variants(SessionMsg::schema());
        for mut message in variants(MatchMsg::schema()) {
            if let RefOr::T(Schema::Object(object)) = &mut message {
                let id = utoipa::schema!(String).description(Some("The match."));
                object.properties.insert("match".to_owned(), id.into());
                object.required.insert(0, "match".to_owned());
            }
            messages.push(message);
        }
        let mut schema = OneOfBuilder::new().description(Some("A message from a client."));
        for message in messages {
            schema = schema.item(message);
        }
        schema.into()
    }
}

fn variants(schema: RefOr<Schema>) -> Vec<RefOr<Schema>> {
    match schema {
        RefOr::T(Schema::OneOf(one_of)) => one_of.items,
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = serde_json::from_str::<ClientMsg>(text).expect_err("a wrong frame");
        error.to_string()
    }

    #[test]
    fn an_error_names_the_fault() {
        assert_eq!(refused("{}"), "missing field `t` at line 1 column 2");
        assert!(
            refused(r#"{"t":"rematch"}"#).starts_with("missing field `match`"),
            "a message to a match names it"
        );
        let unknown = refused(r#"{"t":"comand"}"#);
        for name in ["unknown variant `comand`", "`join`", "`command`", "`mute`"] {
            assert!(unknown.contains(name), "{unknown}");
        }
        for twice in [
            r#"{"t":"ping","t":"ping"}"#,
            r#"{"t":"mute","match":"Kx7Rm2Qp9TzA","muted":true,"muted":true}"#,
        ] {
            assert!(refused(twice).contains("duplicate field"), "{twice}");
        }
        assert!(refused(r#"{"t":"rematch","match":"Kx7Rm2Qp9TzA","more":1}"#).contains("more"));
    }
}
