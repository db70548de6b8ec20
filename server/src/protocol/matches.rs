//! A match as it is sent: whole, by its plies and events, and who sits where.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MatchOptions, PlayerRef, RatingRef, Speed, TimeControl};
use crate::ids::{ClientId, MatchId};

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
    /// How much of a rating change the match was worth, 0 to 1: within 24 hours each further rated match of a pair in a game weighs less. Left
    /// out before it was counted, and for one that was counted before there were weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_weight: Option<f64>,
    /// Whether a moderator made it void: it counts for nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub voided: bool,
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
    /// `left-early` (a rated match was left before both sides had made two moves),
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

/// How a [`Side`] is written, for the generated descriptions of the wire.
#[derive(ToSchema)]
#[schema(as = Side, rename_all = "kebab-case")]
pub enum SideName {
    /// The side that moves first.
    First,
    /// The other side.
    Second,
}
