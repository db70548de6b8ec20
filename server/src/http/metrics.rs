//! The metrics, for a collector such as Prometheus: on a listener of their own, or among the other routes behind a token.
//!
//! They are for the operator, so the document of the interface does not list them.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware, routing};

use crate::app::App;
use crate::connections::admission::ConnectionLimits;
use crate::http::error::ApiError;
use crate::http::extract::{From, bearer};
use crate::http::{framing, requests};
use crate::metrics::{self, Reading};

/// The path of the metrics.
pub const PATH: &str = "/metrics";

/// The limits of the listener of their own: a few collectors and an operator.
pub const CONNECTIONS: ConnectionLimits = ConnectionLimits {
    connections: NonZeroU32::new(32).expect("not zero"),
    connections_per_address: NonZeroU32::new(16).expect("not zero"),
    sockets_per_address: NonZeroU32::new(1).expect("not zero"),
};

/// The time limit of a reading, with the wait for its place. Prometheus waits ten seconds.
const WITHIN: Duration = Duration::from_secs(8);

/// The route of the metrics, for the router of all routes.
pub fn router() -> Router<App> {
    Router::new().route(PATH, routing::get(scrape))
}

/// The router of their own listener.
pub fn alone(app: App) -> Router {
    router()
        .fallback(async || ApiError::NotFound("address"))
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(middleware::from_fn(framing::check_host))
        .layer(middleware::from_fn(framing::finish_body))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            requests::identify,
        ))
        .with_state(app)
}

/// Reads all numbers, as soon as there is a place for it.
pub(crate) async fn read(app: &App) -> Result<Reading, ApiError> {
    let reading = async {
        let _place = app.meters.readings.acquire().await.ok()?;
        Some(metrics::read(app).await)
    };
    let reading = tokio::time::timeout(WITHIN, reading).await;
    reading.ok().flatten().ok_or(ApiError::Busy)
}

async fn scrape(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(token) = &app.settings.metrics_token {
        let shown = bearer(&headers).flatten();
        if !shown.is_some_and(|shown| token.is(shown)) {
            // As wrong keys of workers, so that nobody can try many.
            app.limits.worker(from.0)?;
            return Err(ApiError::BadToken);
        }
    }
    let reading = read(&app).await?;
    let text = metrics::text(&app, &reading).map_err(|error| {
        tracing::error!(%error, "the metrics could not be written");
        ApiError::Internal
    })?;
    let headers = [
        (header::CONTENT_TYPE, metrics::CONTENT_TYPE),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}
