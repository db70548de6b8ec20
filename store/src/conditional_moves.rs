//! Conditional moves: the lines that a player has chosen in advance in a match by the day.

use async_trait::async_trait;
use mawe_play::room::conditional::ConditionalMoves;
use mawe_rules::Side;
use mawe_wire::ids::MatchId;

use crate::StoreError;

/// The conditional moves of matches. They are no part of a journal: only their player and the room of the match may see them.
///
/// An answer is never lost. Rows are stored only at the head that they name, so an entry that is appended later is followed by a look at them;
/// and rows that stand behind the head of their journal are found by [`AnswerableMoves::matches_to_answer`].
#[async_trait]
pub trait AnswerableMoves: Send + Sync {
    /// Returns the conditional moves of a match, by side.
    async fn conditional_moves(
        &self,
        id: &MatchId,
    ) -> Result<Vec<(Side, ConditionalMoves)>, StoreError>;

    /// Stores a side's conditional moves in place of earlier ones.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the head of the journal is not their `seq`, or the match is over.
    async fn set_conditional_moves(
        &self,
        id: &MatchId,
        side: Side,
        moves: &ConditionalMoves,
    ) -> Result<(), StoreError>;

    /// Deletes a side's conditional moves. Returns whether there were any.
    async fn delete_conditional_moves(&self, id: &MatchId, side: Side) -> Result<bool, StoreError>;

    /// Notes that a side's conditional moves, as they were at `seq`, were compared with the game up to `head`; with `None`, that none of them
    /// goes on, which deletes them. Does nothing if they were stored anew since.
    async fn advance_conditional_moves(
        &self,
        id: &MatchId,
        side: Side,
        seq: u64,
        head: Option<u64>,
    ) -> Result<(), StoreError>;

    /// Returns matches with conditional moves that were not compared with the game up to its head, by id: their room must be opened.
    async fn matches_to_answer(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;
}
