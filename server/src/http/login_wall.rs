//! A site that is for its accounts alone: every request without one is refused, but for a list of addresses.
//!
//! This is the one place that decides it, before any handler. On such a site no answer is stored by a cache, except the page's own files,
//! which are the same on every server.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::app::App;
use crate::bots::exchange;
use crate::http::assets::shows_pages;
use crate::http::error::ApiError;
use crate::http::extract;
use crate::http::files::is_file;
use crate::http::{metrics, oauth, oauth_token, shell, site};

/// The page of the login.
const LOGIN: &str = "/login";

/// The addresses that need no account: those that lead to one, those with a proof of their own (a password, a code, a key, a token), the
/// probes, and the operator's documents.
const OPEN: [(&Method, &str); 31] = [
    (&Method::GET, "/healthz"),
    (&Method::GET, "/readyz"),
    (&Method::GET, metrics::PATH),
    (&Method::GET, "/api/v1/me"),
    (&Method::POST, "/api/v1/accounts"),
    (&Method::POST, "/api/v1/sessions"),
    (&Method::POST, "/api/v1/sessions/passkey"),
    (&Method::POST, "/api/v1/sessions/passkey/challenge"),
    (&Method::DELETE, "/api/v1/sessions/current"),
    (&Method::POST, "/api/v1/recoveries"),
    (&Method::POST, "/api/v1/login-cards"),
    (&Method::POST, "/api/v1/email-confirmations"),
    (&Method::POST, "/api/v1/password-resets"),
    (&Method::POST, "/api/v1/password-resets/use"),
    (&Method::POST, "/api/v1/appeals"),
    (&Method::GET, "/api/v1/site/logo"),
    (&Method::POST, exchange::PATH),
    (&Method::GET, oauth::METADATA),
    (&Method::POST, oauth_token::TOKEN),
    (&Method::POST, oauth_token::REVOKE),
    (&Method::GET, LOGIN),
    (&Method::GET, "/register"),
    (&Method::GET, "/login-card"),
    (&Method::GET, "/confirm-email"),
    (&Method::GET, "/reset-password"),
    (&Method::GET, site::IMPRINT),
    (&Method::GET, site::PRIVACY),
    (&Method::GET, site::STYLE_SHEET),
    (&Method::GET, site::MANIFEST),
    (&Method::GET, "/robots.txt"),
    (&Method::GET, "/sw.js"),
];

/// Returns whether a request needs no account.
fn is_open(method: &Method, path: &str) -> bool {
    let method = if *method == Method::HEAD {
        &Method::GET
    } else {
        method
    };
    OPEN.contains(&(method, path)) || (method == Method::GET && is_page_file(path))
}

/// Returns whether a path is that of one of the page's own files, at any of its addresses.
fn is_page_file(path: &str) -> bool {
    let name = path.trim_start_matches('/');
    is_file(shell::without_version(name))
}

/// Refuses a request without an account on a site that is not public.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.settings.site.is_public {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let is_page_file = is_page_file(parts.uri.path());
    let mut response = if is_open(&parts.method, parts.uri.path()) {
        next.run(Request::from_parts(parts, body)).await
    } else {
        match extract::has_account(&mut parts, &app).await {
            Ok(true) => next.run(Request::from_parts(parts, body)).await,
            Ok(false) => refusal(&parts.method, &parts.uri, &parts.headers),
            Err(error) => error.into_response(),
        }
    };
    if !is_page_file {
        let headers = response.headers_mut();
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        );
    }
    response
}

/// Leads a browser that opens a page to the login, and refuses everything else.
fn refusal(method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path();
    let is_page = !["/api/", "/embed/", "/oembed", "/.well-known/"]
        .iter()
        .any(|start| path.starts_with(start));
    if *method == Method::GET && is_page && shows_pages(headers) {
        let wished = uri.path_and_query().map_or(path, |wished| wished.as_str());
        let next: String = form_urlencoded::byte_serialize(wished.as_bytes()).collect();
        let to = if path == "/" {
            LOGIN.to_owned()
        } else {
            format!("{LOGIN}?next={next}")
        };
        return Redirect::to(&to).into_response();
    }
    ApiError::SignInFirst.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_the_way_in_and_the_files_of_the_page() {
        for (method, path, open) in [
            (Method::GET, "/login", true),
            (Method::HEAD, "/login", true),
            (Method::POST, "/login", false),
            (Method::GET, "/app.js", true),
            (Method::GET, "/v/AAAAAAAAAAAAAAAA/app.js", true),
            (Method::GET, "/v/AAAAAAAAAAAAAAAA/match/abc", false),
            (Method::GET, "/embed/embed.js", true),
            (Method::GET, "/embed/match/abc", false),
            (Method::GET, "/", false),
            (Method::GET, "//", false),
            (Method::GET, "/Login", false),
            (Method::GET, "/login/", false),
            (Method::GET, "/sitemap.xml", false),
            (Method::GET, "/api/docs", false),
            (Method::GET, "/api/v1/matches", false),
            (Method::POST, "/api/v1/guests", false),
            (Method::POST, "/api/v1/accounts", true),
            (Method::POST, "/api/v1/sessions/passkey", true),
            (Method::POST, "/api/v1/sessions/passkey/challenge", true),
            (Method::GET, "/api/v1/me/passkeys", false),
            (Method::GET, "/api/v1/me/matches", false),
            (Method::GET, "/api/v1/ws", false),
            (Method::GET, "/../Cargo.toml", false),
        ] {
            assert_eq!(is_open(&method, path), open, "{method} {path}");
        }
    }

    #[test]
    fn a_browser_is_led_to_the_login_and_back() {
        let html = HeaderMap::from_iter([(
            header::ACCEPT,
            HeaderValue::from_static("text/html,application/xhtml+xml"),
        )]);
        let lead = |path: &'static str, headers: &HeaderMap| {
            let answer = refusal(&Method::GET, &Uri::from_static(path), headers);
            let to = answer.headers().get(header::LOCATION);
            (
                answer.status().as_u16(),
                to.and_then(|to| to.to_str().ok()).map(str::to_owned),
            )
        };
        let login = |to: &str| (303, Some(to.to_owned()));
        assert_eq!(
            lead("/match/abc?lang=sw", &html),
            login("/login?next=%2Fmatch%2Fabc%3Flang%3Dsw")
        );
        assert_eq!(lead("/", &html), login("/login"));
        for path in ["/api/v1/me/matches", "/embed/tv/mawe", "/oembed?url=x"] {
            assert_eq!(lead(path, &html), (401, None), "{path}");
        }
        assert_eq!(lead("/match/abc", &HeaderMap::new()), (401, None));
    }
}
