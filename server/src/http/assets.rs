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

#[derive(RustEmbed)]
#[folder = "../static/"]
#[exclude = "tests/*"]
#[exclude = "*.d.ts"]
struct Assets;

/// The first words of the addresses that the page itself understands: they are all served the same document.
const PAGES: [&str; 13] = [
    "",
    "match",
    "device",
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

/// The service worker; it is made from the file of that name.
const WORKER: &str = "sw.js";

/// What the page itself does not need: the documentation of the API cannot be read without the API.
const NOT_KEPT: [&str; 2] = ["apidocs/", WORKER];

/// Serves a file, or the page at one of its addresses.
pub(super) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    let found = match Assets::get(path) {
        Some(file) if path == WORKER => return respond_worker(&file, &headers),
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

fn respond_worker(source: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let shell = serde_json::to_string(&Shell::new()).expect("strings under strings");
    let mut script = format!("self.SHELL = {shell};\n").into_bytes();
    script.extend_from_slice(&source.data);
    let tag = quoted(&Sha256::digest(&script));
    respond_with(WORKER, &tag, script.into(), headers)
}

fn respond(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = tag_of(&file);
    respond_with(path, &tag, file.data, headers)
}

fn respond_with(
    path: &str,
    tag: &str,
    content: Cow<'static, [u8]>,
    headers: &HeaderMap,
) -> Response {
    let tag = HeaderValue::from_str(tag).expect("base64 in quotes");
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
    (caching, content).into_response()
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
