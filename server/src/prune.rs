//! Upkeep: deletes what nobody needs any more, a few rows at a time, once a day.
//!
//! Nothing of it is counted anywhere: matches that were called off change no rating and no tally, so a recount comes to the same after it.

use std::time::Duration;

use tokio::sync::watch;

use crate::arrange::unix_ms;
use crate::pairing::penalty;
use crate::store::{Stale, Store, StoreError};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How long a guest who sits at no match stays after the last visit.
pub const GUEST_MS: i64 = 30 * DAY_MS;

/// How long a match stays that was called off before anybody made a move.
pub const UNPLAYED_MATCH_MS: i64 = 7 * DAY_MS;

/// How long the link of a challenge says that it has expired.
pub const UNMET_CHALLENGE_MS: i64 = DAY_MS;

/// How long the link of a challenge leads to the match that it became, from when it could not be accepted any more.
pub const MET_CHALLENGE_MS: i64 = 30 * DAY_MS;

/// How long it is remembered that accounts share a device, from when it was last seen: as long as a browser stays known.
pub const SHARED_DEVICE_MS: i64 = 365 * DAY_MS;

// Who never came to a match waits for the next one; that must be known as long as it counts.
const _: () = assert!(UNPLAYED_MATCH_MS as u128 > penalty::REMEMBERED.as_millis());

/// How many rows go in one transaction. The embedded database has one writer: a move that comes meanwhile waits a few milliseconds.
const BATCH: u32 = 100;

/// The pause after each, in which others write.
const PAUSE: Duration = Duration::from_millis(50);

/// How often it is asked whether a day is over since it was last done, by whichever node.
const ASK_EVERY: Duration = Duration::from_secs(10 * 60);

/// How many rows of each kind there were, or went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sessions and tokens.
    pub sessions: u64,
    /// Challenges and seeks.
    pub challenges: u64,
    /// Matches.
    pub matches: u64,
    /// Guests.
    pub guests: u64,
    /// Accounts that shared a device, by twos.
    pub shared_devices: u64,
}

impl Pruned {
    fn add(&mut self, stale: Stale, rows: u64) {
        *match stale {
            Stale::Sessions | Stale::Tokens => &mut self.sessions,
            Stale::UnmetChallenges | Stale::MetChallenges => &mut self.challenges,
            Stale::UnplayedMatches => &mut self.matches,
            Stale::SharedDevices => &mut self.shared_devices,
            Stale::Guests => &mut self.guests,
        } += rows;
    }
}

/// For how long a row stays after it was of use.
fn age_ms(stale: Stale) -> i64 {
    match stale {
        Stale::Sessions | Stale::Tokens => 0,
        Stale::UnmetChallenges => UNMET_CHALLENGE_MS,
        Stale::MetChallenges => MET_CHALLENGE_MS,
        Stale::UnplayedMatches => UNPLAYED_MATCH_MS,
        Stale::SharedDevices => SHARED_DEVICE_MS,
        Stale::Guests => GUEST_MS,
    }
}

/// What would go now. A guest whose last match goes counts only once that has gone.
///
/// # Errors
/// When the store does not answer.
pub async fn count(store: &dyn Store, now_ms: i64) -> Result<Pruned, StoreError> {
    let mut found = Pruned::default();
    for stale in Stale::ALL {
        let rows = store.count_stale(stale, now_ms - age_ms(stale)).await?;
        found.add(stale, rows);
    }
    Ok(found)
}

/// Deletes it.
///
/// # Errors
/// When the store does not answer; what went before is gone.
pub async fn prune(store: &dyn Store, now_ms: i64) -> Result<Pruned, StoreError> {
    let mut gone = Pruned::default();
    for stale in Stale::ALL {
        let before_ms = now_ms - age_ms(stale);
        loop {
            let rows = store.delete_stale(stale, before_ms, BATCH).await?;
            gone.add(stale, rows);
            if rows < u64::from(BATCH) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(gone)
}

/// Does it once a day, on one of the nodes, until the server stops.
pub async fn run(store: std::sync::Arc<dyn Store>, mut stopped: watch::Receiver<bool>) {
    loop {
        // Not at once: a server that starts has enough to do.
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(ASK_EVERY) => {}
        }
        let done = tokio::select! {
            // What is under way is carried through by the store, and what is left is for the next day.
            _ = stopped.wait_for(|stopped| *stopped) => return,
            done = daily(store.as_ref(), unix_ms()) => done,
        };
        match done {
            Ok(Some(gone)) if gone != Pruned::default() => tracing::info!(
                "upkeep: {} guests, {} matches without a move, {} challenges, {} sessions and {} shared devices are gone",
                gone.guests,
                gone.matches,
                gone.challenges,
                gone.sessions,
                gone.shared_devices
            ),
            Ok(_) => {}
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "upkeep broke off; it goes on tomorrow"
            ),
        }
    }
}

/// Does it, if nobody has within a day; `None` where somebody has.
///
/// # Errors
/// When the store does not answer.
pub async fn daily(store: &dyn Store, now_ms: i64) -> Result<Option<Pruned>, StoreError> {
    if store.claim_upkeep(now_ms - DAY_MS, now_ms).await? {
        prune(store, now_ms).await.map(Some)
    } else {
        Ok(None)
    }
}
