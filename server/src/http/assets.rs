//! The page: the files of `static/`, inside the binary.
//!
//! Its service worker, `/sw.js`, keeps them on the reader's device. It is served with a list of them at its top, so that it is another one
//! whenever any of them is: that is how a browser notices a new version.
//!
//! A debug build reads the files from the disk as they are. Each is kept in memory, as in a release, until it is another one there.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::App;
use crate::http::error::ApiError;
use crate::http::extract::From;
use crate::http::first::{self, Page};
use crate::http::packed::{self, Resource};
use crate::http::pages::{self, Address};
use crate::ids::MatchId;
use crate::protocol::Language;

/// Where a debug build reads the files.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../static/");

#[derive(RustEmbed)]
#[folder = "../static/"]
#[exclude = "tests/*"]
#[exclude = "*.d.ts"]
struct Assets;

/// The service worker; it is made from the file of that name.
const WORKER: &str = "sw.js";

/// What the page itself does not need: the documentation of the API cannot be read without the API, what the document says before the
/// scripts are there is for those who have to wait for them, the notices of third parties are long and seldom read, and the rest is for
/// programs.
const NOT_KEPT: [&str; 6] = [
    "apidocs/",
    "first/",
    "third-party-notices.txt",
    "favicon.ico",
    "robots.txt",
    WORKER,
];

/// The document.
const DOCUMENT: &str = "index.html";

/// Serves a file, or the page at one of its addresses. At any other address a person is shown that there is nothing, and a program gets a
/// problem.
pub(super) async fn serve(app: &App, from: From, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let file = match path {
        WORKER => worker(),
        path => file(path),
    };
    if let Some(file) = file {
        return send(app, from, &file, headers).await;
    }
    // A document counts as one file, and before anything is looked up for it.
    if let Err(refusal) = app.quotas.file(from.0, 0) {
        return refusal.into_response();
    }
    let address = pages::address(uri.path());
    if address.is_none() && !shows_pages(headers) {
        return ApiError::NotFound("page").into_response();
    }
    let is_there = match address {
        None => false,
        Some(Address::Page) => true,
        // Where the store does not answer, the page says so.
        Some(Address::Match(id)) => match id.parse::<MatchId>() {
            Ok(id) => !matches!(app.store.find_match(&id).await, Ok(None)),
            Err(_) => false,
        },
        Some(Address::Player(name)) => {
            !matches!(app.store.find_player_by_name(&name).await, Ok(None))
        }
    };
    respond_page(app, uri.path(), is_there, headers).await
}

