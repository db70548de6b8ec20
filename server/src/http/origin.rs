//! Who may make a browser act: only our own page. Cookies go along with requests of any page; the `Origin` header says whose it is.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::App;
use crate::http::error::ApiError;
use crate::http::extract;

/// Refuses a request that changes something, or opens a socket, when a browser sends it from a page that is not ours. A program that is
/// no browser sends no `Origin` and no cookie that it did not get itself. A token comes along with nothing by itself: who shows one means
/// it, and a cookie beside it is not looked at.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let harmless = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let upgrades = request.headers().contains_key(header::UPGRADE);
    let by_itself = extract::bearer(request.headers()).is_none();
    if (!harmless || upgrades)
        && by_itself
        && !is_ours(request.headers(), app.settings.origin.as_deref())
    {
        return ApiError::ForeignOrigin.into_response();
    }
    next.run(request).await
}

/// Whether a request comes from our own page, or from no page. Where the operator has named the origin it is that one alone; the `Host` is
/// the client's to choose, and is asked only where nothing better is known.
fn is_ours(headers: &HeaderMap, configured: Option<&str>) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if let Some(configured) = configured {
        return normal(configured).eq_ignore_ascii_case(normal(origin));
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some() && authority == host
}

/// An origin as browsers write it: without a slash at the end, and without the usual port.
fn normal(origin: &str) -> &str {
    let origin = origin.trim_end_matches('/');
    let usual_port = if origin.starts_with("https://") {
        ":443"
    } else {
        ":80"
    };
    origin.strip_suffix(usual_port).unwrap_or(origin)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(origin: Option<&'static str>) -> HeaderMap {
        let mut headers =
            HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("play.example:8080"))]);
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        headers
    }

    #[test]
    fn only_our_own_page_counts() {
        for (origin, ours) in [
            (None, true),
            (Some("http://play.example:8080"), true),
            (Some("http://play.example"), false),
            (Some("https://evil.example"), false),
            (Some("http://play.example:8080.evil.example"), false),
            (Some("null"), false),
        ] {
            assert_eq!(is_ours(&headers(origin), None), ours, "{origin:?}");
        }
    }

    #[test]
    fn a_configured_origin_is_the_only_one() {
        for (configured, origin, ours) in [
            ("https://mawe.example", None, true),
            ("https://mawe.example", Some("https://mawe.example"), true),
            ("https://mawe.example/", Some("https://mawe.example"), true),
            (
                "https://Mawe.example:443",
                Some("https://mawe.example"),
                true,
            ),
            ("http://mawe.example:80", Some("http://mawe.example"), true),
            ("https://mawe.example", Some("http://mawe.example"), false),
            (
                "https://mawe.example",
                Some("https://mawe.example:8443"),
                false,
            ),
            (
                "http://mawe.example:443",
                Some("http://mawe.example"),
                false,
            ),
            // What the request itself names as its host, whoever chose that name.
            (
                "https://mawe.example",
                Some("http://play.example:8080"),
                false,
            ),
            ("https://mawe.example", Some("null"), false),
        ] {
            assert_eq!(
                is_ours(&headers(origin), Some(configured)),
                ours,
                "{configured} {origin:?}"
            );
        }
    }
}
