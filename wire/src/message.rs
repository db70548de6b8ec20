//! The wire: every message of the WebSocket, and the shapes the REST interface shares with it.
//!
//! Text frames of JSON, one message a frame. `t` names a message, `kind` a variant inside one. A published shape never changes in
//! place: fields are added, never renamed. `docs/protocol.md` shows an example of each message; the tests parse and print the same
//! examples, in `server/tests/protocol/`.
//!
//! Units: `…_ms` are whole milliseconds. `seq` counts the entries of one match's journal from 1; 0 is the match as it was created.
//! `ply` counts the plies played before the one in question, from 0.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::challenges::{ChallengeStatus, ChallengeView, DeclineReason, PoolCount, SeekView};
use super::chat::{ChatLine, ChatRoom};
use super::code::{ClosingReason, Code};
use super::events::{EventRef, EventStandingPage, EventState};
use super::matches::{ClockView, EventMsg, Presence, RematchView, Snapshot};
use super::notices::Notice;
use super::players::PlayerRef;
use super::pool::PoolId;
use crate::ids::{ChallengeId, ClientId, EventId, MatchId};

/// The WebSocket subprotocol that this server speaks. A client must offer it.
pub const SUBPROTOCOL: &str = "mawe.v1";

/// Maximum size of a client's frame, in bytes: the longest valid command has fewer than 300.
pub const MAX_FRAME_BYTES: usize = 4096;

/// A message to the server about the socket itself: the matches that it follows, pools, the lobby.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SessionMsg {
    /// Follow a match: as the player whose seat it is, else as a spectator. Answered by a `snapshot`, or, when `since` is given and near
    /// enough, by the `event`s after it and a `joined`.
    Join {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The last `seq` this client has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// Stop following a match.
    Leave {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// Test the connection. Answered by `pong`.
    Ping,
    /// Wait in a pool for an opponent. Answered by `pool`, which is repeated at intervals during the wait, or by an `error`.
    JoinPool {
        /// The game kind.
        game: GameKind,
        /// The pool's name, which is its time control: `5+0`.
        pool: String,
        /// Whether the pool is the rated one: accounts only.
        #[serde(default)]
        rated: bool,
    },
    /// Leave a pool, on all devices. Answered by `pool-left`.
    LeavePool {
        /// The game kind.
        game: GameKind,
        /// The pool's name.
        pool: String,
        /// Whether the pool is the rated one.
        #[serde(default)]
        rated: bool,
    },
    /// Accept the computer opponent that `bot-offer` offered for this pool. Answered by `paired`, or by an `error`.
    AcceptBot {
        /// The game kind.
        game: GameKind,
        /// The pool's name.
        pool: String,
        /// Whether the pool is the rated one.
        #[serde(default)]
        rated: bool,
    },
    /// Follow the lobby. Answered by `lobby`, soon and whenever it changes.
    WatchLobby,
    /// Stop following the lobby. Not answered.
    UnwatchLobby,
    /// Follow the featured match of a game. Answered by `tv`, at once and at each change; the match itself must be joined like any other.
    WatchTv {
        /// The game kind.
        game: GameKind,
    },
    /// Stop following the featured match. Not answered.
    UnwatchTv {
        /// The game kind.
        game: GameKind,
    },
    /// Follow an event. Answered by `event-state`, at once and when it changes, once a second at most; or by an `error`. A socket follows one
    /// event: another `watch-event` ends the first.
    WatchEvent {
        /// The event.
        event: EventId,
    },
    /// Stop following the event. Not answered.
    UnwatchEvent {
        /// The event.
        event: EventId,
    },
    /// Follow a room of the chat of a match, which must be joined. Answered by `chat` with the latest lines, or by an `error`; `chat` then
    /// comes with each new or changed line.
    WatchChat {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The room.
        room: ChatRoom,
    },
    /// Stop following a room of the chat. Not answered.
    UnwatchChat {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The room.
        room: ChatRoom,
    },
}

/// A message to a match that the client follows. It travels to the match's room as it is, also between nodes; the match's id is beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
pub enum MatchMsg {
    /// Do something in a match. Answered by the resulting `event`, or by an `error`, with the same `client_id`. A repeated command is
    /// harmless: the answer is the stored one.
    Command {
        /// The client's own id for this command, new for each.
        client_id: ClientId,
        /// The last `seq` this client has; a stale command is answered with the entries since.
        seq: u64,
        /// The command.
        command: Command,
    },
    /// Offer a rematch with sides exchanged, or accept the opponent's offer. The match must be over.
    // A variant with braces refuses unknown fields, a unit variant would not.
    Rematch {},
    /// Send a quick phrase to everyone at a match in which the sender plays.
    Phrase {
        /// The phrase.
        phrase: Phrase,
    },
    /// Mute the opponent's phrases in this match, or unmute them.
    Mute {
        /// Whether to mute them.
        muted: bool,
    },
}

impl MatchMsg {
    /// Returns the client's id for a command, which its answer repeats.
    #[must_use]
    pub fn client_id(&self) -> Option<&ClientId> {
        match self {
            MatchMsg::Command { client_id, .. } => Some(client_id),
            MatchMsg::Rematch {} | MatchMsg::Phrase { .. } | MatchMsg::Mute { .. } => None,
        }
    }
}

/// A quick phrase: a code, which each reader's page translates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phrase {
    /// Hello.
    Hello,
    /// Good luck.
    GoodLuck,
    /// Good game.
    GoodGame,
    /// Well played.
    WellPlayed,
    /// Thank you.
    ThankYou,
    /// One moment.
    OneMoment,
    /// Sorry.
    Sorry,
    /// Oops.
    Oops,
    /// I have to go.
    MustGo,
}

