//! A write timeout for connections.
//!
//! Without one, a client that stops reading a stream or an export keeps its connection and the buffered output without a limit: the
//! HTTP library has no timer for a response that is being written.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long a write may make no progress before the connection fails.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A connection whose writes fail with `TimedOut` after [`PATIENCE`] without progress.
#[derive(Debug)]
pub struct WriteTimeout<T> {
    inner: T,
    patience: Duration,
    /// The timer of a pending write; `None` while no write is pending, so that an idle connection costs no timer.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<T> WriteTimeout<T> {
    /// Wraps a connection; no timer runs yet.
    pub fn new(inner: T) -> WriteTimeout<T> {
        WriteTimeout {
            inner,
            patience: PATIENCE,
            waiting: None,
        }
    }

    /// Returns the result of a write, or `TimedOut` if writes have been pending for too long.
    fn judge<R>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let sleep = || Box::pin(tokio::time::sleep(patience));
        let waiting = self.waiting.get_or_insert_with(sleep);
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for WriteTimeout<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, into)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, parts);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn a_peer_that_reads_is_kept_and_one_that_does_not_is_cut() {
        let (ours, mut theirs) = tokio::io::duplex(8);
        let mut ours = WriteTimeout {
            patience: Duration::from_secs(1),
            ..WriteTimeout::new(ours)
        };
        let reader = tokio::spawn(async move {
            let mut taken = [0; 40];
            theirs.read_exact(&mut taken).await.expect("it comes");
            theirs
        });
        ours.write_all(&[1; 40]).await.expect("all is read");
        assert!(ours.waiting.is_none(), "who is well costs no timer");
        let _theirs = reader.await.expect("it does not panic");
        let error = ours.write_all(&[1; 40]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
