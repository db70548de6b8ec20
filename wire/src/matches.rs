//! A match in messages: its state, plies, events, seats and presence.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::challenges::MatchOptions;
use super::players::{PlayerRef, RatingRef};
use super::time_control::{Speed, TimeControl};
use crate::ids::{ClientId, MatchId};

/// The whole state of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// The match, without the parts that depend on the receiver.
    #[serde(rename = "match")]
    pub view: MatchView,
    /// The receiver's seat; null for a spectator.
    #[schema(required = true)]
    pub you: Option<Side>,
    /// The connected players and spectators.
    pub presence: Presence,
    /// The state of the rematch.
    pub rematch: RematchView,
}

/// A match: its terms, its state, and every ply so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchView {
    /// Its id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The position before the first ply.
    pub start: String,
    /// Whether the match is rated.
    pub rated: bool,
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// The time on each clock at the start beyond the base time, in milliseconds; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_ms: Option<Seats<u64>>,
    /// The options agreed on.
    pub options: MatchOptions,
    /// Whether only people with its link can see it.
    pub private: bool,
    /// The players at the two seats.
    pub seats: Seats<SeatView>,
    /// The time of its creation (RFC 3339).
    pub created_at: jiff::Timestamp,
    /// The time of its end; null while it runs.
    #[schema(required = true)]
    pub finished_at: Option<jiff::Timestamp>,
    /// The fraction of a rating change that the match was worth, 0 to 1: within 24 hours, each further rated match of a pair in a game
    /// weighs less. Absent before the match is counted, and if it was counted before there were weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_weight: Option<f64>,
    /// Whether a moderator made it void: a void match does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub voided: bool,
    /// The head of its journal.
    pub seq: u64,
    /// Every ply so far, in order.
    pub plies: Vec<PlyView>,
    /// The state after the last entry.
    #[serde(flatten)]
    pub state: StateView,
}

/// The state of a match after an entry; every event carries it in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StateView {
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move (also once the match is over).
    pub turn: Side,
    /// The number of plies played.
    pub ply: u32,
    /// The legal moves, sorted; empty once the match is over.
    pub legal: Vec<String>,
    /// The clocks.
    pub clock: ClockView,
    /// The side whose draw offer is pending.
    #[schema(required = true)]
    pub draw_offer: Option<Side>,
    /// The side whose takeback request is pending.
    #[schema(required = true)]
    pub takeback_offer: Option<Side>,
    /// The result; null while the match runs.
    #[schema(required = true)]
    pub result: Option<MatchResult>,
    /// The sides that have halved their clocks; absent if none has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub berserk: Vec<Side>,
}

/// A ply that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlyView {
    /// The side that played it.
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The position after the ply.
    pub position: String,
    /// The mover's clock after the ply, including the increment, in milliseconds.
    pub clock_ms: u64,
    /// The mover's time for the ply, less the deducted lag, in milliseconds.
    pub spent_ms: u64,
    /// The lag that the server deducted, in milliseconds.
    pub lag_ms: u64,
}

/// An entry of the journal, as sent to clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventMsg {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The number of the entry in the journal.
    pub seq: u64,
    /// The id of the command that caused it, if a command did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// The event.
    pub event: Event,
    /// The state after the event.
    pub state: StateView,
}