/// A player's command in a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Play a move.
    Move {
        /// The ply of this move: the number of plies played before it.
        ply: u32,
        /// The move in the notation of the game.
        #[serde(rename = "move")]
        text: String,
    },
    /// Give up.
    Resign,
    /// Offer a draw; where the opponent's offer is pending, accept it.
    OfferDraw,
    /// Accept the pending draw offer.
    AcceptDraw,
    /// Decline the pending draw offer.
    DeclineDraw,
    /// Call the match off before its second ply; nobody wins.
    Abort,
    /// Ask to take back the sender's last move and the reply to it. Taken back at once in a casual match against the computer, where one
    /// person plays both sides, and with `free_takebacks` until the opponent has moved.
    OfferTakeback,
    /// Consent to the opponent's request.
    AcceptTakeback,
    /// Decline the opponent's request.
    DeclineTakeback,
    /// Give the opponent 15 seconds.
    GiveTime,
    /// Halve the own clock and go without the increment, for one more point: before the own first move, where `options.berserk` is on.
    Berserk,
    /// Claim the win: the opponent is to move, and has gone for good.
    ClaimWin,
    /// Claim a draw: the opponent is to move, and has gone for good.
    ClaimDraw,
}

/// A message from the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum ServerMsg {
    /// The first message on every socket.
    Hello {
        /// The player of this socket; null for an anonymous visitor.
        #[schema(required = true)]
        player: Option<PlayerRef>,
        /// The interval of the server's pings, in milliseconds; it closes a socket from which it receives nothing for three times as long.
        heartbeat_ms: u64,
    },
    /// The whole state of a match: the answer to `join`.
    Snapshot(Box<Snapshot>),
    /// One entry of the journal, durable before it is sent.
    Event(Box<EventMsg>),
    /// The end of the events that a `join` with `since` asked for.
    Joined {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The head of the journal.
        seq: u64,
        /// The present clocks: a running clock has gone on since the last event.
        clock: ClockView,
        /// The receiver's seat; null for a spectator.
        #[schema(required = true)]
        you: Option<Side>,
        /// The connected players and spectators.
        presence: Presence,
        /// The state of the rematch.
        rematch: RematchView,
    },
    /// The presence at a match has changed.
    Presence {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The connected players and spectators.
        presence: Presence,
    },
    /// The state of the rematch has changed.
    Rematch {
        /// The finished match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The offer, or the new match.
        rematch: RematchView,
    },
    /// A challenge or seek of the receiver was accepted: the match can be joined.
    ChallengeAccepted {
        /// The challenge.
        challenge: ChallengeId,
        /// The match that it became.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// A player sent a phrase.
    Phrase {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The player's side.
        side: Side,
        /// The phrase.
        phrase: Phrase,
    },
    /// A notice to the receiver, new or in the place of an older one about the same match.
    Notice {
        /// The notice.
        notice: Notice,
        /// The number of the receiver's unread notices, with this one.
        unread: u32,
    },
    /// The receiver has read notices, perhaps elsewhere, or some have become pointless.
    NoticesRead {
        /// The number of the receiver's unread notices.
        unread: u32,
    },
    /// A message was refused; nothing changed.
    Error(ErrorMsg),
    /// The answer to `ping`.
    Pong,
    /// The server is about to close this socket.
    Closing {
        /// The reason, as a stable code: `restarting`, `too-slow`, `too-many-bad-frames`, `too-fast`, `logged-out`.
        reason: ClosingReason,
        /// The time to wait before the client reconnects, in milliseconds.
        retry_ms: u64,
    },
    /// The receiver waits in a pool.
    Pool {
        /// The game kind.
        game: GameKind,
        /// The pool's name.
        pool: PoolId,
        /// Whether the pool is the rated one.
        rated: bool,
        /// The receiver's waiting time, in milliseconds.
        waited_ms: u64,
        /// The rating difference that the receiver accepts by now; it widens with waiting.
        within: u32,
        /// The number of players waiting there, including the receiver.
        waiting: u32,
    },
    /// The receiver has left a pool.
    PoolLeft {
        /// The game kind.
        game: GameKind,
        /// The pool's name.
        pool: PoolId,
        /// Whether the pool is the rated one.
        rated: bool,
    },
    /// No opponent has come for a while: a computer opponent is offered. The receiver accepts with `accept-bot`, or goes on waiting.
    BotOffer {
        /// The game kind.
        game: GameKind,
        /// The pool's name.
        pool: PoolId,
        /// Whether the match would be rated.
        rated: bool,
        /// The computer opponent.
        bot: PlayerRef,
        /// Its rating, or an estimate if nobody has played it yet.
        rating: i32,
    },
    /// An opponent was found, and the match can be joined. The receiver has left all pools.
    Paired {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The game kind.
        game: GameKind,
        /// The name of the pool.
        pool: PoolId,
        /// Whether the match is rated.
        rated: bool,
    },
    /// A match of the receiver in an event can be joined. The receiver has left all pools.
    EventPaired {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The game kind.
        game: GameKind,
        /// The event.
        event: EventRef,
    },
    /// The lobby, or its changes: absent fields are unchanged.
    Lobby {
        /// The seeks that can be accepted, at most 50: the newest of each seeker, then the second newest of each, and so on; the receiver's
        /// own further ones follow.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeks: Option<Vec<SeekView>>,
        /// The pools with waiting players.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pools: Option<Vec<PoolCount>>,
    },
    /// A player challenges the receiver by name.
    Challenge {
        /// The challenge.
        challenge: Box<ChallengeView>,
    },
    /// A challenge by name, from or to the receiver, is no longer open. Not sent when it expires: the challenge contains that time.
    ChallengeGone {
        /// The challenge.
        challenge: ChallengeId,
        /// The new status.
        status: ChallengeStatus,
        /// The reason for declining it; null unless it was declined.
        #[schema(required = true)]
        reason: Option<DeclineReason>,
    },
    /// The featured match of a game that the receiver watches.
    Tv {
        /// The game kind.
        game: GameKind,
        /// The featured match; null if there is none.
        #[serde(rename = "match")]
        #[schema(required = true)]
        match_id: Option<MatchId>,
    },
    /// The state of an event that the receiver watches. `seq` grows with each change of the event; one with a smaller `seq` is out of date.
    EventState {
        /// The event.
        event: EventId,
        /// The number of the last entry of the journal.
        seq: u64,
        /// The state.
        state: EventState,
        /// The number of players without the withdrawn ones.
        players: u32,
        /// The last round that was paired; 0 before.
        round: u32,
        /// A running match of a leader.
        #[schema(required = true)]
        featured: Option<MatchId>,
        /// The first 20 rows of the standings.
        standings: Box<EventStandingPage>,
    },
    /// Lines of chat, in ascending order: the latest ones, as the answer to `watch-chat`, or lines that are new or have changed. A gap before
    /// the first of them is filled by `GET /api/v1/matches/{id}/chat/{room}`.
    Chat {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
        /// The room.
        room: ChatRoom,
        /// The lines; empty where nobody has written yet.
        lines: Vec<ChatLine>,
    },
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorMsg {
    /// The match concerned, if any.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// The command that was refused, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// A stable code; `docs/protocol.md` lists them.
    pub code: Code,
    /// For an illegal move, the stable code of the rule that it breaks (`pinned`, `not-your-stone`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// A message in English for programmers; a page translates the codes.
    pub message: String,
    /// The time to wait before the next attempt, in milliseconds, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_ms: Option<u64>,
}