/// The document with the first words of a page. Where the operator has a banner, who sees it is not known yet, and what comes below it
/// would move: then the document says nothing by itself.
async fn respond_page(app: &App, path: &str, is_there: bool, headers: &HeaderMap) -> Response {
    let status = if is_there {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    let has_banner = app.settings.banner.is_some();
    let document = if has_banner {
        file(DOCUMENT)
    } else {
        let page = if is_there {
            Page::of(path)
        } else {
            Page::Missing
        };
        document(page, first::language(headers)).await
    };
    let Some(document) = document else {
        tracing::error!("the page's document cannot be read");
        return ApiError::Internal.into_response();
    };
    let mut response = document.respond(status, headers).await;
    let answer = response.headers_mut();
    if !has_banner {
        answer.append(header::VARY, HeaderValue::from_static("accept-language"));
        let ahead = first::ahead(path).filter(|_| is_there);
        if let Some(link) = ahead.and_then(|link| HeaderValue::from_str(&link).ok()) {
            answer.insert(header::LINK, link);
        }
    }
    if !is_there {
        answer.append(header::VARY, HeaderValue::from_static("accept"));
    }
    response
}

/// Sends content that is the same for every client, where the address has not had too much of it.
pub(super) async fn send(
    app: &App,
    From(address): From,
    resource: &Arc<Resource>,
    headers: &HeaderMap,
) -> Response {
    match app.quotas.file(address, resource.size()) {
        Ok(()) => resource.respond(StatusCode::OK, headers).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Whether the client shows pages to a person: a browser names HTML when somebody goes to an address, and programs seldom do.
fn shows_pages(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter();
    let mut kinds = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    kinds.any(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("text/html")
    })
}

/// A text file of the page.
pub(super) fn text_of(path: &str) -> Option<String> {
    let file = Assets::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The page that shows the OpenAPI document.
pub(super) async fn api_docs(State(app): State<App>, from: From, headers: HeaderMap) -> Response {
    match file("apidocs/index.html") {
        Some(page) => send(&app, from, &page, &headers).await,
        None => ApiError::NotFound("page").into_response(),
    }
}

/// Which version of a file it is. A release has one version of each; in a debug build the disk says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp(Option<(SystemTime, u64)>);

impl Stamp {
    fn of(path: &str) -> Stamp {
        if !cfg!(debug_assertions) {
            return Stamp(None);
        }
        let metadata = std::fs::metadata(Path::new(FOLDER).join(path)).ok();
        Stamp(metadata.and_then(|it| Some((it.modified().ok()?, it.len()))))
    }
}

/// What is kept of each thing, with the version of what it was made from.
type Kept<K, S> = LazyLock<Mutex<HashMap<K, (S, Arc<Resource>)>>>;

/// There are as many as the page has files.
static FILES: Kept<String, Stamp> = LazyLock::new(Mutex::default);

/// There is one for each page with first words and each language.
static DOCUMENTS: Kept<(Page, Language), Vec<Stamp>> = LazyLock::new(Mutex::default);

/// There is one.
static WORKERS: Kept<(), String> = LazyLock::new(Mutex::default);

fn kept<K: Hash + Eq, S: PartialEq>(all: &Kept<K, S>, key: &K, stamp: &S) -> Option<Arc<Resource>> {
    let all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let (known, resource) = all.get(key)?;
    (known == stamp).then(|| Arc::clone(resource))
}

/// Keeps what was made, or gives back what somebody else has made meanwhile.
fn keep<K: Hash + Eq, S: PartialEq>(
    all: &Kept<K, S>,
    key: K,
    stamp: S,
    made: Resource,
) -> Arc<Resource> {
    if let Some(resource) = kept(all, &key, &stamp) {
        return resource;
    }
    let made = Arc::new(made);
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(key, (stamp, Arc::clone(&made)));
    made
}

/// A file of the page.
fn file(path: &str) -> Option<Arc<Resource>> {
    let stamp = Stamp::of(path);
    if let Some(file) = kept(&FILES, &path.to_owned(), &stamp) {
        return Some(file);
    }
    let file = Assets::get(path)?;
    let made = Resource::new(path, file.data, &file.metadata.sha256_hash());
    Some(keep(&FILES, path.to_owned(), stamp, made))
}

/// The document with the first words of a page in a language. It is put together off the threads that serve, and once.
async fn document(page: Page, language: Language) -> Option<Arc<Resource>> {
    let stamps: Vec<Stamp> = first::sources(language)
        .iter()
        .map(|path| Stamp::of(path))
        .collect();
    let key = (page, language);
    if let Some(document) = kept(&DOCUMENTS, &key, &stamps) {
        return Some(document);
    }
    let making = tokio::task::spawn_blocking(move || {
        let text = first::document(page, language)?;
        let made = Resource::made(DOCUMENT, text.into_bytes());
        Some(keep(&DOCUMENTS, key, stamps, made))
    });
    making.await.ok().flatten()
}

/// What the service worker is told: what to keep, under which tag each file is served, and where the document is shown.
#[derive(Serialize)]
struct Shell {
    version: String,
    files: BTreeMap<String, String>,
    pages: Vec<&'static str>,
}

impl Shell {
    fn new() -> Self {
        let kept = |path: &str| !NOT_KEPT.iter().any(|start| path.starts_with(start));
        let tag = |path: &str| Some(file(path)?.tag().to_str().ok()?.to_owned());
        let files: BTreeMap<String, String> = Assets::iter()
            .filter(|path| kept(path))
            .filter_map(|path| Some((format!("/{path}"), tag(&path)?)))
            .collect();
        let mut digest = Sha256::new();
        for (path, tag) in &files {
            digest.update(format!("{path} {tag}\n"));
        }
        let version = packed::short(&digest.finalize());
        Self {
            version,
            files,
            pages: pages::first_words(),
        }
    }
}

/// The service worker. In a release there is one; a debug build looks through the files for each client.
fn worker() -> Option<Arc<Resource>> {
    let all = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(debug_assertions)
        && let Some((_, worker)) = all.get(&())
    {
        return Some(Arc::clone(worker));
    }
    drop(all);
    let source = Assets::get(WORKER)?;
    let shell = Shell::new();
    let stamp = format!("{} {:?}", shell.version, Stamp::of(WORKER));
    if let Some(worker) = kept(&WORKERS, &(), &stamp) {
        return Some(worker);
    }
    let list = serde_json::to_string(&shell).expect("strings under strings");
    let mut script = format!("self.SHELL = {list};\n").into_bytes();
    script.extend_from_slice(&source.data);
    Some(keep(&WORKERS, (), stamp, Resource::made(WORKER, script)))
}
