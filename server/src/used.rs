//! When sessions and tokens were last shown: noted in memory, written down now and then, many in one commit.
//!
//! A restart brings ten thousand sockets back at once; a commit for each would keep the moves waiting.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sessions::{TokenHash, USED_EVERY_MS};
use crate::store::{Holder, Store, StoreError};

/// How many are noted at most; of more it is noted when they are next shown.
const MAX_NOTED: usize = 20_000;

/// How many are written in one commit: others wait for it.
const BATCH: usize = 1_000;

/// What was shown and is not written down yet.
#[derive(Debug, Default)]
pub struct Used {
    noted: Mutex<HashMap<TokenHash, Shown>>,
}

#[derive(Debug, Clone, Copy)]
struct Shown {
    is_token: bool,
    at_ms: i64,
}

impl Used {
    /// Notes that a secret was shown, unless that stands in the store already, to the hour.
    pub fn note(&self, hash: &TokenHash, holder: &Holder, now_ms: i64) {
        let is_known = |at_ms: i64| now_ms.saturating_sub(at_ms) < USED_EVERY_MS;
        if holder.last_used_ms.is_some_and(is_known) {
            return;
        }
        let mut noted = self.lock();
        if noted.len() < MAX_NOTED {
            let shown = Shown {
                is_token: holder.scopes.is_some(),
                at_ms: now_ms,
            };
            noted.entry(*hash).or_insert(shown);
        }
    }

    /// Writes down what was noted.
    ///
    /// # Errors
    /// When the store does not answer; what was not written stays noted.
    pub async fn write(&self, store: &dyn Store) -> Result<(), StoreError> {
        loop {
            let batch: Vec<(TokenHash, Shown)> = {
                let noted = self.lock();
                noted
                    .iter()
                    .take(BATCH)
                    .map(|(hash, shown)| (*hash, *shown))
                    .collect()
            };
            if batch.is_empty() {
                return Ok(());
            }
            let of = |is_token: bool| -> Vec<(TokenHash, i64)> {
                let some = batch.iter().filter(|(_, shown)| shown.is_token == is_token);
                some.map(|(hash, shown)| (*hash, shown.at_ms)).collect()
            };
            store.mark_used(&of(false), &of(true)).await?;
            let mut noted = self.lock();
            for (hash, _) in &batch {
                noted.remove(hash);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TokenHash, Shown>> {
        // Nothing between lock and unlock can panic half-way.
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
