//! The page: the files of `static/`, embedded in the binary.
//!
//! Its service worker, `/sw.js`, caches them in the browser. It is served with a list of the files at its top, so that its content changes
//! whenever one of them does: browsers detect a new version by that.
//!
//! A debug build reads the files from disk. Each is kept in memory, as in a release, until it changes on disk.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use mawe_wire::Language;
use parking_lot::Mutex;

use crate::app::App;
use crate::http::cards::{self, Place, Shown};
use crate::http::error::ApiError;
use crate::http::extract::From;
use crate::http::files::{Assets, Kept, Stamp, file, keep, kept};
use crate::http::pages::{self, Address, Object};
use crate::http::prerender::{self, Document, Page};
use crate::http::shell::{self, LOOKS, Shell, WORKER};
use crate::http::{catalogues, first_content, lookup, origin, site, sitemap};
use crate::page::comments;
use crate::page::precompressed::Resource;

/// The life of a response at an address of one version: a year, without revalidation.
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The life of an avatar or a flag, which hardly ever change.
const FOR_A_WEEK: HeaderValue = HeaderValue::from_static("public, max-age=604800");

/// Serves a file, or the page at one of its addresses. At any other address a browser gets the page that says so, and a program gets a
/// problem.
pub(crate) async fn serve(app: &App, from: From, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(content) = sitemap::content(app, path, headers) {
        return match app.quotas.file(from.0, content.len()) {
            Ok(()) => sitemap::send(path, content),
            Err(refusal) => ApiError::from(refusal).into_response(),
        };
    }
    if let Some(response) = site::respond(app, from, uri, headers).await {
        return response;
    }
    if let Some(found) = shell::find(path).await {
        let mut response = send(app, from, &found.file, headers).await;
        let has_file = [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
        if found.is_of_version && has_file {
            let answer = response.headers_mut();
            answer.insert(header::CACHE_CONTROL, FOR_GOOD);
        }
        return response;
    }
    let file = match path {
        WORKER => worker().await,
        path => file(path),
    };
    if let Some(file) = file {
        let mut response = send(app, from, &file, headers).await;
        let has_file = [StatusCode::OK, StatusCode::NOT_MODIFIED].contains(&response.status());
        if path.starts_with(LOOKS) && has_file {
            let answer = response.headers_mut();
            answer.insert(header::CACHE_CONTROL, FOR_A_WEEK);
        }
        return response;
    }
    // A document counts as one file, and is counted before any lookup in the store.
    if let Err(refusal) = app.quotas.file(from.0, 0) {
        return ApiError::from(refusal).into_response();
    }
    let address = pages::address(uri.path());
    if address.is_none() && !shows_pages(headers) {
        return ApiError::NotFound("page").into_response();
    }
    let shown = match &address {
        None => None,
        Some(address) => shown(app, &address.object).await,
    };
    if shown.is_none()
        && let Some(address) = &address
        && let Some(present) = moved_player(app, address).await
    {
        let query = uri.query().map(|query| format!("?{query}"));
        return lookup::moved(&(present + &query.unwrap_or_default()));
    }
    respond_page(app, uri, address.as_ref().zip(shown), headers).await
}

/// Returns the address of a player's page under the present name, given that of a former one.
async fn moved_player(app: &App, address: &Address) -> Option<String> {
    let Object::Player(name) = &address.object else {
        return None;
    };
    let present = lookup::present_name(app, name).await.ok()??;
    Some(address.route.pattern.replace(":name", &present))
}

/// Returns the object that a page shows; `None` if it does not exist.
async fn shown(app: &App, object: &Object) -> Option<Shown> {
    // If the store fails, the page itself reports that.
    match object {
        Object::None => Some(Shown::Page),
        Object::Match(id) => match app.store.find_match(&id.parse().ok()?).await {
            Ok(row) => row.map(|row| Shown::Match(Box::new(row))),
            Err(_) => Some(Shown::Unknown),
        },
        Object::Player(name) => match app.store.find_player_by_name(name).await {
            Ok(Some(player)) => {
                let hidden = app.store.is_profile_hidden(&player.id, None).await;
                if hidden.unwrap_or(true) {
                    return Some(Shown::Unknown);
                }
                let ratings = app.store.ratings_of(&player.id).await;
                Some(Shown::Player(player, ratings.unwrap_or_default()))
            }
            Ok(None) => None,
            Err(_) => Some(Shown::Unknown),
        },
    }
}

/// Responds with the document of a page. Its head is written for this response, and so is its first content where that is of an object.
async fn respond_page(
    app: &App,
    uri: &Uri,
    found: Option<(&Address, Shown)>,
    headers: &HeaderMap,
) -> Response {
    let path = uri.path();
    let status = if found.is_some() {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    let site = &app.settings.site;
    // The header of a site with a look, or for few people, is not that of the document.
    let is_bare = app.settings.banner.is_some() || site.has_look() || !site.is_everybodys();
    let page = match &found {
        _ if is_bare => Page::Bare,
        Some(_) => Page::from_path(path),
        None => Page::Missing,
    };
    let language = catalogues::language(uri.query(), headers);
    let Some(document) = document(page, language).await else {
        tracing::error!("the page's document cannot be read");
        return ApiError::Internal.into_response();
    };
    let origin = origin::of_links(headers, app.settings.origin.as_deref());
    let place = Place {
        site,
        origin: origin.as_deref(),
        path,
        chosen: catalogues::chosen(uri.query()),
        language,
    };
    let mut own = vec![document.start.clone() + &cards::head(place, found.as_ref())];
    if page.has_object() {
        let shown = found.as_ref().map(|(_, shown)| shown);
        own.push(first_content::of(shown, language));
    }
    let response = document.rest.respond_with(&own, status, headers).await;
    let mut response = response.unwrap_or_else(|failed| ApiError::from(failed).into_response());
    if response.headers().contains_key(header::CONTENT_ENCODING) {
        for part in &own {
            app.compression.count(part.as_bytes());
        }
    }
    let answer = response.headers_mut();
    answer.append(header::VARY, HeaderValue::from_static("accept-language"));
    if !is_bare {
        let ahead = prerender::ahead(path).filter(|_| found.is_some());
        if let Some(link) = ahead.and_then(|link| HeaderValue::from_str(&link).ok()) {
            answer.insert(header::LINK, link);
        }
    }
    if found.is_none() {
        answer.append(header::VARY, HeaderValue::from_static("accept"));
    }
    response
}

async fn respond(resource: &Arc<Resource>, status: StatusCode, headers: &HeaderMap) -> Response {
    let response = resource.respond(status, headers).await;
    response.unwrap_or_else(|failed| ApiError::from(failed).into_response())
}

/// Sends content that is the same for every client, within the address's quota.
pub(crate) async fn send(
    app: &App,
    From(address): From,
    resource: &Arc<Resource>,
    headers: &HeaderMap,
) -> Response {
    match app.quotas.file(address, resource.size()) {
        Ok(()) => respond(resource, StatusCode::OK, headers).await,
        Err(refusal) => ApiError::from(refusal).into_response(),
    }
}

/// Returns whether the client is a browser that opens a page: it then accepts HTML by name, which programs seldom do.
pub(crate) fn shows_pages(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).into_iter();
    let mut kinds = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    kinds.any(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("text/html")
    })
}

