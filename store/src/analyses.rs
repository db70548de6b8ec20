//! Computer analyses of matches.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::StoreError;

/// Computer analyses of matches, one for each match and version of the engine.
#[async_trait]
pub trait Analyses: Send + Sync {
    /// Stores the request of an analysis unless there is one that waits or is done; a failed one waits again.
    async fn request_analysis(&self, new: &NewAnalysis) -> Result<RequestedAnalysis, StoreError>;

    /// Returns the analysis of a match by this version of the engine, else the latest one that another version has finished.
    async fn analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
    ) -> Result<Option<Analysis>, StoreError>;

    /// Returns the matches that this version of the engine is to analyse and that no node works on, the oldest request first, `limit` at
    /// most, and marks them as claimed until `until_ms`.
    async fn claim_analyses(
        &self,
        engine: &str,
        now_ms: i64,
        until_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchId>, StoreError>;

    /// Moves the end of the claim on an analysis that waits.
    async fn keep_analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
        until_ms: i64,
    ) -> Result<(), StoreError>;

    /// Stores the end of an analysis that waits: its evaluations as JSON, or `None` if it has failed. Returns whether it waited.
    async fn end_analysis(
        &self,
        match_id: &MatchId,
        engine: &str,
        evaluations: Option<&str>,
    ) -> Result<bool, StoreError>;
}

/// The request of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAnalysis {
    /// A match that is over.
    pub match_id: MatchId,
    /// The version of the engine.
    pub engine: String,
    /// The account.
    pub by: PlayerId,
    /// The time of the request, in Unix milliseconds.
    pub at_ms: i64,
    /// The most requests of one account in the time from `since_ms` on.
    pub most: u32,
    /// The beginning of the day that the requests are counted for, in Unix milliseconds.
    pub since_ms: i64,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedAnalysis {
    /// It is stored.
    New,
    /// There is one already.
    Known,
    /// The account has requested as many as it may.
    Spent,
}

/// The state of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisState {
    /// It waits for workers, or they are at it.
    Waiting,
    /// It is done.
    Done,
    /// Workers could not finish it.
    Failed,
}

impl AnalysisState {
    /// Returns the name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AnalysisState::Waiting => "waiting",
            AnalysisState::Done => "done",
            AnalysisState::Failed => "failed",
        }
    }
}

/// A stored analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The version of the engine.
    pub engine: String,
    /// The state.
    pub state: AnalysisState,
    /// The evaluations as JSON; empty unless it is done.
    pub evaluations: String,
}
