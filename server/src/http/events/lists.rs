//! Lists of events, and one event.

use axum::Json;
use axum::extract::State;
use mawe_store::EventCursor;
use mawe_wire::events::EventState;
use mawe_wire::ids::EventId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::views::{EventSummary, EventView, seen, shown};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, Visitor};
use crate::http::paging::{cut, page_size, parts};
use crate::lobby::event_states::is_public;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(one))
}

/// The query of a list of events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventQuery {
    /// The state; coming ones by default.
    #[param(inline)]
    state: Option<EventState>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
struct EventPage {
    /// The events; those for a club that is joined by invitation are left out, so that a page may have fewer than `limit`.
    items: Vec<EventSummary>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// Lists the events in a state. Coming ones: the next start first; all others: the latest first.
#[utoipa::path(
    get, path = "/api/v1/events", tag = "events", params(EventQuery),
    responses((status = 200, body = EventPage), (status = 422))
)]
async fn list(
    State(app): State<App>,
    Query(query): Query<EventQuery>,
) -> Result<Json<EventPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(sort_ms, id)| EventCursor { sort_ms, id });
    let state = query.state.unwrap_or(EventState::Coming);
    let store = app.store.as_ref();
    let mut rows = store.events_in(state, after.as_ref(), limit + 1).await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.columns.sort_ms, row.id)
    });
    let seen = rows.iter().filter(|row| is_public(row));
    Ok(Json(EventPage {
        items: seen.map(EventSummary::of).collect(),
        next,
    }))
}

/// Returns an event. One for a club that is joined by invitation is for the members of the club, for its players and for moderators.
#[utoipa::path(
    get, path = "/api/v1/events/{id}", tag = "events", params(("id" = EventId, Path, description = "the id of the event")),
    responses((status = 200, body = EventView), (status = 404))
)]
async fn one(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(id): Path<EventId>,
) -> Result<Json<EventView>, ApiError> {
    let snapshot = seen(&app, &id, reader.as_ref()).await?;
    Ok(Json(shown(&app, &snapshot, reader.as_ref()).await?))
}
