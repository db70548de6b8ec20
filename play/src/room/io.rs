//! The inputs and effects of the match core.

use mawe_rules::{BySide, GameKind, PlayError, Record, Side};
use mawe_wire::ids::{ClientId, MatchId};
use mawe_wire::{Code, Command, EventMsg, MatchOptions, TimeControl};

use crate::room::entry::Entry;

/// Milliseconds of running time as the node measures it; only differences are meaningful.
pub type Millis = u64;

/// The time of an input: `mono` for computing realtime clocks, `unix_ms` for entries and correspondence clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The running time: monotonic, without the time in which the node did not run.
    pub mono: Millis,
    /// The time of day, in milliseconds since the Unix epoch.
    pub unix_ms: i64,
    /// The start of the time in which the node could receive moves without an outage, in milliseconds since the Unix epoch.
    pub up_since_ms: i64,
}

/// The constant part of a match that the core needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchSetup {
    /// Its id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// Whether ratings change.
    pub rated: bool,
    /// The time control.
    pub time_control: TimeControl,
    /// The time on each clock at the start beyond the base time, in milliseconds.
    pub extra_ms: BySide<u64>,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether one player has both seats (pass and play).
    pub one_player: bool,
    /// The time of creation, in milliseconds since the Unix epoch: a correspondence clock runs from it.
    pub created_ms: i64,
    /// The level of the computer opponent in each seat; `None` for people and bot accounts.
    pub bots: BySide<Option<u8>>,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The room was opened, after the replay of its journal.
    Open,
    /// A player sends a command.
    Command {
        /// The player's seat.
        side: Side,
        /// The client's id for the command.
        client_id: ClientId,
        /// The last `seq` that the client had when it sent the command.
        seq: u64,
        /// The command.
        command: Command,
        /// The lag of the connection, as measured by the server.
        lag_ms: u64,
    },
    /// A player has arrived or left.
    Presence {
        /// The player's seat.
        side: Side,
        /// Whether the player is present now.
        here: bool,
    },
    /// The operator closes the match.
    Close(Closing),
    /// The side to move, whose time is up ([`RoomState::time_up`](super::state::RoomState::time_up)), was on vacation during a part of
    /// this turn.
    Vacation {
        /// The length of that part, as far as the turn has not got it yet.
        ms: u64,
    },
    /// The time of [`Effects::wake_at`] has come.
    Tick,
    /// The proposed entries are durable.
    Durable,
}

/// The way in which the operator closes a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The match is called off, regardless of the plies played.
    CallOff,
    /// The match ends as if this side had left: it resigns, or calls the match off if it still may.
    Leave(Side),
}

/// The effects of an input, to be carried out by the caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// Entries to make durable, to be followed by [`Input::Durable`]. No other input may come in between.
    pub append: Option<Proposal>,
    /// Durable events for everybody at the match.
    pub tell: Vec<EventMsg>,
    /// An answer for the sender of the command.
    pub answer: Option<Answer>,
    /// A question for a bot.
    pub ask: Option<BotQuestion>,
    /// The time at which to send [`Input::Tick`], unless another input comes first.
    pub wake_at: Option<Millis>,
}

/// Entries to append, and the result if they end the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The head that they follow.
    pub head: u64,
    /// The entries.
    pub entries: Vec<Entry>,
    /// The result, if the last entry ends the match.
    pub finish: Option<Finish>,
    /// The time at which the match must be loaded even if nobody opens it, [`NEVER_DUE`](super::due::NEVER_DUE) for never; `None` leaves the stored
    /// value.
    pub due_ms: Option<i64>,
}

/// The result of a match, as stored in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The winner; `None` for a draw or a match that was called off.
    pub winner: Option<Side>,
    /// The code of the reason; `aborted` for a match that was called off.
    pub reason: String,
    /// The final score, in games that have one.
    pub score: Option<BySide<u16>>,
    /// The time of the end.
    pub at_ms: i64,
    /// The number of plies.
    pub plies: u32,
    /// Whether the match is to be counted (tallies and, if rated, ratings): the same commit adds it to the outbox. A match that was called
    /// off is never counted, nor one of a player against themselves.
    pub uncounted: bool,
    /// The side whose leaving called the match off. A player who leaves repeatedly must wait for the next match.
    pub left_by: Option<Side>,
}