/// An event of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A ply was played.
    Move(PlyView),
    /// A side resigned.
    Resign {
        /// The side that resigned.
        side: Side,
    },
    /// A side offered a draw.
    OfferDraw {
        /// The side that offered the draw.
        side: Side,
    },
    /// A side accepted the draw: the match is over.
    AcceptDraw {
        /// The side that accepted the draw.
        side: Side,
    },
    /// A side declined the draw.
    DeclineDraw {
        /// The side that declined the draw.
        side: Side,
    },
    /// A side's time ran out.
    Flag {
        /// The side whose time ran out.
        side: Side,
    },
    /// The match was called off; nobody wins.
    Abort {
        /// The side that called it off; null for the server, because a first move did not come.
        #[schema(required = true)]
        side: Option<Side>,
    },
    /// A side asked to take its last move back.
    OfferTakeback {
        /// The side that asked.
        side: Side,
    },
    /// The last plies were taken back.
    Takeback {
        /// The side that consented, or that needed no consent.
        side: Side,
        /// The number of plies taken back.
        plies: u32,
    },
    /// A side declined to have plies taken back.
    DeclineTakeback {
        /// The side that declined.
        side: Side,
    },
    /// A side gave the other time.
    GiveTime {
        /// The side that gave the time.
        side: Side,
        /// The time given, in milliseconds.
        ms: u64,
    },
    /// A side claimed the win because the opponent had gone: the match is over.
    ClaimWin {
        /// The side that claimed the win.
        side: Side,
    },
    /// A side claimed a draw because the opponent had gone: the match is over.
    ClaimDraw {
        /// The side that claimed the draw.
        side: Side,
    },
    /// A side halved its clock before its first move, and gets no increment.
    Berserk {
        /// The side that did it.
        side: Side,
    },
    /// A side was on vacation during its turn, which lasts longer by that.
    Vacation {
        /// The side whose turn it is.
        side: Side,
        /// The time that the turn lasts longer, in milliseconds.
        ms: u64,
    },
}

impl Event {
    /// The side that caused the event; `None` if the server called the match off. A `client_id` is unique only for this side: the other
    /// side may use the same.
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
            | Event::ClaimDraw { side }
            | Event::Berserk { side }
            | Event::Vacation { side, .. } => Some(*side),
            Event::Abort { side } => *side,
        }
    }
}

/// The two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// Time left of the side that moves first, in milliseconds.
    pub first_ms: u64,
    /// Time left of the other side, in milliseconds.
    pub second_ms: u64,
    /// The side whose clock runs; null before both have made their first move, and when the match is over.
    #[schema(required = true)]
    pub running: Option<Side>,
    /// Before both have made their first move: the time left to the side to move, in milliseconds, before the server calls the match off.
    #[schema(required = true)]
    pub first_move_ms: Option<u64>,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchResult {
    /// The winner; null for a draw and for a match called off.
    #[schema(required = true)]
    pub winner: Option<Side>,
    /// The reason: a reason code of the rules (`no-moves`, `repetition`, …), or `resign`, `agreement`, `time`, `abandoned` (the opponent
    /// had gone), `aborted` (a player called it off), `no-show` (the server called it off, because a first move did not come), `left-early`
    /// (a rated match was left before both sides had made two moves), `closed` (the operator ended it).
    pub reason: String,
    /// The final score, in games with one: for Mawe! the stones home.
    #[schema(required = true)]
    pub score: Option<Seats<u16>>,
}

/// A value for each of the two seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seats<T> {
    /// The side that moves first.
    pub first: T,
    /// The other side.
    pub second: T,
}

/// The player at a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatView {
    /// The player.
    pub player: PlayerRef,
    /// The player's rating at the start of the match, if any.
    #[schema(required = true)]
    pub rating: Option<RatingRef>,
    /// The rating change in whole points, once a rated match has been counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_change: Option<i32>,
}

/// The presence of players and spectators at a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Presence {
    /// Whether the first side's player is connected; for a computer opponent, whether its moves can be computed at present.
    pub first: bool,
    /// Whether the second side's player is connected, in the same sense.
    pub second: bool,
    /// The number of spectators.
    pub spectators: u32,
    /// The time that each player has been away, in milliseconds; null for a player who is present.
    pub gone_ms: Seats<Option<u64>>,
    /// The time that the player to move must be away before the other may claim the match, in milliseconds; null if no claim is possible.
    #[schema(required = true)]
    pub claim_after_ms: Option<u64>,
}

/// The state of the rematch after a match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RematchView {
    /// The side that offers a rematch.
    #[schema(required = true)]
    pub offered_by: Option<Side>,
    /// The time in milliseconds until the offer ends.
    #[schema(required = true)]
    pub offer_ms: Option<u64>,
    /// The match that the rematch became.
    #[schema(required = true)]
    pub next: Option<MatchId>,
}
