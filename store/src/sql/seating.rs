//! Seating players in a match: their seeks are locked and cancelled, and their wishes granted.

use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use sqlx::QueryBuilder;

use super::backend::{Db, RUNS_ALONE, Tx};
use crate::{StoreError, WishState};

/// Locks the open seeks of these players for realtime matches, and one other challenge, in a fixed order, so that concurrent calls do not
/// deadlock. Wishes are locked after them.
pub(super) async fn lock_seeks(
    tx: &mut Tx,
    players: &[PlayerId],
    beside: Option<&ChallengeId>,
) -> Result<Vec<String>, StoreError> {
    if RUNS_ALONE && players.is_empty() {
        return Ok(Vec::new());
    }
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
pub(super) async fn cancel_locked(
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

/// Grants the wishes of players, open or not; `false` when one of them has changed since it was read.
pub(super) async fn take_seats(
    tx: &mut Tx,
    seats: &[WishState],
    new: &MatchId,
) -> Result<bool, StoreError> {
    let mut seats: Vec<&WishState> = seats.iter().collect();
    // A fixed order, so that concurrent calls do not deadlock.
    seats.sort_by(|a, b| a.player.cmp(&b.player));
    for WishState { player, got } in seats {
        let query = match got {
            None => sqlx::query(
                "INSERT INTO wishes (player_id, match_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            )
            .bind(player.as_str())
            .bind(new.as_str()),
            Some(got) => sqlx::query(
                "UPDATE wishes SET match_id = $2
                WHERE player_id = $1 AND match_id IS NOT DISTINCT FROM $3",
            )
            .bind(player.as_str())
            .bind(new.as_str())
            .bind(got.as_ref().map(MatchId::as_str)),
        };
        if query.execute(&mut **tx).await?.rows_affected() != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}
