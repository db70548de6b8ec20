//! The results of an event for other programs: a table, and the report that pairing programs read.

use std::collections::HashMap;
use std::fmt::Write;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use mawe_play::events::{Seat, Standing};
use mawe_play::rating;
use mawe_store::Player;
use mawe_wire::events::EventKind;
use mawe_wire::ids::EventId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::trf;
use super::views::seen;
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{From, Path, Visitor};
use crate::http::paging::MAX_PAGE;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(results))
        .routes(routes!(report))
}

/// Returns the players of rows of the standings, by seat.
async fn players_of(
    app: &App,
    id: &EventId,
    rows: &[Standing],
) -> Result<HashMap<Seat, Player>, ApiError> {
    let mut players = HashMap::with_capacity(rows.len());
    for rows in rows.chunks(MAX_PAGE as usize) {
        let seats: Vec<Seat> = rows.iter().map(|row| row.seat).collect();
        players.extend(app.store.event_players(id, &seats).await?);
    }
    Ok(players)
}

/// Returns the standings as a table in CSV, with a line for each player.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/results.csv", tag = "events", params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = 404),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn results(
    State(app): State<App>,
    Visitor(reader): Visitor,
    From(address): From,
    Path(id): Path<EventId>,
) -> Result<Response, ApiError> {
    let snapshot = seen(&app, &id, reader.as_ref()).await?;
    // A large event has thousands of players to read.
    let _place = app.exports.enter(address)?;
    let event = &snapshot.event;
    let mut text = "place,player,rating,points".to_owned();
    for name in event.tie_breaks() {
        text.push(',');
        text.push_str(name.as_str());
    }
    text.push_str(",played,won,state,computer\r\n");
    for rows in snapshot.standings().chunks(MAX_PAGE as usize) {
        let players = players_of(&app, &id, rows).await?;
        for row in rows {
            let (Some(player), Some(entrant), Some(state)) = (
                players.get(&row.seat),
                event.entrant(row.seat),
                event.player_state(row.seat),
            ) else {
                continue;
            };
            // A name has letters, digits, `-` and `_` alone, and begins with a letter or a digit: no cell needs quotes, and none is a formula.
            let _ = write!(
                text,
                "{},{},{},{}",
                row.place,
                player.name,
                rating::rounded(entrant.rating),
                row.points.as_f64()
            );
            for value in &row.tie_breaks {
                let _ = write!(text, ",{value}");
            }
            let _ = write!(text, ",{},{},{state}", row.played, row.won);
            text.push_str(if entrant.bot { ",yes\r\n" } else { ",no\r\n" });
        }
    }
    let kind = [(header::CONTENT_TYPE, "text/csv; charset=utf-8")];
    Ok((kind, text).into_response())
}

/// Returns the report of a Swiss tournament or a round robin in TRF, the form of FIDE.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/results.trf", tag = "events", params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 404, description = "also for an event of another kind"),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn report(
    State(app): State<App>,
    Visitor(reader): Visitor,
    From(address): From,
    Path(id): Path<EventId>,
) -> Result<Response, ApiError> {
    let snapshot = seen(&app, &id, reader.as_ref()).await?;
    // A large event has thousands of players to read.
    let _place = app.exports.enter(address)?;
    let terms = &snapshot.row.terms;
    if !matches!(terms.kind, EventKind::Swiss | EventKind::RoundRobin) {
        return Err(ApiError::NotFound("report: events of this kind have none"));
    }
    let standings = snapshot.standings();
    let players = players_of(&app, &id, standings).await?;
    let names = players
        .into_iter()
        .map(|(seat, player)| (seat, player.name));
    let text = trf::report(&terms.name, &snapshot.event, standings, &names.collect());
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, text).into_response())
}
