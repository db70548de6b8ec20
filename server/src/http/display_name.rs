//! The display name of the caller: a name in any script, which others see beside the name in addresses.

use axum::Json;
use axum::extract::State;
use mawe_store::{DisplayNameSet, NewDisplayName, Player, StoreError};
use mawe_wire::PlayerKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::Me;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::live::view;
use crate::moderation::effects;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, set, remove))
}

/// The display name of the caller.
#[derive(Debug, Serialize, ToSchema)]
struct OwnDisplayName {
    /// The display name; null for none.
    #[schema(required = true)]
    display_name: Option<String>,
    /// The time from which on it can be set; null if that is now.
    #[schema(required = true)]
    not_before: Option<jiff::Timestamp>,
    /// Whether the account may have one. Accounts that a class has made have none: it could be the real name of a child.
    available: bool,
}

/// A display name to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WantedDisplayName {
    /// 1 to 24 letters, digits, single spaces and `- ' . , & ! +`, with a letter among them; all letters are of one script.
    display_name: String,
}

/// Returns the display name of the caller's account, and whether it can be set now.
#[utoipa::path(
    get, path = "/api/v1/me/display-name", tag = "accounts",
    responses(
        (status = 200, body = OwnDisplayName),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
    )
)]
async fn show(State(app): State<App>, me: SignedIn) -> Result<Json<OwnDisplayName>, ApiError> {
    check_account(&me)?;
    let state = app
        .store
        .display_name_state(&me.player.id, unix_ms())
        .await?;
    Ok(Json(OwnDisplayName {
        display_name: me.player.look.display_name,
        not_before: state.settable_from_ms.map(view::timestamp),
        available: !state.is_pupil,
    }))
}

/// Sets the display name of the caller's account, three times in 30 days at most.
/// It may not look like the name or the display name of another player. For 90 days nobody else gets one that is given up.
#[utoipa::path(
    put, path = "/api/v1/me/display-name", tag = "accounts", request_body = WantedDisplayName,
    responses(
        (status = 200, body = Me),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
        (status = 409, description = "`name-looks-alike`: also for a name that is held for somebody else; `renamed-lately`: `detail` says from when on it is possible; `pupil-account`"),
        (status = 422, description = "`bad-name`; `why` is `length`, `marks`, `character`, `spaces`, `no-letter`, `scripts`, `reserved` or `refused`, by the operator"),
    )
)]
async fn set(
    State(app): State<App>,
    me: SignedIn,
    Body(wanted): Body<WantedDisplayName>,
) -> Result<Json<Me>, ApiError> {
    check_account(&me)?;
    let refused = &app.settings.refused_names;
    let checked = refused.check_display_name(&wanted.display_name);
    let checked = checked.map_err(ApiError::BadDisplayName)?;
    let name = NewDisplayName {
        text: checked.text,
        key: checked.key,
    };
    let set = app.store.set_display_name(&me.player.id, &name, unix_ms());
    match set.await {
        Ok(DisplayNameSet::Done(player)) => shown(&app, &me, &player).await,
        Ok(DisplayNameSet::TooOften(from_ms)) => {
            Err(ApiError::DisplayNameLately(view::timestamp(from_ms)))
        }
        Ok(DisplayNameSet::Pupil) => Err(ApiError::PupilDisplayName),
        // The unique index of display names.
        Err(StoreError::Conflict) => Err(ApiError::NameLooksAlike),
        Err(error) => Err(error.into()),
    }
}

/// Removes the display name of the caller's account; without one nothing changes.
#[utoipa::path(
    delete, path = "/api/v1/me/display-name", tag = "accounts",
    responses(
        (status = 200, body = Me),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
    )
)]
async fn remove(State(app): State<App>, me: SignedIn) -> Result<Json<Me>, ApiError> {
    check_account(&me)?;
    let player = app
        .store
        .remove_display_name(&me.player.id, unix_ms())
        .await?;
    shown(&app, &me, &player).await
}

fn check_account(me: &SignedIn) -> Result<(), ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    Ok(())
}

/// Shows the player anew in open matches, and returns the caller's account.
async fn shown(app: &App, me: &SignedIn, player: &Player) -> Result<Json<Me>, ApiError> {
    if player.look != me.player.look {
        effects::show_anew(app, &player.id).await?;
    }
    Ok(Json(Me::load(app, player, me.grants, true).await?))
}
