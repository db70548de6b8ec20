//! The chat of a match: reading, writing, following; and the players that an account has muted.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_play::chat::{MAX_LINES, MAX_MUTES, Place};
use mawe_store::{ChatFacts, NewChatLine};
use mawe_wire::chat::{ChatLine, ChatRoom};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Code, PlayerRef};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, Query, SignedIn, Visitor};
use crate::http::lookup::find;
use crate::http::paging::page_size;
use crate::live::chat::watchers::{ChatNews, Watcher, frame};
use crate::live::chat::{self, LATEST, text};
use crate::live::message::Caller;
use crate::live::view;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rooms))
        .routes(routes!(lines, write))
        .routes(routes!(mutes, mute))
        .routes(routes!(unmute))
}

/// The place of a line of chat in a match.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatLineId {
    /// The room.
    pub(crate) room: ChatRoom,
    /// The number in the room.
    pub(crate) number: u32,
}

impl std::convert::From<(ChatRoom, u32)> for ChatLineId {
    fn from((room, number): (ChatRoom, u32)) -> ChatLineId {
        ChatLineId { room, number }
    }
}

/// Lines of chat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChatLines {
    /// The lines, in order.
    pub(crate) lines: Vec<ChatLine>,
    /// The number of the last line of the room; 0 for an empty one.
    pub(crate) last: u32,
}

/// The caller's rights in the chat of a match.
#[derive(Debug, Serialize, ToSchema)]
struct ChatRooms {
    /// The rooms that concern the caller: that of the players for a player, and that of the spectators.
    rooms: Vec<ChatRights>,
}

/// The caller's rights in one room.
#[derive(Debug, Serialize, ToSchema)]
struct ChatRights {
    /// The room.
    room: ChatRoom,
    /// The code of the reason why the caller may not read it; null if they may.
    #[schema(required = true)]
    unreadable: Option<Code>,
    /// The code of the reason why the caller may not write there; null if they may.
    #[schema(required = true)]
    unwritable: Option<Code>,
    /// The number of its last line; 0 for an empty one, and where the caller may not read it.
    last: u32,
}

/// The query of lines.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LineQuery {
    /// Only lines after this number; the latest lines if left out.
    after: Option<u32>,
    /// The number of lines, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// A new line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewLine {
    /// Plain text of one line, 1 to 200 characters, without characters that are not seen or change the direction of writing.
    text: String,
}

/// A player to mute.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewMute {
    /// The player, by name.
    player: String,
}

/// The players that the caller has muted.
#[derive(Debug, Serialize, ToSchema)]
struct Mutes {
    /// The one muted last comes first.
    items: Vec<PlayerRef>,
}

/// Returns the caller's rights in the rooms of the chat of a match.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/chat", tag = "chat", params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = ChatRooms),
        (status = 403, description = "`chat-disabled`"),
        (status = 404),
    )
)]
async fn rooms(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(id): Path<MatchId>,
) -> Result<Json<ChatRooms>, ApiError> {
    let me = visitor.map(|visitor| visitor.player.id);
    let (place, _) = place(&app, &id, me.as_ref()).await?;
    let mut rooms = Vec::new();
    for room in ChatRoom::ALL {
        if room == ChatRoom::Players && place.opponent.is_none() {
            continue;
        }
        let unreadable = place.may_read(room).err().map(|refusal| refusal.code());
        let last = match &unreadable {
            None => app.store.last_chat_line(&id, room).await?,
            Some(_) => 0,
        };
        let is_full = || (last >= MAX_LINES).then_some(Code::ChatFull);
        let unwritable = place.may_write(room).err().map(|refusal| refusal.code());
        rooms.push(ChatRights {
            room,
            unreadable,
            unwritable: unwritable.or_else(is_full),
            last,
        });
    }
    Ok(Json(ChatRooms { rooms }))
}

/// Returns lines of a room, in order: the latest ones, or those after a number.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/chat/{room}", tag = "chat",
    params(("id" = MatchId, Path, description = "the match's id"), ("room" = ChatRoom, Path, description = "the room"), LineQuery),
    responses(
        (status = 200, body = ChatLines),
        (status = 401),
        (status = 403, description = "`account-needed`, `chat-disabled`, `chat-off`, `no-bots`, `no-chat`, `not-seated`"),
        (status = 404),
        (status = 409, description = "`match-not-over`: a player at the room of the spectators"),
        (status = 422),
    )
)]
async fn lines(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path((id, room)): Path<(MatchId, ChatRoom)>,
    Query(query): Query<LineQuery>,
) -> Result<Json<ChatLines>, ApiError> {
    let limit = page_size(query.limit)?;
    let me = visitor.map(|visitor| visitor.player.id);
    let (place, facts) = place(&app, &id, me.as_ref()).await?;
    place.may_read(room)?;
    let last = app.store.last_chat_line(&id, room).await?;
    let after = query.after.unwrap_or(last.saturating_sub(limit));
    let rows = app.store.chat_lines(&id, room, after, limit).await?;
    let lines = rows.iter().map(|row| chat::line_for(row, &facts.mutes));
    Ok(Json(ChatLines {
        lines: lines.collect(),
        last,
    }))
}

