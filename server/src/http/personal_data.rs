//! The export of a player's personal data.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mawe_store::{PersonalCursor, PersonalPart};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{From, SignedIn};
use crate::limits::concurrency::Permit;
use crate::live::view;

/// The number of rows that an export fetches, and so holds in memory, at a time.
const PAGE: u32 = 100;

/// The version of the form of an export.
const VERSION: u32 = 1;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export))
}

/// The first fields of an export. Those after them are lists of objects, which `docs/people.md` explains.
#[derive(Serialize, ToSchema)]
struct PersonalExport {
    /// The version of the form.
    version: u32,
    exported_at: jiff::Timestamp,
    /// The path of the export of the player's matches.
    matches: String,
}

/// Exports all that the server has about the caller, except the matches.
/// The matches have an export of their own. Secrets are left out. The server fetches more only as the client reads. A response that breaks
/// off is incomplete.
#[utoipa::path(
    get, path = "/api/v1/me/export", tag = "accounts",
    responses(
        (status = 200, body = PersonalExport),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn export(
    State(app): State<App>,
    me: SignedIn,
    From(address): From,
) -> Result<Response, ApiError> {
    let place = app.exports.enter(address)?;
    let name = &me.player.name;
    let heading = PersonalExport {
        version: VERSION,
        exported_at: view::timestamp(unix_ms()),
        matches: format!("/api/v1/players/{name}/matches/export"),
    };
    let heading = serde_json::to_string(&heading).map_err(|_| ApiError::Internal)?;
    let file = format!("attachment; filename=\"mawe-{name}.json\"");
    let export = Export {
        app,
        me,
        heading: Some(heading),
        parts: PersonalPart::ALL.into_iter().collect(),
        current: None,
        _place: place,
    };
    let chunks = stream::try_unfold(export, Export::next);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, file),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, Body::from_stream(chunks)).into_response())
}

/// An export in progress.
struct Export {
    app: App,
    me: SignedIn,
    /// The first fields, while they are not written.
    heading: Option<String>,
    /// The parts that are not begun.
    parts: std::collections::VecDeque<PersonalPart>,
    /// The part that is written, with the position after which its next page begins.
    current: Option<(PersonalPart, PersonalCursor)>,
    _place: Permit,
}

impl Export {
    /// Returns the next chunk. An error breaks the response off, so that a client cannot mistake a part for the whole.
    async fn next(mut self) -> Result<Option<(Bytes, Export)>, ApiError> {
        if self.app.rooms.services.is_stopping() {
            return Err(ApiError::StoreUnavailable);
        }
        if let Some(mut heading) = self.heading.take() {
            // Its last brace is that of the whole.
            heading.pop();
            return Ok(Some((heading.into(), self)));
        }
        let (part, after) = match self.current.take() {
            Some((part, after)) => (part, Some(after)),
            None => match self.parts.pop_front() {
                Some(part) => (part, None),
                None => return Ok(None),
            },
        };
        let page = self
            .app
            .store
            .personal_data(&self.me.player.id, part, after.as_ref(), PAGE)
            .await?;
        let mut chunk = String::new();
        if after.is_none() {
            chunk.push_str(&format!(",\n\"{}\":[", part.as_str()));
        }
        for (number, row) in page.rows.iter().enumerate() {
            chunk.push_str(if number == 0 && after.is_none() {
                "\n"
            } else {
                ",\n"
            });
            chunk.push_str(row);
        }
        self.current = page.next.map(|next| (part, next));
        if self.current.is_none() {
            chunk.push(']');
            if self.parts.is_empty() {
                chunk.push_str("}\n");
            }
        }
        Ok(Some((chunk.into(), self)))
    }
}
