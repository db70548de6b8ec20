//! What nodes say to each other over NATS: JSON, for nodes of this and of neighbouring versions only.
//!
//! Nothing here is believed beyond what the database says: a claim is a row, an append is fenced. But who asks is as the node says that
//! holds the socket, so that NATS must let in nobody but nodes (docs/scaling.md).

use std::collections::HashSet;

use mawe_rules::GameKind;
use serde::{Deserialize, Serialize};

use crate::http::limits::Spent;
use crate::ids::{ClientId, MatchId, PlayerId};
use crate::protocol::{Command, MatchView, Phrase};
use crate::sessions::TokenHash;

/// What one node is told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum ToNode {
    /// By one that has sockets at a match which this one owns.
    Up(Upward),
    /// By the owner.
    Down(Downward),
    /// A wish concerning pools, by the node of the socket to the one that pairs.
    Pool(PoolWish),
    /// There is no such link (any more).
    Broken {
        /// Which.
        link: u64,
    },
}

/// From the node of the sockets to the owner. Numbered from 0 without a gap.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Upward {
    pub(crate) link: u64,
    pub(crate) n: u64,
    pub(crate) match_id: MatchId,
    /// Who says it.
    pub(crate) node: String,
    pub(crate) ask: Ask,
}

/// A socket, and whose it is as its node knows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Who {
    pub(crate) socket: u64,
    pub(crate) player: Option<PlayerId>,
}

/// What is asked of the owner of a match.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Ask {
    /// The first word on a link.
    Hello,
    /// Are you there? I am.
    Alive,
    /// The last word.
    Bye,
    Join {
        who: Who,
        since: Option<u64>,
    },
    Leave {
        socket: u64,
    },
    Command {
        who: Who,
        client_id: ClientId,
        seq: u64,
        command: Command,
        lag_ms: u64,
    },
    Rematch {
        who: Who,
    },
    Phrase {
        who: Who,
        phrase: Phrase,
    },
    Mute {
        who: Who,
        muted: bool,
    },
    View {
        number: u64,
        player: Option<PlayerId>,
    },
    /// The operator ends the match.
    Close {
        number: u64,
        /// Who leaves; `None`: it is called off.
        leaves: Option<mawe_rules::Side>,
    },
}

/// What somebody wishes of a pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PoolWish {
    pub(crate) socket: u64,
    pub(crate) player: PlayerId,
    pub(crate) game: GameKind,
    pub(crate) pool: String,
    pub(crate) rated: bool,
    pub(crate) wish: Wish,
}

/// What.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Wish {
    /// To wait in it; said again and again while it holds.
    Join,
    /// To wait no longer, on all devices.
    Leave,
    /// The socket is gone.
    Close,
    /// To play the computer opponent that was offered.
    AcceptBot,
}

/// From the owner to the node of the sockets. Numbered from 0 without a gap.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Downward {
    pub(crate) link: u64,
    pub(crate) n: u64,
    pub(crate) items: Vec<Item>,
}

/// Whom a frame is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum To {
    /// One socket.
    Socket(u64),
    /// All at this match that have no seat.
    Spectators,
}

/// What the owner says, in order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "kebab-case")]
pub(crate) enum Item {
    Frame {
        to: To,
        frame: String,
    },
    /// A socket is at the match from here on.
    Joined {
        socket: u64,
        spectator: bool,
    },
    /// Its join has been answered.
    Answered {
        socket: u64,
    },
    View {
        number: u64,
        view: Option<Box<MatchView>>,
    },
    /// `over`: the match was over before. Neither: it cannot be said.
    Closed {
        number: u64,
        closed: bool,
        over: bool,
    },
    Alive,
}

/// What all nodes are told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum ToAll {
    /// A node has left: its matches are free.
    Gone { node: String },
    /// What the row of a match says has changed.
    Refresh { match_id: MatchId },
    /// A match was counted.
    Counted { match_id: MatchId },
    /// Something for all sockets of a player.
    Tell { player: PlayerId, frame: String },
    /// Something for one socket.
    TellOne { socket: u64, frame: String },
    /// A session was ended, or a token revoked.
    EndSession { session: TokenHash },
    /// Something was spent that is limited for all nodes together.
    Spent { spent: Spent },
    /// Who has sockets on this node.
    Players {
        node: String,
        players: HashSet<PlayerId>,
    },
    /// They play, and wait in no pool.
    Seated { players: Vec<PlayerId> },
    /// How many wait, by the node that pairs: all pools where anybody does.
    Waiting {
        node: String,
        pools: Vec<PoolWaiting>,
    },
}

/// How many wait in a pool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PoolWaiting {
    pub(crate) game: GameKind,
    pub(crate) pool: String,
    pub(crate) rated: bool,
    pub(crate) waiting: u32,
}