/// Writes a line.
#[utoipa::path(
    post, path = "/api/v1/matches/{id}/chat/{room}", tag = "chat", request_body = NewLine,
    params(("id" = MatchId, Path, description = "the match's id"), ("room" = ChatRoom, Path, description = "the room")),
    responses(
        (status = 201, body = ChatLine),
        (status = 401),
        (status = 403, description = "`account-needed`, `chat-disabled`, `chat-off`, `no-bots`, `no-chat`, `not-seated`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`chat-closed`, `chat-full`, `match-not-over`, `muted`, `opponent-chat-off`"),
        (status = 422, description = "`bad-text`"),
        (status = 429),
    )
)]
async fn write(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Path((id, room)): Path<(MatchId, ChatRoom)>,
    Body(new): Body<NewLine>,
) -> Result<(StatusCode, Json<ChatLine>), ApiError> {
    let (place, _) = place(&app, &id, Some(&me.player.id)).await?;
    place.may_write(room)?;
    let text =
        text::check(&new.text).map_err(|advice| ApiError::field(Code::BadText, "text", advice))?;
    app.limits.chat_line(&me.player.id, address)?;
    let new = NewChatLine {
        match_id: id,
        room,
        player: me.player.id.clone(),
        text,
        at_ms: unix_ms(),
    };
    let number = app.store.write_chat_line(&new, MAX_LINES).await?;
    let line = ChatLine {
        number: number.ok_or(ApiError::ChatFull)?,
        from: Some(view::player(&me.player)),
        text: Some(new.text.clone()),
        hidden: None,
        at: view::timestamp(new.at_ms),
    };
    app.sockets.tell_chat(ChatNews {
        match_id: new.match_id,
        room,
        author: Some(me.player.id),
        line: line.clone(),
    });
    Ok((StatusCode::CREATED, Json(line)))
}

/// Returns the players that the caller has muted in chats.
#[utoipa::path(
    get, path = "/api/v1/me/mutes", tag = "chat",
    responses((status = 200, body = Mutes), (status = 401))
)]
async fn mutes(State(app): State<App>, me: SignedIn) -> Result<Json<Mutes>, ApiError> {
    let muted = app.store.chat_mutes(&me.player.id).await?;
    Ok(Json(Mutes {
        items: muted.iter().map(view::player).collect(),
    }))
}

/// Mutes a player: the caller sees none of their lines of chat, on all devices. A socket that follows a room follows it anew for that.
#[utoipa::path(
    post, path = "/api/v1/me/mutes", tag = "chat", request_body = NewMute,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
        (status = 404),
        (status = 422, description = "`yourself`, `too-many-mutes`"),
    )
)]
async fn mute(
    State(app): State<App>,
    me: SignedIn,
    Body(new): Body<NewMute>,
) -> Result<StatusCode, ApiError> {
    me.check_person()?;
    let muted = find(&app, &new.player).await?;
    if muted.id == me.player.id {
        let advice = "you cannot mute yourself";
        return Err(ApiError::field(Code::Yourself, "player", advice));
    }
    let fits = app
        .store
        .mute_in_chat(&me.player.id, &muted.id, MAX_MUTES, unix_ms());
    if !fits.await? {
        let advice = format!("unmute somebody first: {MAX_MUTES} players at most");
        return Err(ApiError::field(Code::TooManyMutes, "player", advice));
    }
    app.sockets.mute_chat(&me.player.id, &muted.id);
    Ok(StatusCode::NO_CONTENT)
}

/// Unmutes a player.
#[utoipa::path(
    delete, path = "/api/v1/me/mutes/{name}", tag = "chat", params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404),
    )
)]
async fn unmute(
    State(app): State<App>,
    me: SignedIn,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    let muted = find(&app, &name).await?;
    app.store.unmute_in_chat(&me.player.id, &muted.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns a reader's place in the chat of a match, and the facts behind it. Every use of a chat begins with it.
pub(crate) async fn place(
    app: &App,
    id: &MatchId,
    reader: Option<&PlayerId>,
) -> Result<(Place, ChatFacts), ApiError> {
    if !app.settings.chat {
        return Err(ApiError::ChatDisabled);
    }
    let facts = app.store.chat_facts(id, reader).await?;
    let facts = facts.ok_or(ApiError::NotFound("match"))?;
    Ok((facts.place(reader, unix_ms()), facts))
}

/// Makes a socket follow a room, and sends it the latest lines.
///
/// # Errors
/// As for reading the room.
pub(crate) async fn watch(
    app: &App,
    caller: &Caller,
    id: &MatchId,
    room: ChatRoom,
) -> Result<(), ApiError> {
    let (place, facts) = place(app, id, caller.player.as_ref()).await?;
    place.may_read(room)?;
    let player = caller.player.clone().ok_or(ApiError::SignInFirst)?;
    let mutes = Arc::new(facts.mutes);
    let watcher = Watcher {
        player,
        outbox: Arc::clone(&caller.outbox),
        mutes: Arc::clone(&mutes),
    };
    // Followed before the lines are read: one that is written meanwhile comes twice rather than never.
    app.sockets.chat.watch(id, room, caller.socket, watcher);
    let last = app.store.last_chat_line(id, room).await?;
    let rows = app
        .store
        .chat_lines(id, room, last.saturating_sub(LATEST), LATEST)
        .await?;
    let lines = rows.iter().map(|row| chat::line_for(row, &mutes)).collect();
    caller.outbox.push(frame(id, room, lines));
    Ok(())
}
