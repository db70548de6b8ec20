//! Public answers that a browser or a proxy may keep.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::error::ApiError;
use crate::http::packed;

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
