//! Bot accounts: accounts that are marked as played by a program.

use axum::Json;
use axum::extract::State;
use mawe_store::StoreError;
use mawe_wire::PlayerKind;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Empty, Me};
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(become_bot))
}

/// Makes the caller's account a bot account, permanently.
/// This is possible only before it has played. A bot account is marked as such everywhere, and plays by challenge only.
#[utoipa::path(
    post, path = "/api/v1/me/bot", tag = "accounts", request_body = Empty,
    responses(
        (status = 200, body = Me, description = "also when it is one already"),
        (status = 401),
        (status = 403, description = "`account-needed`, `scope-needed`"),
        (status = 409, description = "`has-played`"),
    )
)]
async fn become_bot(
    State(app): State<App>,
    me: SignedIn,
    _: Body<Empty>,
) -> Result<Json<Me>, ApiError> {
    let (grants, has_session) = (me.grants, me.scopes.is_none());
    let player = match me.player.kind {
        PlayerKind::Guest => return Err(ApiError::AccountOnly),
        PlayerKind::Bot => me.player,
        PlayerKind::Account => {
            let bot = app.store.become_bot(&me.player.id, unix_ms()).await;
            let bot = bot.map_err(|error| match error {
                StoreError::Conflict => ApiError::HasPlayed,
                error => error.into(),
            })?;
            // A bot account must not stay in a pool or keep a seek.
            app.lobby.plays([bot.id.clone()]).await;
            bot
        }
    };
    Ok(Json(Me::load(&app, &player, grants, has_session).await?))
}
