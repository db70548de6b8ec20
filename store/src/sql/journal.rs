//! Journals: appending, reading and claiming.

use async_trait::async_trait;
use mawe_play::room::entry::StoredEntry;
use mawe_wire::ids::MatchId;

use super::backend::{Backend, Tx, begin, commit, select_matches};
use crate::detached::{LINE_LIMIT, detached_within};
use crate::journal::admitted;
use crate::rows::{EntryRecord, MatchRecord, int, parsed};
use crate::{Append, Appended, Claim, ClaimedMatch, Journal, MatchRow, StoreError};

#[async_trait]
impl Journal for Backend {
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError> {
        let admitted = admitted(batch);
        let candidates: Vec<&Append> = batch
            .iter()
            .zip(&admitted)
            .filter_map(|(append, ok)| ok.then_some(append))
            .collect();
        let done = self.commit_appends(&candidates).await?;
        let answer = |(append, admitted): (&Append, &bool)| {
            if *admitted && done.contains(append.match_id.as_str()) {
                Appended::Done
            } else {
                Appended::Fenced
            }
        };
        Ok(batch.iter().zip(&admitted).map(answer).collect())
    }

    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError> {
        let rows: Vec<EntryRecord> = sqlx::query_as(
            "SELECT seq, epoch, kind, payload, client_id, at_ms FROM entries
            WHERE match_id = $1 AND seq > $2 ORDER BY seq",
        )
        .bind(id.as_str())
        .bind(int(after))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError> {
        let (writer, id, owner) = (self.writer().clone(), id.clone(), owner.to_owned());
        detached_within(LINE_LIMIT, async move {
            let mut tx = begin(&writer).await?;
            // The row is locked from here on, so nothing can be appended before the journal is read.
            sqlx::query(
                "UPDATE matches SET epoch = epoch + 1, owner = $2
                WHERE id = $1 AND finished_ms IS NULL",
            )
            .bind(id.as_str())
            .bind(owner)
            .execute(&mut *tx)
            .await?;
            let claimed = read_whole(&mut tx, &id).await?;
            commit(tx).await?;
            Ok(claimed)
        })
        .await
    }

    async fn claim_free_match(
        &self,
        id: &MatchId,
        node: &str,
    ) -> Result<Option<Claim>, StoreError> {
        let (writer, id, node) = (self.writer().clone(), id.clone(), node.to_owned());
        detached_within(LINE_LIMIT, async move {
            let mut tx = begin(&writer).await?;
            // The row is locked before the owner is checked. In one statement, a caller that had to wait for the lock would check the state
            // from before the wait, and could take the match from a node that has renewed its lease meanwhile.
            let owner: Option<Option<String>> = sqlx::query_scalar(concat!(
                "SELECT owner FROM matches WHERE id = $1",
                for_update!()
            ))
            .bind(id.as_str())
            .fetch_optional(&mut *tx)
            .await?;
            let Some(owner) = owner else {
                return Ok(None);
            };
            if let Some(by) = owner.filter(|owner| *owner != node) {
                let lives: bool = sqlx::query_scalar(concat!(
                    "SELECT EXISTS (SELECT 1 FROM nodes WHERE name = $1 AND expires_ms > ",
                    now_ms!(),
                    ")"
                ))
                .bind(&by)
                .fetch_one(&mut *tx)
                .await?;
                if lives {
                    return Ok(Some(Claim::Owned { by }));
                }
            }
            sqlx::query(
                "UPDATE matches SET owner = $2,
                    epoch = CASE WHEN finished_ms IS NULL THEN epoch + 1 ELSE epoch END
                WHERE id = $1",
            )
            .bind(id.as_str())
            .bind(&node)
            .execute(&mut *tx)
            .await?;
            let claimed = read_whole(&mut tx, &id).await?;
            commit(tx).await?;
            Ok(claimed.map(Box::new).map(Claim::Taken))
        })
        .await
    }
}

/// Reads a match and its journal; the match's row must be locked.
async fn read_whole(tx: &mut Tx, id: &MatchId) -> Result<Option<ClaimedMatch>, StoreError> {
    let row: Option<MatchRecord> = sqlx::query_as(select_matches!("WHERE m.id = $1"))
        .bind(id.as_str())
        .fetch_optional(&mut **tx)
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let row = MatchRow::try_from(row)?;
    if row.head == 0 {
        // A match without entries is claimed most often: when it begins.
        return Ok(Some(ClaimedMatch {
            row,
            entries: Vec::new(),
        }));
    }
    let entries: Vec<EntryRecord> = sqlx::query_as(
        "SELECT seq, epoch, kind, payload, client_id, at_ms FROM entries
        WHERE match_id = $1 AND seq <= $2 ORDER BY seq",
    )
    .bind(id.as_str())
    .bind(int(row.head))
    .fetch_all(&mut **tx)
    .await?;
    let entries: Vec<StoredEntry> = parsed(entries)?;
    // Every append advances the head by the number of its entries.
    if !(1..=row.head).eq(entries.iter().map(|entry| entry.seq)) {
        let detail = format!("{} has a gap before its head {}", row.id, row.head);
        return Err(StoreError::damaged("journal", detail));
    }
    Ok(Some(ClaimedMatch { row, entries }))
}
