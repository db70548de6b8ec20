//! Locking and cancelling the seeks of players who are being seated.

use mawe_wire::ids::{ChallengeId, PlayerId};
use sqlx::QueryBuilder;

use super::backend::{Db, Tx};
use crate::error::StoreError;

/// Locks the open seeks of these players for realtime matches, and one other challenge, in a fixed order, so that concurrent calls do not
/// deadlock. Wishes are locked after them.
pub(super) async fn lock_seeks(
    tx: &mut Tx,
    players: &[PlayerId],
    beside: Option<&ChallengeId>,
) -> Result<Vec<String>, StoreError> {
    let mut query = QueryBuilder::<Db>::new("SELECT id FROM challenges WHERE id = ");
    query.push_bind(beside.map_or("", ChallengeId::as_str).to_owned());
    if players.is_empty() {
        // The challenge must be locked before the rows that a new match locks.
        query.push(for_update!());
        return Ok(query.build_query_scalar().fetch_all(&mut **tx).await?);
    }
    query.push(
        " OR (listed AND time_control = 'realtime' AND match_id IS NULL AND NOT cancelled
            AND declined IS NULL AND challenger_id IN (",
    );
    let mut listed = query.separated(", ");
    for player in players {
        listed.push_bind(player.as_str().to_owned());
    }
    query.push(concat!(")) ORDER BY id", for_update!()));
    Ok(query.build_query_scalar().fetch_all(&mut **tx).await?)
}

/// Cancels seeks that are locked.
pub(super) async fn cancel_seeks(
    tx: &mut Tx,
    seeks: &[String],
    but: Option<&ChallengeId>,
) -> Result<(), StoreError> {
    for seek in seeks
        .iter()
        .filter(|id| but.is_none_or(|but| but.as_str() != id.as_str()))
    {
        sqlx::query("UPDATE challenges SET cancelled = $2 WHERE id = $1 AND match_id IS NULL")
            .bind(seek)
            .bind(true)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}
