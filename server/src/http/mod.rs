//! The HTTP interface: one router, built from a module for each resource.

mod accounts;
mod assets;
mod banner;
mod bots;
mod caching;
mod challenges;
mod commands;
pub mod compression;
pub mod crowd;
pub mod document;
pub mod error;
pub mod export;
pub mod extract;
mod first;
mod framing;
pub mod guesses;
mod history;
pub mod jobs;
pub mod limits;
mod lobby;
mod matches;
mod moderation;
mod notices;
mod origin;
mod pack;
mod packed;
mod pages;
mod players;
mod preferences;
mod push;
pub mod quotas;
mod records;
mod reports;
mod sessions;
pub mod streams;
mod terms;
mod tokens;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware, routing};
use tokio::sync::OnceCell;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::banner::Banner;
use crate::devices::Devices;
use crate::http::compression::Compression;
use crate::http::crowd::Crowd;
use crate::http::error::ApiError;
use crate::http::extract::From;
use crate::http::jobs::WorkerKey;
use crate::http::limits::Limits;
use crate::http::packed::Resource;
use crate::http::quotas::Quotas;
use crate::lobby::Lobby;
use crate::passwords::Passwords;
use crate::protocol::{ClientMsg, ServerMsg};
use crate::readiness::{Readiness, Unready};
use crate::rooms::Rooms;
use crate::sockets::Sockets;
use crate::store::{Player, Store};
use crate::tv::Tv;
use crate::used::Used;
use crate::ws;

/// The largest body of a request, in bytes. The longest honest one has a few hundred.
const MAX_BODY_BYTES: usize = 16 * 1024;

/// The page may load only from its own origin, and no page may frame it. `wasm-unsafe-eval` permits WebAssembly, which the rules need;
/// text is still never run as a script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Makes a browser that has connected over TLS use only TLS for a year.
const STRICT_TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The state of all handlers, shared.
pub type App = Arc<AppState>;

/// The state of all handlers.
pub struct AppState {
    /// The database.
    pub store: Arc<dyn Store>,
    /// The live matches.
    pub rooms: Arc<Rooms>,
    /// The open sockets.
    pub sockets: Arc<Sockets>,
    /// Pools and seeks.
    pub lobby: Arc<Lobby>,
    /// The threads that hash passwords.
    pub passwords: Passwords,
    /// The limits on attempts.
    pub limits: Limits,
    /// The bots' accounts, level 1 first.
    pub bots: Vec<Player>,
    /// The operator's settings.
    pub settings: Settings,
    /// The featured matches.
    pub tv: Arc<Tv>,
    /// The quotas of requests.
    pub quotas: Quotas,
    /// The compression of responses.
    pub compression: Compression,
    /// Exports in progress.
    pub exports: Arc<Crowd>,
    /// Requests of remote workers that wait for a job.
    pub jobs: Arc<Crowd>,
    /// Open streams.
    pub streams: Arc<Crowd>,
    /// Sessions and tokens used recently.
    pub used: Used,
    /// Browsers that have logged in before.
    pub devices: Devices,
    /// Whether the store can write.
    pub readiness: Readiness,
}

/// The operator's settings for HTTP.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The public origin, such as `https://example.org`: pages of any other may not act here. Without one the `Host` of a request is used.
    pub origin: Option<String>,
    /// Whether a proxy in front sends the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The operator's notice.
    pub banner: Option<Banner>,
    /// The key that remote workers must present; without one no remote worker is accepted.
    pub worker_key: Option<WorkerKey>,
}

impl Settings {
    /// Returns whether the public origin uses TLS; cookies are then `Secure`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.origin
            .as_deref()
            .is_some_and(|origin| origin.starts_with("https://"))
    }
}

impl AppState {
    /// Returns the bot of a level.
    #[must_use]
    pub fn bot(&self, level: u8) -> Option<&Player> {
        self.bots.iter().find(|bot| bot.level == Some(level))
    }
}

