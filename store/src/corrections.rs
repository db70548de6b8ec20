//! Corrections of wrong ratings and tallies: found by [`crate::recount`], written in one transaction.

use async_trait::async_trait;
use mawe_play::rating::Rating;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::{Attribution, Standings, StoreError};

/// The results of counting as a whole, and their corrections.
#[async_trait]
pub trait Recounts: Send + Sync {
    /// Returns all ratings and tallies. Loads everything into memory, so it is not for a request handler.
    async fn standings(&self) -> Result<Standings, StoreError>;

    /// Writes corrections of the ratings and tallies, and an audit log entry, in one transaction. Returns `false`, and writes nothing, when
    /// matches were counted since the corrections were computed.
    async fn correct(
        &self,
        corrections: &Corrections,
        attribution: &Attribution,
    ) -> Result<bool, StoreError>;
}

/// The corrections to write, without the ratings, tallies and results that are right.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corrections {
    /// The number of counted matches when the corrections were computed ([`Counting::counted`](crate::Counting::counted)). If it has changed, nothing is
    /// written.
    pub counted: u64,
    /// The number of counted matches afterwards: rated matches that were never counted get the ordinals up to it.
    pub counted_after: u64,
    /// Ordinals of rating changes that no counted match accounts for: they are deleted.
    pub struck: Vec<u64>,
    /// Rated matches with their correct rating changes.
    pub rated: Vec<RatedMatch>,
    /// Matches that changed no rating, although their rows say otherwise.
    pub unrated: Vec<MatchId>,
    /// Matches with their correct results.
    pub ends: Vec<(MatchId, Finish)>,
    /// The ratings and tallies to insert or replace.
    pub standings: Standings,
    /// Ratings to delete.
    pub no_ratings: Vec<(PlayerId, GameKind, Speed)>,
    /// Tallies of players to delete.
    pub no_tallies: Vec<(PlayerId, GameKind, Side)>,
    /// Tallies of pairs to delete: player, opponent.
    pub no_pairs: Vec<(PlayerId, PlayerId, GameKind)>,
    /// Tallies of games to delete.
    pub no_games: Vec<GameKind>,
}

/// The changes of both ratings by a rated match.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Its number in the order of counting.
    pub ordinal: u64,
    /// The players.
    pub players: BySide<PlayerId>,
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The ratings before; `None` for a first rated match.
    pub before: BySide<Option<Rating>>,
    /// The ratings after.
    pub after: BySide<Rating>,
    /// Like [`crate::MatchRow::rating_weight`].
    pub weight: Option<f64>,
    /// The time at which the match ended.
    pub at_ms: i64,
}
