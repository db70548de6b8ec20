//! What a room is told, and by whom.

use std::sync::Arc;
use std::time::Instant;

use mawe_rules::Side;
use tokio::sync::oneshot;

use crate::bots::job::Reply;
use crate::ids::{ClientId, PlayerId};
use crate::outbox::Outbox;
use crate::protocol::{Command, MatchView, Phrase};
use crate::room::words::{Closing, Refusal};

/// Somebody's socket, as a room sees it.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The socket's number on this node.
    pub socket: u64,
    /// Whose it is; `None` for an anonymous visitor.
    pub player: Option<PlayerId>,
    /// What goes back to it.
    pub outbox: Arc<Outbox>,
}

/// What a room is told.
#[derive(Debug)]
pub enum RoomMsg {
    /// A socket follows the match.
    Join {
        /// Whose.
        caller: Caller,
        /// The last seq it has.
        since: Option<u64>,
        /// Dropped once the answer is in the outbox: a socket that joins many matches takes one answer after the other.
        answered: Option<oneshot::Sender<()>>,
    },
    /// A socket follows it no longer.
    Leave {
        /// Which.
        socket: u64,
    },
    /// Somebody does something.
    Command {
        /// Who.
        caller: Caller,
        /// Their name for it.
        client_id: ClientId,
        /// The last seq they have.
        seq: u64,
        /// What.
        command: Command,
        /// When it was read from the socket.
        received: Instant,
        /// The lag of their line.
        lag_ms: u64,
    },
    /// A bot answers.
    Bot {
        /// Its seat.
        side: Side,
        /// The ply it answers.
        ply: u32,
        /// The head of the journal when it was asked.
        seq: u64,
        /// What it says.
        reply: Reply,
    },
    /// Nobody does the jobs of the bot in this seat just now.
    BotAway {
        /// Its seat.
        side: Side,
    },
    /// Somebody wants a rematch.
    Rematch {
        /// Who.
        caller: Caller,
    },
    /// Somebody says something.
    Phrase {
        /// Who.
        caller: Caller,
        /// What.
        phrase: Phrase,
    },
    /// Somebody wants to be spared the opponent's phrases, or no longer.
    Mute {
        /// Who.
        caller: Caller,
        /// Whether to be spared.
        muted: bool,
    },
    /// Somebody asks how the match stands, over REST.
    View {
        /// Who; `None` for an anonymous visitor.
        player: Option<PlayerId>,
        /// Where the answer goes; dropped unanswered if there is no such match.
        reply: oneshot::Sender<Option<MatchView>>,
    },
    /// What the match's row says of its players has changed: a guest has registered.
    Refresh,
    /// The finished match was counted: if it is rated, its row says what it did to the ratings.
    Counted,
    /// The operator ends the match.
    Close {
        /// How.
        closing: Closing,
        /// Told once that is durable, or why it is refused; dropped where neither can be said.
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    /// The lease of this node had ended: the match may be another's by now.
    Lapsed,
    /// The server stops.
    Stop,
}
