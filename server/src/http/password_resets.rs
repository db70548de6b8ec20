//! Resets of passwords by mail: anybody asks for a link, and its reader sets a new password.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use mawe_store::Player;
use mawe_wire::{Code, PlayerKind};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Me, note_shared_device, remember_device, signed_in};
use crate::http::catalogues::language;
use crate::http::email::mailer;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Browser, From, may_log_in};
use crate::http::sessions::close_sockets;
use crate::identity::devices::GivenMarks;
use crate::identity::email_addresses::{self, MAX_ADDRESS_CHARS};
use crate::identity::passwords::check_password;
use crate::mail::ResetRequest;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(request))
        .routes(routes!(reset))
}

/// An account that wants a new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ResetWish {
    /// The name of the account, or its e-mail address.
    account: String,
}

/// The token of a link that came by mail, and a new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Reset {
    /// The part of the address of the link after the last `/`.
    token: String,
    /// 8 to 200 characters.
    new_password: String,
}

/// Asks for a mail with a link that sets a new password.
/// The answer is the same whether there is such an account or address or not. An account gets three such mails at once, and then one in 20
/// minutes. The link is good for an hour, once, and until there is a newer one or the password changes.
#[utoipa::path(
    post, path = "/api/v1/password-resets", tag = "accounts", request_body = ResetWish,
    responses(
        (status = 202, description = "if there is such an account with a confirmed address, it gets a mail"),
        (status = 403, description = "`mail-off`: the server sends no mail"),
        (status = 429),
        (status = 503, description = "`busy`: too many requests wait"),
    )
)]
async fn request(
    State(app): State<App>,
    From(from): From,
    headers: HeaderMap,
    Body(wish): Body<ResetWish>,
) -> Result<StatusCode, ApiError> {
    let mailer = mailer(&app)?;
    app.limits.reset_request(from)?;
    // No account has a longer name, and no address is longer.
    if wish.account.chars().count() <= MAX_ADDRESS_CHARS {
        mailer.request_reset(ResetRequest {
            account: wish.account,
            language: language(None, &headers),
        })?;
    }
    Ok(StatusCode::ACCEPTED)
}

/// Sets a new password by the token of a link that came by mail, ends all sessions of the account and logs in.
/// The link is used up. Sets the session cookie, and one that makes the browser a known device of the account.
#[utoipa::path(
    post, path = "/api/v1/password-resets/use", tag = "accounts", request_body = Reset,
    responses(
        (status = 200, body = Me),
        (status = 403, description = "`mail-off`: the server sends no mail; `account-disabled`: by the operator; `detail` says why. `account-needed`: a bot account"),
        (status = 410, description = "`link-expired`: also for a link that was used, or replaced by a newer one"),
        (status = 422, description = "`weak-password`"),
        (status = 429),
    )
)]
async fn reset(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    marks: GivenMarks,
    Body(given): Body<Reset>,
) -> Result<Response, ApiError> {
    mailer(&app)?;
    app.limits.login(address)?;
    let token = email_addresses::token_hash(&given.token).ok_or(ApiError::LinkExpired)?;
    let player = app.store.reset_of(&token, unix_ms()).await?;
    let player: Player = player.ok_or(ApiError::LinkExpired)?;
    check_password(&given.new_password, &player.name)
        .map_err(|advice| ApiError::field(Code::WeakPassword, "new_password", advice))?;
    let grants = may_log_in(&app, &player).await?;
    if player.kind != PlayerKind::Account {
        return Err(ApiError::AccountOnly);
    }
    let password_hash = app.passwords.hash(given.new_password).await?;
    let used = app.store.reset_password(&token, &password_hash, unix_ms());
    // Another request has used the link meanwhile, or a newer one has replaced it.
    let ended = used.await?.ok_or(ApiError::LinkExpired)?;
    close_sockets(&app, &ended);
    let device = remember_device(&app, &marks, &player.id, &password_hash);
    note_shared_device(&app, &marks, &player.id).await;
    let entered = signed_in(&app, StatusCode::OK, &player, grants, &browser).await?;
    Ok((device, entered).into_response())
}
