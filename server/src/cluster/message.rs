//! Messages between nodes over NATS: JSON, for nodes of this version and the neighbouring ones only.
//!
//! No message overrides the database: a claim is a row, and an append is fenced. But a node is trusted to name the player behind its
//! sockets, so NATS must admit only nodes (docs/scaling.md).

use std::collections::HashSet;

use mawe_rules::GameKind;
use mawe_wire::ids::TokenHash;
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{MatchMsg, MatchView};
use serde::{Deserialize, Serialize};

use crate::limits::attempts::LimitUse;
use crate::live::chat::watchers::ChatNews;

/// A message to one node.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum ToNode {
    /// To the owner of a match, from a node with sockets that follow it.
    Up(Upward),
    /// From the owner of a match.
    Down(Downward),
    /// A pool request, from the node of the socket to the node that pairs.
    Pool(PoolRequest),
    /// The link does not exist (any more).
    Broken {
        /// Number of the link.
        link: u64,
    },
}

/// A request from the node of the sockets to the owner. `n` counts from 0 without a gap.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Upward {
    pub(crate) link: u64,
    pub(crate) n: u64,
    pub(crate) match_id: MatchId,
    /// Name of the sending node.
    pub(crate) node: String,
    pub(crate) ask: LinkRequest,
}

/// A socket and its player, as its node reports it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Who {
    pub(crate) socket: u64,
    pub(crate) player: Option<PlayerId>,
}

/// A request to the owner of a match.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum LinkRequest {
    /// First message on a link.
    Hello,
    /// Keep-alive.
    Alive,
    /// Last message on a link.
    Bye,
    Join {
        who: Who,
        since: Option<u64>,
    },
    Leave {
        socket: u64,
    },
    View {
        number: u64,
        player: Option<PlayerId>,
    },
    /// The operator ends the match.
    Close {
        number: u64,
        /// Side that leaves; `None`: the match is called off.
        leaves: Option<mawe_rules::Side>,
    },
    #[serde(untagged)]
    Client(Forwarded),
}

/// A client's message, as its node forwards it: the fields of the message lie open beside the others, and its name is the `ask`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Forwarded {
    pub(crate) who: Who,
    #[serde(default)]
    pub(crate) lag_ms: u64,
    /// Whether the opponent has blocked the client.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unheard: bool,
    #[serde(flatten, with = "named_by_ask")]
    pub(crate) message: MatchMsg,
    /// The `traceparent` of the W3C, if the message is traced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) traceparent: Option<String>,
}

/// The JSON of a client's message, named by `ask` rather than `t`.
mod named_by_ask {
    use mawe_wire::MatchMsg;
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::{Map, Value};

    pub(super) fn serialize<S: Serializer>(
        message: &MatchMsg,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let value = serde_json::to_value(message).map_err(S::Error::custom)?;
        renamed(value, "t", "ask").serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<MatchMsg, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        serde_json::from_value(renamed(fields.into(), "ask", "t")).map_err(D::Error::custom)
    }

    fn renamed(mut value: Value, from: &str, to: &str) -> Value {
        if let Value::Object(fields) = &mut value
            && let Some(name) = fields.remove(from)
        {
            fields.insert(to.to_owned(), name);
        }
        value
    }
}

/// A player's request about a pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PoolRequest {
    pub(crate) socket: u64,
    pub(crate) player: PlayerId,
    pub(crate) game: GameKind,
    pub(crate) pool: String,
    pub(crate) rated: bool,
    pub(crate) wish: PoolRequestKind,
}

/// Kind of a pool request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PoolRequestKind {
    /// Waits in the pool; repeated while it holds.
    Join,
    /// Stops waiting, on all devices.
    Leave,
    /// The socket has closed.
    Close,
    /// Accepts the computer opponent that was offered.
    AcceptBot,
}

