//! The wire: every message of the WebSocket, and the shapes the REST interface shares with it.
//!
//! Text frames of JSON, one message a frame. `t` names a message, `kind` a variant inside one. A published shape never changes in
//! place: fields are added, never renamed. `docs/protocol.md` shows an example of each message; the same examples, in
//! `server/tests/protocol/`, are what the tests parse and print.
//!
//! Units: `…_ms` are whole milliseconds. `seq` counts the entries of one match's journal from 1; 0 is the match as it was created.
//! `ply` counts the plies played before the one in question, from 0.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{ChallengeId, ClientId, MatchId, NoticeId};
use crate::pairing::PoolId;

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

/// A match whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// The match as anybody may see it.
    #[serde(rename = "match")]
    pub view: MatchView,
    /// The receiver's seat; null for a spectator.
    #[schema(required = true, value_type = Option<SideName>)]
    pub you: Option<Side>,
    /// Who is there.
    pub presence: Presence,
    /// What is said about a rematch.
    pub rematch: RematchView,
}

/// A match: what it is, how it stands, and every ply so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchView {
    /// Its id.
    #[schema(value_type = String)]
    pub id: MatchId,
    /// The game kind.
    #[schema(value_type = String)]
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The position before the first ply.
    pub start: String,
    /// Whether ratings change.
    pub rated: bool,
    /// How much time there is.
    pub time_control: TimeControl,
    /// The speed the time control belongs to.
    pub speed: Speed,
    /// What the players may do.
    pub options: MatchOptions,
    /// Whether it is shown only to those who have its link.
    pub private: bool,
    /// Who sits where.
    pub seats: Seats<SeatView>,
    /// When it was created (RFC 3339).
    #[schema(value_type = String)]
    pub created_at: jiff::Timestamp,
    /// When it ended; null while it runs.
    #[schema(required = true, value_type = Option<String>)]
    pub finished_at: Option<jiff::Timestamp>,
    /// The head of its journal.
    pub seq: u64,
    /// Every ply so far, in order.
    pub plies: Vec<PlyView>,
    /// How it stands.
    #[serde(flatten)]
    pub state: StateView,
}

/// How a match stands after an entry: the part of a match that every event carries anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StateView {
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move (also once it is over).
    #[schema(value_type = SideName)]
    pub turn: Side,
    /// How many plies have been played.
    pub ply: u32,
    /// The legal moves, sorted; empty once the match is over.
    pub legal: Vec<String>,
    /// The clocks.
    pub clock: ClockView,
    /// Who has a draw offer pending.
    #[schema(required = true, value_type = Option<SideName>)]
    pub draw_offer: Option<Side>,
    /// Who asks to take a move back.
    #[schema(required = true, value_type = Option<SideName>)]
    pub takeback_offer: Option<Side>,
    /// How it ended; null while it runs.
    #[schema(required = true)]
    pub result: Option<MatchResult>,
}

/// One ply as it was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlyView {
    /// Who played it.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after it.
    pub position: String,
    /// What the mover's clock showed after it, the increment included.
    pub clock_ms: u64,
    /// How long the mover took, lag already deducted.
    pub spent_ms: u64,
    /// How much lag the server deducted.
    pub lag_ms: u64,
}

/// One entry of the journal as it is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventMsg {
    /// The match.
    #[serde(rename = "match")]
    #[schema(value_type = String)]
    pub match_id: MatchId,
    /// Its place in the journal.
    pub seq: u64,
    /// The command it came from, where it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub client_id: Option<ClientId>,
    /// What happened.
    pub event: Event,
    /// How the match stands after it.
    pub state: StateView,
}

