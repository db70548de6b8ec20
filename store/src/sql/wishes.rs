//! Wishes for an opponent.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use super::backend::{Backend, begin, commit, match_id, run};
use super::matches::insert_match;
use super::seating::{cancel_locked, lock_seeks};
use crate::detached::detached;
use crate::{NewMatch, StoreError, WishState, Wishes};

#[async_trait]
impl Wishes for Backend {
    async fn set_wish(&self, player: &PlayerId) -> Result<(), StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let statement = sqlx::query(
                "INSERT INTO wishes (player_id, match_id) VALUES ($1, NULL)
                ON CONFLICT (player_id) DO UPDATE SET match_id = NULL",
            )
            .bind(player.as_str());
            run(&writer, statement).await?;
            Ok(())
        })
        .await
    }

    async fn granted_match(&self, player: &PlayerId) -> Result<Option<MatchId>, StoreError> {
        let got: Option<Option<String>> =
            sqlx::query_scalar("SELECT match_id FROM wishes WHERE player_id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        got.flatten().map(match_id).transpose()
    }

    async fn wish_state(&self, player: &PlayerId) -> Result<WishState, StoreError> {
        let got: Option<Option<String>> =
            sqlx::query_scalar("SELECT match_id FROM wishes WHERE player_id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        let got = got.map(|got| got.map(match_id).transpose()).transpose()?;
        let player = player.clone();
        Ok(WishState { player, got })
    }

    async fn create_wished_match(
        &self,
        new: &NewMatch,
        players: &[PlayerId],
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let (writer, new, mut players) = (self.writer().clone(), new.clone(), players.to_vec());
        // A fixed order, so that concurrent calls do not deadlock.
        players.sort();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let seeks = lock_seeks(&mut tx, &players, None).await?;
            insert_match(&mut tx, &new).await?;
            cancel_locked(&mut tx, &seeks, None).await?;
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
}
