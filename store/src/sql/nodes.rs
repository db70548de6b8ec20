//! Nodes and their leases, matches without a live owner, and wishes for an opponent.

use std::time::Duration;

use mawe_wire::ids::{MatchId, PlayerId};

use super::backend::{Backend, Tx, begin, broken_statement, commit, match_id};
use super::matches::insert_match;
use super::seeks::{cancel_seeks, lock_seeks};
use crate::carried::{carried_through, carried_within};
use crate::{NewMatch, NewNode, StoreError, Wished};

pub(super) async fn orphaned_matches(
    store: &Backend,
    limit: u32,
) -> Result<Vec<MatchId>, StoreError> {
    let ids: Vec<String> = sqlx::query_scalar(concat!(
        "SELECT m.id FROM matches m
        WHERE m.finished_ms IS NULL AND m.speed <> 'daily'
            AND (m.owner IS NOT NULL OR m.created_ms < ",
        now_ms!(),
        " - 2000)
            AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.name = m.owner AND n.expires_ms > ",
        now_ms!(),
        ")
        ORDER BY m.created_ms, m.id LIMIT $1"
    ))
    .bind(i64::from(limit))
    .fetch_all(store.reader())
    .await?;
    ids.into_iter().map(match_id).collect()
}

pub(super) async fn matches_owned_by(
    store: &Backend,
    node: &str,
) -> Result<Vec<MatchId>, StoreError> {
    let ids: Vec<String> = sqlx::query_scalar(
        "SELECT id FROM matches WHERE owner = $1 AND finished_ms IS NULL AND speed <> 'daily'
        ORDER BY created_ms, id",
    )
    .bind(node.to_owned())
    .fetch_all(store.reader())
    .await?;
    ids.into_iter().map(match_id).collect()
}

pub(super) async fn join_nodes(
    store: &Backend,
    node: &NewNode,
    lease: Duration,
) -> Result<bool, StoreError> {
    let (writer, node, lease) = (store.vital().clone(), node.clone(), millis(lease));
    carried_through(async move {
        let written = sqlx::query(concat!(
            "INSERT INTO nodes (id, name, address, expires_ms) VALUES ($1, $2, $3, ",
            now_ms!(),
            " + $4)
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, address = excluded.address, expires_ms = excluded.expires_ms
            WHERE nodes.name = excluded.name OR nodes.expires_ms <= ",
            now_ms!()
        ))
        .bind(&node.id)
        .bind(&node.name)
        .bind(&node.address)
        .bind(lease)
        .execute(&writer)
        .await
        .map_err(broken_statement)?;
        Ok(written.rows_affected() == 1)
    })
    .await
}

pub(super) async fn renew_lease(
    store: &Backend,
    node: &str,
    lease: Duration,
) -> Result<Option<Vec<String>>, StoreError> {
    let (writer, node, lasts) = (store.vital().clone(), node.to_owned(), lease);
    let lease = millis(lease);
    // A renewal that takes longer than the lease has no effect.
    let renewed = carried_within(lasts, async move {
        let written = sqlx::query(concat!(
            "UPDATE nodes SET expires_ms = ",
            now_ms!(),
            " + $2 WHERE name = $1 AND expires_ms > ",
            now_ms!()
        ))
        .bind(&node)
        .bind(lease)
        .execute(&writer)
        .await
        .map_err(broken_statement)?;
        Ok(written.rows_affected() == 1)
    });
    match renewed.await? {
        true => living_nodes(store).await.map(Some),
        false => Ok(None),
    }
}

pub(super) async fn leave_nodes(store: &Backend, node: &str) -> Result<(), StoreError> {
    let (writer, node) = (store.vital().clone(), node.to_owned());
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        sqlx::query("UPDATE matches SET owner = NULL WHERE owner = $1 AND finished_ms IS NULL")
            .bind(&node)
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM nodes WHERE name = $1")
            .bind(&node)
            .execute(&mut *tx)
            .await?;
        commit(tx).await
    })
    .await
}

pub(super) async fn living_nodes(store: &Backend) -> Result<Vec<String>, StoreError> {
    let names = sqlx::query_scalar(concat!(
        "SELECT name FROM nodes WHERE expires_ms > ",
        now_ms!(),
        " ORDER BY name"
    ))
    .fetch_all(store.vital())
    .await?;
    Ok(names)
}

pub(super) async fn wish(store: &Backend, player: &PlayerId) -> Result<(), StoreError> {
    let (writer, player) = (store.writer().clone(), player.clone());
    carried_through(async move {
        sqlx::query(
            "INSERT INTO wishes (player_id, match_id) VALUES ($1, NULL)
            ON CONFLICT (player_id) DO UPDATE SET match_id = NULL",
        )
        .bind(player.as_str())
        .execute(&writer)
        .await
        .map_err(broken_statement)?;
        Ok(())
    })
    .await
}

pub(super) async fn granted(
    store: &Backend,
    player: &PlayerId,
) -> Result<Option<MatchId>, StoreError> {
    let got: Option<Option<String>> =
        sqlx::query_scalar("SELECT match_id FROM wishes WHERE player_id = $1")
            .bind(player.as_str())
            .fetch_optional(store.reader())
            .await?;
    got.flatten().map(match_id).transpose()
}

pub(super) async fn wished(store: &Backend, player: &PlayerId) -> Result<Wished, StoreError> {
    let got: Option<Option<String>> =
        sqlx::query_scalar("SELECT match_id FROM wishes WHERE player_id = $1")
            .bind(player.as_str())
            .fetch_optional(store.reader())
            .await?;
    let got = got.map(|got| got.map(match_id).transpose()).transpose()?;
    let player = player.clone();
    Ok(Wished { player, got })
}

/// Grants the wishes of players, open or not; `false` when one of them has changed since it was read.
pub(super) async fn take_seats(
    tx: &mut Tx,
    seats: &[Wished],
    new: &MatchId,
) -> Result<bool, StoreError> {
    let mut seats: Vec<&Wished> = seats.iter().collect();
    // A fixed order, so that concurrent calls do not deadlock.
    seats.sort_by(|a, b| a.player.cmp(&b.player));
    for Wished { player, got } in seats {
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

pub(super) async fn create_wished_match(
    store: &Backend,
    new: &NewMatch,
    players: &[PlayerId],
) -> Result<(), StoreError> {
    let (writer, new, mut players) = (store.writer().clone(), new.clone(), players.to_vec());
    // A fixed order, so that concurrent calls do not deadlock.
    players.sort();
    carried_through(async move {
        let mut tx = begin(&writer).await?;
        let seeks = lock_seeks(&mut tx, &players, None).await?;
        insert_match(&mut tx, &new).await?;
        cancel_seeks(&mut tx, &seeks, None).await?;
        for player in &players {
            let granted = sqlx::query(
                "UPDATE wishes SET match_id = $2 WHERE player_id = $1 AND match_id IS NULL",
            )
            .bind(player.as_str())
            .bind(new.id.as_str())
            .execute(&mut *tx)
            .await?;
            if granted.rows_affected() != 1 {
                return Err(StoreError::Conflict);
            }
        }
        commit(tx).await
    })
    .await
}

fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}
