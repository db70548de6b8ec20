//! What is offered and agreed on: time, options, seeks, pools, challenges.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PlayerRef, RatingRef, SideName};
use crate::ids::{ChallengeId, MatchId};
use crate::pairing::PoolId;

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
    /// A player takes a move back without asking, once at each ply and until the opponent has moved. Off in rated matches.
    #[serde(default)]
    #[schema(required = true)]
    pub free_takebacks: bool,
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