/// An answer to the sender of a command, in addition to the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The command was done before: the event with this `seq` is the answer.
    Again(u64),
    /// The command is refused.
    Refused(Refusal),
}

/// A question for a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotQuestion {
    /// The bot's seat.
    pub side: Side,
    /// The bot's level.
    pub level: u8,
    /// The head of the journal at the time of the question; the ply alone would not do, since it repeats after a takeback.
    pub seq: u64,
    /// The kind of answer.
    pub wanted: Wanted,
    /// The game so far, with its history for detecting repetitions.
    pub game: Record,
    /// The time left on the bot's clock; `None` without a clock.
    pub clock_ms: Option<u64>,
}

/// The kind of answer expected from a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A move.
    Move,
    /// Whether to accept a draw.
    DrawAnswer,
}

/// The reason why a command is refused. The match is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is the other side's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move is for another ply than the present one.
    #[error("the match is at ply {0}")]
    StalePly(u32),
    /// The rules forbid the move.
    #[error("{0}")]
    IllegalMove(PlayError),
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// There is no draw offer to answer.
    #[error("there is no draw offer to answer")]
    NoDrawOffer,
    /// The side's own draw offer is pending.
    #[error("your draw offer still stands")]
    DrawOfferPending,
    /// The side has made a draw offer too recently.
    #[error("offer a draw again later in the game")]
    DrawOfferTooSoon,
    /// The second ply has been played.
    #[error("after the second ply a match cannot be called off; resign instead")]
    CannotAbort,
    /// Takebacks are not allowed in this match.
    #[error("in this match no move is taken back")]
    TakebacksOff,
    /// The side has not played a move that could be taken back.
    #[error("you have not played a move yet")]
    NothingToTakeBack,
    /// There is no takeback offer to answer.
    #[error("nobody asks to take a move back")]
    NoTakebackOffer,
    /// The side's own takeback offer is pending.
    #[error("you have asked to take a move back already")]
    TakebackOfferPending,
    /// The side has already made a takeback offer at this ply.
    #[error("ask again after the next move")]
    TakebackOfferTooSoon,
    /// Giving time is not allowed in this match, or its clocks do not run.
    #[error("in this match no time can be given now")]
    CannotGiveTime,
    /// The opponent's clock would exceed the longest base time of a match.
    #[error("the opponent has time enough")]
    TimeEnough,
    /// The side may not halve its clock in this match, or has moved or done so.
    #[error("in this match you cannot halve your clock, or not any more")]
    CannotBerserk,
    /// The opponent is present, has not been away for long enough, or is not to move.
    #[error("the opponent has not been gone for long enough, or is not to move")]
    NotGone,
}

impl Refusal {
    /// Returns the stable code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Refusal::NotYourTurn => Code::NotYourTurn,
            Refusal::StalePly(_) => Code::StalePly,
            Refusal::IllegalMove(_) => Code::IllegalMove,
            Refusal::MatchOver => Code::MatchOver,
            Refusal::NoDrawOffer => Code::NoDrawOffer,
            Refusal::DrawOfferPending => Code::DrawOfferPending,
            Refusal::DrawOfferTooSoon => Code::DrawOfferTooSoon,
            Refusal::CannotAbort => Code::CannotAbort,
            Refusal::TakebacksOff => Code::TakebacksOff,
            Refusal::NothingToTakeBack => Code::NothingToTakeBack,
            Refusal::NoTakebackOffer => Code::NoTakebackOffer,
            Refusal::TakebackOfferPending => Code::TakebackOfferPending,
            Refusal::TakebackOfferTooSoon => Code::TakebackOfferTooSoon,
            Refusal::CannotGiveTime => Code::CannotGiveTime,
            Refusal::TimeEnough => Code::TimeEnough,
            Refusal::CannotBerserk => Code::CannotBerserk,
            Refusal::NotGone => Code::NotGone,
        }
    }

    /// Returns the stable code of the broken rule, for an illegal move.
    #[must_use]
    pub fn why(&self) -> Option<&'static str> {
        match self {
            Refusal::IllegalMove(error) => Some(error.code()),
            _ => None,
        }
    }
}
