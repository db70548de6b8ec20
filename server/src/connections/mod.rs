//! The connections of the server's port: accepted within bounds, served as HTTP/1.1 within time limits, and ended in order.

pub mod admission;
pub mod open_files;
pub mod timeouts;

use std::convert::Infallible;
use std::future::Future;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::Listener;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::connections::admission::{Admission, Permit, Refused};
use crate::connections::timeouts::{Activity, Busy, HeadTimeout, TimedBody, Timeouts};
use crate::http::error::ApiError;
use crate::http::extract::forwarded_for;
use crate::patient::Patient;

/// What one connection may buffer: the head of a request, and what waits to be written. The longest honest head has a few KiB.
const BUFFER_BYTES: usize = 32 * 1024;

/// The answer to a connection that is refused: it is written only if it can be written at once.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// How often refused connections are logged.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// How connections are served.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The bounds.
    pub admission: Arc<Admission>,
    /// The time limits.
    pub timeouts: Timeouts,
    /// Whether a proxy names the address of each visitor; then its own connections are bounded only in all.
    pub behind_proxy: bool,
}

/// Accepts and serves connections until `stop`; then ends those that are idle, and waits for the others.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    settings: Settings,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // The library's timer runs from the last answer to the end of the next head.
        .header_read_timeout(settings.timeouts.idle)
        .max_buf_size(BUFFER_BYTES);
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let mut refusals = Refusals::default();
    tokio::pin!(stop);
    loop {
        // Where the system has no more descriptors this waits a second before it tries again.
        let (stream, address) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut stop => break,
        };
        let bounded = !settings.behind_proxy;
        let permit = match settings.admission.connection(address.ip(), bounded) {
            Ok(permit) => permit,
            Err(refused) => {
                refuse(stream);
                refusals.note(address.ip(), refused);
                continue;
            }
        };
        // Small frames go out at once: a move must not wait for the next one.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was gone before it was served");
            continue;
        }
        let activity = Arc::new(Activity::default());
        let service = RequestService {
            router: router.clone(),
            address,
            activity: Arc::clone(&activity),
            is_from_reserve: permit.is_from_reserve(),
            settings: settings.clone(),
        };
        let stream = Patient::new(stream);
        let stream = HeadTimeout::new(stream, settings.timeouts.head, activity);
        let stream = TokioIo::new(Connection {
            stream,
            _permit: permit,
        });
        let connection = http.serve_connection(stream, service).with_upgrades();
        let stopping = stopping.clone();
        tasks.spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stopping.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::trace!(%error, "a connection failed");
            }
        });
    }
    drop(listener);
    stopping.cancel();
    tasks.close();
    tasks.wait().await;
}

/// Answers a connection that is not served, and hangs up.
fn refuse(stream: TcpStream) {
    // Past the runtime, which does not know yet that it can be written to. It does not block; a client that takes no answer gets none.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(REFUSAL);
    }
}

/// Refused connections, for the log.
#[derive(Default)]
struct Refusals {
    count: u64,
    logged_at: Option<Instant>,
}

impl Refusals {
    fn note(&mut self, from: IpAddr, refused: Refused) {
        self.count += 1;
        if self.logged_at.is_some_and(|at| at.elapsed() < LOG_EVERY) {
            return;
        }
        tracing::warn!(
            net.peer = %from,
            count = self.count,
            "connections are refused: {refused}"
        );
        *self = Refusals {
            count: 0,
            logged_at: Some(Instant::now()),
        };
    }
}

/// A connection and its place among those that are open; it keeps the place when it becomes a socket.
struct Connection {
    stream: HeadTimeout<Patient<TcpStream>>,
    _permit: Permit,
}

impl tokio::io::AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut tokio::io::ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl tokio::io::AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Answers the requests of one connection.
struct RequestService {
    router: Router,
    address: SocketAddr,
    activity: Arc<Activity>,
    /// Whether the connection is of the part that is kept for players.
    is_from_reserve: bool,
    settings: Settings,
}

impl hyper::service::Service<hyper::Request<Incoming>> for RequestService {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let busy = self.activity.begin();
        let limit = self.settings.timeouts.body;
        let mut request = request.map(|body| Body::new(TimedBody::new(body, limit)));
        request.extensions_mut().insert(ConnectInfo(self.address));
        let permit = self.permit(&request);
        let router = self.router.clone();
        let is_from_reserve = self.is_from_reserve;
        Box::pin(async move {
            let mut response = match permit {
                Ok(_permit) => router.oneshot(request).await?,
                Err(_) => ApiError::TooManyConnections.into_response(),
            };
            let status = response.status();
            let is_socket = status == StatusCode::SWITCHING_PROTOCOLS;
            // What is kept for players is not kept by somebody who was answered.
            if status == StatusCode::REQUEST_TIMEOUT || (is_from_reserve && !is_socket) {
                let headers = response.headers_mut();
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            // A connection that becomes a socket is no longer HTTP's, and is busy for good.
            let busy = if is_socket {
                busy.forever();
                None
            } else {
                Some(busy)
            };
            Ok(response.map(|inner| AnswerBody { inner, _busy: busy }))
        })
    }
}

impl RequestService {
    /// Behind a proxy connections are the proxy's, so requests under way are bounded by address in their place.
    fn permit(&self, request: &Request) -> Result<Option<Permit>, Refused> {
        if !self.settings.behind_proxy {
            return Ok(None);
        }
        let from = forwarded_for(request.headers()).unwrap_or(self.address.ip());
        self.settings.admission.request(from).map(Some)
    }
}

/// The body of an answer; its connection is busy until it is written, or given up.
struct AnswerBody {
    inner: Body,
    _busy: Option<Busy>,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
