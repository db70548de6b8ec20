//! What a player has set about others, kept with the account.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, SignedIn};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, change))
}

/// What one has set about others.
#[derive(Debug, Serialize, ToSchema)]
struct Preferences {
    /// Whether guests may challenge one by name; at first they may.
    guests_may_challenge: bool,
}

/// What to set; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreferenceChange {
    /// Whether guests may challenge one by name.
    guests_may_challenge: Option<bool>,
}

/// What one has set about others.
#[utoipa::path(
    get, path = "/api/v1/me/preferences", tag = "accounts",
    responses((status = 200, body = Preferences), (status = 401, body = Problem, content_type = "application/problem+json"))
)]
async fn show(State(app): State<App>, me: SignedIn) -> Result<Json<Preferences>, ApiError> {
    let refuses = app.store.refuses_guests(&me.player.id).await?;
    Ok(Json(Preferences {
        guests_may_challenge: !refuses,
    }))
}

/// Set something about others, here and wherever one logs in; the answer says how all of it is set then.
#[utoipa::path(
    patch, path = "/api/v1/me/preferences", tag = "accounts", request_body = PreferenceChange,
    responses(
        (status = 200, body = Preferences),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`session-needed`"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn change(
    State(app): State<App>,
    me: SignedIn,
    Body(change): Body<PreferenceChange>,
) -> Result<Json<Preferences>, ApiError> {
    if let Some(may) = change.guests_may_challenge {
        app.store.set_refuses_guests(&me.player.id, !may).await?;
    }
    show(State(app), me).await
}
