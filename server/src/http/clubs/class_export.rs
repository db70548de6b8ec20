//! The export of a class, for its teachers.

use std::collections::VecDeque;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use mawe_store::{MAX_PUPILS, MatchFilter};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pupils::{PupilView, taught};
use super::shared::{ClubView, shown};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::export;
use crate::http::extract::{From, Path, SignedIn};
use crate::live::export::MatchRecord;
use crate::live::view;

/// The version of the form of an export.
const VERSION: u32 = 1;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(class))
        .routes(routes!(matches))
}

/// A class with its pupils.
#[derive(Serialize, ToSchema)]
struct ClassExport {
    /// The version of the form.
    version: u32,
    exported_at: jiff::Timestamp,
    club: ClubView,
    /// The pupils in the order of their real names.
    pupils: Vec<PupilView>,
    /// The path of the export of the pupils' matches.
    matches: String,
}

/// Exports a class with its pupils, for its teachers. The log, the members and the matches have lists of their own.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/export", tag = "clubs",
    params(("handle" = String, Path, description = "the class's handle")),
    responses(
        (status = 200, body = ClassExport),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn class(
    State(app): State<App>,
    me: SignedIn,
    From(address): From,
    Path(handle): Path<String>,
) -> Result<Response, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    let _place = app.exports.enter(address)?;
    let rows = app.store.pupils(&class.id, None, MAX_PUPILS).await?;
    let now_ms = unix_ms();
    let file = format!("attachment; filename=\"mawe-{}.json\"", class.handle);
    let matches = format!("/api/v1/clubs/{}/export/matches", class.handle);
    let export = ClassExport {
        version: VERSION,
        exported_at: view::timestamp(now_ms),
        club: shown(&app, class, Some(&me)).await?,
        pupils: rows.iter().map(|row| PupilView::of(row, now_ms)).collect(),
        matches,
    };
    let headers = [
        (header::CONTENT_DISPOSITION, file),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, Json(export)).into_response())
}

/// Exports all finished matches of the pupils of a class, for its teachers: one JSON record a line, the newest of each pupil first.
/// A match of two pupils is there once. A response that breaks off is incomplete.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/export/matches", tag = "clubs",
    params(("handle" = String, Path, description = "the class's handle")),
    responses(
        (status = 200, body = MatchRecord, content_type = "application/x-ndjson", description = "one record a line"),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn matches(
    State(app): State<App>,
    me: SignedIn,
    From(address): From,
    Path(handle): Path<String>,
) -> Result<Response, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    let place = app.exports.enter(address)?;
    let rows = app.store.pupils(&class.id, None, MAX_PUPILS).await?;
    let filters: VecDeque<MatchFilter> = rows
        .into_iter()
        .map(|row| MatchFilter {
            finished: true,
            viewer: Some(row.player.id.clone()),
            ..MatchFilter::of(row.player.id)
        })
        .collect();
    Ok(export::stream(app, filters, place))
}
