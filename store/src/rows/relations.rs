//! Rows of follows and blocks.

use mawe_wire::people::ChallengesFrom;
use sqlx_macros::FromRow;

use super::convert::{Stored, number, stored};
use super::players::PlayerRecord;
use crate::{ChallengeRule, FollowCounts, Related, Relation, StoreError};

stored! {
    ChallengesFrom "origin of challenges",
}

/// The relation of a player to another.
#[derive(FromRow)]
pub(crate) struct RelationRecord {
    follows: bool,
    followed_by: bool,
    blocks: bool,
    blocked_by: bool,
}

impl From<RelationRecord> for Relation {
    fn from(row: RelationRecord) -> Self {
        Self {
            follows: row.follows,
            followed_by: row.followed_by,
            blocks: row.blocks,
            blocked_by: row.blocked_by,
        }
    }
}

/// A row of a list of relations.
#[derive(FromRow)]
pub(crate) struct RelatedRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    since_ms: i64,
    mutual: bool,
    hidden: bool,
}

impl TryFrom<RelatedRecord> for Related {
    type Error = StoreError;

    fn try_from(row: RelatedRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            since_ms: row.since_ms,
            mutual: row.mutual,
            hidden: row.hidden,
        })
    }
}

/// The numbers of follows of a player.
#[derive(FromRow)]
pub(crate) struct FollowCountsRecord {
    following: i64,
    followers: i64,
}

impl TryFrom<FollowCountsRecord> for FollowCounts {
    type Error = StoreError;

    fn try_from(row: FollowCountsRecord) -> Result<Self, StoreError> {
        Ok(Self {
            following: number("number of follows", row.following)?,
            followers: number("number of follows", row.followers)?,
        })
    }
}

/// The challenges that a player takes. `refuses_guests` says it where `challenges_from` is null: a server of an earlier version knows that
/// column alone.
#[derive(FromRow)]
pub(crate) struct ChallengeRuleRecord {
    challenges_from: Option<String>,
    refuses_guests: bool,
    challenge_min_rating: Option<i64>,
    challenge_max_rating: Option<i64>,
}

impl ChallengeRuleRecord {
    /// Returns the values of `challenges_from` and `refuses_guests`.
    pub(crate) fn columns(from: ChallengesFrom) -> (Option<&'static str>, bool) {
        match from {
            ChallengesFrom::Everybody => (None, false),
            ChallengesFrom::Registered => (None, true),
            ChallengesFrom::Friends | ChallengesFrom::Nobody => (Some(from.text()), true),
        }
    }
}

impl TryFrom<ChallengeRuleRecord> for ChallengeRule {
    type Error = StoreError;

    fn try_from(row: ChallengeRuleRecord) -> Result<Self, StoreError> {
        let rating = |stored: Option<i64>| stored.map(|it| number("rating", it)).transpose();
        let from = match (row.challenges_from, row.refuses_guests) {
            (Some(from), _) => ChallengesFrom::from_text(&from)?,
            (None, true) => ChallengesFrom::Registered,
            (None, false) => ChallengesFrom::Everybody,
        };
        Ok(Self {
            from,
            min_rating: rating(row.challenge_min_rating)?,
            max_rating: rating(row.challenge_max_rating)?,
        })
    }
}
