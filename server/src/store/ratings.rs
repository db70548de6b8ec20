//! What is remembered of ratings.

use mawe_rules::{BySide, GameKind, Side};

use super::{Player, Tally};
use crate::ids::{MatchId, PlayerId};
use crate::protocol::Speed;

/// A Glicko-2 rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// On the scale that starts at 1500.
    pub rating: f64,
    /// Its deviation, 350 at first.
    pub deviation: f64,
    /// Its volatility, 0.06 at first.
    pub volatility: f64,
    /// When it last changed; `None` before the first rated match.
    pub updated_ms: Option<i64>,
}

/// A player's rating and record in one game kind and speed.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: Rating,
    /// Rated matches, by how they ended.
    pub tally: Tally,
    /// How many different players they were against, computer opponents not counted.
    pub opponents: u32,
}

/// What one match did to one rating.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingChange {
    /// The match's number in the order of counting.
    pub ordinal: u64,
    /// The match.
    pub match_id: MatchId,
    /// Which of its seats.
    pub side: Side,
    /// Whose rating.
    pub player: PlayerId,
    /// Against whom.
    pub opponent: Player,
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// Whether it was won; `None` for a draw.
    pub won: Option<bool>,
    /// The rating before; `None` for a first rated match.
    pub before: Option<Rating>,
    /// The rating after.
    pub after: Rating,
    /// When the match ended.
    pub at_ms: i64,
}

/// In which direction a history is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryOrder {
    /// From the first rated match on.
    OldestFirst,
    /// From the last one back.
    NewestFirst,
}

/// Where a page of a rating's history begins: beyond the change with these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// [`RatingChange::at_ms`] of the last one of the page before.
    pub at_ms: i64,
    /// Its [`RatingChange::ordinal`].
    pub ordinal: u64,
}

/// What a computer opponent's rating is set to.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// Which computer opponent.
    pub player: PlayerId,
    /// Which of its ratings …
    pub game: GameKind,
    /// … it is.
    pub speed: Speed,
    /// On the scale that starts at 1500.
    pub rating: f64,
    /// How unsure it is.
    pub deviation: f64,
    /// How erratic.
    pub volatility: f64,
}

/// A seed, and its place among the matches that were counted.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedSeed {
    /// What was set.
    pub seed: Seed,
    /// After how many counted matches.
    pub ordinal: u64,
    /// When.
    pub at_ms: i64,
}

/// One line of a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct LeaderboardRow {
    /// The player.
    pub player: Player,
    /// The rating and record.
    pub row: RatingRow,
}

/// The new ratings of both after a match of this weight ([`crate::rating::weight`]) that `winner` won (`None`: a draw) at the given time.
/// `None` in: a first rated match.
pub type RateFn = fn(
    before: BySide<Option<Rating>>,
    winner: Option<Side>,
    weight: f64,
    at_ms: i64,
) -> BySide<Rating>;

/// The rating of who has none yet, which the first change is counted from.
pub(crate) const START_RATING: f64 = 1500.0;
