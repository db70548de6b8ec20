//! Passkeys: the owner of an account registers them while logged in, by the password, and lists, renames and deletes them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use mawe_store::{MAX_PASSKEYS, NewPasskey, PasskeyCreated, PasskeyRow};
use mawe_wire::Code;
use mawe_wire::ids::PasskeyId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::credentials::check_own_password;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::origin;
use crate::http::recoveries::OwnPassword;
use crate::identity::passkey_challenges::Purpose;
use crate::identity::passkeys::RelyingParty;
use crate::live::view;

/// The length of a passkey's name, in characters.
pub(crate) const NAME_CHARS: std::ops::RangeInclusive<usize> = 1..=40;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, register))
        .routes(routes!(begin))
        .routes(routes!(rename, delete))
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
struct PasskeyView {
    id: PasskeyId,
    /// The owner's name for it.
    name: String,
    created_at: jiff::Timestamp,
    /// The last login with it; null before the first one.
    #[schema(required = true)]
    last_used_at: Option<jiff::Timestamp>,
}

/// A list of passkeys.
#[derive(Debug, Serialize, ToSchema)]
struct PasskeyList {
    /// Whether passkeys can be registered and used: the site has https, or is on `localhost`.
    available: bool,
    items: Vec<PasskeyView>,
}

/// A challenge for a browser's passkeys, valid for five minutes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PasskeyChallenge {
    /// A text to send back with the answer.
    pub(crate) challenge: String,
    /// The options for the browser, as `PublicKeyCredential.parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()` take them.
    #[schema(value_type = Object)]
    pub(crate) options: Value,
}

/// The answer of a browser to the challenge of a registration.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasskeyRegistration {
    /// The text that came with the challenge.
    challenge: String,
    /// A name that tells the owner which passkey it is, 1 to 40 characters.
    name: String,
    /// The new credential, as its `toJSON()` writes it.
    #[schema(value_type = Object)]
    credential: Value,
}

/// A new name of a passkey.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasskeyName {
    /// 1 to 40 characters.
    name: String,
}

impl PasskeyView {
    fn from_row(row: PasskeyRow) -> PasskeyView {
        PasskeyView {
            id: row.id,
            name: row.name,
            created_at: view::timestamp(row.created_ms),
            last_used_at: row.last_used_ms.map(view::timestamp),
        }
    }
}

/// Lists the caller's passkeys, oldest first; 10 at most.
#[utoipa::path(
    get, path = "/api/v1/me/passkeys", tag = "accounts",
    responses(
        (status = 200, body = PasskeyList),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
    )
)]
async fn list(
    State(app): State<App>,
    headers: HeaderMap,
    me: SignedIn,
) -> Result<Json<PasskeyList>, ApiError> {
    me.check_person()?;
    let rows = app.store.passkeys_of(&me.player.id).await?;
    Ok(Json(PasskeyList {
        available: relying_party(&app, &headers).is_ok(),
        items: rows.into_iter().map(PasskeyView::from_row).collect(),
    }))
}

/// Begins the registration of a passkey, by the caller's password.
/// The browser makes the passkey by `navigator.credentials.create()`. The challenge is good for the same session only.
#[utoipa::path(
    post, path = "/api/v1/me/passkeys/challenge", tag = "accounts", request_body = OwnPassword,
    responses(
        (status = 200, body = PasskeyChallenge),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
        (status = 409, description = "`passkeys-unavailable`: the site has no https, and is not on `localhost`"),
        (status = 422, description = "`too-many-passkeys`"),
        (status = 429),
    )
)]
async fn begin(
    State(app): State<App>,
    headers: HeaderMap,
    me: SignedIn,
    Body(given): Body<OwnPassword>,
) -> Result<Json<PasskeyChallenge>, ApiError> {
    me.check_person()?;
    let party = relying_party(&app, &headers)?;
    check_own_password(&app, &me, given.password).await?;
    let registered = app.store.passkeys_of(&me.player.id).await?;
    if registered.len() >= MAX_PASSKEYS as usize {
        return Err(too_many_passkeys());
    }
    let begun = party.begin_registration(&me.player, &registered);
    let begun = begun.ok_or(ApiError::Internal)?;
    Ok(Json(PasskeyChallenge {
        challenge: app.passkey_challenges.seal(
            Purpose::Registration,
            &me.session,
            &begun.state,
            unix_ms(),
        ),
        options: begun.options,
    }))
}

