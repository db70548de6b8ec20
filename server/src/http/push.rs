//! Push messages: the key that browsers subscribe with, and which browsers are called.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::arrange::unix_ms;
use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, SignedIn};
use crate::protocol::Language;
use crate::push::{BrowserKeys, Push};
use crate::room::view;
use crate::sessions;
use crate::store::{StoreError, SubscriptionRow};

/// How many browsers of one player are called: all of their devices, and a bound on what one move sends out.
const MAX_BROWSERS: u32 = 10;

/// Browsers give keys without padding, libraries with.
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(key))
        .routes(routes!(list, subscribe, unsubscribe))
}

/// The server's key.
#[derive(Debug, Serialize, ToSchema)]
struct PushKey {
    /// The public key (VAPID, RFC 8292) in base64url: `applicationServerKey` of a subscription. It stays the same.
    key: String,
}

/// A browser's subscription, as its `PushSubscription` has it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Subscription {
    /// Where its push service takes messages: https, at an address of the public network.
    endpoint: String,
    /// The browser's public key in base64url: 65 bytes.
    p256dh: String,
    /// What it shares with this server, in base64url: 16 bytes.
    auth: String,
    /// In which language the browser says what it is told; left out, what it said before, or what the account reads.
    language: Option<Language>,
}

/// A browser that is called.
#[derive(Debug, Serialize, ToSchema)]
struct BrowserView {
    /// Its session, as the list of sessions names it.
    session: String,
    /// The host of its push service. The address itself is told to nobody.
    service: String,
    /// In which language it says what it is told; null where neither it nor the account has said so, and it is told in English.
    #[schema(required = true)]
    language: Option<Language>,
    /// Since when.
    #[schema(value_type = String)]
    created_at: jiff::Timestamp,
    /// Whether it is the one that asks.
    current: bool,
}

/// Browsers.
#[derive(Debug, Serialize, ToSchema)]
struct Browsers {
    items: Vec<BrowserView>,
}

fn push(app: &App) -> Result<&Push, ApiError> {
    app.rooms.push.get().ok_or(ApiError::PushOff)
}

/// The key that a browser subscribes with.
#[utoipa::path(
    get, path = "/api/v1/push/key", tag = "push",
    responses(
        (status = 200, body = PushKey),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`push-off`"),
    )
)]
async fn key(State(app): State<App>) -> Result<Json<PushKey>, ApiError> {
    let key = push(&app)?.key().to_owned();
    Ok(Json(PushKey { key }))
}

/// Which of one's browsers are called, newest first; 10 at most.
#[utoipa::path(
    get, path = "/api/v1/me/push", tag = "push",
    responses(
        (status = 200, body = Browsers),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`session-needed`"),
    )
)]
async fn list(State(app): State<App>, me: SignedIn) -> Result<Json<Browsers>, ApiError> {
    let rows = app.store.subscriptions_of(&me.player.id, unix_ms()).await?;
    let host = |endpoint: &str| {
        let known = app.rooms.push.get().map(|push| push.endpoint(endpoint));
        known.and_then(|endpoint| Some(endpoint.ok()?.host().to_owned()))
    };
    let items = rows.iter().map(|row| BrowserView {
        session: sessions::id(&row.session),
        // One that is not written to any more has none.
        service: host(&row.endpoint).unwrap_or_default(),
        language: row.language,
        created_at: view::timestamp(row.created_ms),
        current: row.session == me.session,
    });
    Ok(Json(Browsers {
        items: items.collect(),
    }))
}

/// Have the browser of this session called when one is not there: to one's turn in a match that does not run by the second, and to a
/// challenge by name. A session has one subscription, which ends with it; it replaces what was said before, and an account has 10 at
/// most, of more the oldest goes.
#[utoipa::path(
    put, path = "/api/v1/me/push", tag = "push", request_body = Subscription,
    responses(
        (status = 204),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`session-needed`, `push-off`"),
        (status = 422, body = Problem, content_type = "application/problem+json", description = "`bad-push-endpoint`, `bad-push-keys`"),
    )
)]
async fn subscribe(
    State(app): State<App>,
    me: SignedIn,
    Body(wanted): Body<Subscription>,
) -> Result<StatusCode, ApiError> {
    push(&app)?
        .endpoint(&wanted.endpoint)
        .map_err(|error| ApiError::field("bad-push-endpoint", "endpoint", error.to_string()))?;
    let p256dh = bytes("p256dh", &wanted.p256dh)?;
    let auth = bytes("auth", &wanted.auth)?;
    if BrowserKeys::new(&p256dh, &auth).is_none() {
        let advice = "p256dh must be a point of P-256 in 65 bytes, and auth have 16 bytes";
        return Err(ApiError::field("bad-push-keys", "p256dh", advice));
    }
    let new = SubscriptionRow {
        session: me.session,
        endpoint: wanted.endpoint,
        p256dh,
        auth,
        language: wanted.language,
        created_ms: unix_ms(),
    };
    let mut done = app.store.subscribe(&new, MAX_BROWSERS).await;
    if matches!(done, Err(StoreError::Conflict)) {
        // Another session has said the same address at the same moment: now it is there, and taken over.
        done = app.store.subscribe(&new, MAX_BROWSERS).await;
    }
    match done {
        // The session ended under it.
        Err(StoreError::NotFound) => Err(ApiError::SignInFirst),
        done => Ok(done.map(|()| StatusCode::NO_CONTENT)?),
    }
}

/// Have the browser of this session called no more.
#[utoipa::path(
    delete, path = "/api/v1/me/push", tag = "push",
    responses(
        (status = 204),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`session-needed`"),
    )
)]
async fn unsubscribe(State(app): State<App>, me: SignedIn) -> Result<StatusCode, ApiError> {
    app.store.unsubscribe(&me.session).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn bytes(field: &'static str, text: &str) -> Result<Vec<u8>, ApiError> {
    let decoded = BASE64_URL.decode(text);
    decoded
        .map_err(|_| ApiError::field("bad-push-keys", field, format!("{field} must be base64url")))
}
