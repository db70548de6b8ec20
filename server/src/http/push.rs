//! Push messages: the server's key, and the subscriptions of browsers.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use mawe_store::{StoreError, SubscriptionRow};
use mawe_wire::{Code, Language};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::identity::sessions;
use crate::live::view;
use crate::push::{BrowserKeys, Push};

/// The most subscriptions of one player: enough for all of a person's devices, and a limit on the messages that one move can cause.
const MAX_BROWSERS: u32 = 10;

/// Browsers encode keys without padding, libraries with padding.
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(key))
        .routes(routes!(list, subscribe, unsubscribe))
}

/// The server's public key.
#[derive(Debug, Serialize, ToSchema)]
struct PushKey {
    /// The public key (VAPID, RFC 8292) in base64url: the `applicationServerKey` of a subscription. It never changes.
    key: String,
}

/// A browser's subscription, with the values of its `PushSubscription`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Subscription {
    /// The address at its push service: https, in the public network.
    endpoint: String,
    /// The browser's public key in base64url: 65 bytes.
    p256dh: String,
    /// The secret shared with this server, in base64url: 16 bytes.
    auth: String,
    /// The language of the messages; if left out, the language of the previous subscription, or of the account.
    language: Option<Language>,
}

/// A browser with a subscription.
#[derive(Debug, Serialize, ToSchema)]
struct BrowserView {
    /// The id of its session, as in the list of sessions.
    session: String,
    /// The host of its push service. The full address is not disclosed.
    service: String,
    /// The language of its messages; null if neither the subscription nor the account has one, which means English.
    #[schema(required = true)]
    language: Option<Language>,
    /// The time of the subscription.
    created_at: jiff::Timestamp,
    /// Whether it is the browser of this request.
    current: bool,
}

/// A list of browsers.
#[derive(Debug, Serialize, ToSchema)]
struct Browsers {
    items: Vec<BrowserView>,
}

fn push(app: &App) -> Result<&Push, ApiError> {
    app.rooms.services.push.as_ref().ok_or(ApiError::PushOff)
}

/// Returns the key that a browser subscribes with.
#[utoipa::path(
    get, path = "/api/v1/push/key", tag = "push",
    responses(
        (status = 200, body = PushKey),
        (status = 403, description = "`push-off`"),
    )
)]
async fn key(State(app): State<App>) -> Result<Json<PushKey>, ApiError> {
    let key = push(&app)?.key().to_owned();
    Ok(Json(PushKey { key }))
}

/// Lists the caller's browsers with a subscription, newest first; 10 at most.
#[utoipa::path(
    get, path = "/api/v1/me/push", tag = "push",
    responses(
        (status = 200, body = Browsers),
        (status = 401),
        (status = 403, description = "`session-needed`"),
    )
)]
async fn list(State(app): State<App>, me: SignedIn) -> Result<Json<Browsers>, ApiError> {
    let rows = app.store.subscriptions_of(&me.player.id, unix_ms()).await?;
    let host = |endpoint: &str| {
        let known = app
            .rooms
            .services
            .push
            .as_ref()
            .map(|push| push.endpoint(endpoint));
        known.and_then(|endpoint| Some(endpoint.ok()?.host().to_owned()))
    };
    let items = rows.iter().map(|row| BrowserView {
        session: sessions::id(&row.session),
        // A subscription that no longer gets messages has no host to show.
        service: host(&row.endpoint).unwrap_or_default(),
        language: row.language,
        created_at: view::timestamp(row.created_ms),
        current: row.session == me.session,
    });
    Ok(Json(Browsers {
        items: items.collect(),
    }))
}

/// Subscribes the browser of this session to push messages.
/// They are sent while the player is not connected, when it is their turn in a match that is not real-time, and for a challenge by name. A
/// session has one subscription, which ends with the session; a new one replaces it. An account has 10 at most; an eleventh replaces the
/// oldest.
#[utoipa::path(
    put, path = "/api/v1/me/push", tag = "push", request_body = Subscription,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`, `push-off`"),
        (status = 422, description = "`bad-push-endpoint`, `bad-push-keys`"),
    )
)]
async fn subscribe(
    State(app): State<App>,
    me: SignedIn,
    Body(wanted): Body<Subscription>,
) -> Result<StatusCode, ApiError> {
    push(&app)?
        .endpoint(&wanted.endpoint)
        .map_err(|error| ApiError::field(Code::BadPushEndpoint, "endpoint", error.to_string()))?;
    let p256dh = bytes("p256dh", &wanted.p256dh)?;
    let auth = bytes("auth", &wanted.auth)?;
    if BrowserKeys::new(&p256dh, &auth).is_none() {
        let advice = "p256dh must be a point of P-256 in 65 bytes, and auth have 16 bytes";
        return Err(ApiError::field(Code::BadPushKeys, "p256dh", advice));
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
        // Another session subscribed with the same address at the same moment. The second attempt finds that row and takes it over.
        done = app.store.subscribe(&new, MAX_BROWSERS).await;
    }
    match done {
        // The session ended during the request.
        Err(StoreError::NotFound) => Err(ApiError::SignInFirst),
        done => Ok(done.map(|()| StatusCode::NO_CONTENT)?),
    }
}

/// Ends the push messages to the browser of this session.
#[utoipa::path(
    delete, path = "/api/v1/me/push", tag = "push",
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
    )
)]
async fn unsubscribe(State(app): State<App>, me: SignedIn) -> Result<StatusCode, ApiError> {
    app.store.unsubscribe(&me.session).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn bytes(field: &'static str, text: &str) -> Result<Vec<u8>, ApiError> {
    let decoded = BASE64_URL.decode(text);
    decoded.map_err(|_| {
        ApiError::field(
            Code::BadPushKeys,
            field,
            format!("{field} must be base64url"),
        )
    })
}
