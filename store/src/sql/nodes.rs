//! Nodes, their leases, and matches without a live owner.

use std::time::Duration;

use async_trait::async_trait;
use mawe_wire::ids::MatchId;

use super::backend::{Backend, begin, commit, match_id, run};
use crate::detached::{detached, detached_within};
use crate::{NewNode, Nodes, StoreError};

#[async_trait]
impl Nodes for Backend {
    async fn join_nodes(&self, node: &NewNode, lease: Duration) -> Result<bool, StoreError> {
        let (writer, node, lease) = (self.reserved().clone(), node.clone(), millis(lease));
        detached(async move {
            let statement = sqlx::query(concat!(
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
            .bind(lease);
            let written = run(&writer, statement).await?;
            Ok(written.rows_affected() == 1)
        })
        .await
    }

    async fn renew_lease(
        &self,
        node: &str,
        lease: Duration,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let (writer, node, lasts) = (self.reserved().clone(), node.to_owned(), lease);
        let lease = millis(lease);
        // A renewal that takes longer than the lease has no effect.
        let renewed = detached_within(lasts, async move {
            let statement = sqlx::query(concat!(
                "UPDATE nodes SET expires_ms = ",
                now_ms!(),
                " + $2 WHERE name = $1 AND expires_ms > ",
                now_ms!()
            ))
            .bind(&node)
            .bind(lease);
            let written = run(&writer, statement).await?;
            Ok(written.rows_affected() == 1)
        });
        match renewed.await? {
            true => self.living_nodes().await.map(Some),
            false => Ok(None),
        }
    }

    async fn leave_nodes(&self, node: &str) -> Result<(), StoreError> {
        let (writer, node) = (self.reserved().clone(), node.to_owned());
        detached(async move {
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

    async fn living_nodes(&self) -> Result<Vec<String>, StoreError> {
        let names = sqlx::query_scalar(concat!(
            "SELECT name FROM nodes WHERE expires_ms > ",
            now_ms!(),
            " ORDER BY name"
        ))
        .fetch_all(self.reserved_reader())
        .await?;
        Ok(names)
    }

    async fn orphaned_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
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
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn matches_owned_by(&self, node: &str) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM matches WHERE owner = $1 AND finished_ms IS NULL AND speed <> 'daily'
            ORDER BY created_ms, id",
        )
        .bind(node.to_owned())
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }
}

fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}
