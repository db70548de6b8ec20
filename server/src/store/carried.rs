//! Writes that are carried through, whoever waits for them, and how long they may take.

use std::time::Duration;

use super::StoreError;

/// How long a write may take before its line counts as broken: a half-open one would say nothing for ever.
pub(super) const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// The same for what a node lives by, and for what is read: its matches stand still until it is known, and another line may be well.
/// What takes longer in Postgres and comes about all the same is found out when it is read back.
pub(super) const LINE_LIMIT: Duration = Duration::from_secs(5);

/// The same for one of the operator's that may change every row there is.
pub(super) const LONG_WRITE_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Carries a write through in a task of its own, also when the caller's future is dropped.
pub(super) async fn carried_through<T: Send + 'static>(
    write: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    carried_within(WRITE_LIMIT, write).await
}

pub(super) async fn carried_within<T: Send + 'static>(
    limit: Duration,
    write: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let outcome = match tokio::spawn(tokio::time::timeout(limit, write)).await {
        Ok(Ok(outcome)) => return outcome,
        Ok(Err(_too_late)) => sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()),
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is going down under it.
            Err(_) => sqlx::Error::WorkerCrashed,
        },
    };
    Err(StoreError::OutcomeUnknown(outcome))
}
