//! The system's buffer for the output of a connection. Unbounded, it grows to some MiB for a client that does not read, and a write to such a
//! client waits only after that.

use std::io;
#[cfg(target_os = "linux")]
use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;

/// The buffer for HTTP, in bytes; Linux allocates twice this number. It bounds the rate of a download: 128 KiB in each round trip.
const HTTP_BYTES: usize = 128 * 1024;

/// The buffer of a WebSocket, in bytes: its messages are small and seldom.
const WEBSOCKET_BYTES: usize = 16 * 1024;

/// The time without an acknowledgement after which a connection fails, also a closed one: otherwise the system keeps its undelivered output for
/// minutes.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Bounds the buffer of a new connection.
///
/// # Errors
/// Returns the system's error, for example if the connection is gone.
pub(super) fn bound_for_http(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
    socket.set_send_buffer_size(HTTP_BYTES)
}

/// Bounds the buffer of a connection that is now a WebSocket.
///
/// # Errors
/// The same as [`bound_for_http`].
pub(super) fn bound_for_websocket(stream: &TcpStream) -> io::Result<()> {
    SockRef::from(stream).set_send_buffer_size(WEBSOCKET_BYTES)
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    /// Returns the number of bytes that a connection takes for a peer that does not read.
    async fn taken(bound: fn(&TcpStream) -> io::Result<()>) -> usize {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let peer = TcpSocket::new_v4().expect("a socket");
        peer.set_recv_buffer_size(4096).expect("a small buffer");
        let address = listener.local_addr().expect("an address");
        let (peer, accepted) = tokio::join!(peer.connect(address), listener.accept());
        let (_peer, (stream, _)) = (peer.expect("it listens"), accepted.expect("a connection"));
        bound(&stream).expect("the connection is open");
        let stream = stream.into_std().expect("a socket");
        let mut taken = 0;
        while let Ok(bytes) = io::Write::write(&mut &stream, &[0; 4096]) {
            taken += bytes;
        }
        taken
    }

    #[tokio::test]
    async fn a_peer_that_does_not_read_costs_a_bounded_amount() {
        // Linux allocates twice the number that it is given, and the peer's system has a buffer of its own.
        let http = taken(bound_for_http).await;
        assert!(http <= 3 * HTTP_BYTES, "{http}");
        let websocket = taken(bound_for_websocket).await;
        assert!(websocket <= 6 * WEBSOCKET_BYTES, "{websocket}");
        assert!(websocket < http, "{websocket} and {http}");
    }
}
