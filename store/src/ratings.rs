//! Ratings, their changes, and leaderboards.

use mawe_play::rating::Rating;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::ids::{MatchId, PlayerId};

use super::players::Player;
use super::tallies::Tally;

/// A player's rating and record in one game kind and speed.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: Rating,
    /// The rated matches, by result.
    pub tally: Tally,
    /// The number of different opponents, without computer opponents.
    pub opponents: u32,
}

/// The change of one rating by one match.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingChange {
    /// The match's number in the order of counting.
    pub ordinal: u64,
    /// The match.
    pub match_id: MatchId,
    /// The seat of the player.
    pub side: Side,
    /// The player whose rating changed.
    pub player: PlayerId,
    /// The opponent.
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
    /// The time at which the match ended.
    pub at_ms: i64,
}

/// The order in which a rating history is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryOrder {
    /// From the first rated match onwards.
    OldestFirst,
    /// From the last rated match backwards.
    NewestFirst,
}

/// The position after which a page of a rating history begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// [`RatingChange::at_ms`] of the last change of the previous page.
    pub at_ms: i64,
    /// [`RatingChange::ordinal`] of that change.
    pub ordinal: u64,
}

/// A rating to set for a computer opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// The computer opponent.
    pub player: PlayerId,
    /// The game kind of the rating.
    pub game: GameKind,
    /// The speed of the rating.
    pub speed: Speed,
    /// The rating, on the scale that starts at 1500.
    pub rating: f64,
    /// The deviation.
    pub deviation: f64,
    /// The volatility.
    pub volatility: f64,
}

/// A seed with its position in the order of counted matches.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedSeed {
    /// The seed.
    pub seed: Seed,
    /// The number of matches counted before it.
    pub ordinal: u64,
    /// The time at which it was set.
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

/// Computes the new ratings of both players after a match of this weight ([`mawe_play::rating::weight`]) that `winner` won (`None` for a draw)
/// at the given time. A rating before is `None` for a player's first rated match.
pub type RateFn = fn(
    before: BySide<Option<Rating>>,
    winner: Option<Side>,
    weight: f64,
    at_ms: i64,
) -> BySide<Rating>;
