//! The caller's notices.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{NoticeCursor, NoticeFilter, WhichNotices};
use mawe_wire::ids::NoticeId;
use mawe_wire::{Code, Notice};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, Query, SignedIn};
use crate::http::paging::{cut, page_size, parts};
use crate::live::notices::shown;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read))
        .routes(routes!(delete))
}

/// A page of notices.
#[derive(Debug, Serialize, ToSchema)]
struct NoticePage {
    items: Vec<Notice>,
    /// The cursor of the next page; null on the last one.
    #[schema(required = true)]
    next: Option<String>,
    /// The number of all unread notices.
    unread: u32,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NoticesQuery {
    /// True for unread ones only.
    #[serde(default)]
    unread: bool,
    /// True for those of moderators only, which the page shows above everything until they are read.
    #[serde(default)]
    of_moderators: bool,
    /// The maximum number of notices, 1 to 100 (default 20).
    limit: Option<u32>,
    /// `next` of the previous page.
    cursor: Option<String>,
}

/// The notices that the caller has read: either one, or all up to a time.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReadNotices {
    /// The notice.
    id: Option<NoticeId>,
    /// The time: `at` of the newest notice that was shown.
    up_to: Option<jiff::Timestamp>,
}

/// Returns the caller's notices, newest first.
/// One is kept for 90 days, and the latest 100 of a player; a moderator's longer, until it is read.
#[utoipa::path(
    get, path = "/api/v1/me/notices", tag = "accounts", params(NoticesQuery),
    responses((status = 200, body = NoticePage), (status = 401), (status = 422))
)]
async fn list(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<NoticesQuery>,
) -> Result<Json<NoticePage>, ApiError> {
    let limit = page_size(query.limit)?;
    let cursor = parts(query.cursor.as_deref())?;
    let cursor = cursor.map(|(at_ms, id)| NoticeCursor { at_ms, id });
    let filter = NoticeFilter {
        unread: query.unread,
        of_moderators: query.of_moderators,
    };
    let player = &me.player.id;
    let rows = app
        .store
        .notices_of(player, filter, cursor.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| format!("{}.{}", row.at_ms, row.id));
    Ok(Json(NoticePage {
        items: rows.into_iter().map(shown).collect(),
        next,
        unread: app.store.unread_notices(player).await?,
    }))
}

/// Marks notices as read, here and on all devices.
#[utoipa::path(
    post, path = "/api/v1/me/notices/read", tag = "accounts", request_body = ReadNotices,
    responses(
        (status = 204, description = "also where nothing was unread"),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 422),
    )
)]
async fn read(
    State(app): State<App>,
    me: SignedIn,
    Body(read): Body<ReadNotices>,
) -> Result<StatusCode, ApiError> {
    let which = match (read.id, read.up_to) {
        (Some(id), None) => WhichNotices::One(id),
        (None, Some(up_to)) => WhichNotices::UpTo(up_to.as_millisecond()),
        _ => {
            let advice = "name one notice by id, or say up to which time all are read";
            return Err(ApiError::field(Code::BadFilter, "up_to", advice));
        }
    };
    let player = &me.player.id;
    let read = app.store.read_notices(player, &which, unix_ms()).await?;
    if read > 0 {
        app.rooms.services.notices.recount(player);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a notice.
#[utoipa::path(
    delete, path = "/api/v1/me/notices/{id}", tag = "accounts", params(("id" = NoticeId, Path, description = "the notice's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for somebody else's"),
    )
)]
async fn delete(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<NoticeId>,
) -> Result<StatusCode, ApiError> {
    if app.store.delete_notice(&me.player.id, &id).await? {
        app.rooms.services.notices.recount(&me.player.id);
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("notice"))
    }
}
