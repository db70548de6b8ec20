//! Changes of clubs by moderators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{ClubEdit, ClubModeration};
use mawe_wire::clubs::ClubTexts;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::founding::{checked_banner, checked_description, checked_name};
use super::shared::{ClubView, announce, find, shown};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Moderator, Path, SignedIn};
use crate::http::lookup;
use crate::http::moderation::{attribution, checked_why};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(edit, close))
}

/// A moderator's change of a club; data left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubCorrection {
    /// The reason, for the log: 1 to 500 characters.
    why: String,
    /// The name.
    name: Option<String>,
    /// The description in the languages to change; an empty text deletes it.
    #[serde(default)]
    description: ClubTexts,
    /// The line at the top of the page; empty for none.
    banner: Option<String>,
    /// The name of the new officer, a member or not: for a club without officers.
    officer: Option<String>,
}

/// A moderator's closing of a club.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubClosing {
    /// The reason, for the log: 1 to 500 characters.
    why: String,
}

async fn moderate(
    app: &App,
    me: &SignedIn,
    handle: &str,
    (what, why): (ClubModeration, String),
) -> Result<(), ApiError> {
    let club = find(app, handle).await?;
    let by = attribution(me, why);
    let changed = app.store.moderate_club(&club.id, &what, &by).await?;
    announce(app, &changed);
    Ok(())
}

/// Changes the name, the description or the banner of a club. Its officers see it in their log.
#[utoipa::path(
    patch, path = "/api/v1/moderation/clubs/{handle}", tag = "moderation", request_body = ClubCorrection,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 200, body = ClubView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`name-taken`; `pupil-account`: to be the officer"),
        (status = 422, description = "`bad-name`, `bad-text`, `cannot-invite`, `too-many-clubs`"),
    )
)]
async fn edit(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(handle): Path<String>,
    Body(new): Body<ClubCorrection>,
) -> Result<Json<ClubView>, ApiError> {
    let why = checked_why(&new.why)?;
    let refused = &app.settings.refused_names;
    let name = new.name.as_deref().map(|name| checked_name(name, refused));
    let edit = ClubEdit {
        name: name.transpose()?,
        joining: None,
        descriptions: checked_description(new.description)?,
        banner: new.banner.as_deref().map(checked_banner).transpose()?,
    };
    if let Some(officer) = &new.officer {
        let player = lookup::find(&app, officer).await?;
        let what = ClubModeration::Appoint(player.id);
        moderate(&app, &me, &handle, (what, why.clone())).await?;
    }
    if edit != ClubEdit::default() || new.officer.is_none() {
        moderate(&app, &me, &handle, (ClubModeration::Edit(edit), why)).await?;
    }
    let club = find(&app, &handle).await?;
    Ok(Json(shown(&app, club, Some(&me)).await?))
}

/// Closes a club for good.
#[utoipa::path(
    delete, path = "/api/v1/moderation/clubs/{handle}", tag = "moderation", request_body = ClubClosing,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 404),
        (status = 422, description = "`bad-text`"),
    )
)]
async fn close(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(handle): Path<String>,
    Body(closing): Body<ClubClosing>,
) -> Result<StatusCode, ApiError> {
    let why = checked_why(&closing.why)?;
    moderate(&app, &me, &handle, (ClubModeration::Close, why)).await?;
    Ok(StatusCode::NO_CONTENT)
}