/// Serves the page that shows the OpenAPI document.
pub(crate) async fn api_docs(State(app): State<App>, from: From, headers: HeaderMap) -> Response {
    match file("apidocs/index.html") {
        Some(page) => send(&app, from, &page, &headers).await,
        None => ApiError::NotFound("page").into_response(),
    }
}

/// One entry for each page with first content and each language.
static DOCUMENTS: Kept<(Page, Language), (String, Vec<Stamp>), Document> =
    LazyLock::new(Mutex::default);

/// A single entry.
static WORKERS: Kept<(), String> = LazyLock::new(Mutex::default);

/// Returns the document with the first content of a page in a language. It is built once, on a blocking thread.
async fn document(page: Page, language: Language) -> Option<Arc<Document>> {
    let shell = Shell::current().await?;
    let stamps = prerender::sources(language)
        .iter()
        .map(|path| Stamp::from_path(path))
        .collect();
    let stamp = (shell.version().to_owned(), stamps);
    let key = (page, language);
    if let Some(document) = kept(&DOCUMENTS, &key, &stamp) {
        return Some(document);
    }
    let making = tokio::task::spawn_blocking(move || {
        let made = Document::new(page, language, &shell)?;
        Some(keep(&DOCUMENTS, key, stamp, made))
    });
    making.await.ok().flatten()
}

/// Returns the service worker. A release builds it once; a debug build checks the files on each request.
async fn worker() -> Option<Arc<Resource>> {
    if !cfg!(debug_assertions)
        && let Some((_, worker)) = WORKERS.lock().get(&())
    {
        return Some(Arc::clone(worker));
    }
    let source = Assets::get(WORKER)?;
    let shell = Shell::current().await?;
    let stamp = format!("{} {:?}", shell.version(), Stamp::from_path(WORKER));
    if let Some(worker) = kept(&WORKERS, &(), &stamp) {
        return Some(worker);
    }
    let list = serde_json::to_string(&*shell).expect("strings under strings");
    let mut script = format!("self.SHELL = {list};\n").into_bytes();
    script.extend_from_slice(&comments::remove(WORKER, source.data));
    Some(keep(&WORKERS, (), stamp, Resource::new(WORKER, script)))
}
