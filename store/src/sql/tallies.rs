//! Queries for tallies.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::ids::PlayerId;

use super::backend::Backend;
use crate::rows::{GameTallyRecord, OpponentTallyRecord, SideTallyRecord, parsed};
use crate::{GameTally, SideTally, StoreError, Tallies, Tally};

#[async_trait]
impl Tallies for Backend {
    async fn tallies_of(&self, player: &PlayerId) -> Result<Vec<SideTally>, StoreError> {
        let rows: Vec<SideTallyRecord> = sqlx::query_as(
            "SELECT game, side, won, drawn, lost, plies FROM tallies WHERE player_id = $1 ORDER BY game, side",
        )
        .bind(player.as_str())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn head_to_head(
        &self,
        player: &PlayerId,
        opponent: &PlayerId,
    ) -> Result<Vec<(GameKind, Tally)>, StoreError> {
        let rows: Vec<OpponentTallyRecord> = sqlx::query_as(
            "SELECT game, won, drawn, lost FROM head_to_head WHERE player_id = $1 AND opponent_id = $2 ORDER BY game",
        )
        .bind(player.as_str())
        .bind(opponent.as_str())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn game_tallies(&self) -> Result<Vec<GameTally>, StoreError> {
        let rows: Vec<GameTallyRecord> = sqlx::query_as(
            "SELECT game, first_won, drawn, second_won, plies FROM game_tallies ORDER BY game",
        )
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}
