//! The messages of a room.

use std::sync::Arc;
use std::time::Instant;

use mawe_play::room::io::{Closing, Refusal};
use mawe_rules::Side;
use mawe_wire::ids::PlayerId;
use mawe_wire::{MatchMsg, MatchView};
use tokio::sync::{mpsc, oneshot};

use crate::bots::job::Reply;
use crate::live::outbox::Outbox;
use crate::trace::{Trace, TraceContext};

/// A socket, as known to a room.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The socket's number on this node.
    pub socket: u64,
    /// The player; `None` for an anonymous visitor.
    pub player: Option<PlayerId>,
    /// The outbox of the socket.
    pub outbox: Arc<Outbox>,
}

/// A client's message on its way to the room. Only the room takes the message apart.
#[derive(Debug)]
pub struct Envelope {
    /// The client.
    pub caller: Caller,
    /// The time at which the message was read from the socket.
    pub received: Instant,
    /// The lag of the connection.
    pub lag_ms: u64,
    /// The message.
    pub message: MatchMsg,
    /// Whether the opponent has blocked the client: then the opponent gets none of the client's phrases.
    pub unheard: bool,
    /// The trace that the message began.
    pub trace: Trace,
}

/// The messages that wait for a room. They are boxed, because every open match has a channel with places for 32 messages.
pub type Mailbox = mpsc::Receiver<Box<RoomMsg>>;

/// A message to a room.
#[derive(Debug)]
pub enum RoomMsg {
    /// A socket joins.
    Join {
        /// The socket.
        caller: Caller,
        /// The last seq that the client has.
        since: Option<u64>,
        /// Dropped once the answer is in the outbox: a socket that joins many matches waits for each answer before the next join.
        answered: Option<oneshot::Sender<()>>,
    },
    /// A socket leaves.
    Leave {
        /// The number of the socket.
        socket: u64,
    },
    /// A client sends a message.
    Client(Envelope),
    /// A bot answers a question.
    Bot {
        /// The bot's seat.
        side: Side,
        /// The ply that it answers.
        ply: u32,
        /// The head of the journal at the time of the question.
        seq: u64,
        /// The answer.
        reply: Reply,
        /// The place of the job in its trace.
        trace: TraceContext,
    },
    /// No worker does the jobs of the bot in this seat at present.
    BotAway {
        /// The bot's seat.
        side: Side,
    },
    /// A REST client reads the match.
    View {
        /// The player; `None` for an anonymous visitor.
        player: Option<PlayerId>,
        /// The answer; dropped if the match does not exist.
        reply: oneshot::Sender<Option<MatchView>>,
    },
    /// The match's row has changed: a guest has registered.
    Refresh,
    /// The finished match was counted: if it is rated, its row has the rating changes.
    Counted,
    /// The operator closes the match.
    Close {
        /// The way to close it.
        closing: Closing,
        /// The result, sent once the end is durable; dropped if the result is unknown.
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    /// The lease of this node has ended: another node may own the match now.
    Lapsed,
    /// The server is stopping.
    Stop,
}
