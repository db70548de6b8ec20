//! A player's preferences about other players, stored with the account.

use axum::Json;
use axum::extract::State;
use mawe_wire::PlayerKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, change))
}

/// The caller's preferences.
#[derive(Debug, Serialize, ToSchema)]
struct Preferences {
    /// Whether guests may challenge the caller by name; true by default.
    guests_may_challenge: bool,
    /// Whether chat is on; false by default. Null where there is no choice: for guests and bot accounts, and where the operator has switched
    /// chat off.
    #[schema(required = true)]
    chat: Option<bool>,
}

/// The preferences to change; those left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreferenceChange {
    /// Whether guests may challenge the caller by name.
    guests_may_challenge: Option<bool>,
    /// Whether chat is on.
    chat: Option<bool>,
}

/// Returns the caller's preferences.
#[utoipa::path(
    get, path = "/api/v1/me/preferences", tag = "accounts",
    responses((status = 200, body = Preferences), (status = 401))
)]
async fn show(State(app): State<App>, me: SignedIn) -> Result<Json<Preferences>, ApiError> {
    let refuses = app.store.refuses_guests(&me.player.id).await?;
    let chat = match has_choice(&app, &me) {
        Ok(()) => Some(app.store.has_chat(&me.player.id).await?),
        Err(_) => None,
    };
    Ok(Json(Preferences {
        guests_may_challenge: !refuses,
        chat,
    }))
}

/// Changes the caller's preferences on all devices.
/// The response has all preferences as they are afterwards.
#[utoipa::path(
    patch, path = "/api/v1/me/preferences", tag = "accounts", request_body = PreferenceChange,
    responses(
        (status = 200, body = Preferences),
        (status = 401),
        (status = 403, description = "`session-needed`; for `chat`: `account-needed`, `no-bots`, `chat-disabled`"),
        (status = 422),
    )
)]
async fn change(
    State(app): State<App>,
    me: SignedIn,
    Body(change): Body<PreferenceChange>,
) -> Result<Json<Preferences>, ApiError> {
    if change.chat.is_some() {
        has_choice(&app, &me)?;
    }
    if let Some(may) = change.guests_may_challenge {
        app.store.set_refuses_guests(&me.player.id, !may).await?;
    }
    if let Some(on) = change.chat {
        app.store.set_chat(&me.player.id, on).await?;
        if !on {
            app.sockets.end_chat(&me.player.id);
        }
    }
    show(State(app), me).await
}

/// Checks that the caller may choose whether chat is on.
fn has_choice(app: &App, me: &SignedIn) -> Result<(), ApiError> {
    match me.player.kind {
        _ if !app.settings.chat => Err(ApiError::ChatDisabled),
        PlayerKind::Guest => Err(ApiError::AccountOnly),
        PlayerKind::Bot => Err(ApiError::NoBots),
        PlayerKind::Account => Ok(()),
    }
}
