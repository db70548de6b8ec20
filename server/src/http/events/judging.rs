//! Moderators judge games of events.

use axum::Json;
use axum::extract::State;
use mawe_play::events::Input;
use mawe_store::{EventGameKey, EventRow, NewAudit};
use mawe_wire::events::EventGameResult;
use mawe_wire::ids::EventId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::standings::{EventGameView, game_view, players_by_seat};
use super::views::{fault, seen};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Moderator, Path};
use crate::http::moderation::{attribution, checked_why};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(judge))
}

/// A moderator's judgement of a game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EventJudgement {
    /// The result that the game has from now on.
    result: EventGameResult,
    /// The reason, for the log: 1 to 500 characters.
    why: String,
}

/// Returns an event as the log names it.
pub(super) fn logged(row: &EventRow) -> String {
    format!("{} ({})", row.terms.name, row.id)
}

/// Gives a game that is over another result, also one that could not be played. The standings follow; the rounds that are paired stay. The
/// match itself and the ratings stay as well: to take a match out of the ratings, make it void.
#[utoipa::path(
    patch, path = "/api/v1/moderation/events/{id}/games/{number}", tag = "moderation", request_body = EventJudgement,
    params(("id" = EventId, Path, description = "the id of the event"), ("number" = u32, Path, description = "the number of the game")),
    responses(
        (status = 200, body = EventGameView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`; `own-case`: the moderator plays in the event"),
        (status = 404),
        (status = 409, description = "`event-over`: the event was cancelled; `event-closed`: there is no such game, or it is not over"),
        (status = 422, description = "`bad-text`"),
        (status = 429),
    )
)]
async fn judge(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path((id, number)): Path<(EventId, u32)>,
    Body(judgement): Body<EventJudgement>,
) -> Result<Json<EventGameView>, ApiError> {
    let why = checked_why(&judgement.why)?;
    let snapshot = seen(&app, &id, Some(&me)).await?;
    if snapshot.event.seat_of(&me.player.id).is_some() {
        return Err(ApiError::OwnCase);
    }
    app.limits.event_change(&me.player.id)?;
    let store = app.store.as_ref();
    let key = EventGameKey {
        event: id.clone(),
        number,
    };
    let not_found = ApiError::NotFound("event game");
    let before = store.event_game(&key).await?.ok_or(not_found)?;
    let result = judgement.result;
    let old = before.result.map_or("none", EventGameResult::as_str);
    let audit = NewAudit {
        attribution: attribution(&me, why),
        action: "judge-game",
        about: None,
        match_id: before.match_id,
        detail: format!("{}, game {number}: {old} → {result}", logged(&snapshot.row)),
    };
    let input = Input::Correct {
        game: number,
        result,
    };
    let judged = app.lobby.moderate_event(&id, &input, audit).await;
    judged.map_err(fault)?;
    let not_found = ApiError::NotFound("event game");
    let row = store.event_game(&key).await?.ok_or(not_found)?;
    let snapshot = seen(&app, &id, Some(&me)).await?;
    let players = players_by_seat(store, &id, &[row.first, row.second]).await?;
    let game = game_view(row, &snapshot.event, &players, false);
    game.map(Json).ok_or(ApiError::NotFound("event game"))
}
