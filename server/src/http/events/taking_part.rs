//! Taking part in an event: joining, withdrawing, pausing, and a bye on request.

use axum::Json;
use axum::extract::State;
use mawe_play::events::{Input, Refusal};
use mawe_play::rating::START_RATING;
use mawe_store::{ClubRefusal, EventRow};
use mawe_wire::Code;
use mawe_wire::events::EventPlayerState;
use mawe_wire::ids::EventId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::views::{EventView, fault, seen, shown};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::Empty;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, SignedIn};
use crate::identity::passwords::Caller;
use crate::lobby::address_groups::group;
use crate::lobby::events::EventFault;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(join))
        .routes(routes!(withdraw))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(ask_bye))
}

/// The caller's wish to play in an event.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EventJoining {
    /// The password of the event, if it has one.
    password: Option<String>,
}

/// The caller's wish for a bye.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EventByeWish {
    /// The round, one that is not paired yet.
    round: u32,
}

/// Changes an event, and returns it for the caller.
async fn change(
    app: &App,
    me: &SignedIn,
    id: &EventId,
    input: &Input<'_>,
) -> Result<Json<EventView>, ApiError> {
    let changed = app.lobby.change_event(id, unix_ms(), input).await;
    match changed {
        // Asked twice, as from two tabs: it is done.
        Ok(())
        | Err(EventFault::Refused(
            Refusal::AlreadyIn | Refusal::AlreadyPaused | Refusal::NotPaused,
        )) => {}
        Err(refused) => return Err(fault(refused)),
    }
    let snapshot = seen(app, id, Some(me)).await?;
    Ok(Json(shown(app, &snapshot, Some(me)).await?))
}

fn conditions<T>(field: &str, detail: String) -> Result<T, ApiError> {
    Err(ApiError::field(Code::EventConditions, field, detail))
}

/// Checks that a player meets the conditions, and returns the rating.
async fn check(
    app: &App,
    me: &SignedIn,
    row: &EventRow,
    password: Option<String>,
) -> Result<f64, ApiError> {
    let terms = &row.terms;
    let club = row.club.as_ref().map(|club| &club.id);
    let candidate = app.store.event_candidate(&me.player.id, club).await?;
    if row.for_club && !candidate.is_member {
        return Err(ApiError::Club(ClubRefusal::NotAMember));
    }
    if candidate.is_kept {
        return Err(ApiError::Club(ClubRefusal::ClassOnly));
    }
    let speed = terms.time_control.speed();
    let rating = app.store.rating(&me.player.id, terms.game, speed).await?;
    let tally = rating.as_ref().map(|row| row.tally).unwrap_or_default();
    if tally.won + tally.drawn + tally.lost < terms.min_matches {
        let least = terms.min_matches;
        return conditions(
            "",
            format!("finish {least} rated matches at this game and speed first"),
        );
    }
    let rating = rating.map_or(START_RATING, |row| row.rating.rating);
    if terms.min_rating.is_some_and(|min| rating < f64::from(min))
        || terms.max_rating.is_some_and(|max| rating > f64::from(max))
    {
        return conditions(
            "",
            "this event is for players with another rating".to_owned(),
        );
    }
    if let Some(stored) = row.password_hash.clone() {
        let given = password.unwrap_or_default();
        let fits = app.passwords.verify(given, Some(stored), Caller::Stranger);
        if !fits.await? {
            let advice = "the password of the event is wrong, or missing; its creator knows it";
            return Err(ApiError::field(Code::EventPassword, "password", advice));
        }
    }
    Ok(rating)
}

/// Joins an event, or comes back after withdrawing. A second request changes nothing.
#[utoipa::path(
    post, path = "/api/v1/events/{id}/join", tag = "events", request_body = EventJoining,
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = EventView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `scope-needed`; `event-conditions`; `event-password`; `class-only`: the caller's class plays among itself"),
        (status = 404),
        (status = 409, description = "`event-over`, `event-closed`, `event-full`, `not-a-member`"),
        (status = 429),
    )
)]
async fn join(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Path(id): Path<EventId>,
    Body(joining): Body<EventJoining>,
) -> Result<Json<EventView>, ApiError> {
    me.check_person()?;
    let snapshot = seen(&app, &id, Some(&me)).await?;
    app.limits.event_change(&me.player.id)?;
    let event = &snapshot.event;
    let before = event.seat_of(&me.player.id);
    let before = before.and_then(|seat| event.player_state(seat));
    let is_over = event.finished_ms().is_some() || event.cancelled().is_some();
    if !is_over && before.is_some_and(|state| state != EventPlayerState::Withdrawn) {
        return Ok(Json(shown(&app, &snapshot, Some(&me)).await?));
    }
    let rating = check(&app, &me, &snapshot.row, joining.password).await?;
    let input = Input::Join {
        player: &me.player.id,
        rating,
        group: group(&snapshot.row, address),
    };
    change(&app, &me, &id, &input).await
}

/// Withdraws from an event: the caller is not paired any more. A match that runs is played to its end.
#[utoipa::path(
    post, path = "/api/v1/events/{id}/withdraw", tag = "events", request_body = Empty,
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = EventView),
        (status = 401),
        (status = 403, description = "`scope-needed`"),
        (status = 404),
        (status = 409, description = "`not-in-event`, `event-over`"),
        (status = 429),
    )
)]
async fn withdraw(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventId>,
    _: Body<Empty>,
) -> Result<Json<EventView>, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    app.limits.event_change(&me.player.id)?;
    change(&app, &me, &id, &Input::Withdraw(&me.player.id)).await
}

/// Pauses: the caller is not paired until they resume.
#[utoipa::path(
    post, path = "/api/v1/events/{id}/pause", tag = "events", request_body = Empty,
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = EventView),
        (status = 401),
        (status = 403, description = "`scope-needed`"),
        (status = 404),
        (status = 409, description = "`not-in-event`, `event-over`; `event-closed`: nobody pauses in this kind of event"),
        (status = 429),
    )
)]
async fn pause(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventId>,
    _: Body<Empty>,
) -> Result<Json<EventView>, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    app.limits.event_change(&me.player.id)?;
    change(&app, &me, &id, &Input::Pause(&me.player.id)).await
}

/// Resumes after a pause.
#[utoipa::path(
    post, path = "/api/v1/events/{id}/resume", tag = "events", request_body = Empty,
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = EventView),
        (status = 401),
        (status = 403, description = "`scope-needed`"),
        (status = 404),
        (status = 409, description = "`not-in-event`, `event-over`, `event-closed`"),
        (status = 429),
    )
)]
async fn resume(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventId>,
    _: Body<Empty>,
) -> Result<Json<EventView>, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    app.limits.event_change(&me.player.id)?;
    change(&app, &me, &id, &Input::Resume(&me.player.id)).await
}

/// Asks for a bye of half a point in a round of a Swiss tournament that is not paired yet.
#[utoipa::path(
    post, path = "/api/v1/events/{id}/bye", tag = "events", request_body = EventByeWish,
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, body = EventView),
        (status = 401),
        (status = 403, description = "`scope-needed`"),
        (status = 404),
        (status = 409, description = "`not-in-event`, `event-over`; `event-closed`: this kind of event has no such byes, or the round is paired"),
        (status = 429),
    )
)]
async fn ask_bye(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventId>,
    Body(wish): Body<EventByeWish>,
) -> Result<Json<EventView>, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    app.limits.event_change(&me.player.id)?;
    let input = Input::AskBye {
        player: &me.player.id,
        round: wish.round,
    };
    change(&app, &me, &id, &input).await
}
