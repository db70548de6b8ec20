//! How what counting has made should be, where it is not: found by [`crate::recount`], written in one transaction.

use mawe_rules::{BySide, GameKind, Side};

use crate::ids::{MatchId, PlayerId};
use crate::protocol::Speed;
use crate::store::{Finish, Rating, Standings};

/// What is to be written. Ratings, tallies and ends that are right are not in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corrections {
    /// How many matches had been counted when it was found out ([`crate::store::Store::counted`]): otherwise nothing is written.
    pub counted: u64,
    /// How many are afterwards: rated matches that were never counted get the numbers up to it.
    pub counted_after: u64,
    /// Numbers under which rating changes stand that belong to no match, or not there: they go.
    pub struck: Vec<u64>,
    /// Rated matches, with what they really did.
    pub rated: Vec<RatedMatch>,
    /// Matches that have done nothing to ratings, whatever their rows say.
    pub unrated: Vec<MatchId>,
    /// How matches really ended.
    pub ends: Vec<(MatchId, Finish)>,
    /// What is to stand in the place of what does, or beside it.
    pub standings: Standings,
    /// Ratings that nobody has.
    pub no_ratings: Vec<(PlayerId, GameKind, Speed)>,
    /// Tallies of what was never played.
    pub no_tallies: Vec<(PlayerId, GameKind, Side)>,
    /// Likewise of pairs.
    pub no_pairs: Vec<(PlayerId, PlayerId, GameKind)>,
    /// Likewise of games.
    pub no_games: Vec<GameKind>,
}

/// What a rated match did to both ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Its number in the order of counting.
    pub ordinal: u64,
    /// Who played.
    pub players: BySide<PlayerId>,
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// Who won.
    pub winner: Option<Side>,
    /// The ratings before; `None` for a first rated match.
    pub before: BySide<Option<Rating>>,
    /// The ratings after.
    pub after: BySide<Rating>,
    /// As [`crate::store::MatchRow::rating_weight`].
    pub weight: Option<f64>,
    /// When it ended.
    pub at_ms: i64,
}
