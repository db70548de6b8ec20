//! The wire: every message of the WebSocket, and the shapes the REST interface shares with it.
//!
//! Text frames of JSON, one message a frame. `t` names a message, `kind` a variant inside one. A published shape never changes in
//! place: fields are added, never renamed. `docs/protocol.md` shows an example of each message; the same examples, in
//! `server/tests/protocol/`, are what the tests parse and print.
//!
//! Units: `…_ms` are whole milliseconds. `seq` counts the entries of one match's journal from 1; 0 is the match as it was created.
//! `ply` counts the plies played before the one in question, from 0.

mod matches;
mod offers;
mod players;

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{ChallengeId, ClientId, MatchId};
use crate::pairing::PoolId;

pub use matches::{
    ClockView, Event, EventMsg, MatchResult, MatchView, PlyView, Presence, RematchView, SeatView,
    Seats, SideName, Snapshot, StateView,
};
pub use offers::{
    ChallengeStatus, ChallengeView, DeclineReason, MatchOptions, PoolCount, SeekView, SideWish,
    Speed, TimeControl,
};
pub use players::{Language, Notice, NoticeKind, PlayerKind, PlayerRef, RatingRef};

/// The WebSocket subprotocol that this server speaks. A client must offer it.
pub const SUBPROTOCOL: &str = "mawe.v1";

/// The largest frame a client may send, in bytes: the longest honest command is under 300.
pub const MAX_FRAME_BYTES: usize = 4096;

/// What a client sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClientMsg {
    /// Follow a match: as the player whose seat it is, else as a spectator. Answered by a `snapshot`, or, when `since` is given and
    /// near enough, by the `event`s after it and a `joined`.
    Join {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// The last `seq` this client has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// Stop following a match.
    Leave {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
    },
    /// Do something in a match. Answered by the `event` that it became, which carries the same `client_id`, or by an `error` that
    /// does. Sending a command again is harmless: the answer is the stored one.
    Command {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// The client's own name for this command, new for each.
        #[schema(value_type = String)]
        client_id: ClientId,
        /// The last `seq` this client has; a stale command is answered with the entries since.
        seq: u64,
        /// What to do.
        command: Command,
    },
    /// Offer a rematch with sides exchanged, or take the one that the opponent offers. The match must be over.
    Rematch {
        /// The finished match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
    },
    /// Is the line alive? Answered by `pong`.
    Ping,
    /// Wait in a pool for an opponent. Answered by `pool`, which comes again now and then while one waits, or by an `error`.
    JoinPool {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// How much time, by the pool's name: `5+0`.
        pool: String,
        /// Whether ratings change: accounts only.
        #[serde(default)]
        rated: bool,
    },
    /// Wait there no longer, on any device. Answered by `pool-left`.
    LeavePool {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The pool's name.
        pool: String,
        /// Whether it is the rated one.
        #[serde(default)]
        rated: bool,
    },
    /// Take the computer opponent that `bot-offer` offered for this pool. Answered by `paired`, or by an `error`.
    AcceptBot {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The pool's name.
        pool: String,
        /// Whether it is the rated one.
        #[serde(default)]
        rated: bool,
    },
    /// Follow the lobby. Answered by `lobby`, soon and whenever it changes.
    WatchLobby,
    /// Follow it no longer. Not answered.
    UnwatchLobby,
    /// Follow what is on: the featured match of a game. Answered by `tv`, now and at each change; the match itself is joined as any.
    WatchTv {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
    },
    /// Follow it no longer. Not answered.
    UnwatchTv {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
    },
    /// Say a quick phrase to who is at a match that one plays in.
    Phrase {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// What to say.
        phrase: Phrase,
    },
    /// Hear the opponent's phrases no more in this match, or again.
    Mute {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// Whether to be spared.
        muted: bool,
    },
}

/// What players may say: a code, which each reader sees in their own language.
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

/// What a player does in a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Play a move.
    Move {
        /// The ply this move is: how many plies have been played before it.
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
    /// Ask to take one's last move back, and what was answered to it. Against the computer, and where one person plays both sides, it is
    /// taken back at once.
    OfferTakeback,
    /// Consent to what the opponent asks.
    AcceptTakeback,
    /// Do not consent to it.
    DeclineTakeback,
    /// Give the opponent 15 seconds.
    GiveTime,
    /// Take the win: the opponent is to move, and has gone for good.
    ClaimWin,
    /// Call it a draw: the opponent is to move, and has gone for good.
    ClaimDraw,
}

