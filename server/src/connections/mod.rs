//! The connections of the server's port: accepted within bounds, served as HTTP/1.1 within time limits, and ended in order.

pub mod admission;
pub mod forwarded;
pub mod open_files;
mod send_buffer;
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
use axum::response::Response;
use axum::serve::Listener;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::connections::admission::{Admission, Permit, Refused};
use crate::connections::forwarded::Proxies;
use crate::connections::timeouts::{
    Activity, Busy, HeadTimeout, TimedBody, Timeouts, WRITE, with_write_timeout,
};

/// The most bytes that one connection buffers: the head of a request, and output not yet written. The longest honest head has a few KiB.
const BUFFER_BYTES: usize = 32 * 1024;

/// The response to a refused connection, sent only if it can be written without blocking.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// The minimum time between two log lines about refused connections.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// The most connections that the system may hold until they are accepted; it takes its own limit if that is lower. When all pages come
/// back at once after a restart, a connection beyond it is repeated by its client's system a second later.
const BACKLOG: u32 = 4_096;

/// Binds the server's port.
///
/// # Errors
/// The address is in use, or not of this machine.
pub(crate) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A server that is started again need not wait for the ends of its old connections. On Windows the option would share the port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The settings of a listener.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The limits on the number of connections.
    pub admission: Arc<Admission>,
    /// The time limits.
    pub timeouts: Timeouts,
    /// The proxies in front. Their own connections are bounded only in all, not by address.
    pub proxies: Proxies,
    /// Makes the response to a request for which the client's address has no permit left.
    pub refusal: fn() -> Response,
}

/// Accepts and serves connections until `stop` completes; then closes the idle ones and waits for the others.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    settings: Settings,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // The library starts this timer after each response and stops it at the end of the next head.
        .header_read_timeout(settings.timeouts.idle)
        .max_buf_size(BUFFER_BYTES);
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let mut refusals = Refusals::default();
    tokio::pin!(stop);
    loop {
        // When the process has no file descriptor left, `accept` waits a second and tries again.
        let (stream, address) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut stop => break,
        };
        let bounded = !settings.proxies.contain(address.ip());
        let permit = match settings.admission.connection(address.ip(), bounded) {
            Ok(permit) => permit,
            Err(refused) => {
                refuse(stream);
                settings.admission.note_refused();
                refusals.note(address.ip(), refused);
                continue;
            }
        };
        // Small frames are sent at once: a move must not wait for more data.
        let set = stream
            .set_nodelay(true)
            .and_then(|()| send_buffer::bound_for_http(&stream));
        if let Err(error) = set {
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
        let stream = with_write_timeout(stream, WRITE);
        let stream = HeadTimeout::new(stream, settings.timeouts.head, Arc::clone(&activity));
        let stream = TokioIo::new(Connection {
            stream,
            activity,
            is_websocket: false,
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

/// Sends [`REFUSAL`] if that does not block, and closes the connection.
fn refuse(stream: TcpStream) {
    // The runtime does not know yet that the stream is writable, so this writes to the socket directly. The socket is non-blocking; if
    // it accepts no data, the client gets no response.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(REFUSAL);
    }
}

/// Counts refused connections since the last log line.
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

/// A connection with its permit, which it keeps after an upgrade to a WebSocket.
struct Connection {
    stream: HeadTimeout<Pin<Box<TimeoutWriter<TcpStream>>>>,
    activity: Arc<Activity>,
    /// Whether its send buffer is that of a WebSocket.
    is_websocket: bool,
    _permit: Permit,
}

impl Connection {
    /// Bounds the send buffer before the first write after an upgrade.
    fn bound_send_buffer(&mut self) -> std::io::Result<()> {
        if !self.is_websocket && self.activity.is_upgraded() {
            self.is_websocket = true;
            send_buffer::bound_for_websocket(self.stream.get_ref().get_ref())?;
        }
        Ok(())
    }
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
        self.bound_send_buffer()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        self.bound_send_buffer()?;
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

/// The HTTP service of one connection.
struct RequestService {
    router: Router,
    address: SocketAddr,
    activity: Arc<Activity>,
    /// Whether the connection is from the reserve for players.
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
        let refusal = self.settings.refusal;
        Box::pin(async move {
            let mut response = match permit {
                Ok(_permit) => router.oneshot(request).await?,
                Err(_) => refusal(),
            };
            let status = response.status();
            let is_socket = status == StatusCode::SWITCHING_PROTOCOLS;
            // A connection from the reserve serves one request, so that ordinary requests do not occupy the reserve.
            if status == StatusCode::REQUEST_TIMEOUT || (is_from_reserve && !is_socket) {
                let headers = response.headers_mut();
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            // After an upgrade no HTTP request follows, so the head timeout must never run again.
            let busy = if is_socket {
                busy.upgraded();
                None
            } else {
                Some(busy)
            };
            Ok(response.map(|inner| AnswerBody { inner, _busy: busy }))
        })
    }
}

impl RequestService {
    /// Takes a permit for a request behind a proxy, where connections belong to the proxy and requests in progress are bounded by client
    /// address instead.
    fn permit(&self, request: &Request) -> Result<Option<Permit>, Refused> {
        let (proxies, peer) = (&self.settings.proxies, self.address.ip());
        if !proxies.contain(peer) {
            return Ok(None);
        }
        let from = proxies.client(peer, request.headers());
        self.settings.admission.request(from).map(Some)
    }
}

/// The body of a response; its connection counts as busy until the body is written or dropped.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use futures_util::future::try_join_all;

    use super::*;
    use crate::connections::open_files::OpenFiles;

    /// Long: only a failure waits for all of it.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn thousands_of_connections_may_wait_to_be_accepted() {
        let _files = OpenFiles::raise_limit();
        let system = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("Linux tells");
        let system: u32 = system.trim().parse().expect("a number");
        let listener = listen(([127, 0, 0, 1], 0).into()).expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let connecting = (0..BACKLOG.min(system) / 4 * 3).map(|_| TcpStream::connect(address));
        let connected = tokio::time::timeout(PATIENCE, try_join_all(connecting)).await;
        connected
            .expect("none of them waits for an acceptance")
            .expect("the port listens");
    }
}
