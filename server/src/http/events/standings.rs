//! Standings and games of events.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use mawe_play::events::{Bye, Event, Game, GameOutcome, Seat, Standing};
use mawe_play::rating;
use mawe_rules::Side;
use mawe_store::{EventGameRow, Player};
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventGameState, EventPlayerState};
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

/// The number of games in a row of the standings, the latest ones: as many as the rounds of any kind but an arena.
const GAMES_SHOWN: usize = 30;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(standings))
        .routes(routes!(games))
}

/// A page of the standings.
#[derive(Debug, Serialize, ToSchema)]
struct EventStandingPage {
    /// The rows, the first place first.
    items: Vec<EventStandingView>,
    /// The names of the tie-breaks, in the order in which they count: `buchholz`, `sonneborn-berger`, `direct-encounter` and others.
    tie_break_names: Vec<String>,
    /// The number of the last entry of the journal at which these standings were computed.
    seq: u64,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A row of the standings.
#[derive(Debug, Serialize, ToSchema)]
struct EventStandingView {
    /// The place; players without a difference share one.
    place: u32,
    player: PlayerRef,
    /// The rating at joining, rounded.
    rating: i32,
    /// The points; halves are possible.
    points: f64,
    /// The values of the tie-breaks.
    tie_breaks: Vec<f64>,
    state: EventPlayerState,
    /// Matches that the player has played.
    played: u32,
    /// Matches that the player has won.
    won: u32,
    /// Whether the next win of an arena counts double.
    fire: bool,
    /// The games, the latest 30, in the order of the rounds.
    games: Vec<EventStandingGame>,
}

/// A game in a row of the standings.
#[derive(Debug, Serialize, ToSchema)]
struct EventStandingGame {
    /// The number of the game in the event.
    number: u32,
    round: u32,
    /// The place of the opponent; null for one without a place.
    #[schema(required = true)]
    opponent: Option<u32>,
    /// The side of the player.
    side: Side,
    /// The result for the player; null before the end.
    #[schema(required = true)]
    result: Option<EventOutcome>,
}

/// The result of a game for a player.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum EventOutcome {
    Won,
    Drawn,
    Lost,
    /// The match was called off or made void, or is not played, and counts for nobody.
    CalledOff,
}

/// A game of an event.
#[derive(Debug, Serialize, ToSchema)]
struct EventGameView {
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
    let all = snapshot.standings();
    let rows = all.iter().skip(from).take(limit as usize);
    let seats: Vec<Seat> = rows.clone().map(|row| row.seat).collect();
    let players: HashMap<Seat, Player> = app
        .store
        .event_players(&id, &seats)
        .await?
        .into_iter()
        .collect();
    let places: HashMap<Seat, u32> = all.iter().map(|row| (row.seat, row.place)).collect();
    let event = &snapshot.event;
    let items = rows.filter_map(|row| {
        let player = players.get(&row.seat)?;
        row_view(event, row, player, &places)
    });
    let end = from.saturating_add(limit as usize);
    Ok(Json(EventStandingPage {
        items: items.collect(),
        tie_break_names: event
            .tie_breaks()
            .iter()
            .map(|name| name.as_str().to_owned())
            .collect(),
        seq: snapshot.row.head,
        next: (end < all.len()).then(|| end.to_string()),
    }))
}

fn row_view(
    event: &Event,
    row: &Standing,
    player: &Player,
    places: &HashMap<Seat, u32>,
) -> Option<EventStandingView> {
    let entrant = event.entrant(row.seat)?;
    let skipped = entrant.games.len().saturating_sub(GAMES_SHOWN);
    let games = entrant.games.iter().skip(skipped);
    let games = games.filter_map(|number| event.game(*number));
    Some(EventStandingView {
        place: row.place,
        player: view::player(player),
        rating: rating::rounded(entrant.rating),
        points: row.points.as_f64(),
        tie_breaks: row.tie_breaks.clone(),
        state: event.player_state(row.seat)?,
        played: row.played,
        won: row.won,
        fire: row.on_fire,
        games: games.map(|game| game_of(game, row.seat, places)).collect(),
    })
}

fn game_of(game: &Game, seat: Seat, places: &HashMap<Seat, u32>) -> EventStandingGame {
    let side = game.side_of(seat);
    EventStandingGame {
        number: game.number,
        round: game.round,
        opponent: places.get(&game.opponent_of(seat)).copied(),
        side,
        result: outcome(game, side),
    }
}

fn outcome(game: &Game, side: Side) -> Option<EventOutcome> {
    let counts_for_nobody = matches!(
        game.outcome,
        GameOutcome::Ended {
            result: EventGameResult::CalledOff,
            ..
        }
    );
    if counts_for_nobody {
        return Some(EventOutcome::CalledOff);
    }
    let (mine, theirs) = (game.points(side)?, game.points(side.other())?);
    Some(match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => EventOutcome::Won,
        std::cmp::Ordering::Less => EventOutcome::Lost,
        std::cmp::Ordering::Equal => EventOutcome::Drawn,
    })
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
    let players: HashMap<Seat, Player> = store
        .event_players(&id, &seats)
        .await?
        .into_iter()
        .collect();
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
        game_view(row, &players, plays)
    });
    Ok(Json(EventGamePage {
        items: items.collect(),
        byes,
        next,
    }))
}

/// A private match, as a class may want it, is named to its players alone: with the id anybody could watch.
fn game_view(
    row: EventGameRow,
    players: &HashMap<Seat, Player>,
    plays: bool,
) -> Option<EventGameView> {
    Some(EventGameView {
        number: row.key.number,
        round: row.round,
        first: view::player(players.get(&row.first)?),
        second: view::player(players.get(&row.second)?),
        time_control: row.time_control,
        state: row.state,
        result: row.result,
        skipped: row.skipped,
        match_id: row.match_id.filter(|_| plays || !row.private),
    })
}
