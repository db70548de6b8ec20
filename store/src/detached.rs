//! Writes that are completed even if their caller is dropped, and their time limits.

use std::time::Duration;

use super::StoreError;

/// The time limit of a write. After it the connection counts as broken: a half-open one would never answer.
pub(super) const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// The time limit of reads, appends and lease renewals: a node's matches stand still until the outcome is known, and another connection may
/// work. If Postgres completes a write after the limit, that is found out by reading back.
pub(super) const LINE_LIMIT: Duration = Duration::from_secs(5);

/// The time limit of an operator's write that may change every row.
pub(super) const LONG_WRITE_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Runs a write in a task of its own, so that it is completed even when the caller's future is dropped.
pub(super) async fn detached<T: Send + 'static>(
    write: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    detached_within(WRITE_LIMIT, write).await
}

pub(super) async fn detached_within<T: Send + 'static>(
    limit: Duration,
    write: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let outcome = match tokio::spawn(tokio::time::timeout(limit, write)).await {
        Ok(Ok(outcome)) => return outcome,
        Ok(Err(_too_late)) => sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()),
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down.
            Err(_) => sqlx::Error::WorkerCrashed,
        },
    };
    Err(StoreError::outcome_unknown(outcome))
}
