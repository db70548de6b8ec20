//! What is remembered of a challenge.

use mawe_rules::{GameKind, Side};

use super::Player;
use crate::ids::{ChallengeId, MatchId, PlayerId};
use crate::protocol::{DeclineReason, MatchOptions, TimeControl};

/// A challenge to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// Its id.
    pub id: ChallengeId,
    /// Who challenges.
    pub challenger: PlayerId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// The side the challenger wants; `None` leaves it to chance.
    pub side: Option<Side>,
    /// How much time.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
    /// What the players may do.
    pub options: MatchOptions,
    /// Only who has the match's id will see it.
    pub private: bool,
    /// Who alone may accept; `None`: whoever has the id.
    pub to: Option<PlayerId>,
    /// A seek: everybody sees it in the lobby.
    pub listed: bool,
    /// A seek: which ratings may accept, from the lowest to the highest.
    pub rating_range: (Option<i32>, Option<i32>),
    /// When.
    pub created_ms: i64,
    /// Until when it can be accepted.
    pub expires_ms: i64,
}

/// A challenge as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeRow {
    /// What was offered.
    pub offer: NewChallenge,
    /// By whom.
    pub challenger: Player,
    /// The match that it became.
    pub match_id: Option<MatchId>,
    /// Whether it was taken back.
    pub cancelled: bool,
    /// Why the one who was asked declined.
    pub declined: Option<DeclineReason>,
}
