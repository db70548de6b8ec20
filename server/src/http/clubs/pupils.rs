//! Pupils of classes: the list, changes and deletion.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{ClubRow, MAX_PUPILS, Player, PupilChange, PupilRow, StoreError};
use mawe_wire::PlayerRef;
use mawe_wire::clubs::CardState;
use mawe_wire::ids::PlayerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shared::led;
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::credentials::check_own_password;
use crate::http::error::{ApiError, PupilFaultCode, PupilLine};
use crate::http::extract::{Body, Path, Query, SignedIn};
use crate::http::lookup;
use crate::http::own_account::delete_account;
use crate::http::paging::{ListQuery, bad_cursor, cut, page_size};
use crate::http::recoveries::OwnPassword;
use crate::live::chat::text::check_line;
use crate::live::view;

/// The length of a real name, in characters.
pub(crate) const REAL_NAME_CHARS: RangeInclusive<usize> = 1..=60;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pupils))
        .routes(routes!(rename, delete))
        .routes(routes!(release))
}

/// Another real name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewRealName {
    /// The real name: 1 to 60 characters.
    real_name: String,
}

/// A page of pupils.
#[derive(Debug, Serialize, ToSchema)]
struct PupilPage {
    items: Vec<PupilView>,
    /// The cursor of the next page; null on the last one.
    #[schema(required = true)]
    next: Option<String>,
}

/// A pupil, for the teachers of the class.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PupilView {
    player: PlayerRef,
    /// The real name.
    real_name: String,
    /// The time at which the account was made.
    created_at: jiff::Timestamp,
    card: PupilCard,
    /// The time until which the latest card can be used; null without one.
    #[schema(required = true)]
    card_expires_at: Option<jiff::Timestamp>,
    /// The time of the latest login that has not ended; null if there is none.
    #[schema(required = true)]
    last_login_at: Option<jiff::Timestamp>,
}

/// The latest login card of a pupil.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PupilCard {
    /// It can be used.
    Open,
    /// It was used.
    Used,
    /// It has expired.
    Expired,
    /// There is none.
    None,
}

impl PupilView {
    pub(super) fn of(row: &PupilRow, now_ms: i64) -> PupilView {
        PupilView {
            player: view::player(&row.player),
            real_name: row.real_name.clone(),
            created_at: view::timestamp(row.created_ms),
            card: match row.card {
                None => PupilCard::None,
                Some((CardState::Open, expires_ms)) if expires_ms > now_ms => PupilCard::Open,
                Some((CardState::Used, _)) => PupilCard::Used,
                Some((CardState::Open | CardState::Replaced, _)) => PupilCard::Expired,
            },
            card_expires_at: row.card.map(|(_, expires_ms)| view::timestamp(expires_ms)),
            last_login_at: row.last_login_ms.map(view::timestamp),
        }
    }
}

/// Finds a class of which the caller is a teacher.
///
/// # Errors
/// [`ApiError::NotFound`], also for a club of another kind; `officers-only`.
pub(super) async fn taught(app: &App, handle: &str, me: &SignedIn) -> Result<ClubRow, ApiError> {
    let club = led(app, handle, me).await?;
    match app.store.class(&club.id).await? {
        Some(_) => Ok(club),
        None => Err(ApiError::NotFound("class")),
    }
}

/// Finds a pupil of a class.
async fn pupil(app: &App, class: &ClubRow, name: &str) -> Result<Player, ApiError> {
    let player = lookup::find(app, name).await?;
    match app.store.class_of(&player.id).await? {
        Some(of) if of == class.id => Ok(player),
        _ => Err(ApiError::NotFound("pupil")),
    }
}

/// Checks a real name.
pub(super) fn checked_real_name(name: &str) -> Result<String, PupilFaultCode> {
    if name.trim().is_empty() {
        return Err(PupilFaultCode::Empty);
    }
    if name.trim().chars().count() > *REAL_NAME_CHARS.end() {
        return Err(PupilFaultCode::TooLong);
    }
    check_line(name, *REAL_NAME_CHARS.end()).map_err(|_| PupilFaultCode::BadText)
}

