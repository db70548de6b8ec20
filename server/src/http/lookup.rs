//! Lookups that several resources share: players by name, matches, lines of chat.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use mawe_store::{ChatLineRow, MatchRow, Player};
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::MatchId;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;

pub(crate) async fn find(app: &App, name: &str) -> Result<Player, ApiError> {
    app.store
        .find_player_by_name(name)
        .await?
        .ok_or(ApiError::NotFound("player"))
}

/// Finds a player with a profile visible to the reader: the class of a pupil may hide it from others.
pub(crate) async fn shown(
    app: &App,
    name: &str,
    reader: Option<&SignedIn>,
) -> Result<Player, ApiError> {
    let player = find(app, name).await?;
    check_shown(app, &player, reader).await?;
    Ok(player)
}

/// Refuses a player with a profile hidden from the reader, as if there were none.
pub(crate) async fn check_shown(
    app: &App,
    player: &Player,
    reader: Option<&SignedIn>,
) -> Result<(), ApiError> {
    if reader.is_some_and(SignedIn::moderates) {
        return Ok(());
    }
    let reader = reader.map(|reader| &reader.player.id);
    if app.store.is_profile_hidden(&player.id, reader).await? {
        return Err(ApiError::NotFound("player"));
    }
    Ok(())
}

/// Returns the present name of the account that had this one, as long as the name is held for it.
pub(crate) async fn present_name(app: &App, former: &str) -> Result<Option<String>, ApiError> {
    let found = app.store.find_player_by_former_name(former, unix_ms());
    Ok(found.await?.map(|player| player.name))
}

/// Returns the answer that leads to another address, for now: the name that it is about may be somebody else's later.
pub(crate) fn moved(address: &str) -> Response {
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (uncached, Redirect::permanent(address)).into_response()
}

pub(crate) async fn find_match(app: &App, id: &MatchId) -> Result<MatchRow, ApiError> {
    app.store
        .find_match(id)
        .await?
        .ok_or(ApiError::NotFound("match"))
}

pub(crate) async fn chat_line(
    app: &App,
    match_id: &MatchId,
    room: ChatRoom,
    number: u32,
) -> Result<Option<ChatLineRow>, ApiError> {
    let Some(before) = number.checked_sub(1) else {
        return Ok(None);
    };
    let found = app.store.chat_lines(match_id, room, before, 1).await?;
    Ok(found.into_iter().find(|row| row.number == number))
}
