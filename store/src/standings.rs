//! The results of counting.

use mawe_rules::GameKind;
use mawe_wire::ids::PlayerId;

use super::ratings::RatingRow;
use super::tallies::{GameTally, SideTally, Tally};

/// All ratings and tallies, as made by counting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standings {
    /// All ratings.
    pub ratings: Vec<(PlayerId, RatingRow)>,
    /// All tallies.
    pub tallies: Vec<(PlayerId, SideTally)>,
    /// The tallies of all pairs, from both sides: player, opponent.
    pub head_to_head: Vec<(PlayerId, PlayerId, GameKind, Tally)>,
    /// All games.
    pub games: Vec<GameTally>,
}
