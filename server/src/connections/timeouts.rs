//! Time limits on a client's input: the head of a request, its body, and the pause before the next request. The limit on output is
//! [`WRITE`].

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_io_timeout::TimeoutWriter;

/// The time for the whole head of a request, from the opening of the connection, or from the first byte of the head.
const HEAD: Duration = Duration::from_secs(10);

/// The time in which a body must end or deliver [`PROGRESS_BYTES`].
const BODY: Duration = Duration::from_secs(30);

/// The time without a request after which a connection is closed.
const IDLE: Duration = Duration::from_secs(60);

/// The time without progress of a write before the connection fails. Without this limit, a client that stops reading a stream or an export
/// would keep its connection and the buffered output: the HTTP library has no timer for a response that is being written.
pub const WRITE: Duration = Duration::from_secs(10);

/// The bytes that count as progress of a body: less than the slowest mobile connection sends in [`BODY`]. At this rate the largest
/// accepted body takes eight minutes.
const PROGRESS_BYTES: usize = 1_024;

/// The time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The limit for the head of a request.
    pub head: Duration,
    /// The limit for a body without progress.
    pub body: Duration,
    /// The limit between two requests of one connection.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            head: HEAD,
            body: BODY,
            idle: IDLE,
        }
    }
}

/// Wraps a connection so that its writes fail with `TimedOut` after this time without progress.
pub fn with_write_timeout<T: AsyncWrite>(stream: T, limit: Duration) -> Pin<Box<TimeoutWriter<T>>> {
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(limit));
    Box::pin(stream)
}

/// The requests of a connection, and its upgrade.
#[derive(Debug, Default)]
pub struct Activity {
    /// Odd while a request is in progress.
    requests: AtomicU64,
    upgraded: AtomicBool,
}

impl Activity {
    /// Marks the beginning of a request; dropping the returned guard marks its end.
    #[must_use]
    pub fn begin(self: &Arc<Self>) -> Busy {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Busy(Some(Arc::clone(self)))
    }

    /// Whether the connection has left HTTP.
    #[must_use]
    pub fn is_upgraded(&self) -> bool {
        self.upgraded.load(Ordering::Relaxed)
    }

