//! Vacations: days in which an account's own clocks by the day end no match.

use axum::Json;
use axum::extract::State;
use mawe_play::room::vacation::{self, DAY_MS, MAX_DAYS, PAUSE_MS, Refused, Vacation};
use mawe_wire::Code;
use mawe_wire::ids::PlayerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::live::view;

/// The age of the oldest vacation that counts for the present year or for the next one.
const COUNTED_MS: i64 = 366 * DAY_MS;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, begin, end))
}

/// The caller's vacation.
#[derive(Debug, Serialize, ToSchema)]
struct VacationView {
    /// The end of the vacation that lasts; null without one.
    #[schema(required = true)]
    until: Option<jiff::Timestamp>,
    /// The days that are left in this calendar year (UTC), of 30.
    days_left: u32,
    /// The most days that a vacation may have now; 0 if none can begin now.
    most_days: u32,
    /// The time from which the next vacation can begin, if that is later than now.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<jiff::Timestamp>,
}

/// A vacation to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewVacation {
    /// Its length in days of 24 hours, 1 to 14.
    days: u32,
}

/// Returns the caller's vacation and the days that are left.
#[utoipa::path(
    get, path = "/api/v1/me/vacation", tag = "accounts",
    responses(
        (status = 200, body = VacationView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`"),
    )
)]
async fn show(State(app): State<App>, me: SignedIn) -> Result<Json<VacationView>, ApiError> {
    me.check_person()?;
    let now = unix_ms();
    let vacations = counted(&app, &me.player.id, now).await?;
    Ok(Json(shown(&vacations, now)))
}

/// Begins a vacation of whole days, now.
/// While it lasts the caller's own clocks by the day end no match: a turn of which the time is up lasts longer by the part of the vacation
/// that lies in it. An account has 30 days in a calendar year (UTC), at most 14 at a time, and at least 7 days between two vacations. It has
/// no effect on matches with a running clock, and the caller can play on.
#[utoipa::path(
    post, path = "/api/v1/me/vacation", tag = "accounts", request_body = NewVacation,
    responses(
        (status = 200, body = VacationView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
        (status = 409, description = "`on-vacation`, `no-vacation-left`, `vacation-too-soon`"),
        (status = 422, description = "`bad-days`"),
    )
)]
async fn begin(
    State(app): State<App>,
    me: SignedIn,
    Body(new): Body<NewVacation>,
) -> Result<Json<VacationView>, ApiError> {
    me.check_person()?;
    let begun = app.store.begin_vacation(&me.player.id, new.days, unix_ms());
    begun.await?.map_err(refusal)?;
    show(State(app), me).await
}

/// Ends the caller's vacation with the day of it that has begun; the days after it are not used up.
#[utoipa::path(
    delete, path = "/api/v1/me/vacation", tag = "accounts",
    responses(
        (status = 200, body = VacationView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
    )
)]
async fn end(State(app): State<App>, me: SignedIn) -> Result<Json<VacationView>, ApiError> {
    me.check_person()?;
    app.store.end_vacation(&me.player.id, unix_ms()).await?;
    show(State(app), me).await
}

fn refusal(refused: Refused) -> ApiError {
    match refused {
        Refused::Days => ApiError::field(Code::BadDays, "days", refused.to_string()),
        Refused::OnVacation => ApiError::OnVacation,
        Refused::Lately { from_ms } => ApiError::VacationTooSoon(view::timestamp(from_ms)),
        Refused::TooFewLeft { .. } => ApiError::NoVacationLeft(refused.to_string()),
    }
}

async fn counted(app: &App, player: &PlayerId, now: i64) -> Result<Vec<Vacation>, ApiError> {
    let since = now.saturating_sub(COUNTED_MS);
    Ok(app.store.vacations_of(player, since).await?)
}

fn shown(vacations: &[Vacation], now: i64) -> VacationView {
    let last = vacations.iter().map(|vacation| vacation.until_ms).max();
    let until = last.filter(|until| *until > now);
    let not_before = last.map(|last| last.saturating_add(PAUSE_MS));
    let most = (1..=MAX_DAYS).rev();
    let mut possible = most.filter(|days| Vacation::begin(vacations, *days, now).is_ok());
    VacationView {
        until: until.map(view::timestamp),
        days_left: vacation::days_left(vacations, vacation::year_of(now)),
        most_days: possible.next().unwrap_or(0),
        not_before: not_before.filter(|from| *from > now).map(view::timestamp),
    }
}

/// Returns the end of a player's vacation, while it lasts.
pub(crate) async fn until(
    app: &App,
    player: &PlayerId,
) -> Result<Option<jiff::Timestamp>, ApiError> {
    let lasting = app.store.vacations_of(player, unix_ms()).await?;
    Ok(lasting
        .last()
        .map(|vacation| view::timestamp(vacation.until_ms)))
}
