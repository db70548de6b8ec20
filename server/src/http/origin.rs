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

fn is_ours(headers: &HeaderMap, configured: Option<&str>) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    if configured.is_some_and(|configured| configured.trim_end_matches('/') == origin) {
        return true;
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some() && authority == host
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
            (Some("https://mawe.example"), true),
        ] {
            assert_eq!(
                is_ours(&headers(origin), Some("https://mawe.example/")),
                ours,
                "{origin:?}"
            );
        }
    }
}
