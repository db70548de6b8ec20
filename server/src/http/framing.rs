//! What HTTP/1.1 asks of a server beside its answers: that a request names one host, and that after an answer the connection is either
//! good for the next request or closed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};

use crate::http::error::ApiError;

/// How much of a body that nobody wanted is read and dropped: as much as the longest body that is taken.
const MAX_DRAINED_BYTES: usize = super::MAX_BODY_BYTES;

/// For how long: a body of that length is mostly on its way with the head.
const DRAIN_WITHIN: Duration = Duration::from_secs(1);

/// Refuses a request that names no host, several, or none that could be one (RFC 9112, 3.2).
pub(super) async fn check_host(request: Request, next: Next) -> Response {
    if names_one_host(request.version(), request.headers()) {
        return next.run(request).await;
    }
    let problem = "the request must have one Host header, with the name of this server";
    let mut response = ApiError::BadRequest(problem.to_owned()).into_response();
    close(response.headers_mut());
    response
}

fn names_one_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).into_iter();
    match (hosts.next(), hosts.next()) {
        // HTTP/1.0 knows no such header, and later versions have a place of their own for it.
        (None, _) => version != Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    }
}

fn is_host(value: &HeaderValue) -> bool {
    let authority = value.to_str().ok();
    let authority = authority.and_then(|text| text.parse::<Authority>().ok());
    authority.is_some_and(|authority| {
        let (whole, host) = (authority.as_str(), authority.host());
        let port = whole.strip_prefix(host);
        // `port_u16` passes over what is no number. Before a host may stand somebody's name, which is no part of this header.
        let is_port = port.is_some_and(|port| {
            let digits = port.strip_prefix(':').unwrap_or_default();
            digits.is_empty() || digits.parse::<u16>().is_ok()
        });
        // Two headers that a proxy has joined have a comma between them, which no host's name has.
        !host.is_empty() && !host.contains(',') && is_port
    })
}

fn close(headers: &mut HeaderMap) {
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Sees to it that no part of a request's body stays on the connection, where the next request would be looked for: what the handler did
/// not read is dropped, or the answer says that the connection is closed.
pub(super) async fn finish_body(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // Such a client sends the body only when it is asked to.
    let waits = request.headers().contains_key(header::EXPECT);
    let unread = Arc::default();
    let request = request.map(|body| {
        Body::new(Lent {
            body: Some(body),
            unread: Arc::clone(&unread),
        })
    });
    let mut response = next.run(request).await;
    let rest = unread.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(rest) = rest
        && (waits || !drain(rest).await)
    {
        close(response.headers_mut());
    }
    response
}

/// Reads a body to its end; false for one that is too long or too slow.
async fn drain(mut body: Body) -> bool {
    let limit = u64::try_from(MAX_DRAINED_BYTES).unwrap_or(u64::MAX);
    if body.size_hint().lower() > limit {
        return false;
    }
    let reading = async {
        let mut size = 0;
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else {
                return false;
            };
            size += frame.data_ref().map_or(0, Bytes::len);
            if size > MAX_DRAINED_BYTES {
                return false;
            }
        }
        true
    };
    let reading = tokio::time::timeout(DRAIN_WITHIN, reading);
    reading.await.unwrap_or(false)
}

/// A request's body, which is given back by the handler that did not read it to its end.
struct Lent {
    body: Option<Body>,
    unread: Arc<Mutex<Option<Body>>>,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let body = self.body.take().filter(|body| !body.is_end_stream());
        *self.unread.lock().unwrap_or_else(PoisonError::into_inner) = body;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_one_host_that_could_be_one() {
        let http_11 = |hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.parse().expect("a header"));
            }
            names_one_host(Version::HTTP_11, &headers)
        };
        for host in [
            "play.example",
            "play.example:8080",
            "127.0.0.1:1",
            "[::1]:8080",
        ] {
            assert!(http_11(&[host]), "{host}");
            assert!(!http_11(&[host, host]), "{host}");
        }
        for host in [
            "",
            "a b",
            "a/b",
            "user@play.example",
            "play.example:99999",
            "play.example:x",
            "a,b",
            "http://play.example",
        ] {
            assert!(!http_11(&[host]), "{host}");
        }
        assert!(!http_11(&[]));
        assert!(names_one_host(Version::HTTP_10, &HeaderMap::new()));
    }
}
