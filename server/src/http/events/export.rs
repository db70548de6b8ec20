//! The export of the matches of an event.

use std::collections::VecDeque;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mawe_wire::ids::{EventId, MatchId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::views::seen;
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::export::{CHUNK_BYTES, NDJSON};
use crate::http::extract::{From, Path, Visitor};
use crate::http::paging::MAX_PAGE;
use crate::limits::concurrency::Permit;
use crate::live::export::{self, MatchRecord};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(matches))
}

/// Exports the finished matches of an event in the order of their pairing, one JSON record a line.
/// The server fetches more only as the client reads. A response that breaks off is incomplete. Private matches are left out.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/export", tag = "events", params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = MatchRecord, content_type = "application/x-ndjson", description = "one record a line"),
        (status = 404),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn matches(
    State(app): State<App>,
    Visitor(reader): Visitor,
    From(address): From,
    Path(id): Path<EventId>,
) -> Result<Response, ApiError> {
    seen(&app, &id, reader.as_ref()).await?;
    let place = app.exports.enter(address)?;
    let export = Export {
        app,
        id,
        after: Some(0),
        matches: VecDeque::new(),
        _place: place,
    };
    let chunks = stream::try_unfold(export, Export::next);
    let headers = [
        (header::CONTENT_TYPE, NDJSON),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(chunks)).into_response())
}

/// An export in progress.
struct Export {
    app: App,
    id: EventId,
    /// The number of the last game that was fetched; `None` after the last of all.
    after: Option<u32>,
    /// Matches that are not yet written.
    matches: VecDeque<MatchId>,
    _place: Permit,
}

impl Export {
    /// Returns the next chunk. An error breaks the response off, so that a client cannot mistake a part for the whole.
    async fn next(mut self) -> Result<Option<(Bytes, Export)>, ApiError> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_BYTES {
            if self.app.rooms.services.is_stopping() {
                return Err(ApiError::StoreUnavailable);
            }
            let store = self.app.store.as_ref();
            if let Some(id) = self.matches.pop_front() {
                let row = store.find_match(&id).await?;
                if let Some(row) = row.filter(|row| row.finish.is_some() && !row.private) {
                    let view = export::finished(store, row).await?;
                    MatchRecord::from_view(&view).write_line(&mut chunk);
                }
            } else if let Some(after) = self.after {
                let games = store.event_games(&self.id, None, after, MAX_PAGE).await?;
                self.after = games.last().map(|game| game.key.number);
                self.matches = games.into_iter().filter_map(|game| game.match_id).collect();
            } else {
                break;
            }
        }
        Ok((!chunk.is_empty()).then(|| (chunk.into(), self)))
    }
}
