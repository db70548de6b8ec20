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

/// Two players of whom at least one has played hardly anybody but the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseCircle {
    /// The two, by id.
    pub players: [Player; 2],
    /// How many rated matches they have played with each other.
    pub matches: u32,
    /// How many of these each has won.
    pub won: [u32; 2],
    /// How many rated matches each has played with anybody.
    pub of: [u32; 2],
}
