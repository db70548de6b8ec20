//! Follows, blocks, and the rules of players about challenges by name.

use async_trait::async_trait;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::people::ChallengesFrom;

use crate::{MatchCursor, MatchRow, Player, StoreError};

/// The number up to which followers are counted: a profile is read often, and may be of somebody with very many.
pub const MAX_FOLLOWERS_COUNTED: u32 = 10_000;

/// The relations between players.
///
/// A block is kept from the blocked player: their own follow of the blocker stays, but shows them nothing, and the blocker does not see it.
#[async_trait]
pub trait Relations: Send + Sync {
    /// Returns the relation of a player to another.
    async fn relation(&self, player: &PlayerId, other: &PlayerId) -> Result<Relation, StoreError>;

    /// Makes a player follow another; a repeated call changes nothing. The limit `max` holds for concurrent calls.
    async fn follow(
        &self,
        player: &PlayerId,
        followed: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<Followed, StoreError>;

    /// Ends that; does nothing where the player does not follow the other.
    async fn unfollow(&self, player: &PlayerId, followed: &PlayerId) -> Result<(), StoreError>;

    /// Returns a page of a player's followed players, the latest first.
    async fn following(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError>;

    /// Returns a page of a player's followers, the latest first, without blocked ones.
    async fn followers(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError>;

    /// Returns the number of a player's followed players, and of the followers without blocked ones, which are counted up to
    /// [`MAX_FOLLOWERS_COUNTED`].
    async fn follow_counts(&self, player: &PlayerId) -> Result<FollowCounts, StoreError>;

    /// Returns running public realtime matches of a player's followed players, without those who have blocked the player, the latest first.
    async fn running_of_followed(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns a page of finished public matches of these players, created since `since_ms`, the latest first. Matches that were called off
    /// are left out.
    async fn finished_of_followed(
        &self,
        player: &PlayerId,
        since_ms: i64,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Blocks a player: ends the follow of the blocker, declines the open challenges of the blocked player to the blocker, and cancels those
    /// of the blocker, in one transaction. No match between the two is made after this returns. `None`, and nothing is written, when the
    /// blocker has blocked `max` others; the limit holds for concurrent calls.
    async fn block(
        &self,
        player: &PlayerId,
        blocked: &PlayerId,
        max: u32,
        now_ms: i64,
    ) -> Result<Option<ClosedByBlock>, StoreError>;

    /// Ends a block; does nothing where there is none.
    async fn unblock(&self, player: &PlayerId, blocked: &PlayerId) -> Result<(), StoreError>;

    /// Returns a page of a player's blocked players, the latest first.
    async fn blocks(
        &self,
        player: &PlayerId,
        after: Option<&RelationCursor>,
        limit: u32,
    ) -> Result<Vec<Related>, StoreError>;

    /// Whether the opponent of a player at a match has blocked the player, or the class of one of the two permits no phrases; `false` for one
    /// who does not play there and has no such class.
    async fn is_blocked_at(
        &self,
        match_id: &MatchId,
        player: &PlayerId,
    ) -> Result<bool, StoreError>;

    /// Returns a player's rule about challenges by name; the default one for a player that does not exist.
    async fn challenge_rule(&self, player: &PlayerId) -> Result<ChallengeRule, StoreError>;

    /// Stores a player's rule about challenges by name.
    async fn set_challenge_rule(
        &self,
        player: &PlayerId,
        rule: ChallengeRule,
    ) -> Result<(), StoreError>;
}

/// The relation of a player to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Relation {
    /// The player follows the other.
    pub follows: bool,
    /// The other follows the player.
    pub followed_by: bool,
    /// The player has blocked the other.
    pub blocks: bool,
    /// The other has blocked the player.
    pub blocked_by: bool,
}

impl Relation {
    /// Whether the two are friends: each follows the other.
    #[must_use]
    pub const fn are_friends(self) -> bool {
        self.follows && self.followed_by && !self.blocks && !self.blocked_by
    }

    /// Whether one of the two has blocked the other.
    #[must_use]
    pub const fn is_apart(self) -> bool {
        self.blocks || self.blocked_by
    }
}

/// The result of a follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    /// The player follows the other.
    Yes,
    /// The player has blocked the other; nothing was written.
    Blocked,
    /// The player follows the maximum number of others; nothing was written.
    TooMany,
}

/// The open challenges that a block has closed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClosedByBlock {
    /// Those of the blocked player, which are declined.
    pub declined: Vec<ChallengeId>,
    /// Those of the blocker, which are cancelled.
    pub cancelled: Vec<ChallengeId>,
}

/// The numbers of follows of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FollowCounts {
    /// The number of followed players.
    pub following: u32,
    /// The number of followers.
    pub followers: u32,
}

/// A row of a list of relations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The other player.
    pub player: Player,
    /// The time at which the relation began.
    pub since_ms: i64,
    /// Whether the relation is mutual.
    pub mutual: bool,
    /// Whether the presence and the matches of the other player are hidden from the player: by a block, or by the class of the other.
    pub hidden: bool,
}

/// The position after which a page of relations begins: that of the last row of the previous page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationCursor {
    /// `since_ms` of that row.
    pub since_ms: i64,
    /// The other player of that row.
    pub player: PlayerId,
}

/// A player's rule about challenges by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChallengeRule {
    /// The permitted challengers.
    pub from: ChallengesFrom,
    /// The lowest rating of a challenger.
    pub min_rating: Option<i32>,
    /// The highest rating of a challenger.
    pub max_rating: Option<i32>,
}
