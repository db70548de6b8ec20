//! Login cards: a pupil of a class logs in for the first time, or after the teacher has made a new card.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mawe_store::LoginCard;
use mawe_wire::clubs::CardState;
use mawe_wire::ids::TokenHash;
use mawe_wire::{Code, PlayerKind};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Me, note_shared_device, remember_device, signed_in};
use crate::http::error::ApiError;
use crate::http::extract::{Body, Browser, From, Visitor, may_log_in};
use crate::http::sessions::close_sockets;
use crate::identity::devices::GivenMarks;
use crate::identity::passwords::check_password;
use crate::identity::typed_codes;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(use_card))
}

/// The code of a login card and a new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LoginCardUse {
    /// The code; case, spaces and hyphens do not matter.
    code: String,
    /// 8 to 200 characters.
    new_password: String,
}

/// Uses a login card: sets the password of its account and logs in.
/// The card is used up, and other sessions of the account end. Sets the session cookie, and one that makes the browser a known device of the
/// account. A browser that is logged in to another account logs out first.
#[utoipa::path(
    post, path = "/api/v1/login-cards", tag = "accounts", request_body = LoginCardUse,
    responses(
        (status = 200, body = Me),
        (status = 401, description = "`wrong-credentials`: there is no such card"),
        (status = 403, description = "`account-disabled`: by the operator; `detail` says why"),
        (status = 409, description = "`log-out-first`"),
        (status = 410, description = "`card-used`, `card-replaced`, `card-expired`"),
        (status = 422, description = "`weak-password`"),
        (status = 429),
    )
)]
async fn use_card(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    marks: GivenMarks,
    Visitor(visitor): Visitor,
    Body(given): Body<LoginCardUse>,
) -> Result<Response, ApiError> {
    app.limits.login(address)?;
    let code = typed_codes::hash(&given.code).ok_or(ApiError::WrongLoginCard)?;
    let LoginCard { player, .. } = open_card(&app, &code).await?;
    let is_other = |player_kind, id| player_kind != PlayerKind::Guest && id != player.id;
    if visitor.is_some_and(|visitor| is_other(visitor.player.kind, visitor.player.id)) {
        return Err(ApiError::LogOutFirst);
    }
    check_password(&given.new_password, &player.name)
        .map_err(|advice| ApiError::field(Code::WeakPassword, "new_password", advice))?;
    let grants = may_log_in(&app, &player).await?;
    let password_hash = app.passwords.hash(given.new_password).await?;
    let used = app.store.use_login_card(&code, &password_hash, unix_ms());
    let Some(ended) = used.await? else {
        // Another request has used it meanwhile, or a teacher has replaced it.
        open_card(&app, &code).await?;
        return Err(ApiError::WrongLoginCard);
    };
    close_sockets(&app, &ended);
    let device = remember_device(&app, &marks, &player.id, &password_hash);
    note_shared_device(&app, &marks, &player.id).await;
    let entered = signed_in(&app, StatusCode::OK, &player, grants, &browser).await?;
    Ok((device, entered).into_response())
}

/// Finds a card that can be used.
async fn open_card(app: &App, code: &TokenHash) -> Result<LoginCard, ApiError> {
    let card = app.store.login_card(code).await?;
    let card = card.ok_or(ApiError::WrongLoginCard)?;
    match card.state {
        CardState::Open if card.expires_ms > unix_ms() => Ok(card),
        CardState::Open => Err(ApiError::CardExpired),
        CardState::Used => Err(ApiError::CardUsed),
        CardState::Replaced => Err(ApiError::CardReplaced),
    }
}
