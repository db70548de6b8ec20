//! A connection that can be cut: a TCP proxy between a node and Postgres or NATS.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The state of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Whole,
    /// Connections are closed, new ones as well.
    Broken,
    /// Nothing arrives, in either direction, and there is no error.
    Silent,
    /// Bytes from the node do not arrive; bytes to it do.
    Mute,
    /// Everything arrives late, by varying delays, as when packets are lost and sent again.
    Slow,
}

/// The delays of a slow connection in milliseconds, used in turn.
const DELAYS_MS: [u64; 7] = [20, 45, 30, 20, 240, 35, 25];

/// A proxy; its connections end when it is dropped.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    line: Arc<watch::Sender<Line>>,
    task: JoinHandle<()>,
}

impl Proxy {
    pub(crate) async fn to(target: SocketAddr) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let line = Arc::new(watch::Sender::new(Line::Whole));
        let of_task = Arc::clone(&line);
        let task = tokio::spawn(async move {
            loop {
                let Ok((near, _)) = listener.accept().await else {
                    return;
                };
                if *of_task.borrow() == Line::Broken {
                    continue;
                }
                if let Ok(far) = TcpStream::connect(target).await {
                    carry(near, far, &of_task);
                }
            }
        });
        Proxy { port, line, task }
    }

    pub(crate) fn set(&self, line: Line) {
        self.line.send_replace(line);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.line.send_replace(Line::Broken);
        self.task.abort();
    }
}

fn carry(near: TcpStream, far: TcpStream, line: &watch::Sender<Line>) {
    // Small writes are forwarded at once, as without a proxy.
    let _ = near.set_nodelay(true);
    let _ = far.set_nodelay(true);
    let (from_near, to_near) = near.into_split();
    let (from_far, to_far) = far.into_split();
    let up = [Line::Silent, Line::Mute];
    tokio::spawn(pump(from_near, to_far, line.subscribe(), up.to_vec()));
    tokio::spawn(pump(
        from_far,
        to_near,
        line.subscribe(),
        vec![Line::Silent],
    ));
}

/// Forwards bytes in one direction; while nothing passes they wait, as if a router were down.
async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut line: watch::Receiver<Line>,
    stops: Vec<Line>,
) {
    let mut buffer = vec![0; 16 * 1024];
    let mut delays = 0usize;
    loop {
        let read = tokio::select! {
            broken = line.wait_for(|line| *line == Line::Broken) => {
                drop(broken);
                return;
            }
            read = from.read(&mut buffer) => read,
        };
        let Ok(count) = read else { return };
        if count == 0 {
            return;
        }
        if *line.borrow() == Line::Slow {
            let delay = DELAYS_MS[delays % DELAYS_MS.len()];
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        let passes = line.wait_for(|line| !stops.contains(line)).await.is_ok();
        if !passes || to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
        // Yields, so that a chunk takes at least one turn of the runtime.
        tokio::time::sleep(Duration::ZERO).await;
        delays += 1;
    }
}