/// The OpenAPI document, from the handlers and from the messages of the WebSocket.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Mawe!",
        description = "Play board games, watch them, and read ratings and history. Problems are RFC 9457 with a stable `code`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(ClientMsg, ServerMsg))
)]
struct Document;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(accounts::router())
        .merge(matches::router())
        .merge(commands::router())
        .merge(challenges::router())
        .merge(players::router())
        .merge(records::router())
        .merge(lobby::router())
        .merge(export::router())
        .merge(streams::router())
        .merge(sessions::router())
        .merge(tokens::router())
        .merge(bots::router())
        .merge(banner::router())
        .merge(reports::router())
        .merge(moderation::router())
        .merge(notices::router())
        .merge(preferences::router())
        .merge(push::router())
        .merge(jobs::router())
        .routes(routes!(ws::open))
        .routes(routes!(healthz))
        .routes(routes!(readyz))
}

/// Returns the complete OpenAPI document.
fn document() -> utoipa::openapi::OpenApi {
    let (_, mut document) = api().split_for_parts();
    document::complete(&mut document);
    document
}

/// Returns the OpenAPI document as JSON.
///
/// # Panics
/// Never: the document is plain JSON.
#[must_use]
pub fn openapi_json() -> String {
    let mut text = document()
        .to_pretty_json()
        .expect("the document is plain JSON");
    text.push('\n');
    text
}

/// Serves the OpenAPI document, which is built once, on a blocking thread.
async fn openapi(State(app): State<App>, from: From, headers: HeaderMap) -> Response {
    static WRITTEN: OnceCell<Arc<Resource>> = OnceCell::const_new();
    let written = WRITTEN.get_or_try_init(|| async {
        let writing = tokio::task::spawn_blocking(|| document().to_json());
        let text = writing.await.map_err(|_| ApiError::Internal)?;
        let text = text.map_err(|_| ApiError::Internal)?;
        let made = Resource::made("openapi.json", text.into_bytes());
        Ok::<_, ApiError>(Arc::new(made))
    });
    match written.await {
        Ok(written) => assets::send(&app, from, written, &headers).await,
        Err(error) => error.into_response(),
    }
}

/// Builds the router of all routes.
pub fn router(app: App) -> Router {
    let (api, _) = api().split_for_parts();
    api.route("/api/openapi.json", routing::get(openapi))
        .route("/api/docs", routing::get(assets::api_docs))
        .fallback(fallback)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            origin::check,
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            quotas::count,
        ))
        .layer(middleware::from_fn(caching::keep_personal))
        .layer(middleware::from_fn(framing::check_host))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(header_layer(
            header::CONTENT_SECURITY_POLICY,
            CONTENT_SECURITY_POLICY,
        ))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::STRICT_TRANSPORT_SECURITY,
            app.settings
                .is_secure()
                .then_some(STRICT_TRANSPORT_SECURITY),
        ))
        .layer(header_layer(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header_layer(header::REFERRER_POLICY, "same-origin"))
        .layer(header_layer(
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            compression::compress,
        ))
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| ApiError::Internal.into_response(),
        ))
        .layer(middleware::from_fn(framing::finish_body))
        .with_state(app)
}

fn header_layer(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

async fn fallback(
    State(app): State<App>,
    from: From,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if uri.path().starts_with("/api/") {
        ApiError::NotFound("address").into_response()
    } else if method == Method::GET || method == Method::HEAD {
        assets::serve(&app, from, &uri, &headers).await
    } else {
        ApiError::MethodNotAllowed.into_response()
    }
}

/// Answers while the process runs.
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200, body = String, content_type = "text/plain")))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Answers whether the server is ready: the store can be written to.
#[utoipa::path(
    get, path = "/readyz", tag = "operation",
    responses((status = 200, body = String, content_type = "text/plain"), (status = 503, body = error::Problem, content_type = "application/problem+json"))
)]
async fn readyz(State(app): State<App>) -> Result<(StatusCode, &'static str), ApiError> {
    if app.rooms.is_stopping() {
        return Err(ApiError::StoreUnavailable);
    }
    match app.readiness.check().await {
        Ok(()) => Ok((StatusCode::OK, "ready\n")),
        Err(Unready::DiskFull) => Err(ApiError::StoreFull),
        Err(Unready::StoreAway) => Err(ApiError::StoreUnavailable),
    }
}
