//! The background tasks of a server.

use std::sync::Arc;
use std::time::Duration;

use mawe_play::rating;
use mawe_store::Attribution;
use mawe_store::recount::{self, RecountError};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::App;
use crate::clock::unix_ms;
use crate::live::message::RoomMsg;
use crate::live::rooms::Rooms;

/// The pause between searches for uncounted matches without a notification: needed after a crash, or when the store was unavailable.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// The pause before a failed recount is tried again (a node counted a match meanwhile, or a journal cannot be read). It is long because a
/// recount is the most expensive task that this server starts by itself.
const RECOUNT_AGAIN: Duration = Duration::from_secs(60);

/// The number of uncounted matches that are fetched at once.
const COUNT_BATCH: u32 = 100;

/// The pause between searches for due matches.
const WAKE_EVERY: Duration = Duration::from_secs(1);

/// The number of due matches that are opened at once: after a long outage they are opened in batches.
const WAKE_BATCH: u32 = 500;

/// The pause between searches for matches with conditional moves that were not looked at, as after a crash.
const ANSWER_EVERY: Duration = Duration::from_secs(30);

/// The interval at which the times of use of sessions and tokens are stored.
const WRITE_USED_EVERY: Duration = Duration::from_secs(60);

/// The pause between searches for accounts to enable again.
const ENABLE_EVERY: Duration = Duration::from_secs(10);

/// The pause between searches for challenges that nobody has answered.
const LAPSED_EVERY: Duration = Duration::from_secs(5);

/// The pause after a full batch of them, for other writers.
const LAPSED_PAUSE: Duration = Duration::from_millis(50);

/// The number of them in one transaction.
const LAPSED_BATCH: u32 = 50;

/// The interval of the log's summaries of requests without a line of their own.
const SUMMARY_EVERY: Duration = Duration::from_secs(60);

/// Waits for the stop.
pub(super) async fn until(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Opens unloaded matches when they are due, so that a flag falls without a player present.
pub(super) async fn wake_matches(rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        match rooms
            .services
            .store
            .due_match_ids(unix_ms(), WAKE_BATCH)
            .await
        {
            Ok(due) => due.iter().for_each(|id| rooms.open(id)),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "due matches could not be read; trying again soon"
            ),
        }
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(WAKE_EVERY) => {}
        }
    }
}

/// Opens matches whose last entry may have an answer among the conditional moves: the node that wrote it has ended before it looked.
pub(super) async fn wake_matches_to_answer(rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        match rooms.services.store.matches_to_answer(WAKE_BATCH).await {
            Ok(found) => found.iter().for_each(|id| rooms.open(id)),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "matches with conditional moves could not be read; trying again soon"
            ),
        }
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(ANSWER_EVERY) => {}
        }
    }
}

/// Enables accounts again at the end of a time-limited disabling.
pub(super) async fn enable_accounts(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        if let Err(error) = app.store.enable_due(unix_ms()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "accounts whose time is over could not be enabled; trying again soon"
            );
        }
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(ENABLE_EVERY) => {}
        }
    }
}

/// Writes the notices of challenges that nobody has answered.
pub(super) async fn note_lapsed(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        let noted = app.store.note_lapsed(unix_ms(), LAPSED_BATCH).await;
        let is_done = match noted {
            Ok(lapsed) => {
                for id in &lapsed {
                    app.rooms.services.notices.announce(id.as_str());
                }
                lapsed.len() < LAPSED_BATCH as usize
            }
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "challenges that nobody answered could not be noticed; trying again soon"
                );
                true
            }
        };
        let pause = if is_done { LAPSED_EVERY } else { LAPSED_PAUSE };
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Stores the times of use of sessions and tokens at intervals, and at the stop.
pub(super) async fn write_used(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        let stops = tokio::select! {
            () = &mut stop => true,
            () = tokio::time::sleep(WRITE_USED_EVERY) => false,
        };
        if let Err(error) = app.used.write(app.store.as_ref()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "when sessions were used could not be written down; trying again later"
            );
        }
        if stops {
            return;
        }
    }
}

/// Logs how many requests had no line of their own: each minute, and at the stop.
pub(super) async fn write_summaries(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        let stops = tokio::select! {
            () = &mut stop => true,
            () = tokio::time::sleep(SUMMARY_EVERY) => false,
        };
        app.log_lines.write_summary();
        if stops {
            return;
        }
    }
}

/// Counts finished matches: at the start, at the end of each match, and at intervals.
pub(super) async fn count_matches(rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    let mut recount_at = Instant::now();
    loop {
        count_pending(&rooms).await;
        if recount_at <= Instant::now() && !recount_voids(&rooms).await {
            recount_at = Instant::now() + RECOUNT_AGAIN;
        }
        tokio::select! {
            () = &mut stop => return,
            () = rooms.services.uncounted.notified() => {}
            () = tokio::time::sleep(COUNT_EVERY) => {}
        }
    }
}

/// Recounts everything if matches were made void, to remove their effects from all ratings. Returns `false` if that failed and must be
/// repeated.
async fn recount_voids(rooms: &Rooms) -> bool {
    let store = rooms.services.store.as_ref();
    let recounted = async {
        let voids = store.pending_voids().await?;
        if voids.is_empty() {
            return Ok(voids);
        }
        // No match may be counted on this node during the recount.
        let _quiet = rooms.services.counting.acquire().await;
        let attribution = Attribution {
            by: None,
            why: "matches were made void".to_owned(),
            at_ms: unix_ms(),
        };
        recount::rebuild(store, &attribution).await?;
        store.settle_voids(&voids).await?;
        Ok::<_, RecountError>(voids)
    };
    match recounted.await {
        Ok(voids) => {
            for id in voids {
                rooms.send_if_open(&id, RoomMsg::Counted).await;
            }
            true
        }
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "matches were made void, but not everything could be counted again; trying again in a minute"
            );
            false
        }
    }
}

async fn count_pending(rooms: &Rooms) {
    let store = rooms.services.store.as_ref();
    let uncounted = match store.uncounted_matches(COUNT_BATCH).await {
        Ok(uncounted) => uncounted,
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "uncounted matches could not be read; trying again soon"
            );
            return;
        }
    };
    for id in uncounted {
        let _turn = rooms.services.counting.acquire().await;
        match store.count_match(&id, rating::rate).await {
            // Clients that still follow the match get the rating changes.
            Ok(true) => {
                let is_open = rooms.send_if_open(&id, RoomMsg::Counted).await;
                if let Some(remote) = &rooms.services.remote {
                    remote.tell_counted(&id).await;
                }
                // A room does this itself, after the notices of the players at it.
                if !is_open {
                    rooms.services.notices.announce(id.as_str());
                }
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(game.match_id = %id, error = &error as &dyn std::error::Error, "a match could not be counted; trying again soon");
            }
        }
    }
}
