//! The readiness of the server, for load balancers and containers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::Database;

/// The time for which an answer is reused. The check is open to anybody and writes to the disk: many requests cause one write a second.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// The time limit for the store. The checks of containers wait a few seconds.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// The reason why the server is not ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unready {
    /// The store's disk is full.
    DiskFull,
    /// The store does not write, for another reason or an unknown one.
    StoreAway,
}

/// Checks whether the store can write, and caches the answer for a second.
pub struct Readiness {
    store: Arc<dyn Database>,
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

impl Readiness {
    /// Creates a check without a cached answer.
    #[must_use]
    pub fn new(store: Arc<dyn Database>) -> Self {
        Self {
            store,
            last: Mutex::new(None),
        }
    }

    /// Checks whether the store can write.
    ///
    /// # Errors
    /// [`Unready`].
    pub async fn check(&self) -> Result<(), Unready> {
        // The lock is held during the check, so that all waiting callers share its answer.
        let mut last = self.last.lock().await;
        if let Some((at, answer)) = *last
            && at.elapsed() < GOOD_FOR
        {
            return answer;
        }
        let answer = match tokio::time::timeout(ANSWERS_WITHIN, self.store.ping()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the store cannot be written to"
                );
                Err(if error.is_disk_full() {
                    Unready::DiskFull
                } else {
                    Unready::StoreAway
                })
            }
            Err(_) => {
                tracing::warn!("the store does not answer");
                Err(Unready::StoreAway)
            }
        };
        *last = Some((Instant::now(), answer));
        answer
    }
}
