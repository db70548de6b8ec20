//! Offers in messages: time controls, options, seeks, pools and challenges.

use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::players::{PlayerRef, RatingRef};
use super::pool::PoolId;
use super::time_control::{Speed, TimeControl};
use crate::ids::{ChallengeId, MatchId};

/// The optional actions in a match, agreed on when it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchOptions {
    /// Moves may be taken back: with the opponent's consent, freely against the computer.
    pub takebacks: bool,
    /// A player may give the opponent time.
    pub give_time: bool,
    /// The players may send quick phrases.
    pub phrases: bool,
    /// A player may take a move back without asking, once at each ply, until the opponent has moved. Off in rated matches.
    #[serde(default)]
    #[schema(required = true)]
    pub free_takebacks: bool,
    /// A player may halve the own clock before the own first move, for one more point. Only in games of an arena that allows it.
    #[serde(default)]
    #[schema(required = true)]
    pub berserk: bool,
}

impl MatchOptions {
    /// Returns the default options. Takebacks are off in a rated match.
    #[must_use]
    pub fn usual(rated: bool) -> MatchOptions {
        MatchOptions {
            takebacks: !rated,
            give_time: true,
            phrases: true,
            free_takebacks: false,
            berserk: false,
        }
    }
}

/// A seek: an offer in the lobby to play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeekView {
    /// Its id.
    pub id: ChallengeId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The side that the seeker wants; null for a random one.
    #[schema(required = true)]
    pub side: Option<Side>,
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// Whether the match is rated.
    pub rated: bool,
    /// The options of the match.
    pub options: MatchOptions,
    /// The player who made the seek.
    pub seeker: PlayerRef,
    /// The seeker's rating at this game and speed; null before the first rated match.
    #[schema(required = true)]
    pub seeker_rating: Option<RatingRef>,
    /// The lowest rating of a player who may accept; null for any.
    #[schema(required = true)]
    pub min_rating: Option<i32>,
    /// The highest rating of a player who may accept; null for any.
    #[schema(required = true)]
    pub max_rating: Option<i32>,
    /// The time of its creation (RFC 3339).
    pub created_at: jiff::Timestamp,
    /// The time until which it can be accepted.
    pub expires_at: jiff::Timestamp,
}

/// A pool with its number of waiting players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolCount {
    /// The game kind.
    pub game: GameKind,
    /// The pool's name.
    pub pool: PoolId,
    /// Whether its matches are rated.
    pub rated: bool,
    /// The time control.
    pub time_control: TimeControl,
    /// The number of waiting players.
    pub waiting: u32,
}

/// The minutes of the players of a challenge beyond the base time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtraMinutes {
    /// The challenger's.
    #[serde(default)]
    pub challenger: u32,
    /// The accepter's.
    #[serde(default)]
    pub opponent: u32,
}

/// A challenge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Challenge)]
pub struct ChallengeView {
    /// Its id. If `to` is null, any player with the id may accept.
    pub id: ChallengeId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    pub setup: String,
    /// The side that the challenger wants.
    pub side: SideWish,
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// The minutes of each player beyond the base time.
    #[serde(default)]
    pub extra_minutes: ExtraMinutes,
    /// Whether the match is rated.
    pub rated: bool,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether only people with its link can see the match.
    pub private: bool,
    /// The challenger.
    pub challenger: PlayerRef,
    /// The challenger's rating at this game and speed; null before the first rated match.
    #[schema(required = true)]
    pub challenger_rating: Option<RatingRef>,
    /// The only player who may accept; null for any player with the link.
    #[schema(required = true)]
    pub to: Option<PlayerRef>,
    /// The status.
    pub status: ChallengeStatus,
    /// The reason for declining it; null unless it was declined.
    #[schema(required = true)]
    pub declined: Option<DeclineReason>,
    /// The match that it became.
    #[serde(rename = "match")]
    #[schema(required = true)]
    pub match_id: Option<MatchId>,
    /// The time of its creation (RFC 3339).
    pub created_at: jiff::Timestamp,
    /// The time until which it can be accepted: 24 hours later.
    pub expires_at: jiff::Timestamp,
}

/// A choice of side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SideWish {
    /// To move first.
    First,
    /// To move second.
    Second,
    /// A random side.
    #[default]
    Random,
}

impl SideWish {
    /// Returns the wish for a side; `None` is the random one.
    #[must_use]
    pub fn from_side(side: Option<Side>) -> SideWish {
        match side {
            Some(Side::First) => SideWish::First,
            Some(Side::Second) => SideWish::Second,
            None => SideWish::Random,
        }
    }

    /// Returns the side; `None` for the random one.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            SideWish::First => Some(Side::First),
            SideWish::Second => Some(Side::Second),
            SideWish::Random => None,
        }
    }
}

/// The status of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeStatus {
    /// It can be accepted.
    Open,
    /// It became a match.
    Accepted,
    /// The challenger cancelled it.
    Cancelled,
    /// The challenged player declined it.
    Declined,
    /// Nobody accepted it in time.
    Expired,
}

/// A reason for declining a challenge: a code, which the page translates for the challenger.
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

    /// The code, on the wire and in the store.
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
