//! A line that can be cut: a TCP proxy between a node and what it needs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Whole,
    /// Connections are closed, and new ones at once.
    Broken,
    /// Nothing arrives, in either direction, and nobody is told.
    Silent,
    /// What the node says does not arrive; what it is told does.
    Mute,
    /// All arrives, late: some of it a little, some of it much, as where packets are lost and sent again.
    Slow,
}

/// How long something takes over a slow line, in milliseconds, one after the other.
const DELAYS_MS: [u64; 7] = [20, 45, 30, 20, 240, 35, 25];

/// A proxy; its connections end with it.
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
    // Small writes go on at once, as without a proxy.
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

/// Carries bytes one way; where nothing passes they wait, as they would for a router that is away.
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
        // A line has a length.
        tokio::time::sleep(Duration::ZERO).await;
        delays += 1;
    }
}
