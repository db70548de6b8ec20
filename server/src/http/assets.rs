//! The page: the files of `static/`, inside the binary.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::error::ApiError;

#[derive(RustEmbed)]
#[folder = "../static/"]
#[exclude = "tests/*"]
#[exclude = "*.d.ts"]
struct Assets;

/// The first words of the addresses that the page itself understands: they are all served the same document.
const PAGES: [&str; 12] = [
    "",
    "match",
    "challenge",
    "player",
    "players",
    "watch",
    "rules",
    "login",
    "register",
    "settings",
    "about",
    "moderation",
];

/// Serves a file, or the page at one of its addresses.
pub(super) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    let found = match Assets::get(path) {
        Some(file) => Some((path, file)),
        None if PAGES.contains(&first) => {
            Assets::get("index.html").map(|file| ("index.html", file))
        }
        None => None,
    };
    match found {
        Some((path, file)) => respond(path, file, &headers),
        None => ApiError::NotFound("page").into_response(),
    }
}

/// The page that shows the OpenAPI document.
pub(super) async fn api_docs(headers: HeaderMap) -> Response {
    const PATH: &str = "apidocs/index.html";
    match Assets::get(PATH) {
        Some(file) => respond(PATH, file, &headers),
        None => ApiError::NotFound("page").into_response(),
    }
}

fn respond(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = format!(
        "\"{}\"",
        BASE64_URL_SAFE_NO_PAD.encode(&file.metadata.sha256_hash()[..12])
    );
    let tag = HeaderValue::from_str(&tag).expect("base64 in quotes");
    let kind = mime_guess::from_path(path)
        .first_raw()
        .unwrap_or("application/octet-stream");
    let kind = if kind.starts_with("text/") {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_owned()
    };
    let kind = HeaderValue::from_str(&kind).expect("a media type");
    // Modules name each other by fixed addresses: the browser asks whether they have changed, and mostly hears 304.
    let caching = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_TYPE, kind),
    ];
    if matches_tag(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, file.data).into_response()
}

/// A proxy or our own compression may have weakened the tag: what it names is the same.
pub(super) fn matches_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    known.is_some_and(|known| {
        known
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
    })
}
