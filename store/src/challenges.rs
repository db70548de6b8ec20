//! Challenges and seeks.

use async_trait::async_trait;
use mawe_rules::{GameKind, Side};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{DeclineReason, MatchOptions, TimeControl};

use super::Player;
use crate::{NewMatch, StoreError, WishState};

/// Challenges by name and by link. A seek is a listed challenge: see [`Seeks`](crate::Seeks).
#[async_trait]
pub trait Challenges: Send + Sync {
    /// Creates a challenge.
    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError>;

    /// Creates a challenge that is not a seek. It is refused when the challenger has `max_open` open challenges, or `max_to_one` to the
    /// same player, or must wait because that player has declined earlier ones; a `patient` challenger need not wait. The limits hold for
    /// concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::Blocked`] when the challenged player has blocked the challenger.
    async fn create_challenge_within(
        &self,
        new: &NewChallenge,
        max_open: u32,
        max_to_one: u32,
        patient: bool,
    ) -> Result<Offered, StoreError>;

    /// Finds a challenge by id.
    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError>;

    /// Accepts an open challenge and creates its match, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open (accepted, declined, cancelled, or expired at `now_ms`), [`StoreError::NotFound`].
    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Like [`Challenges::accept_challenge`], for a match whose players stop waiting for other opponents: also grants their wishes and cancels
    /// their seeks for realtime matches. Returns `false`, and writes nothing, when one of the wishes has changed since `seats` was read.
    async fn accept_and_seat(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
        seats: &[WishState],
    ) -> Result<bool, StoreError>;

    /// Cancels an open challenge.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open, [`StoreError::NotFound`].
    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError>;

    /// Declines an open challenge, as the challenged player.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open, [`StoreError::NotFound`].
    async fn decline_challenge(
        &self,
        id: &ChallengeId,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Returns the open challenges to a player, newest first.
    async fn challenges_to(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// Returns the open challenges of a player, by name or by link, newest first, without seeks.
    async fn challenges_by(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;
}

/// The result of creating a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// The challenge was created.
    Made {
        /// The number of open challenges by the same challenger to the same player before this one. The player is notified only of the
        /// first.
        unanswered: u32,
    },
    /// The challenger has too many open challenges.
    TooMany,
    /// The player has recently declined challenges by the challenger.
    Declined {
        /// The time from which the challenger may try again.
        wait_until_ms: i64,
    },
}

/// The age up to which a declined challenge counts.
pub(super) const DECLINES_REMEMBERED_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// The waiting times after the first, second, third … challenge that the same player has declined in that time, in seconds; the last one
/// also for more. The first is short because a better offer may follow; the last stop a challenger who is declined repeatedly.
const DECLINE_WAITS_S: [i64; 5] = [30, 5 * 60, 60 * 60, 24 * 60 * 60, 7 * 24 * 60 * 60];

/// The waiting time of a challenger whose challenges the same player has declined `times` times, in milliseconds.
#[must_use]
pub(super) fn decline_wait_ms(times: i64) -> i64 {
    let last = DECLINE_WAITS_S.len() - 1;
    match usize::try_from(times) {
        Ok(0) | Err(_) => 0,
        Ok(times) => 1_000 * DECLINE_WAITS_S[(times - 1).min(last)],
    }
}

/// The time of the players of a challenge beyond the base time, in milliseconds; none in a rated match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExtraTime {
    /// The challenger's.
    pub challenger_ms: u64,
    /// The accepter's.
    pub opponent_ms: u64,
}

/// A challenge to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// Its id.
    pub id: ChallengeId,
    /// The challenger.
    pub challenger: PlayerId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// The side that the challenger wants; `None` for a random one.
    pub side: Option<Side>,
    /// The time control.
    pub time_control: TimeControl,
    /// The time beyond that of the time control.
    pub extra: ExtraTime,
    /// Whether ratings change.
    pub rated: bool,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether only clients with the match's id can see it.
    pub private: bool,
    /// The only player who may accept; `None` for any player with the id.
    pub to: Option<PlayerId>,
    /// Whether it is a seek, shown to everybody in the lobby.
    pub listed: bool,
    /// For a seek, the ratings that may accept: the lowest and the highest.
    pub rating_range: (Option<i32>, Option<i32>),
    /// The time of creation.
    pub created_ms: i64,
    /// The time until which it can be accepted.
    pub expires_ms: i64,
}

/// A challenge as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeRow {
    /// The challenge.
    pub offer: NewChallenge,
    /// The challenger.
    pub challenger: Player,
    /// The match, once accepted.
    pub match_id: Option<MatchId>,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// The reason of the challenged player, if declined.
    pub declined: Option<DeclineReason>,
}