/// What happened in a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A ply was played.
    Move(PlyView),
    /// A side gave up.
    Resign {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side offered a draw.
    OfferDraw {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side accepted the draw: the match is over.
    AcceptDraw {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side declined the draw.
    DeclineDraw {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side's time ran out.
    Flag {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// The match was called off; nobody wins.
    Abort {
        /// Who did; null when the server did, because a first move did not come.
        #[schema(required = true, value_type = Option<SideName>)]
        side: Option<Side>,
    },
    /// A side asked to take its last move back.
    OfferTakeback {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// The last plies were taken back.
    Takeback {
        /// Who consented, or needed no consent.
        #[schema(value_type = SideName)]
        side: Side,
        /// How many plies.
        plies: u32,
    },
    /// A side did not consent.
    DeclineTakeback {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side gave the other time.
    GiveTime {
        /// The giver.
        #[schema(value_type = SideName)]
        side: Side,
        /// How much.
        ms: u64,
    },
    /// A side took the win, because the other had gone: the match is over.
    ClaimWin {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
    /// A side called it a draw, because the other had gone: the match is over.
    ClaimDraw {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
    },
}

impl Event {
    /// Whose doing it is; `None` when the server called the match off. A `client_id` is that side's name: the other side may use the
    /// same.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        match self {
            Event::Move(ply) => Some(ply.side),
            Event::Resign { side }
            | Event::OfferDraw { side }
            | Event::AcceptDraw { side }
            | Event::DeclineDraw { side }
            | Event::Flag { side }
            | Event::OfferTakeback { side }
            | Event::Takeback { side, .. }
            | Event::DeclineTakeback { side }
            | Event::GiveTime { side, .. }
            | Event::ClaimWin { side }
            | Event::ClaimDraw { side } => Some(*side),
            Event::Abort { side } => *side,
        }
    }
}

/// The two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// Time left of the side that began.
    pub first_ms: u64,
    /// Time left of the other side.
    pub second_ms: u64,
    /// Whose clock runs; null before both have made their first move, and when the match is over.
    #[schema(required = true, value_type = Option<SideName>)]
    pub running: Option<Side>,
    /// Before both have made their first move: how long the side to move still has to make it, before the server calls the match off.
    #[schema(required = true)]
    pub first_move_ms: Option<u64>,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchResult {
    /// Who won; null for a draw and for a match called off.
    #[schema(required = true, value_type = Option<SideName>)]
    pub winner: Option<Side>,
    /// Why: a reason code of the rules (`no-moves`, `repetition`, …), or `resign`, `agreement`, `time`, `abandoned` (the
    /// opponent had gone), `aborted` (a player called it off), `no-show` (the server did, because a first move did not come),
    /// `closed` (the operator did).
    pub reason: String,
    /// What was counted, where the game counts: for Mawe! the stones home.
    #[schema(required = true)]
    pub score: Option<Seats<u16>>,
}

/// Something for each of the two seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seats<T> {
    /// The side that moves first.
    pub first: T,
    /// The other side.
    pub second: T,
}

/// Who sits in a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatView {
    /// The player.
    pub player: PlayerRef,
    /// The rating with which they sat down, where they had one.
    #[schema(required = true)]
    pub rating: Option<RatingRef>,
    /// What a rated match did to it, once it has been counted, in whole points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_change: Option<i32>,
}

/// A player's name and kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerRef {
    /// The name, unique without regard to case.
    pub name: String,
    /// What kind of player.
    pub kind: PlayerKind,
    /// A computer opponent's level, 1 to 8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
}

/// Kinds of player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// Came without an account; becomes one by registering.
    Guest,
    /// Has a name and a password.
    Account,
    /// A program: with a `level` a computer opponent of this server, without one a bot account, which somebody's program plays for.
    Bot,
}

/// A rating as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingRef {
    /// Glicko-2 rating, rounded.
    pub rating: i32,
    /// Glicko-2 deviation, rounded.
    pub deviation: i32,
    /// Whether the deviation is still too large to rank the player.
    pub provisional: bool,
}

/// How much time a match gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TimeControl {
    /// A clock for each side.
    Realtime {
        /// What each clock starts with: 10 seconds to 3 hours.
        base_ms: u64,
        /// What a side gets when the turn passes: up to 3 minutes.
        increment_ms: u64,
    },
    /// So many days for each turn.
    Correspondence {
        /// 1 to 14.
        days: u8,
    },
    /// No clocks; never rated.
    Unlimited,
}

