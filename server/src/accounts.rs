//! What an operator or a moderator does to an account, with all that follows from it at once on this node.

use crate::grants::Grant;
use crate::http::AppState;
use crate::ids::PlayerId;
use crate::room::mail::RoomMsg;
use crate::store::{AccountChange, Changed, Deed, MatchFilter, StoreError};

/// How many of somebody's matches are shown anew when their name changes: of the running ones and of the latest ones so many each.
const SHOWN_ANEW: u32 = 200;

/// Changes an account: in the store, with a line in the log; then closes the sockets of what has ended, and shows a new name in open
/// rooms.
///
/// # Errors
/// As [`crate::store::Store::change_account`].
pub async fn change(
    app: &AppState,
    id: &PlayerId,
    change: &AccountChange,
    deed: &Deed,
) -> Result<Changed, StoreError> {
    let changed = app.store.change_account(id, change, deed).await?;
    took_effect(app, id, &changed).await;
    if let AccountChange::Rename(_) | AccountChange::Delete(_) = change {
        show_anew(app, id).await?;
    }
    Ok(changed)
}

/// Does what follows from a change of an account that the store has made: closes the sockets of what has ended, and takes who waits for
/// nobody out of the pools.
pub async fn took_effect(app: &AppState, id: &PlayerId, changed: &Changed) {
    for hash in &changed.ended {
        app.sockets.end_session(hash);
    }
    let account = &changed.account;
    if account.disabled.is_some() || account.grants.has(Grant::Bot) {
        // They wait for nobody, whatever was changed.
        app.lobby.plays([id.clone()]).await;
    }
}

/// Has open rooms show what the store now says of a player who sits there.
///
/// # Errors
/// When the store does not answer.
pub async fn show_anew(app: &AppState, id: &PlayerId) -> Result<(), StoreError> {
    let running = app.store.running_matches_of(id, SHOWN_ANEW).await?;
    let latest = MatchFilter {
        finished: true,
        ..MatchFilter::of(id.clone())
    };
    let latest = app.store.matches_of(&latest, None, SHOWN_ANEW).await?;
    for row in running.iter().chain(&latest) {
        app.rooms.send_if_open(&row.id, RoomMsg::Refresh).await;
        if let Some(cluster) = app.rooms.cluster.get() {
            cluster.tell_refresh(&row.id).await;
        }
    }
    Ok(())
}
