//! The login by a passkey, which needs no name: the browser shows its passkeys of this site, and the chosen one names the account.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use mawe_store::{LoginPasskey, PasskeyUse};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{Empty, Me, cookies, note_shared_device, remember_device, signed_in};
use crate::http::error::ApiError;
use crate::http::extract::{self, Body, Browser, From, may_log_in};
use crate::http::passkeys::{PasskeyChallenge, relying_party};
use crate::identity::devices::GivenMarks;
use crate::identity::passkey_challenges::{self, Purpose};
use crate::identity::passkeys::LoginAnswer;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(begin))
        .routes(routes!(log_in))
}

/// The answer of a browser to the challenge of a login.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasskeyLogin {
    /// The text that came with the challenge.
    challenge: String,
    /// The credential, as its `toJSON()` writes it.
    #[schema(value_type = Object)]
    credential: Value,
}

/// Begins a login by a passkey.
/// The browser answers by `navigator.credentials.get()`. Sets a cookie, without which the challenge is good for nothing.
#[utoipa::path(
    post, path = "/api/v1/sessions/passkey/challenge", tag = "accounts", request_body = Empty,
    responses(
        (status = 200, body = PasskeyChallenge),
        (status = 409, description = "`passkeys-unavailable`: the site has no https, and is not on `localhost`"),
        (status = 429),
    )
)]
async fn begin(
    State(app): State<App>,
    headers: HeaderMap,
    _: Body<Empty>,
) -> Result<(HeaderMap, Json<PasskeyChallenge>), ApiError> {
    let party = relying_party(&app, &headers)?;
    let begun = party.begin_login().ok_or(ApiError::Internal)?;
    let secure = app.settings.is_secure();
    // A page in another tab has a challenge with the same secret, which stays good.
    let known = passkey_challenges::secret(&extract::cookies(&headers), secure);
    let secret = known.map_or_else(passkey_challenges::draw_secret, str::to_owned);
    let browser = passkey_challenges::bound_to(&secret);
    let challenge = app
        .passkey_challenges
        .seal(Purpose::Login, &browser, &begun.state, unix_ms());
    let cookie = cookies(&[passkey_challenges::cookie(&secret, secure)]);
    let options = begun.options;
    Ok((cookie, Json(PasskeyChallenge { challenge, options })))
}

/// Logs in by a passkey: the browser's answer to a challenge.
/// Sets the session cookie, and one that makes the browser a known device of the account.
#[utoipa::path(
    post, path = "/api/v1/sessions/passkey", tag = "accounts", request_body = PasskeyLogin,
    responses(
        (status = 200, body = Me),
        (status = 401, description = "`wrong-credentials`: the passkey is of no account here, or the answer does not fit the challenge, which is not said"),
        (status = 403, description = "`account-disabled`: by the operator; `detail` says why"),
        (status = 409, description = "`passkey-expired`: the challenge has expired, was answered before, or is of another browser; `passkeys-unavailable`"),
        (status = 429),
    )
)]
async fn log_in(
    State(app): State<App>,
    From(address): From,
    headers: HeaderMap,
    browser: Browser,
    marks: GivenMarks,
    Body(given): Body<PasskeyLogin>,
) -> Result<Response, ApiError> {
    let party = relying_party(&app, &headers)?;
    app.limits.login(address)?;
    let now_ms = unix_ms();
    let secret = passkey_challenges::secret(&extract::cookies(&headers), app.settings.is_secure());
    let challenge = secret.and_then(|secret| {
        app.passkey_challenges.open_sealed(
            Purpose::Login,
            &passkey_challenges::bound_to(secret),
            &given.challenge,
            now_ms,
        )
    });
    let challenge = challenge.ok_or(ApiError::PasskeyExpired)?;
    let answer = LoginAnswer::parse(&given.credential).ok_or(ApiError::WrongPasskey)?;
    let passkey = app.store.passkey(answer.credential_id()).await?;
    let passkey = passkey.ok_or(ApiError::WrongPasskey)?;
    let state = party.finish_login(&challenge.state, &answer, &passkey);
    let new_state = state.ok_or(ApiError::WrongPasskey)?;
    let LoginPasskey {
        id,
        player,
        password_hash,
        state: old_state,
        ..
    } = passkey;
    let grants = may_log_in(&app, &player).await?;
    let used = PasskeyUse {
        id,
        old_state,
        new_state,
        at_ms: now_ms,
    };
    if !app.store.use_passkey(&used, &challenge.used).await? {
        return Err(ApiError::PasskeyExpired);
    }
    let device = remember_device(&app, &marks, &player.id, &password_hash);
    note_shared_device(&app, &marks, &player.id).await;
    let entered = signed_in(&app, StatusCode::OK, &player, grants, &browser).await?;
    Ok((device, entered).into_response())
}
