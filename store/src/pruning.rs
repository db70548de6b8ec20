//! Upkeep: deletes rows that are no longer needed, in small batches, once a day.
//!
//! None of these rows is counted: matches called off change no rating and no tally, so a recount gives the same result afterwards.

use std::time::Duration;

use mawe_play::pairing::penalty;
use tokio::sync::watch;

use crate::invitations::INVITATION_KEPT_MS;
use crate::oauth_codes::OAUTH_CODE_MS;
use crate::request_keys::REQUEST_KEY_MS;
use crate::{Stale, StoreError, Upkeep};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The time for which a guest without a match is kept after the last visit.
pub const GUEST_MS: i64 = 30 * DAY_MS;

/// The time for which a match is kept that was called off before the first move.
pub const UNPLAYED_MATCH_MS: i64 = 7 * DAY_MS;

/// The time for which the link of a challenge says that it has expired.
pub const UNMET_CHALLENGE_MS: i64 = DAY_MS;

/// The time for which the link of an accepted challenge leads to its match, from the time at which it could no longer be accepted.
pub const MET_CHALLENGE_MS: i64 = 30 * DAY_MS;

/// The time for which lines of chat are kept: long enough for a report and its appeal.
pub const CHAT_LINE_MS: i64 = 90 * DAY_MS;

/// The time for which it is remembered that accounts share a device, from the last sight of it: as long as a browser stays known.
pub const SHARED_DEVICE_MS: i64 = 365 * DAY_MS;

/// The time for which a notice is kept, from its cause.
pub const NOTICE_MS: i64 = 90 * DAY_MS;

// A player who did not come to a match must wait for the next one: the match must exist as long as this penalty counts.
const _: () = assert!(UNPLAYED_MATCH_MS as u128 > penalty::REMEMBERED.as_millis());

/// The number of rows in one transaction. The embedded database has one writer: a concurrent move waits a few milliseconds.
const BATCH: u32 = 100;

/// The pause after each transaction, for other writers.
const PAUSE: Duration = Duration::from_millis(50);

/// The interval at which a node checks whether the last upkeep, by any node, is a day old.
const ASK_EVERY: Duration = Duration::from_secs(10 * 60);

/// The number of rows of each kind that were found or deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sessions, tokens, authorization codes, answered challenges of passkeys, links by mail, keys of requests, held names and invitations.
    pub sessions: u64,
    /// Challenges and seeks.
    pub challenges: u64,
    /// Matches.
    pub matches: u64,
    /// Guests.
    pub guests: u64,
    /// Lines of chat.
    pub chat_lines: u64,
    /// Pairs of accounts that shared a device.
    pub shared_devices: u64,
    /// Notices.
    pub notices: u64,
}

impl Pruned {
    fn add(&mut self, stale: Stale, rows: u64) {
        *match stale {
            Stale::Sessions
            | Stale::Tokens
            | Stale::OauthCodes
            | Stale::PasskeyChallenges
            | Stale::EmailConfirmations
            | Stale::PasswordResets
            | Stale::RequestKeys
            | Stale::FormerNames
            | Stale::FormerDisplayNames
            | Stale::Invitations => &mut self.sessions,
            Stale::UnmetChallenges | Stale::MetChallenges => &mut self.challenges,
            Stale::UnplayedMatches => &mut self.matches,
            Stale::ChatLines => &mut self.chat_lines,
            Stale::SharedDevices => &mut self.shared_devices,
            Stale::Notices => &mut self.notices,
            Stale::Guests => &mut self.guests,
        } += rows;
    }
}

/// Returns how long a row is kept after it became stale.
fn age_ms(stale: Stale) -> i64 {
    match stale {
        Stale::Sessions
        | Stale::Tokens
        | Stale::PasskeyChallenges
        | Stale::EmailConfirmations
        | Stale::PasswordResets
        | Stale::FormerNames
        | Stale::FormerDisplayNames => 0,
        Stale::UnmetChallenges => UNMET_CHALLENGE_MS,
        Stale::MetChallenges => MET_CHALLENGE_MS,
        Stale::UnplayedMatches => UNPLAYED_MATCH_MS,
        Stale::ChatLines => CHAT_LINE_MS,
        Stale::SharedDevices => SHARED_DEVICE_MS,
        Stale::RequestKeys => REQUEST_KEY_MS,
        Stale::OauthCodes => OAUTH_CODE_MS,
        Stale::Invitations => INVITATION_KEPT_MS,
        Stale::Notices => NOTICE_MS,
        Stale::Guests => GUEST_MS,
    }
}

/// Counts the rows that [`prune`] would delete now. A guest whose last match would be deleted counts only after that.
///
/// # Errors
/// When the store does not answer.
pub async fn count(store: &dyn Upkeep, now_ms: i64) -> Result<Pruned, StoreError> {
    let mut found = Pruned::default();
    for stale in Stale::ALL {
        let rows = store.count_stale(stale, now_ms - age_ms(stale)).await?;
        found.add(stale, rows);
    }
    Ok(found)
}

/// Deletes the stale rows.
///
/// # Errors
/// When the store does not answer; rows deleted before that stay deleted.
pub async fn prune(store: &dyn Upkeep, now_ms: i64) -> Result<Pruned, StoreError> {
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

/// Prunes once a day by the time of day that `now_ms` returns, on one of the nodes, until the server stops.
pub async fn run(
    store: std::sync::Arc<dyn Upkeep>,
    now_ms: fn() -> i64,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        // The first check waits, because a server has other work at its start.
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(ASK_EVERY) => {}
        }
        let done = tokio::select! {
            // The store finishes the current transaction; the other rows wait for the next day.
            _ = stopped.wait_for(|stopped| *stopped) => return,
            done = daily(store.as_ref(), now_ms()) => done,
        };
        match done {
            Ok(Some(gone)) if gone != Pruned::default() => tracing::info!(
                "upkeep: {} guests, {} matches without a move, {} challenges, {} sessions, {} lines of chat, {} shared devices and {} notices are gone",
                gone.guests,
                gone.matches,
                gone.challenges,
                gone.sessions,
                gone.chat_lines,
                gone.shared_devices,
                gone.notices
            ),
            Ok(_) => {}
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "upkeep broke off; it goes on tomorrow"
            ),
        }
    }
}

/// Prunes if no node has done so within a day; returns `None` otherwise.
///
/// # Errors
/// When the store does not answer.
pub async fn daily(store: &dyn Upkeep, now_ms: i64) -> Result<Option<Pruned>, StoreError> {
    if store.claim_upkeep(now_ms - DAY_MS, now_ms).await? {
        prune(store, now_ms).await.map(Some)
    } else {
        Ok(None)
    }
}
