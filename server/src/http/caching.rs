//! What a browser or a proxy may keep: public answers, and nothing that is for one person.

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
use crate::http::packed;

/// What is under this is about the caller, whoever it is.
const MINE: &str = "/api/v1/me";

/// Whether an answer is made for somebody who is signed in: noted by whoever finds out.
#[derive(Debug, Clone, Default)]
pub(super) struct Personal(Arc<AtomicBool>);

impl Personal {
    /// It is.
    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Has nobody keep an answer for one person: on a shared computer the next one would find it. Such answers are kept neither over TLS nor
/// without.
pub(super) async fn keep_personal(mut request: Request, next: Next) -> Response {
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

/// How long a kept answer is good without asking.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fresh {
    /// Never: who has just finished a match wants to see it counted.
    Always,
    /// A few seconds: what many look at and nobody waits for.
    AFewSeconds,
}

/// An answer with an `ETag` made of what it says; 304 for who has it already.
pub(super) fn answer(
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
    if packed::matches_tag(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let json = [(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    )];
    Ok((caching, json, body).into_response())
}
