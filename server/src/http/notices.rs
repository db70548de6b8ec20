//! Notices of moderators to a player, kept until they are read.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::NoticeRow;
use mawe_wire::Notice;
use mawe_wire::ids::NoticeId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Path, SignedIn};
use crate::live::view;

/// The number of notices in one response; later ones follow when these are read.
const MAX_SHOWN: u32 = 20;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(read))
}

/// A list of notices.
#[derive(Debug, Serialize, ToSchema)]
struct Notices {
    items: Vec<Notice>,
}

pub(crate) fn shown(row: NoticeRow) -> Notice {
    Notice {
        id: row.id,
        kind: row.kind,
        text: row.text,
        until: row.until_ms.map(view::timestamp),
        at: view::timestamp(row.at_ms),
    }
}

/// Returns the caller's unread notices from moderators, oldest first; 20 at most.
#[utoipa::path(
    get, path = "/api/v1/me/notices", tag = "moderation",
    responses((status = 200, body = Notices), (status = 401))
)]
async fn list(State(app): State<App>, me: SignedIn) -> Result<Json<Notices>, ApiError> {
    let rows = app.store.notices_of(&me.player.id, MAX_SHOWN).await?;
    let items = rows.into_iter().map(shown).collect();
    Ok(Json(Notices { items }))
}

/// Marks a notice as read; it is not shown again.
#[utoipa::path(
    delete, path = "/api/v1/me/notices/{id}", tag = "moderation", params(("id" = String, Path, description = "the notice's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for somebody else's"),
    )
)]
async fn read(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<NoticeId>,
) -> Result<StatusCode, ApiError> {
    if app.store.delete_notice(&me.player.id, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("notice"))
    }
}