/// A message from the owner to the node of the sockets. `n` counts from 0 without a gap.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Downward {
    pub(crate) link: u64,
    pub(crate) n: u64,
    pub(crate) items: Vec<Item>,
}

/// Recipient of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum To {
    /// One socket.
    Socket(u64),
    /// All sockets at this match without a seat.
    Spectators,
}

/// A message of the owner; the order counts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "kebab-case")]
pub(crate) enum Item {
    Frame {
        to: To,
        frame: String,
        /// The `traceparent` of the traced message, if the frame is its answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        traceparent: Option<String>,
    },
    /// The socket follows the match from here on.
    Joined {
        socket: u64,
        spectator: bool,
    },
    /// The socket's join has been answered.
    Answered {
        socket: u64,
    },
    View {
        number: u64,
        view: Option<Box<MatchView>>,
    },
    /// Answer to [`LinkRequest::Close`]. `over`: the match was over before. With neither flag, the outcome is unknown.
    Closed {
        number: u64,
        closed: bool,
        over: bool,
    },
    Alive,
}

/// A message to all nodes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum ToAll {
    /// A node has left and released its matches.
    Gone { node: String },
    /// The row of a match has changed.
    Refresh { match_id: MatchId },
    /// A match was counted.
    Counted { match_id: MatchId },
    /// A frame for all sockets of a player.
    Tell { player: PlayerId, frame: String },
    /// A frame for one socket.
    TellOne { socket: u64, frame: String },
    /// A session was ended, or a token revoked.
    EndSession { session: TokenHash },
    /// A line of chat is new or has changed.
    Chat { news: Box<ChatNews> },
    /// A player has switched chat off.
    EndChat { player: PlayerId },
    /// A reader has muted or blocked a player.
    MuteChat { reader: PlayerId, muted: PlayerId },
    /// Use of a limit that all nodes share.
    Spent { spent: LimitUse },
    /// The players with sockets on this node.
    Players {
        node: String,
        players: HashSet<PlayerId>,
    },
    /// These players have been seated and wait in no pool.
    Seated { players: Vec<PlayerId> },
    /// Numbers of waiting players, from the node that pairs: all pools that are not empty.
    Waiting {
        node: String,
        pools: Vec<PoolWaiting>,
    },
}

/// Number of players waiting in a pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PoolWaiting {
    pub(crate) game: GameKind,
    pub(crate) pool: String,
    pub(crate) rated: bool,
    pub(crate) waiting: u32,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Nodes of the neighbouring versions read and write these texts.
    #[test]
    fn a_forwarded_message_keeps_its_form() {
        let who = json!({ "socket": 7, "player": null });
        for ask in [
            json!({
                "ask": "command", "who": who, "lag_ms": 40, "client_id": "c1", "seq": 3,
                "command": { "kind": "move", "ply": 2, "move": "a1b2" },
            }),
            json!({ "ask": "rematch", "who": who, "lag_ms": 40 }),
            json!({ "ask": "phrase", "who": who, "lag_ms": 40, "phrase": "good-luck" }),
            json!({ "ask": "mute", "who": who, "lag_ms": 40, "muted": true }),
        ] {
            let read: LinkRequest = serde_json::from_value(ask.clone()).expect("an ask");
            assert!(
                matches!(&read, LinkRequest::Client(it) if it.lag_ms == 40),
                "{ask}"
            );
            assert_eq!(serde_json::to_value(&read).expect("plain JSON"), ask);
        }
    }

    #[test]
    fn only_a_command_needs_a_lag() {
        let ask = json!({ "ask": "mute", "who": { "socket": 7, "player": null }, "muted": true });
        let read: LinkRequest = serde_json::from_value(ask).expect("an ask");
        assert!(matches!(read, LinkRequest::Client(it) if it.lag_ms == 0));
        let unknown = json!({ "ask": "sing", "who": { "socket": 7, "player": null } });
        assert!(serde_json::from_value::<LinkRequest>(unknown).is_err());
    }
}
