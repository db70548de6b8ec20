//! Recovery codes: the owner of an account makes them while the password is known, and sets a new password with one after forgetting it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mawe_store::Player;
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Me, note_shared_device, remember_device, signed_in};
use crate::http::credentials::{self, Begun, check_own_password};
use crate::http::error::ApiError;
use crate::http::extract::{Body, Browser, From, SignedIn, may_log_in};
use crate::http::sessions::close_sockets;
use crate::identity::devices::GivenMarks;
use crate::identity::passwords::check_password;
use crate::identity::{recovery_codes, typed_codes};
use crate::limits::guesses::NotWrong;
use crate::live::view;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(left, renew))
        .routes(routes!(recover))
}

/// The recovery codes of the caller that are left.
#[derive(Debug, Serialize, ToSchema)]
struct RecoveryCodesLeft {
    /// The number of codes that were not used, 8 at most.
    left: u32,
    /// The time at which they were made; null if none is left.
    #[schema(required = true)]
    created_at: Option<jiff::Timestamp>,
}

/// New recovery codes.
#[derive(Debug, Serialize, ToSchema)]
struct NewRecoveryCodes {
    /// The codes, which are shown only here and not stored.
    recovery_codes: Vec<String>,
}

/// The password of the caller.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPassword {
    /// The present password.
    pub(crate) password: String,
}

/// A name, a recovery code and a new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Recovery {
    /// The name of the account.
    name: String,
    /// The code; case, spaces and hyphens do not matter.
    code: String,
    /// 8 to 200 characters.
    new_password: String,
}

/// Returns the number of the caller's recovery codes that are left.
#[utoipa::path(
    get, path = "/api/v1/me/recovery-codes", tag = "accounts",
    responses(
        (status = 200, body = RecoveryCodesLeft),
        (status = 401),
        (status = 403, description = "`account-needed`: for accounts of people; `session-needed`"),
    )
)]
async fn left(State(app): State<App>, me: SignedIn) -> Result<Json<RecoveryCodesLeft>, ApiError> {
    for_people(&me.player)?;
    let codes = app.store.recovery_codes(&me.player.id).await?;
    let left = u32::try_from(codes.hashes.len()).unwrap_or(u32::MAX);
    Ok(Json(RecoveryCodesLeft {
        left,
        created_at: (left > 0).then(|| view::timestamp(codes.created_ms)),
    }))
}

/// Makes new recovery codes for the caller; the old ones no longer work.
/// They are in this response only.
#[utoipa::path(
    post, path = "/api/v1/me/recovery-codes", tag = "accounts", request_body = OwnPassword,
    responses(
        (status = 201, body = NewRecoveryCodes),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`account-needed`: for accounts of people; `session-needed`"),
        (status = 429),
    )
)]
async fn renew(
    State(app): State<App>,
    me: SignedIn,
    Body(given): Body<OwnPassword>,
) -> Result<(StatusCode, Json<NewRecoveryCodes>), ApiError> {
    for_people(&me.player)?;
    check_own_password(&app, &me, given.password).await?;
    let (recovery_codes, set) = recovery_codes::draw(unix_ms());
    app.store.set_recovery_codes(&me.player.id, &set).await?;
    Ok((
        StatusCode::CREATED,
        Json(NewRecoveryCodes { recovery_codes }),
    ))
}

/// Sets a new password by a recovery code, ends all sessions of the account and logs in.
/// The code is used up. Sets the session cookie, and one that makes the browser a known device of the account.
#[utoipa::path(
    post, path = "/api/v1/recoveries", tag = "accounts", request_body = Recovery,
    responses(
        (status = 200, body = Me),
        (status = 401, description = "`wrong-credentials`: the name or the code, which is not said"),
        (status = 403, description = "`account-disabled`: by the operator; `detail` says why. `account-needed`: a bot account"),
        (status = 422, description = "`weak-password`"),
        (status = 429),
    )
)]
async fn recover(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    marks: GivenMarks,
    Body(given): Body<Recovery>,
) -> Result<Response, ApiError> {
    check_password(&given.new_password, &given.name)
        .map_err(|advice| ApiError::field(Code::WeakPassword, "new_password", advice))?;
    let begun = credentials::begin(&app, address, &marks, &given.name).await?;
    let code = typed_codes::hash(&given.code);
    let Begun { known, guess, .. } = begun;
    let (Some((player, _)), Some(code)) = (known, code) else {
        return Err(ApiError::WrongRecoveryCode);
    };
    match app.store.recovery_codes(&player.id).await {
        Ok(codes) if codes.hashes.contains(&code) => guess.undo(NotWrong::Right),
        Ok(_) => return Err(ApiError::WrongRecoveryCode),
        Err(error) => {
            guess.undo(NotWrong::Untried);
            return Err(error.into());
        }
    }
    let grants = may_log_in(&app, &player).await?;
    for_people(&player)?;
    let password_hash = app.passwords.hash(given.new_password).await?;
    let recovered = app.store.recover(&player.id, &code, &password_hash).await?;
    // Another request has used the code meanwhile.
    let ended = recovered.ok_or(ApiError::WrongRecoveryCode)?;
    close_sockets(&app, &ended);
    let device = remember_device(&app, &marks, &player.id, &password_hash);
    note_shared_device(&app, &marks, &player.id).await;
    let entered = signed_in(&app, StatusCode::OK, &player, grants, &browser).await?;
    Ok((device, entered).into_response())
}

fn for_people(player: &Player) -> Result<(), ApiError> {
    match player.kind {
        PlayerKind::Account => Ok(()),
        PlayerKind::Guest | PlayerKind::Bot => Err(ApiError::AccountOnly),
    }
}