    fn number(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

/// The guard of a request in progress.
#[derive(Debug)]
pub struct Busy(Option<Arc<Activity>>);

impl Busy {
    /// Leaves the connection busy for good: no request follows this one.
    pub fn upgraded(mut self) {
        if let Some(activity) = self.0.take() {
            activity.upgraded.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(activity) = self.0.take() {
            activity.requests.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A connection whose reads fail with `TimedOut` when the head of a request does not arrive in time.
#[derive(Debug)]
pub struct HeadTimeout<T> {
    inner: T,
    limit: Duration,
    activity: Arc<Activity>,
    /// The timer for the awaited head, and the activity count at its start; `None` while no head is awaited.
    running: Option<(u64, Pin<Box<Sleep>>)>,
}

impl<T> HeadTimeout<T> {
    /// Wraps a connection and starts the time for its first head.
    pub fn new(inner: T, limit: Duration, activity: Arc<Activity>) -> HeadTimeout<T> {
        let running = Some((activity.number(), Box::pin(tokio::time::sleep(limit))));
        HeadTimeout {
            inner,
            limit,
            activity,
            running,
        }
    }

    /// Returns the connection.
    pub fn get_ref(&self) -> &T {
        &self.inner
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for HeadTimeout<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let number = this.activity.number();
        // The count changes once the head is complete: the request is then in progress or already answered.
        if this.running.as_ref().is_some_and(|(at, _)| *at != number) {
            this.running = None;
        }
        let is_busy = number % 2 == 1;
        // Single bytes do not restart the timer: the time is for the whole head. It comes before the bytes, which must not be read together
        // with an error.
        if !is_busy
            && let Some((_, sleep)) = &mut this.running
            && sleep.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = into.filled().len();
        let read = Pin::new(&mut this.inner).poll_read(context, into);
        if !is_busy && into.filled().len() > before && this.running.is_none() {
            let sleep = Box::pin(tokio::time::sleep(this.limit));
            this.running = Some((number, sleep));
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for HeadTimeout<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// The error of a body that made no progress in its time.
#[derive(Debug, thiserror::Error)]
#[error("the body did not come in time")]
pub struct BodyTimeout;

/// A request body that fails with [`BodyTimeout`] when it makes no progress.
#[derive(Debug)]
pub struct TimedBody<B> {
    inner: B,
    limit: Duration,
    /// The bytes received since the timer was last reset.
    came: usize,
    running: Option<Pin<Box<Sleep>>>,
}

impl<B> TimedBody<B> {
    /// Wraps a body; the timer starts when a read first has to wait.
    pub fn new(inner: B, limit: Duration) -> TimedBody<B> {
        TimedBody {
            inner,
            limit,
            came: 0,
            running: None,
        }
    }
}

impl<B> Body for TimedBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<axum::BoxError>,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = &mut *self;
        match Pin::new(&mut this.inner).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                this.came += frame.data_ref().map_or(0, Bytes::len);
                if this.came >= PROGRESS_BYTES {
                    this.came = 0;
                    this.running = None;
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error.into()))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => {
                let limit = this.limit;
                let sleep = || Box::pin(tokio::time::sleep(limit));
                let running = this.running.get_or_insert_with(sleep);
                match running.as_mut().poll(context) {
                    Poll::Ready(()) => Poll::Ready(Some(Err(BodyTimeout.into()))),
                    Poll::Pending => Poll::Pending,
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use http_body_util::{BodyExt, StreamBody};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::mpsc;
    use tokio::time::{sleep, timeout};

    use super::*;

    /// Short enough to wait for.
    const LIMIT: Duration = Duration::from_millis(100);

    /// Long enough to see that nothing was cut.
    const BEYOND: Duration = Duration::from_millis(300);

    #[tokio::test]
    async fn a_peer_that_reads_is_kept_and_one_that_does_not_is_cut() {
        let (ours, mut theirs) = tokio::io::duplex(8);
        let mut ours = with_write_timeout(ours, Duration::from_secs(1));
        let reader = tokio::spawn(async move {
            let mut taken = [0; 40];
            theirs.read_exact(&mut taken).await.expect("it comes");
            theirs
        });
        ours.write_all(&[1; 40]).await.expect("all is read");
        let _theirs = reader.await.expect("it does not panic");
        let error = ours.write_all(&[1; 40]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_head_has_one_time_however_many_bytes_come() {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let mut ours = HeadTimeout::new(ours, LIMIT, Arc::default());
        let drip = tokio::spawn(async move {
            while theirs.write_all(b"x").await.is_ok() {
                sleep(LIMIT / 20).await;
            }
        });
        let mut read = Vec::new();
        let error = ours.read_to_end(&mut read).await.expect_err("it is cut");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(ours);
        drip.await.expect("it ends");
    }

    #[tokio::test]
    async fn a_request_under_way_has_no_such_time_and_the_next_head_has_its_own() {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let activity = Arc::new(Activity::default());
        let mut ours = HeadTimeout::new(ours, LIMIT, Arc::clone(&activity));
        let busy = activity.begin();
        let waited = timeout(BEYOND, ours.read_u8()).await;
        assert!(waited.is_err(), "nothing came, and nothing was cut");
        drop(busy);
        let waited = timeout(BEYOND, ours.read_u8()).await;
        assert!(waited.is_err(), "between two requests it is idle");
        theirs.write_all(b"n").await.expect("there is room");
        ours.read_u8().await.expect("it comes");
        let error = ours.read_u8().await.expect_err("the rest does not come");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        activity.begin().upgraded();
        let waited = timeout(BEYOND, ours.read_u8()).await;
        assert!(waited.is_err(), "a socket has no heads");
    }

    type Chunks = mpsc::UnboundedSender<usize>;

    /// Returns a body, and a sender of the lengths of its chunks.
    fn body(
        limit: Duration,
    ) -> (
        Chunks,
        TimedBody<impl Body<Data = Bytes, Error = io::Error> + Unpin>,
    ) {
        let (chunks, lengths) = mpsc::unbounded_channel();
        let frames = futures_util::stream::unfold(lengths, |mut lengths| async move {
            let length = lengths.recv().await?;
            let data = Frame::data(Bytes::from(vec![b'x'; length]));
            Some((Ok(data), lengths))
        });
        (
            chunks,
            TimedBody::new(StreamBody::new(Box::pin(frames)), limit),
        )
    }

    #[tokio::test]
    async fn progress_begins_the_time_anew_and_a_byte_now_and_then_is_none() {
        let (chunks, mut body) = body(Duration::from_secs(3_600));
        assert!(poll!(body.frame()).is_pending());
        assert!(body.running.is_some());
        for (length, runs_on) in [
            (1, true),
            (PROGRESS_BYTES - 2, true),
            (1, false),
            (5_000, false),
            (9, false),
        ] {
            chunks.send(length).expect("it is read");
            let frame = body.frame().await.expect("no end").expect("no error");
            assert_eq!(frame.data_ref().map(Bytes::len), Some(length));
            assert_eq!(body.running.is_some(), runs_on, "after {length}");
        }
        assert!(poll!(body.frame()).is_pending());
        assert!(body.running.is_some());
    }

    #[tokio::test]
    async fn a_body_that_makes_no_progress_fails() {
        let (chunks, mut body) = body(LIMIT);
        let drip = tokio::spawn(async move {
            while chunks.send(1).is_ok() {
                sleep(LIMIT / 20).await;
            }
        });
        let error = loop {
            if let Err(error) = body.frame().await.expect("it has no end") {
                break error;
            }
        };
        assert!(error.is::<BodyTimeout>(), "{error}");
        drop(body);
        drip.await.expect("it ends");
    }
}
