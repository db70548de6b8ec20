//! The router of all routes, and the OpenAPI document.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware, routing};
use mawe_store::readiness::Unready;
use mawe_wire::{ClientMsg, ServerMsg};
use tokio::sync::OnceCell;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::messages::Sender;
use crate::api::{document, guides};
use crate::app::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{From, Path};
use crate::http::{
    MAX_BODY_BYTES, accounts, analyses, appeals, assets, banner, bots, caching, challenges, chat,
    clubs, commands, compression, conditional_moves, cors, display_name, email, embed, events,
    export, framing, imports, invitations, jobs, lobby, login_cards, login_wall, matches, measure,
    metrics, moderation, notices, oauth, operator, origin, own_account, passkey_logins, passkeys,
    password_resets, personal_data, pictures, players, positions, preferences, push, quotas,
    records, recoveries, relations, reports, requests, sessions, site, streams, tokens, vacations,
};
use crate::meters::requests::RequestMeters;
use crate::page::precompressed::Resource;
use crate::ws;

/// The page may load only from its own origin, and no page may frame it. `wasm-unsafe-eval` permits WebAssembly, which the rules need;
/// text is still never run as a script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Makes a browser that has connected over TLS use only TLS for a year.
const STRICT_TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The OpenAPI document, from the handlers and from the messages of the WebSocket.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Mawe!",
        description = "Play board games, watch them, and read ratings and history. Problems are RFC 9457 with a stable `code`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
        contact(name = "the operator of the server")
    ),
    tags(
        (name = "accounts", description = "The caller: guests, accounts, sessions, preferences, vacation, notices."),
        (name = "tokens", description = "Tokens for programs."),
        (name = "oauth", description = "Tokens for programs of others, by OAuth 2 with PKCE. Clients are not registered."),
        (name = "matches", description = "Matches: begin, read, play, export."),
        (name = "challenges", description = "Invitations by name or by link."),
        (name = "lobby", description = "Public offers to play, and the pools of quick pairing."),
        (name = "live", description = "Events as they happen: the WebSocket and the streams."),
        (name = "games", description = "The games, the featured matches, and what is going on."),
        (name = "players", description = "Profiles, ratings, histories, leaderboards."),
        (name = "people", description = "Follows and blocks."),
        (name = "clubs", description = "Clubs: found, find, join, lead."),
        (name = "events", description = "Events: arenas, Swiss and round-robin tournaments, knockouts, simuls, series."),
        (name = "chat", description = "Chat in matches, and mutes."),
        (name = "push", description = "Push messages of browsers."),
        (name = "moderation", description = "Reports, and the tools of moderators."),
        (name = "embeds", description = "Boards for pages of other origins."),
        (name = "operator", description = "The state of the server, for accounts with the grant `operator`; 404 where the page is not switched on."),
        (name = "operation", description = "Probes, the operator's notice, pictures, remote workers."),
    ),
    components(schemas(ClientMsg, ServerMsg, Problem))
)]
struct Document;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(accounts::router())
        .merge(matches::router())
        .merge(commands::router())
        .merge(conditional_moves::router())
        .merge(challenges::router())
        .merge(pictures::router())
        .merge(embed::router())
        .merge(players::router())
        .merge(positions::router())
        .merge(imports::router())
        .merge(records::router())
        .merge(lobby::router())
        .merge(export::router())
        .merge(streams::router())
        .merge(sessions::router())
        .merge(recoveries::router())
        .merge(email::router())
        .merge(password_resets::router())
        .merge(login_cards::router())
        .merge(passkeys::router())
        .merge(passkey_logins::router())
        .merge(own_account::router())
        .merge(display_name::router())
        .merge(personal_data::router())
        .merge(tokens::router())
        .merge(oauth::router())
        .merge(bots::router())
        .merge(banner::router())
        .merge(reports::router())
        .merge(moderation::router())
        .merge(appeals::router())
        .merge(operator::router())
        .merge(invitations::router())
        .merge(site::router())
        .merge(notices::router())
        .merge(chat::router())
        .merge(relations::router())
        .merge(clubs::router())
        .merge(events::router())
        .merge(preferences::router())
        .merge(vacations::router())
        .merge(analyses::router())
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

/// Returns the JSON Schema of the messages of one sender.
#[must_use]
pub fn messages_json(sender: Sender) -> String {
    sender.schema(&openapi_json())
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
        let made = Resource::new("openapi.json", text.into_bytes());
        Ok::<_, ApiError>(Arc::new(made))
    });
    match written.await {
        Ok(written) => assets::send(&app, from, written, &headers).await,
        Err(error) => error.into_response(),
    }
}

/// Serves a guide, or a file beside it.
async fn guide(
    State(app): State<App>,
    from: From,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    guides::serve(&app, from, &name, &headers, messages_json).await
}

/// The routes that the document does not list.
const OPENAPI: &str = "/api/openapi.json";
const DOCS: &str = "/api/docs";

/// All routes, before they have the shared state.
pub struct Routes {
    api: Router<App>,
    templates: Vec<String>,
}

impl Default for Routes {
    fn default() -> Routes {
        let (api, document) = api().split_for_parts();
        let listed = document.paths.paths.into_keys();
        let unlisted = [OPENAPI, DOCS, guides::ROUTE, metrics::PATH].map(str::to_owned);
        Routes {
            api,
            templates: listed.chain(unlisted).collect(),
        }
    }
}

impl Routes {
    /// Returns the meters of requests to these routes.
    #[must_use]
    pub fn meters(&self) -> RequestMeters {
        RequestMeters::new(self.templates.iter().cloned())
    }
}

/// Builds the router of all routes; `has_metrics` says whether the metrics are among them.
pub fn router(routes: Routes, app: App, has_metrics: bool) -> Router {
    let Routes { mut api, .. } = routes;
    if has_metrics {
        api = api.merge(metrics::router());
    }
    api.route(OPENAPI, routing::get(openapi))
        .route(DOCS, routing::get(assets::api_docs))
        .route(guides::ROUTE, routing::get(guide))
        .fallback(fallback)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            login_wall::check,
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            origin::check,
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            quotas::count,
        ))
        .layer(middleware::from_fn(caching::keep_personal))
        .layer(middleware::from_fn(cors::allow))
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
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            measure::count,
        ))
        .layer(middleware::from_fn(framing::finish_body))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            requests::identify,
        ))
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
    responses((status = 200, body = String, content_type = "text/plain"), (status = 503))
)]
async fn readyz(State(app): State<App>) -> Result<(StatusCode, &'static str), ApiError> {
    if app.rooms.services.is_stopping() {
        return Err(ApiError::StoreUnavailable);
    }
    match app.readiness.check().await {
        Ok(()) => Ok((StatusCode::OK, "ready\n")),
        Err(Unready::DiskFull) => Err(ApiError::StoreFull),
        Err(Unready::StoreAway) => Err(ApiError::StoreUnavailable),
    }
}
