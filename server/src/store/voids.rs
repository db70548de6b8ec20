//! Matches that a moderator makes void, and pairs of players whose matches a moderator should look at.

use super::Player;
use crate::ids::PlayerId;

/// Which rated matches count for nothing from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidMatches {
    /// Of this player.
    pub player: PlayerId,
    /// Against this one only.
    pub opponent: Option<PlayerId>,
    /// That ended at this time or later.
    pub since_ms: Option<i64>,
    /// That ended before this time.
    pub until_ms: Option<i64>,
}

/// Which pairs of players a moderator should look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairFilter {
    /// Only rated matches since this time are looked at.
    pub since_ms: i64,
    /// The smallest number of matches of a pair of which one has played hardly anybody else.
    pub min_matches: u32,
    /// The smallest number of matches of a pair that shares a device.
    pub min_matches_on_device: u32,
}

/// Two players whose matches with each other a moderator should look at, for one reason at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairToReview {
    /// The two, by id.
    pub players: [Player; 2],
    /// How many rated matches they have played with each other.
    pub matches: u32,
    /// How many of these each has won.
    pub won: [u32; 2],
    /// How many rated matches each has played with anybody.
    pub of: [u32; 2],
    /// Whether at least one of them has played hardly anybody but the other.
    pub only_each_other: bool,
    /// Whether they have logged in from the same browser.
    pub share_device: bool,
}
