//! Standings and games of events.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use mawe_play::events::{Bye, Event, Seat};
use mawe_rules::Side;
use mawe_store::{EventGameRow, Player, Store};
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventGameState, EventStandingPage};
use mawe_wire::ids::{EventId, MatchId};
use mawe_wire::{PlayerRef, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::views::seen;
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, Visitor};
use crate::http::paging::{ListQuery, cut, page_size, part};
use crate::live::view;
use crate::lobby::event_standings;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(standings))
        .routes(routes!(games))
}

/// A game of an event.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventGameView {
    /// The number in the event, from 1.
    number: u32,
    round: u32,
    first: PlayerRef,
    second: PlayerRef,
    /// The time control, where it differs from that of the event.
    #[schema(required = true)]
    time_control: Option<TimeControl>,
    state: EventGameState,
    /// The result; null before the end.
    #[schema(required = true)]
    result: Option<EventGameResult>,
    /// The reason for which it is not played; null for every other one.
    #[schema(required = true)]
    skipped: Option<EventGameSkipped>,
    /// The sides that halved their clocks, once the game has been played.
    berserk: Vec<Side>,
    /// The match; null before it begins, and for readers without access to it.
    #[serde(rename = "match")]
    #[schema(required = true)]
    match_id: Option<MatchId>,
}

/// Points without a game.
#[derive(Debug, Serialize, ToSchema)]
struct EventByeView {
    player: PlayerRef,
    points: f64,
}

/// A page of games.
#[derive(Debug, Serialize, ToSchema)]
struct EventGamePage {
    /// The games by number.
    items: Vec<EventGameView>,
    /// The byes of the round, on its first page; empty without `round`.
    byes: Vec<EventByeView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// The query of the games of an event.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventGamesQuery {
    /// A round; all by default.
    round: Option<u32>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// Returns a page of the standings, of a coming event a page of its players.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/standings", tag = "events", params(("id" = EventId, Path, description = "the id of the event"), ListQuery),
    responses((status = 200, body = EventStandingPage), (status = 404), (status = 422))
)]
async fn standings(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(id): Path<EventId>,
    Query(query): Query<ListQuery>,
) -> Result<Json<EventStandingPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let from: usize = part(query.cursor.as_deref())?.unwrap_or_default();
    let snapshot = seen(&app, &id, reader.as_ref()).await?;
    let store = app.store.as_ref();
    let page = event_standings::page(store, &snapshot, from, limit as usize).await?;
    Ok(Json(page))
}

/// Lists the games of an event, or of a round, by number.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/games", tag = "events",
    params(("id" = EventId, Path, description = "the id of the event"), EventGamesQuery),
    responses((status = 200, body = EventGamePage), (status = 404), (status = 422))
)]
async fn games(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(id): Path<EventId>,
    Query(query): Query<EventGamesQuery>,
) -> Result<Json<EventGamePage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after: u32 = part(query.cursor.as_deref())?.unwrap_or_default();
    let snapshot = seen(&app, &id, reader.as_ref()).await?;
    let store = app.store.as_ref();
    let mut rows = store
        .event_games(&id, query.round, after, limit + 1)
        .await?;
    let next = cut(&mut rows, limit, |row| row.key.number.to_string());
    let byes: Vec<Bye> = match query.round {
        Some(round) if after == 0 => {
            let byes = snapshot.event.byes().iter();
            let byes = byes.filter(|(at, _)| *at == round);
            byes.map(|(_, bye)| *bye).collect()
        }
        _ => Vec::new(),
    };
    let mut seats: Vec<Seat> = rows
        .iter()
        .flat_map(|row| [row.first, row.second])
        .chain(byes.iter().map(|bye| bye.seat))
        .collect();
    seats.sort_unstable();
    seats.dedup();
    let players = players_by_seat(store, &id, &seats).await?;
    let me = reader.as_ref().map(|reader| &reader.player.id);
    let own = me.and_then(|me| snapshot.event.seat_of(me));
    let byes = byes.iter().filter_map(|bye| {
        Some(EventByeView {
            player: view::player(players.get(&bye.seat)?),
            points: bye.points.as_f64(),
        })
    });
    let byes = byes.collect();
    let items = rows.into_iter().filter_map(|row| {
        let plays = own.is_some_and(|seat| seat == row.first || seat == row.second);
        game_view(row, &snapshot.event, &players, plays)
    });
    Ok(Json(EventGamePage {
        items: items.collect(),
        byes,
        next,
    }))
}

/// Returns the players of the seats of a page.
pub(super) async fn players_by_seat(
    store: &dyn Store,
    id: &EventId,
    seats: &[Seat],
) -> Result<HashMap<Seat, Player>, ApiError> {
    Ok(store.event_players(id, seats).await?.into_iter().collect())
}

/// Returns a game as the reader sees it; `None` if one of its players is not among these.
///
/// A private match, as a class may want it, is named to its players alone: with the id anybody could watch.
pub(super) fn game_view(
    row: EventGameRow,
    event: &Event,
    players: &HashMap<Seat, Player>,
    plays: bool,
) -> Option<EventGameView> {
    let played = event.game(row.key.number).filter(|game| game.is_played());
    let halved = played.map(|game| game.berserk);
    let halved = |side: &Side| halved.is_some_and(|halved| halved[*side]);
    Some(EventGameView {
        number: row.key.number,
        round: row.round,
        first: view::player(players.get(&row.first)?),
        second: view::player(players.get(&row.second)?),
        time_control: row.time_control,
        state: row.state,
        result: row.result,
        skipped: row.skipped,
        berserk: Side::ALL.into_iter().filter(halved).collect(),
        match_id: row.match_id.filter(|_| plays || !row.private),
    })
}