/// What the server sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum ServerMsg {
    /// The first message on every socket.
    Hello {
        /// Who this socket speaks for; null for an anonymous visitor.
        #[schema(required = true)]
        player: Option<PlayerRef>,
        /// How often the client should `ping`, in milliseconds; a server that hears nothing for three times as long hangs up.
        heartbeat_ms: u64,
    },
    /// A match whole: the answer to `join`.
    Snapshot(Box<Snapshot>),
    /// One entry of the journal, durable before it is sent.
    Event(Box<EventMsg>),
    /// The end of the events that a `join` with `since` asked for.
    Joined {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// The head of the journal.
        seq: u64,
        /// The clocks now: a clock that runs has run on since the last event.
        clock: ClockView,
        /// The receiver's seat; null for a spectator.
        #[schema(required = true, value_type = Option<SideName>)]
        you: Option<Side>,
        /// Who is there.
        presence: Presence,
        /// What is said about a rematch.
        rematch: RematchView,
    },
    /// Who is there has changed.
    Presence {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// Who is there.
        presence: Presence,
    },
    /// What is said about a rematch has changed.
    Rematch {
        /// The finished match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// The offer, or the new match.
        rematch: RematchView,
    },
    /// A challenge of the receiver's was accepted: the match can be joined.
    ChallengeAccepted {
        /// The challenge.
        #[schema(value_type = String)]
        challenge: ChallengeId,
        /// The match that it became.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
    },
    /// A player said something.
    Phrase {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// Who.
        #[schema(value_type = SideName)]
        side: Side,
        /// What.
        phrase: Phrase,
    },
    /// A moderator lets the receiver know something.
    Notice {
        /// What.
        notice: Notice,
    },
    /// Something was refused; nothing changed.
    Error(ErrorMsg),
    /// The answer to `ping`.
    Pong,
    /// The server is about to close this socket.
    Closing {
        /// Why, as a stable code: `restarting`, `too-slow`, `too-many-bad-frames`, `too-fast`, `logged-out`.
        reason: String,
        /// When to come back, in milliseconds.
        retry_ms: u64,
    },
    /// The receiver waits in a pool.
    Pool {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The pool's name.
        #[schema(value_type = String)]
        pool: PoolId,
        /// Whether ratings change.
        rated: bool,
        /// For how long the receiver has waited.
        waited_ms: u64,
        /// Which difference of ratings the receiver accepts by now; it widens with waiting.
        within: u32,
        /// How many wait there, the receiver included.
        waiting: u32,
    },
    /// The receiver waits in a pool no longer.
    PoolLeft {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The pool's name.
        #[schema(value_type = String)]
        pool: PoolId,
        /// Whether it is the rated one.
        rated: bool,
    },
    /// Nobody has come for a while: a computer opponent would play. The receiver takes it with `accept-bot`, or goes on waiting.
    BotOffer {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The pool's name.
        #[schema(value_type = String)]
        pool: PoolId,
        /// Whether the match would be rated.
        rated: bool,
        /// Who it is.
        bot: PlayerRef,
        /// What it is rated at, or where nobody has played it yet, reckoned at.
        rating: i32,
    },
    /// An opponent is found, and the match there to be joined. The receiver waits in no pool any more.
    Paired {
        /// The match.
        #[serde(rename = "match")]
        #[schema(value_type = String)]
        match_id: MatchId,
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The name of the pool in which they met.
        #[schema(value_type = String)]
        pool: PoolId,
        /// Whether ratings change.
        rated: bool,
    },
    /// The lobby, or what has changed in it: what is left out is as it was.
    Lobby {
        /// The seeks that can be accepted, newest first, 50 at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeks: Option<Vec<SeekView>>,
        /// The pools in which somebody waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pools: Option<Vec<PoolCount>>,
    },
    /// Somebody challenges the receiver, by name.
    Challenge {
        /// The challenge whole.
        challenge: Box<ChallengeView>,
    },
    /// A named challenge of the receiver's, or to the receiver, is no longer open. One that has expired is not told: it says itself
    /// when it does.
    ChallengeGone {
        /// The challenge.
        #[schema(value_type = String)]
        challenge: ChallengeId,
        /// What has become of it.
        status: ChallengeStatus,
        /// Why it was declined; null where it was not.
        #[schema(required = true)]
        reason: Option<DeclineReason>,
    },
    /// What is on in a game that the receiver watches.
    Tv {
        /// The game kind.
        #[schema(value_type = String)]
        game: GameKind,
        /// The featured match; null where none runs.
        #[serde(rename = "match")]
        #[schema(required = true, value_type = Option<String>)]
        match_id: Option<MatchId>,
    },
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorMsg {
    /// The match it concerns.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub match_id: Option<MatchId>,
    /// The command it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub client_id: Option<ClientId>,
    /// A stable code; `docs/protocol.md` lists them.
    pub code: String,
    /// For an illegal move, the stable code of the rule that it breaks (`pinned`, `not-your-stone`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The same in English, for programmers; a page translates the codes.
    pub message: String,
    /// When to try again, in milliseconds, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_ms: Option<u64>,
}
