//! Changes that an operator, a moderator or the owner makes to an account, and their immediate effects on this node.

use mawe_store::{AccountChange, Attribution, Changed, MatchFilter, MatchRow, StoreError};
use mawe_wire::grants::Grant;
use mawe_wire::ids::PlayerId;
use mawe_wire::random;

use crate::app::AppState;
use crate::live::message::RoomMsg;

/// The number of matches in which a changed name is updated: up to this many running ones and as many of the latest finished ones.
const SHOWN_ANEW: u32 = 200;

/// Changes an account in the store and writes a line to the log; then closes the sockets of ended sessions and tokens, and updates the name
/// in open rooms.
///
/// # Errors
/// As [`mawe_store::Accounts::change_account`].
pub async fn change(
    app: &AppState,
    id: &PlayerId,
    change: &AccountChange,
    attribution: &Attribution,
) -> Result<Changed, StoreError> {
    let changed = app.store.change_account(id, change, attribution).await?;
    took_effect(app, id, &changed).await;
    if let AccountChange::Rename(_) | AccountChange::RemoveDisplayName | AccountChange::Delete(_) =
        change
    {
        show_anew(app, id).await?;
    }
    Ok(changed)
}

/// Deletes an account under a random name; `None` if that name is taken, or if a match of the account runs.
///
/// # Errors
/// As [`mawe_store::Accounts::change_account`].
pub async fn delete(
    app: &AppState,
    id: &PlayerId,
    attribution: &Attribution,
) -> Result<Option<Changed>, StoreError> {
    let name = format!("deleted-{}", random::text(8).to_ascii_lowercase());
    match change(app, id, &AccountChange::Delete(name), attribution).await {
        Ok(changed) => Ok(Some(changed)),
        Err(StoreError::Conflict) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Applies the effects of a change that the store has made to an account: closes the sockets of ended sessions and tokens, and removes a
/// disabled account or a bot account from the pools.
pub async fn took_effect(app: &AppState, id: &PlayerId, changed: &Changed) {
    for hash in &changed.ended {
        app.sockets.end_session(hash);
    }
    let account = &changed.account;
    if account.disabled.is_some() || account.grants.has(Grant::Bot) {
        // Such an account never waits in a pool, also after another change.
        app.lobby.plays([id.clone()]).await;
    }
}

/// Makes the open rooms of a player's matches reload the player from the store.
///
/// # Errors
/// When the store does not answer.
pub async fn show_anew(app: &AppState, id: &PlayerId) -> Result<(), StoreError> {
    show_running_anew(app, id).await?;
    let latest = MatchFilter {
        finished: true,
        ..MatchFilter::of(id.clone())
    };
    let latest = app.store.matches_of(&latest, None, SHOWN_ANEW).await?;
    refresh(app, &latest).await;
    Ok(())
}

/// Makes the open rooms of a player's running matches reload the player from the store.
///
/// # Errors
/// When the store does not answer.
pub async fn show_running_anew(app: &AppState, id: &PlayerId) -> Result<(), StoreError> {
    let running = app.store.running_matches_of(id, None, SHOWN_ANEW).await?;
    refresh(app, &running).await;
    Ok(())
}

async fn refresh(app: &AppState, rows: &[MatchRow]) {
    for row in rows {
        app.rooms.send_if_open(&row.id, RoomMsg::Refresh).await;
        if let Some(remote) = &app.rooms.services.remote {
            remote.tell_refresh(&row.id).await;
        }
    }
}
