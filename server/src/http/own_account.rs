//! The caller's account as a whole: its name and its end.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use mawe_store::{Attribution, Renamed, StoreError};
use mawe_wire::ids::PlayerId;
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Me, cookies};
use crate::http::credentials::check_own_password;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::http::recoveries::OwnPassword;
use crate::identity::sessions;
use crate::live::view;
use crate::moderation::effects;

/// The number of attempts to delete an account, each under another random name.
const DELETE_ATTEMPTS: usize = 5;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(delete))
        .routes(routes!(name, rename))
}

/// The name of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
struct OwnName {
    name: String,
    /// The time from which on the account may be renamed; null if that is now.
    #[schema(required = true)]
    not_before: Option<jiff::Timestamp>,
}

/// A new name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewName {
    /// 2 to 20 of a-z, A-Z, 0-9, - and _, beginning with a letter.
    name: String,
}

/// Returns the name of the caller's account, and the time from which on it may be renamed.
#[utoipa::path(
    get, path = "/api/v1/me/name", tag = "accounts",
    responses(
        (status = 200, body = OwnName),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
    )
)]
async fn name(State(app): State<App>, me: SignedIn) -> Result<Json<OwnName>, ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    let from = app.store.renamable_from(&me.player.id, unix_ms()).await?;
    Ok(Json(OwnName {
        name: me.player.name,
        not_before: from.map(view::timestamp),
    }))
}

/// Renames the caller's account, once in 90 days.
/// For 90 days nobody else gets the old name: the owner alone may return to it, and the address of the old name leads to the new one.
#[utoipa::path(
    post, path = "/api/v1/me/name", tag = "accounts", request_body = NewName,
    responses(
        (status = 200, body = Me),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
        (status = 409, description = "`name-taken`: also for a name that is held for somebody else; `name-looks-alike`; `renamed-lately`: `detail` says from when on it is possible"),
        (status = 422, description = "`bad-name`"),
    )
)]
async fn rename(
    State(app): State<App>,
    me: SignedIn,
    Body(given): Body<NewName>,
) -> Result<Json<Me>, ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    let checked = app.settings.refused_names.check_name(&given.name);
    checked.map_err(|advice| ApiError::field(Code::BadName, "name", advice))?;
    let renamed = app
        .store
        .rename_account(&me.player.id, &given.name, unix_ms());
    let changed = match renamed.await {
        Ok(Renamed::Done(changed)) => changed,
        Ok(Renamed::TooEarly(from_ms)) => {
            return Err(ApiError::RenamedLately(view::timestamp(from_ms)));
        }
        Err(StoreError::Conflict) => return Err(ApiError::NameTaken),
        Err(error) => return Err(error.into()),
    };
    effects::show_anew(&app, &me.player.id).await?;
    let me = Me::load(&app, &changed.account.player, me.grants, true).await?;
    Ok(Json(me))
}

/// Deletes the caller's account for good.
/// Its name, its settings, its sessions and tokens, and all that it has written are gone; its matches stay, under a name without meaning.
/// The caller must have no running match. Deletes the session cookie.
#[utoipa::path(
    delete, path = "/api/v1/me", tag = "accounts", request_body = OwnPassword,
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`account-needed`, `session-needed`"),
        (status = 409, description = "`matches-running`: end or resign each of them first; `only-teacher`: of a class that has pupils"),
        (status = 429),
    )
)]
async fn delete(
    State(app): State<App>,
    me: SignedIn,
    Body(given): Body<OwnPassword>,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    check_own_password(&app, &me, given.password).await?;
    delete_account(&app, &me.player.id, &me.player.id).await?;
    let cookies = cookies(&sessions::clear_cookies(app.settings.is_secure()));
    Ok((StatusCode::NO_CONTENT, cookies))
}

/// Deletes an account in the name of its owner, or of a teacher.
///
/// # Errors
/// [`ApiError::MatchesRunning`]; `only-teacher`.
pub(crate) async fn delete_account(
    app: &App,
    player: &PlayerId,
    by: &PlayerId,
) -> Result<(), ApiError> {
    let attribution = Attribution {
        by: Some(by.clone()),
        why: String::new(),
        at_ms: unix_ms(),
    };
    for _ in 0..DELETE_ATTEMPTS {
        if !app
            .store
            .running_matches_of(player, None, 1)
            .await?
            .is_empty()
        {
            return Err(ApiError::MatchesRunning);
        }
        if effects::delete(app, player, &attribution).await?.is_some() {
            return Ok(());
        }
    }
    Err(ApiError::Internal)
}