/// Returns a page of the pupils of a class in the order of their real names, for its teachers.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/pupils", tag = "clubs",
    params(("handle" = String, Path, description = "the class's handle"), ListQuery),
    responses(
        (status = 200, body = PupilPage),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 422),
    )
)]
async fn pupils(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<PupilPage>, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    let limit = page_size(query.limit)?;
    // An id: real names are not for the logs of proxies.
    let after = query.cursor.map(PlayerId::try_from).transpose();
    let after = after.map_err(|_| bad_cursor())?;
    let rows = app.store.pupils(&class.id, after.as_ref(), limit + 1);
    let mut rows = match rows.await {
        Err(StoreError::NotFound) => return Err(bad_cursor()),
        rows => rows?,
    };
    let next = cut(&mut rows, limit, |row| row.player.id.to_string());
    let now_ms = unix_ms();
    let items = rows.iter().map(|row| PupilView::of(row, now_ms)).collect();
    Ok(Json(PupilPage { items, next }))
}

/// Changes the real name of a pupil.
#[utoipa::path(
    patch, path = "/api/v1/clubs/{handle}/pupils/{name}", tag = "clubs", request_body = NewRealName,
    params(("handle" = String, Path, description = "the class's handle"), ("name" = String, Path, description = "the pupil's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 422, description = "`bad-pupils`: `lines` has the fault"),
        (status = 429),
    )
)]
async fn rename(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
    Body(new): Body<NewRealName>,
) -> Result<StatusCode, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    let at_fault = |fault| ApiError::BadPupils(vec![PupilLine::new(0, fault, None)]);
    let real_name = checked_real_name(&new.real_name).map_err(at_fault)?;
    match change(&app, &me, (&class, &name), PupilChange::RealName(real_name)).await {
        Err(ApiError::NameTaken) => Err(at_fault(PupilFaultCode::InClass)),
        other => other,
    }
}

/// Releases a pupil: the account is an ordinary one from now on, and leaves the class. Its password and its matches stay.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/pupils/{name}/release", tag = "clubs",
    params(("handle" = String, Path, description = "the class's handle"), ("name" = String, Path, description = "the pupil's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 429),
    )
)]
async fn release(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    change(&app, &me, (&class, &name), PupilChange::Release).await
}

async fn change(
    app: &App,
    me: &SignedIn,
    (class, name): (&ClubRow, &str),
    what: PupilChange,
) -> Result<StatusCode, ApiError> {
    let pupil = pupil(app, class, name).await?;
    app.limits.club_change(&me.player.id)?;
    let changed = app
        .store
        .change_pupil(&class.id, &me.player.id, &pupil.id, &what, unix_ms());
    match changed.await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(StoreError::Conflict) => Err(ApiError::NameTaken),
        Err(error) => Err(error.into()),
    }
}

/// Deletes the account of a pupil for good, as its owner would. The pupil must have no running match.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}/pupils/{name}", tag = "clubs", request_body = OwnPassword,
    params(("handle" = String, Path, description = "the class's handle"), ("name" = String, Path, description = "the pupil's name")),
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password of the teacher"),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`matches-running`"),
        (status = 429),
    )
)]
async fn delete(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
    Body(given): Body<OwnPassword>,
) -> Result<StatusCode, ApiError> {
    let class = taught(&app, &handle, &me).await?;
    let pupil = pupil(&app, &class, &name).await?;
    check_own_password(&app, &me, given.password).await?;
    app.limits.club_change(&me.player.id)?;
    delete_account(&app, &pupil.id, &me.player.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the accounts of all pupils of a class: of none if one has a running match.
pub(super) async fn delete_all(app: &App, me: &SignedIn, class: &ClubRow) -> Result<(), ApiError> {
    let rows = app.store.pupils(&class.id, None, MAX_PUPILS).await?;
    for row in &rows {
        let running = app.store.running_matches_of(&row.player.id, None, 1);
        if !running.await?.is_empty() {
            return Err(ApiError::MatchesRunning);
        }
    }
    for row in &rows {
        delete_account(app, &row.player.id, &me.player.id).await?;
    }
    Ok(())
}
