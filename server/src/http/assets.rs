//! The page: the files of `static/`, inside the binary.
//!
//! Its service worker, `/sw.js`, keeps them on the reader's device. It is served with a list of them at its top, so that it is another one
//! whenever any of them is: that is how a browser notices a new version.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::error::ApiError;
use crate::http::{first, packed};

#[derive(RustEmbed)]
#[folder = "../static/"]
#[exclude = "tests/*"]
#[exclude = "*.d.ts"]
struct Assets;

/// The first words of the addresses that the page itself understands: they are all served the same document.
const PAGES: [&str; 15] = [
    "",
    "match",
    "device",
    "challenge",
    "player",
    "players",
    "watch",
    "rules",
    "learn",
    "analysis",
    "login",
    "register",
    "settings",
    "about",
    "moderation",
];

/// The service worker; it is made from the file of that name.
const WORKER: &str = "sw.js";

/// What the page itself does not need: the documentation of the API cannot be read without the API, and what the document says before
/// the scripts are there is for those who have to wait for them.
const NOT_KEPT: [&str; 3] = ["apidocs/", "first/", WORKER];

/// The document.
const DOCUMENT: &str = "index.html";

/// Serves a file, or the page at one of its addresses. Where the operator has a banner, who sees it is not known yet, and what comes below
/// it would move: then the document says nothing by itself.
pub(super) async fn serve(uri: Uri, headers: HeaderMap, has_banner: bool) -> Response {
    let path = uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    match Assets::get(path) {
        Some(file) if path == WORKER => respond_worker(&file, &headers).await,
        Some(file) => respond(path, file, &headers).await,
        None if PAGES.contains(&first) && !has_banner => respond_page(uri.path(), &headers).await,
        None if PAGES.contains(&first) => match Assets::get(DOCUMENT) {
            Some(file) => respond(DOCUMENT, file, &headers).await,
            None => ApiError::NotFound("page").into_response(),
        },
        None => ApiError::NotFound("page").into_response(),
    }
}

/// The document with the first words of a page.
async fn respond_page(path: &str, headers: &HeaderMap) -> Response {
    let Some(document) = first::document(path, first::language(headers)) else {
        return ApiError::NotFound("page").into_response();
    };
    let digest = Sha256::digest(&document).into();
    let content = document.into_bytes().into();
    let mut response = respond_with(DOCUMENT, digest, content, headers).await;
    let by_language = HeaderValue::from_static("accept-language");
    response.headers_mut().append(header::VARY, by_language);
    if let Some(link) = first::ahead(path).and_then(|link| HeaderValue::from_str(&link).ok()) {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}

/// A text file of the page.
pub(super) fn text_of(path: &str) -> Option<String> {
    let file = Assets::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The page that shows the OpenAPI document.
pub(super) async fn api_docs(headers: HeaderMap) -> Response {
    const PATH: &str = "apidocs/index.html";
    match Assets::get(PATH) {
        Some(file) => respond(PATH, file, &headers).await,
        None => ApiError::NotFound("page").into_response(),
    }
}

/// What the service worker is told: what to keep, under which tag each file is served, and where the document is shown.
#[derive(Serialize)]
struct Shell {
    version: String,
    files: BTreeMap<String, String>,
    pages: [&'static str; PAGES.len()],
}

impl Shell {
    fn new() -> Self {
        let kept = |path: &str| !NOT_KEPT.iter().any(|start| path.starts_with(start));
        let files: BTreeMap<String, String> = Assets::iter()
            .filter(|path| kept(path))
            .filter_map(|path| Some((format!("/{path}"), tag_of(&Assets::get(&path)?))))
            .collect();
        let mut digest = Sha256::new();
        for (path, tag) in &files {
            digest.update(format!("{path} {tag}\n"));
        }
        let version = BASE64_URL_SAFE_NO_PAD.encode(&digest.finalize()[..12]);
        Self {
            version,
            files,
            pages: PAGES,
        }
    }
}

async fn respond_worker(source: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let shell = serde_json::to_string(&Shell::new()).expect("strings under strings");
    let mut script = format!("self.SHELL = {shell};\n").into_bytes();
    script.extend_from_slice(&source.data);
    let digest = Sha256::digest(&script).into();
    respond_with(WORKER, digest, script.into(), headers).await
}

async fn respond(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    respond_with(path, file.metadata.sha256_hash(), file.data, headers).await
}

/// `digest` is the SHA-256 of `content`.
async fn respond_with(
    path: &str,
    digest: [u8; 32],
    content: Cow<'static, [u8]>,
    headers: &HeaderMap,
) -> Response {
    let tag = HeaderValue::from_str(&quoted(&digest)).expect("base64 in quotes");
    let kind = mime_guess::from_path(path)
        .first_raw()
        .unwrap_or("application/octet-stream");
    let is_packed = packed::is_worth_it(kind) && packed::is_understood(headers);
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
    if !is_packed {
        return (caching, content).into_response();
    }
    let packed_as = [
        (header::CONTENT_ENCODING, HeaderValue::from_static("br")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    match packed::packed(digest, content).await {
        Ok(packed) => (caching, packed_as, packed).into_response(),
        Err(error) => error.into_response(),
    }
}

fn tag_of(file: &EmbeddedFile) -> String {
    quoted(&file.metadata.sha256_hash())
}

/// The entity tag of what has this digest.
fn quoted(digest: &[u8]) -> String {
    format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&digest[..12]))
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
