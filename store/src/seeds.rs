//! Seeds for the ratings of computer opponents, set when the engine's ladder gets a new version.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::Speed;
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// Seeds for the ratings of computer opponents.
#[async_trait]
pub trait Seeds: Send + Sync {
    /// Sets the ratings of computer opponents to those of this ladder version, in one transaction. Returns `false`, and sets nothing, when
    /// this version or a later one was applied before. Their tallies are unchanged.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of the players is not a computer opponent; nothing is set then.
    async fn seed_ratings(
        &self,
        ladder: u32,
        seeds: &[Seed],
        now_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Returns all seeds that were set after at most `up_to` counted matches, in order.
    async fn rating_seeds(&self, up_to: u64) -> Result<Vec<PlacedSeed>, StoreError>;
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
