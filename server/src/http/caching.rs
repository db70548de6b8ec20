//! Caching headers: public responses may be cached, personal ones never.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::error::ApiError;
use crate::page::precompressed;

/// Paths under this are about the caller.
const MINE: &str = "/api/v1/me";

/// Whether a response is for a signed-in caller; set by the extractor that identifies the caller.
#[derive(Debug, Clone, Default)]
pub(crate) struct Personal(Arc<AtomicBool>);

impl Personal {
    /// Marks the response as personal.
    pub(crate) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Adds `no-store` to personal responses, with and without TLS: on a shared computer the next user would find them in the cache.
pub(crate) async fn keep_personal(mut request: Request, next: Next) -> Response {
    let is_mine = request
        .uri()
        .path()
        .strip_prefix(MINE)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let personal = Personal::default();
    request.extensions_mut().insert(personal.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let is_personal =
        is_mine || personal.0.load(Ordering::Relaxed) || headers.contains_key(header::SET_COOKIE);
    let says_so = headers
        .get(header::CACHE_CONTROL)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("no-store"));
    if is_personal && !says_so {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// The time for which a cached response is used without revalidation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fresh {
    /// Not at all: a player who has just finished a match expects to see it counted.
    Always,
    /// A few seconds, for data that many clients poll and that need not be exact.
    AFewSeconds,
}

/// Returns a JSON response with an `ETag` made from its content, or 304 if the client has that content.
pub(crate) fn answer(
    headers: &HeaderMap,
    fresh: Fresh,
    body: &impl Serialize,
) -> Result<Response, ApiError> {
    let body = serde_json::to_vec(body).map_err(|error| {
        tracing::error!(%error, "an answer could not be written as JSON");
        ApiError::Internal
    })?;
    let hash = BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(&body)[..12]);
    let tag = HeaderValue::from_str(&format!("\"{hash}\"")).expect("base64 in quotes");
    let control = match fresh {
        Fresh::Always => "no-cache",
        Fresh::AFewSeconds => "public, max-age=5",
    };
    let caching = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static(control)),
    ];
    if precompressed::matches_tag(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let json = [(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    )];
    Ok((caching, json, body).into_response())
}
