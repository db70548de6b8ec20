//! What is remembered of a challenge.

use mawe_rules::{GameKind, Side};

use super::Player;
use crate::ids::{ChallengeId, MatchId, PlayerId};
use crate::protocol::{DeclineReason, MatchOptions, TimeControl};

/// What became of a challenge that was to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// It is made.
    Made {
        /// How many open ones of the same challenger to the same player there were before it: one call stands for all of them.
        unanswered: u32,
    },
    /// Too many of the challenger are open.
    TooMany,
    /// The player has declined others of the challenger of late.
    Declined {
        /// When the challenger may ask again.
        wait_until_ms: i64,
    },
}

/// How far back a declined challenge counts.
pub(super) const DECLINES_REMEMBERED_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// How long a challenger waits after the first, second, third … challenge that the same player has declined in that time, in seconds; the
/// last one for any more. A better offer may come soon; one who is told no again and again is to leave the other alone.
const DECLINE_WAITS_S: [i64; 5] = [30, 5 * 60, 60 * 60, 24 * 60 * 60, 7 * 24 * 60 * 60];

/// How long a challenger waits whom the same player has declined so many times, in milliseconds.
#[must_use]
pub(super) fn decline_wait_ms(times: i64) -> i64 {
    let last = DECLINE_WAITS_S.len() - 1;
    match usize::try_from(times) {
        Ok(0) | Err(_) => 0,
        Ok(times) => 1_000 * DECLINE_WAITS_S[(times - 1).min(last)],
    }
}

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