/// Registers a passkey: the browser's answer to a challenge.
#[utoipa::path(
    post, path = "/api/v1/me/passkeys", tag = "accounts", request_body = PasskeyRegistration,
    responses(
        (status = 201, body = PasskeyView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
        (status = 409, description = "`passkey-expired`: the challenge has expired, was answered before, or is of another session; `passkey-taken`; `passkeys-unavailable`"),
        (status = 422, description = "`bad-passkey`: the answer does not fit the challenge; `bad-passkey-name`, `too-many-passkeys`"),
    )
)]
async fn register(
    State(app): State<App>,
    headers: HeaderMap,
    me: SignedIn,
    Body(given): Body<PasskeyRegistration>,
) -> Result<(StatusCode, Json<PasskeyView>), ApiError> {
    me.check_person()?;
    let party = relying_party(&app, &headers)?;
    let name = checked_name(&given.name)?;
    let now_ms = unix_ms();
    let challenge = app.passkey_challenges.open_sealed(
        Purpose::Registration,
        &me.session,
        &given.challenge,
        now_ms,
    );
    let challenge = challenge.ok_or(ApiError::PasskeyExpired)?;
    let checked = party.finish_registration(&challenge.state, &given.credential);
    let checked = checked.ok_or_else(bad_passkey)?;
    let new = NewPasskey {
        id: PasskeyId::random(),
        player: me.player.id,
        credential_id: checked.credential_id,
        name,
        public_key: checked.public_key,
        state: checked.state,
        transports: checked.transports,
        created_ms: now_ms,
    };
    let created = app
        .store
        .create_passkey(&new, &challenge.used, MAX_PASSKEYS);
    match created.await? {
        PasskeyCreated::Yes => {}
        PasskeyCreated::ChallengeUsed => return Err(ApiError::PasskeyExpired),
        PasskeyCreated::Taken => return Err(ApiError::PasskeyTaken),
        PasskeyCreated::TooMany => return Err(too_many_passkeys()),
    }
    let view = PasskeyView {
        id: new.id,
        name: new.name,
        created_at: view::timestamp(new.created_ms),
        last_used_at: None,
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Renames one of the caller's passkeys.
#[utoipa::path(
    patch, path = "/api/v1/me/passkeys/{id}", tag = "accounts", request_body = PasskeyName,
    params(("id" = PasskeyId, Path, description = "the passkey's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for somebody else's"),
        (status = 422, description = "`bad-passkey-name`"),
    )
)]
async fn rename(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<PasskeyId>,
    Body(given): Body<PasskeyName>,
) -> Result<StatusCode, ApiError> {
    let name = checked_name(&given.name)?;
    match app.store.rename_passkey(&me.player.id, &id, &name).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NotFound("passkey")),
    }
}

/// Deletes one of the caller's passkeys, by the caller's password.
/// Nobody logs in with it from then on; sessions that began with it go on.
#[utoipa::path(
    delete, path = "/api/v1/me/passkeys/{id}", tag = "accounts", request_body = OwnPassword,
    params(("id" = PasskeyId, Path, description = "the passkey's id")),
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`"),
        (status = 404, description = "also for somebody else's"),
        (status = 429),
    )
)]
async fn delete(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<PasskeyId>,
    Body(given): Body<OwnPassword>,
) -> Result<StatusCode, ApiError> {
    me.check_person()?;
    check_own_password(&app, &me, given.password).await?;
    match app.store.delete_passkey(&me.player.id, &id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NotFound("passkey")),
    }
}

/// Returns the site as browsers know it: the operator's origin, else the host of the request, which is trusted for `localhost` alone.
///
/// # Errors
/// [`ApiError::PasskeysUnavailable`].
pub(crate) fn relying_party(app: &App, headers: &HeaderMap) -> Result<RelyingParty, ApiError> {
    let origin = origin::of_links(headers, app.settings.origin.as_deref());
    origin
        .and_then(|origin| RelyingParty::new(&origin))
        .ok_or(ApiError::PasskeysUnavailable)
}

fn checked_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    if NAME_CHARS.contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        Ok(name.to_owned())
    } else {
        let advice = "a passkey's name has 1 to 40 characters";
        Err(ApiError::field(Code::BadPasskeyName, "name", advice))
    }
}

fn bad_passkey() -> ApiError {
    let advice = "this is no answer to the challenge: begin again";
    ApiError::field(Code::BadPasskey, "credential", advice)
}

fn too_many_passkeys() -> ApiError {
    let advice = "an account has 10 passkeys at most: delete one first";
    ApiError::field(Code::TooManyPasskeys, "", advice)
}
