//! Whether the server can do its work, for load balancers and containers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::store::Store;

/// How long an answer is good. Anybody may ask, and each check writes to the disk: a flood of them writes once a second.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// How long a store may take. The checks of containers wait a few seconds.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// What keeps the server from its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unready {
    /// The store's disk is full.
    DiskFull,
    /// The store does not write, for another reason or without one.
    StoreAway,
}

/// Checks whether the store can write, and remembers the answer for a moment.
pub struct Readiness {
    store: Arc<dyn Store>,
    last: Mutex<Option<(Instant, Result<(), Unready>)>>,
}

impl Readiness {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            last: Mutex::new(None),
        }
    }

    /// Whether the store can write.
    ///
    /// # Errors
    /// [`Unready`].
    pub async fn check(&self) -> Result<(), Unready> {
        // Held over the check, so that all who wait for it share its answer.
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