/// What the players may do in a match beside playing, as agreed on when it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchOptions {
    /// Moves may be taken back: by consent, against the computer freely.
    pub takebacks: bool,
    /// A player may give the opponent time.
    pub give_time: bool,
    /// The players may say quick phrases.
    pub phrases: bool,
}

/// Classes of time control, each with a rating of its own: by base + 40 × increment, under 3, 8 and 25 minutes, and above; and days a
/// move.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// Under 3 minutes.
    Bullet,
    /// Under 8 minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// 25 minutes and above.
    Classical,
    /// Days a move, or no clocks at all.
    Daily,
}

/// Who is at a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Presence {
    /// Whether the first side's player is connected; a computer opponent is unless there is nobody to think for it just now.
    pub first: bool,
    /// The same for the second side.
    pub second: bool,
    /// How many others watch.
    pub spectators: u32,
    /// How long each player has been away; null for who is here.
    pub gone_ms: Seats<Option<u64>>,
    /// How long the player to move must be away before the other may claim the match; null where nobody may.
    #[schema(required = true)]
    pub claim_after_ms: Option<u64>,
}

/// What is said about a rematch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RematchView {
    /// Who offers one.
    #[schema(required = true, value_type = Option<SideName>)]
    pub offered_by: Option<Side>,
    /// The match it became.
    #[schema(required = true, value_type = Option<String>)]
    pub next: Option<MatchId>,
}

/// A seek: somebody in the lobby wants to play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeekView {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ChallengeId,
    /// The game kind.
    #[schema(value_type = String)]
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The side that the seeker wants; null leaves it to chance.
    #[schema(required = true, value_type = Option<SideName>)]
    pub side: Option<Side>,
    /// How much time.
    pub time_control: TimeControl,
    /// The speed the time control belongs to.
    pub speed: Speed,
    /// Whether ratings change.
    pub rated: bool,
    /// What the players may do.
    pub options: MatchOptions,
    /// Who seeks.
    pub seeker: PlayerRef,
    /// What they are rated at this kind and speed; null before the first rated match.
    #[schema(required = true)]
    pub seeker_rating: Option<RatingRef>,
    /// The lowest rating that may accept; null for any.
    #[schema(required = true)]
    pub min_rating: Option<i32>,
    /// The highest rating that may accept; null for any.
    #[schema(required = true)]
    pub max_rating: Option<i32>,
    /// When it was made (RFC 3339).
    #[schema(value_type = String)]
    pub created_at: jiff::Timestamp,
    /// Until when it can be accepted.
    #[schema(value_type = String)]
    pub expires_at: jiff::Timestamp,
}

/// How many wait in a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolCount {
    /// The game kind.
    #[schema(value_type = String)]
    pub game: GameKind,
    /// The pool's name.
    #[schema(value_type = String)]
    pub pool: PoolId,
    /// Whether ratings change.
    pub rated: bool,
    /// How much time.
    pub time_control: TimeControl,
    /// How many wait.
    pub waiting: u32,
}

/// A challenge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Challenge)]
pub struct ChallengeView {
    /// Its id. Where nobody is named, whoever has it may accept.
    #[schema(value_type = String)]
    pub id: ChallengeId,
    /// The game kind.
    #[schema(value_type = String)]
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The side the challenger wants.
    pub side: SideWish,
    /// How much time.
    pub time_control: TimeControl,
    /// The speed the time control belongs to.
    pub speed: Speed,
    /// Whether ratings change.
    pub rated: bool,
    /// What the players may do.
    pub options: MatchOptions,
    /// Whether the match is shown only to those who have its link.
    pub private: bool,
    /// Who challenges.
    pub challenger: PlayerRef,
    /// Null before the first rated match of this kind and speed.
    #[schema(required = true)]
    pub challenger_rating: Option<RatingRef>,
    /// Who alone may accept; null for whoever has the link.
    #[schema(required = true)]
    pub to: Option<PlayerRef>,
    /// What has become of it.
    pub status: ChallengeStatus,
    /// Why it was declined; null where it was not.
    #[schema(required = true)]
    pub declined: Option<DeclineReason>,
    /// The match that it became.
    #[serde(rename = "match")]
    #[schema(required = true, value_type = Option<String>)]
    pub match_id: Option<MatchId>,
    /// When it was made (RFC 3339).
    #[schema(value_type = String)]
    pub created_at: jiff::Timestamp,
    /// Until when it can be accepted: 24 hours later.
    #[schema(value_type = String)]
    pub expires_at: jiff::Timestamp,
}

