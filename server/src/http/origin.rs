//! Protection against cross-site requests: browsers send cookies with requests of any page; the `Origin` header names the page's origin.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{self, Need};
use crate::http::oauth_token;

/// The longest name of a host, with its port.
const MAX_HOST_BYTES: usize = 253 + 6;

/// The addresses at which the body of a request has its whole authority: a page elsewhere may use them, and no cookie is read.
const WITHOUT_COOKIES: [&str; 2] = [oauth_token::TOKEN, oauth_token::REVOKE];

/// Refuses a request that changes something, or opens a socket, if a browser sends it from a page of another origin, and ignores the cookies
/// of any other request from there. Other programs send no `Origin`, and only cookies of their own. A request with a bearer token passes
/// where a token can be enough: browsers never add one by themselves, and a cookie beside it is ignored.
pub(crate) async fn check(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let harmless = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let upgrades = request.headers().contains_key(header::UPGRADE);
    let route = request.extensions().get::<MatchedPath>();
    let need = extract::need(request.method(), route.map_or("", MatchedPath::as_str));
    // Where no token is enough, as at the login, a page elsewhere has no business: it could guess passwords from its readers' addresses.
    let by_token = need != Need::Session && extract::bearer(request.headers()).is_some();
    let by_body = WITHOUT_COOKIES.contains(&request.uri().path());
    if !is_ours(request.headers(), app.settings.origin.as_deref()) {
        if (!harmless || upgrades) && !by_token && !by_body {
            return ApiError::ForeignOrigin.into_response();
        }
        request.headers_mut().remove(header::COOKIE);
    }
    next.run(request).await
}

/// Returns whether a request comes from our own page, or from no page. A configured origin is the only one accepted. The `Host`, which the
/// client chooses, is compared only without one.
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

/// Returns the origin for links in documents, without a final slash: the configured one, else the `Host` of the request, if it is plainly
/// the name of a host. Such a link leads a client to the host that the client has named itself.
pub(crate) fn of_links(headers: &HeaderMap, configured: Option<&str>) -> Option<String> {
    if let Some(configured) = configured {
        return Some(configured.trim_end_matches('/').to_owned());
    }
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let is_name = (1..=MAX_HOST_BYTES).contains(&host.len()) && host.bytes().all(is_plain);
    is_name.then(|| format!("http://{host}"))
}

/// Normalizes an origin to the form that browsers send: without a final slash and without the default port.
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
    fn links_lead_to_the_configured_origin_or_to_a_plain_host() {
        assert_eq!(
            of_links(&headers(None), Some("https://mawe.example/")).as_deref(),
            Some("https://mawe.example")
        );
        assert_eq!(
            of_links(&headers(None), None).as_deref(),
            Some("http://play.example:8080")
        );
        let long = "a".repeat(MAX_HOST_BYTES + 1);
        for host in ["", "a\"b", "a b", "a/b", "user@a", "<b>", "a\u{e9}", &long] {
            let host = HeaderValue::from_bytes(host.as_bytes()).expect("a header");
            let headers = HeaderMap::from_iter([(header::HOST, host)]);
            assert_eq!(of_links(&headers, None), None, "{headers:?}");
        }
        assert_eq!(of_links(&HeaderMap::new(), None), None);
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
            // An origin that equals the request's own `Host`.
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
