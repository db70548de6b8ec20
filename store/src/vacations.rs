//! Vacations of accounts.

use async_trait::async_trait;
use mawe_play::room::vacation::{Refused, Vacation};
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// Vacations of accounts.
#[async_trait]
pub trait Vacations: Send + Sync {
    /// Returns a player's vacations that end after `since_ms`, the earliest first.
    async fn vacations_of(
        &self,
        player: &PlayerId,
        since_ms: i64,
    ) -> Result<Vec<Vacation>, StoreError>;

    /// Begins a vacation now, unless the rules of [`Vacation::begin`] refuse it. Deletes vacations that no rule and no match needs any more.
    async fn begin_vacation(
        &self,
        player: &PlayerId,
        days: u32,
        now_ms: i64,
    ) -> Result<Result<Vacation, Refused>, StoreError>;

    /// Ends a player's vacation with the day that has begun. Returns the vacation as it is then; `None` without one.
    async fn end_vacation(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Option<Vacation>, StoreError>;
}
