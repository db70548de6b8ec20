//! The last use of sessions and tokens: noted in memory and written at intervals, many in one commit.
//!
//! A restart brings ten thousand sockets back at once; a commit for each would delay the moves.

use std::collections::HashMap;

use mawe_store::{Holder, Sessions, StoreError};
use mawe_wire::ids::TokenHash;
use parking_lot::Mutex;

use crate::identity::sessions::USED_EVERY_MS;

/// The greatest number of noted uses; a use beyond that is noted when the secret is next shown.
const MAX_NOTED: usize = 20_000;

/// The number of uses written in one commit, for which other commits wait.
const BATCH: usize = 1_000;

/// The uses that are not yet written.
#[derive(Debug, Default)]
pub struct LastUsed {
    noted: Mutex<HashMap<TokenHash, Shown>>,
}

#[derive(Debug, Clone, Copy)]
struct Shown {
    is_token: bool,
    at_ms: i64,
}

impl LastUsed {
    /// Notes a use of a secret, unless the store has one of the last hour.
    pub fn note(&self, hash: &TokenHash, holder: &Holder, now_ms: i64) {
        let is_known = |at_ms: i64| now_ms.saturating_sub(at_ms) < USED_EVERY_MS;
        if holder.last_used_ms.is_some_and(is_known) {
            return;
        }
        let mut noted = self.noted.lock();
        if noted.len() < MAX_NOTED {
            let shown = Shown {
                is_token: holder.scopes.is_some(),
                at_ms: now_ms,
            };
            noted.entry(*hash).or_insert(shown);
        }
    }

    /// Writes the noted uses.
    ///
    /// # Errors
    /// When the store does not answer; uses that were not written stay noted.
    pub async fn write(&self, sessions: &dyn Sessions) -> Result<(), StoreError> {
        loop {
            let batch: Vec<(TokenHash, Shown)> = {
                let noted = self.noted.lock();
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
            sessions.mark_used(&of(false), &of(true)).await?;
            let mut noted = self.noted.lock();
            for (hash, _) in &batch {
                noted.remove(hash);
            }
        }
    }
}