/// Which side one wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SideWish {
    /// To move first.
    First,
    /// To move second.
    Second,
    /// Chance decides.
    #[default]
    Random,
}

/// What has become of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeStatus {
    /// It can be accepted.
    Open,
    /// It became a match.
    Accepted,
    /// It was taken back.
    Cancelled,
    /// The one who was asked said no.
    Declined,
    /// Nobody accepted it in time.
    Expired,
}

/// A language that the page speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// English.
    En,
    /// Kiswahili.
    Sw,
    /// Polski.
    Pl,
    /// മലയാളം (Malayalam).
    Ml,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::En, Language::Sw, Language::Pl, Language::Ml];

    /// Its tag (BCP 47), on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Sw => "sw",
            Language::Pl => "pl",
            Language::Ml => "ml",
        }
    }
}

/// Something that a moderator lets a player know: told at once, and again at every visit until it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    /// Its id, to say that it was read.
    #[schema(value_type = String)]
    pub id: NoticeId,
    /// What it is.
    pub kind: NoticeKind,
    /// Why, in the moderator's words.
    pub text: String,
    /// Until when it holds; null where it does not end by itself.
    #[schema(required = true, value_type = Option<String>)]
    pub until: Option<jiff::Timestamp>,
    /// When it was written.
    #[schema(value_type = String)]
    pub at: jiff::Timestamp,
}

/// What a moderator lets a player know: a code, which the player reads in their own language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// What they did is not wanted here.
    Warning,
    /// They say no phrases any more.
    Muted,
    /// They have another name.
    Renamed,
}

impl NoticeKind {
    /// All of them.
    pub const ALL: [NoticeKind; 3] = [NoticeKind::Warning, NoticeKind::Muted, NoticeKind::Renamed];

    /// Its text, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NoticeKind::Warning => "warning",
            NoticeKind::Muted => "muted",
            NoticeKind::Renamed => "renamed",
        }
    }
}

/// Why a challenge is declined: a code, which the challenger reads in their own language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeclineReason {
    /// I'm not accepting challenges at the moment.
    #[default]
    Generic,
    /// Ask me again later.
    Later,
    /// This is too fast for me.
    TooFast,
    /// This is too slow for me.
    TooSlow,
    /// I would rather play it rated.
    Rated,
    /// I would rather play it casual.
    Casual,
    /// I would rather play another game.
    Game,
    /// I would rather play another setup of this game.
    Setup,
}

impl DeclineReason {
    /// All of them.
    pub const ALL: [DeclineReason; 8] = [
        DeclineReason::Generic,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::Rated,
        DeclineReason::Casual,
        DeclineReason::Game,
        DeclineReason::Setup,
    ];

    /// Its text, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DeclineReason::Generic => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "too-fast",
            DeclineReason::TooSlow => "too-slow",
            DeclineReason::Rated => "rated",
            DeclineReason::Casual => "casual",
            DeclineReason::Game => "game",
            DeclineReason::Setup => "setup",
        }
    }
}

/// How a [`Side`] is written, for the generated descriptions of the wire.
#[derive(ToSchema)]
#[schema(as = Side, rename_all = "kebab-case")]
pub enum SideName {
    /// The side that moves first.
    First,
    /// The other side.
    Second,
}
