//! Requests of programs in browsers, on pages of any origin (the CORS protocol of the Fetch standard).
//!
//! Such a page may read every answer of the API, and none with a cookie: the answers name no origin and allow no credentials, so that a
//! browser withholds an answer from a page that sent cookies. A page acts for its reader by a token, which the page itself sends.

use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderName, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::cors::{Any, CorsLayer};

use crate::http::{oauth, oauth_token, request_keys, requests};

/// The addresses that answer pages of other origins.
const OPEN: [&str; 5] = [
    "/api/",
    "/oembed",
    oauth::METADATA,
    oauth_token::TOKEN,
    oauth_token::REVOKE,
];

/// The time for which a browser remembers the answer to a preflight. Chromium takes two hours at most.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);

static RULES: LazyLock<CorsLayer> = LazyLock::new(|| {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            header::WWW_AUTHENTICATE,
            HeaderName::from_static("ratelimit"),
            HeaderName::from_static("ratelimit-policy"),
            requests::REQUEST_ID,
            request_keys::REPLAYED,
        ])
        .max_age(MAX_AGE)
        // The answer is the same for every origin, so one copy in a cache serves all.
        .vary([])
});

/// Answers preflights, and lets pages of other origins read the answers.
pub(crate) async fn allow(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !OPEN.iter().any(|start| path.starts_with(start)) {
        return next.run(request).await;
    }
    let inner = service_fn(move |request| {
        let next = next.clone();
        async move { Ok::<_, Infallible>(next.run(request).await) }
    });
    match RULES.layer(inner).oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
