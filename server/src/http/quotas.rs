//! The quotas of a request: its class, and the count for its address.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::bots::exchange;
use crate::http::extract::From;
use crate::http::tally::CallerQuota;
use crate::http::{oauth, oauth_token};
use crate::limits::network::network;
use crate::limits::quotas::Kind;

/// The starts of the addresses whose requests are counted. The page's own files have buckets of their own.
const COUNTED: [&str; 4] = [
    "/api/",
    oauth::METADATA,
    oauth_token::TOKEN,
    oauth_token::REVOKE,
];

impl Kind {
    /// Returns the kind of a request; `None` if it is not counted.
    fn from_request(method: &Method, path: &str) -> Option<Kind> {
        // Workers authenticate with the operator's key, and wrong keys have their own limit.
        let is_counted = COUNTED.iter().any(|start| path.starts_with(start));
        if !is_counted || matches!(path, "/api/v1/ws" | exchange::PATH) {
            return None;
        }
        Some(match (method, path) {
            (&Method::GET | &Method::HEAD | &Method::OPTIONS, _) => Kind::Read,
            (
                &Method::POST,
                "/api/v1/guests"
                | "/api/v1/accounts"
                | "/api/v1/matches"
                | "/api/v1/matches/pass-and-play"
                | "/api/v1/challenges"
                | "/api/v1/seeks"
                | "/api/v1/me/tokens"
                | "/api/v1/oauth/codes",
            ) => Kind::Create,
            _ => Kind::Write,
        })
    }
}

/// Counts a request for its address, and reports all of its buckets in the response's headers.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(kind) = Kind::from_request(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let (mut parts, body) = request.into_parts();
    let From(address) = match From::from_request_parts(&mut parts, &app).await {
        Ok(from) => from,
        Err(error) => return error.into_response(),
    };
    let tally = CallerQuota {
        kind,
        left: Arc::default(),
    };
    let counted = tally.note(app.quotas.addresses.acquire(kind, &network(address)));
    parts.extensions.insert(tally.clone());
    let mut response = match counted {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => refusal.into_response(),
    };
    tally.write(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dearer_is_rarer_and_sockets_are_not_counted() {
        for (method, path, expected) in [
            (Method::GET, "/api/v1/me", Some(Kind::Read)),
            (Method::POST, "/api/v1/challenges", Some(Kind::Create)),
            (
                Method::POST,
                "/api/v1/challenges/x/accept",
                Some(Kind::Write),
            ),
            (Method::DELETE, "/api/v1/me/tokens/x", Some(Kind::Write)),
            (Method::POST, "/api/v1/sessions", Some(Kind::Write)),
            (Method::POST, "/api/v1/oauth/codes", Some(Kind::Create)),
            (Method::POST, "/oauth/token", Some(Kind::Write)),
            (Method::POST, "/oauth/revoke", Some(Kind::Write)),
            (Method::GET, "/oauth/authorize", None),
            (Method::GET, "/api/v1/ws", None),
            (Method::POST, "/api/v1/jobs", None),
            (Method::GET, "/", None),
            (Method::GET, "/healthz", None),
        ] {
            assert_eq!(
                Kind::from_request(&method, path),
                expected,
                "{method} {path}"
            );
        }
    }
}
