//! What goes into the match core and what comes out of it.

use mawe_rules::{BySide, GameKind, PlayError, Record, Side};

use crate::ids::{ClientId, MatchId};
use crate::protocol::{Command, EventMsg, MatchOptions, TimeControl};
use crate::room::entry::Entry;
use crate::store::Finish;

/// Milliseconds of running time ([`crate::run_time`]); only differences mean anything.
pub type Millis = u64;

/// When an input came: `mono` for all computing, `unix_ms` only to be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The running time: monotonic, and without the time in which the node did not run.
    pub mono: Millis,
    /// The time of day, in milliseconds since the Unix epoch.
    pub unix_ms: i64,
    /// Since when the node has been there to take moves, without an outage, in milliseconds since the Unix epoch.
    pub up_since_ms: i64,
}

/// What a match is and will not change: the part of its row that the core needs.
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
    /// How much time.
    pub time_control: TimeControl,
    /// What the players may do.
    pub options: MatchOptions,
    /// One player has both seats: pass and play.
    pub one_player: bool,
    /// When it was created, in milliseconds since the Unix epoch: a correspondence clock runs from then on.
    pub created_ms: i64,
    /// The level of the bot in each seat that has one.
    pub bots: BySide<Option<u8>>,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The room was opened: its journal is replayed.
    Open,
    /// Somebody who sits at the match does something.
    Command {
        /// Their seat.
        side: Side,
        /// Their name for the command.
        client_id: ClientId,
        /// The last `seq` they had when they gave it.
        seq: u64,
        /// What.
        command: Command,
        /// The lag of their line, as the server measured it.
        lag_ms: u64,
    },
    /// A player has come, or has gone.
    Presence {
        /// Whose seat.
        side: Side,
        /// Whether they are there now.
        here: bool,
    },
    /// The operator ends the match.
    Close(Closing),
    /// The time that [`Effects::wake_at`] asked for has come.
    Tick,
    /// The entries that were asked for are durable.
    Durable,
}

/// How the operator ends a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// It is called off, whatever has been played.
    CallOff,
    /// As if this side had left: it resigns, or calls the match off where it still could.
    Leave(Side),
}

/// What should happen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// Entries to make durable; then [`Input::Durable`]. Nothing else is handled in between.
    pub append: Option<Proposal>,
    /// What everybody at the match is to be told: durable.
    pub tell: Vec<EventMsg>,
    /// What the sender of the command is to be told.
    pub answer: Option<Answer>,
    /// A bot is to be asked.
    pub ask: Option<BotQuestion>,
    /// When to come back with [`Input::Tick`], if nothing else comes first.
    pub wake_at: Option<Millis>,
}

/// Entries to append, and how the match ends by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The head they stand on.
    pub head: u64,
    /// The entries.
    pub entries: Vec<Entry>,
    /// Set when the last of them ends the match.
    pub finish: Option<Finish>,
    /// As [`crate::store::Append::due_ms`].
    pub due_ms: Option<i64>,
}

/// What the sender of a command is told, beside the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It was done before: the event with this `seq` is the answer.
    Again(u64),
    /// It is refused.
    Refused(Refusal),
}

/// What a bot is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotQuestion {
    /// Its seat.
    pub side: Side,
    /// Its level.
    pub level: u8,
    /// The head of the journal when it was asked: a ply that was taken back can come again.
    pub seq: u64,
    /// What is wanted.
    pub wanted: Wanted,
    /// The game so far: the ply at stake, and what would be a repetition.
    pub game: Record,
    /// What its clock has left; `None` where there is no clock.
    pub clock_ms: Option<u64>,
}

/// What is wanted of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A move.
    Move,
    /// Whether it accepts a draw.
    DrawAnswer,
}

/// Why a command is refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is the other side's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move answers another ply than the present one.
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
    /// One's own draw offer still stands.
    #[error("your draw offer still stands")]
    DrawOfferPending,
    /// The last draw offer was a short time ago.
    #[error("offer a draw again later in the game")]
    DrawOfferTooSoon,
    /// Two plies have been played.
    #[error("after the second ply a match cannot be called off; resign instead")]
    CannotAbort,
    /// In this match no move is taken back.
    #[error("in this match no move is taken back")]
    TakebacksOff,
    /// The side has not played a move that could be taken back.
    #[error("you have not played a move yet")]
    NothingToTakeBack,
    /// There is nothing to answer.
    #[error("nobody asks to take a move back")]
    NoTakebackOffer,
    /// One's own offer still stands.
    #[error("you have asked to take a move back already")]
    TakebackOfferPending,
    /// It was declined at this ply.
    #[error("ask again after the next move")]
    TakebackOfferTooSoon,
    /// In this match no time is given, or its clocks do not run.
    #[error("in this match no time can be given now")]
    CannotGiveTime,
    /// The opponent has more time than a match may have.
    #[error("the opponent has time enough")]
    TimeEnough,
    /// The opponent is there, has not been gone for long enough, or is not to move.
    #[error("the opponent has not been gone for long enough, or is not to move")]
    NotGone,
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NotYourTurn => "not-your-turn",
            Refusal::StalePly(_) => "stale-ply",
            Refusal::IllegalMove(_) => "illegal-move",
            Refusal::MatchOver => "match-over",
            Refusal::NoDrawOffer => "no-draw-offer",
            Refusal::DrawOfferPending => "draw-offer-pending",
            Refusal::DrawOfferTooSoon => "draw-offer-too-soon",
            Refusal::CannotAbort => "cannot-abort",
            Refusal::TakebacksOff => "takebacks-off",
            Refusal::NothingToTakeBack => "nothing-to-take-back",
            Refusal::NoTakebackOffer => "no-takeback-offer",
            Refusal::TakebackOfferPending => "takeback-offer-pending",
            Refusal::TakebackOfferTooSoon => "takeback-offer-too-soon",
            Refusal::CannotGiveTime => "cannot-give-time",
            Refusal::TimeEnough => "time-enough",
            Refusal::NotGone => "not-gone",
        }
    }

    /// For an illegal move: the stable code of the rule it breaks.
    #[must_use]
    pub fn why(&self) -> Option<&'static str> {
        match self {
            Refusal::IllegalMove(error) => Some(error.code()),
            _ => None,
        }
    }
}
