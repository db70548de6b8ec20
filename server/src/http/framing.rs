//! Requirements of HTTP/1.1 beside the responses: a request names one host, and after a response the connection is either usable for the
//! next request or closed.

use std::pin::Pin;
use std::sync::Arc;
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
use parking_lot::Mutex;

use crate::http::error::ApiError;

/// The most of an unread body that is read and dropped: the size of the largest accepted body.
const MAX_DRAINED_BYTES: usize = crate::http::MAX_BODY_BYTES;

/// The time limit for that: a body of that length has mostly been sent together with the head.
const DRAIN_WITHIN: Duration = Duration::from_secs(1);

/// Refuses a request with no `Host`, several, or an invalid one (RFC 9112, 3.2).
pub(crate) async fn check_host(request: Request, next: Next) -> Response {
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
        // HTTP/1.0 has no such header, and HTTP/2 and later have a pseudo-header instead.
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
        // `port_u16` ignores an invalid port. User information before the host is not allowed in this header.
        let is_port = port.is_some_and(|port| {
            let digits = port.strip_prefix(':').unwrap_or_default();
            digits.is_empty() || digits.parse::<u16>().is_ok()
        });
        // A proxy may join two headers with a comma, which no host name contains.
        !host.is_empty() && !host.contains(',') && is_port
    })
}

fn close(headers: &mut HeaderMap) {
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Keeps the rest of a request's body off the connection, where the next request begins: drops the part that the handler did not read, or
/// closes the connection after the response.
pub(crate) async fn finish_body(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // A client with `Expect` sends the body only after the server's consent.
    let waits = request.headers().contains_key(header::EXPECT);
    let unread = Arc::default();
    let request = request.map(|body| {
        Body::new(Lent {
            body: Some(body),
            unread: Arc::clone(&unread),
        })
    });
    let mut response = next.run(request).await;
    let rest = unread.lock().take();
    if let Some(rest) = rest
        && (waits || !drain(rest).await)
    {
        close(response.headers_mut());
    }
    response
}

/// Reads a body to its end; returns `false` if it is too long or too slow.
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

/// A request's body that is returned when the handler drops it before its end.
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
        *self.unread.lock() = body;
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
