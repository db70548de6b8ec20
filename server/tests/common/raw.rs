//! A WebSocket client without a library: it can send any bytes and any frame, and receives every frame of the server unchanged.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::PATIENCE;

pub const CONTINUATION: u8 = 0;
pub const TEXT: u8 = 1;
pub const BINARY: u8 = 2;
pub const CLOSE: u8 = 8;
pub const PING: u8 = 9;
pub const PONG: u8 = 10;

/// The bit of a frame that ends its message.
pub const FIN: u8 = 0x80;

const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// Returns a masked frame; `first` is its first byte, `FIN | TEXT` for a whole text.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = head(first, payload.len());
    frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(b, m)| b ^ m));
    frame
}

/// Returns the head of a frame that announces this many bytes.
pub fn head(first: u8, bytes: usize) -> Vec<u8> {
    let mut head = vec![first];
    match bytes {
        0..126 => head.push(0x80 | bytes as u8),
        126..=0xffff => {
            head.push(0x80 | 126);
            head.extend((bytes as u16).to_be_bytes());
        }
        _ => {
            head.push(0x80 | 127);
            head.extend((bytes as u64).to_be_bytes());
        }
    }
    head.extend(MASK);
    head
}

/// Input from the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    Text(String),
    Ping,
    Pong(Vec<u8>),
    /// A close frame, and its code if it has one.
    Close(Option<u16>),
    /// The end of the connection, with or without a close frame before it.
    End,
}

pub struct Raw {
    pub reader: RawReader,
    pub writer: OwnedWriteHalf,
}

pub struct RawReader {
    stream: OwnedReadHalf,
    read: Vec<u8>,
}

/// Returns the header lines of a valid handshake, after the request line.
pub fn handshake_lines(address: SocketAddr) -> Vec<String> {
    vec![
        format!("Host: {address}"),
        "Connection: Upgrade".to_owned(),
        "Upgrade: websocket".to_owned(),
        "Sec-WebSocket-Version: 13".to_owned(),
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==".to_owned(),
        "Sec-WebSocket-Protocol: mawe.v1".to_owned(),
    ]
}

/// Sends a handshake with these lines; returns the status, and the stream after the head.
pub async fn shake_hands(
    address: SocketAddr,
    lines: &[String],
) -> std::io::Result<(u16, String, TcpStream)> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let request = format!("GET /api/v1/ws HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"));
    stream.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let byte = timeout(PATIENCE, stream.read_u8()).await;
        head.push(byte.expect("the server answers")?);
    }
    let head = String::from_utf8(head).expect("a head is ASCII");
    let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
    Ok((status.expect("a status"), head, stream))
}

impl Raw {
    /// Opens a socket without a session, and receives `hello`.
    pub async fn open(address: SocketAddr) -> Raw {
        Raw::try_open(address).await.expect("a socket opens")
    }

    /// Opens such a socket; returns `None` if it is refused.
    pub async fn try_open(address: SocketAddr) -> Option<Raw> {
        let shaken = shake_hands(address, &handshake_lines(address)).await;
        let (101, _, stream) = shaken.ok()? else {
            return None;
        };
        let (stream, writer) = stream.into_split();
        let mut reader = RawReader {
            stream,
            read: Vec::new(),
        };
        loop {
            match reader.next().await {
                Came::Ping => {}
                Came::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    assert_eq!(message["t"], "hello");
                    return Some(Raw { reader, writer });
                }
                Came::Pong(_) | Came::Close(_) | Came::End => return None,
            }
        }
    }

    /// Sends bytes; returns whether the server still accepts any.
    pub async fn send(&mut self, bytes: &[u8]) -> bool {
        let sent = timeout(PATIENCE, self.writer.write_all(bytes)).await;
        sent.expect("the server reads, or hangs up").is_ok()
    }
}

impl RawReader {
    /// Returns the next frame.
    pub async fn next(&mut self) -> Came {
        let next = timeout(PATIENCE, self.next_at_last()).await;
        next.expect("something comes").unwrap_or(Came::End)
    }

    /// Returns the next frame other than a ping of the server.
    pub async fn next_but_pings(&mut self) -> Came {
        loop {
            match self.next().await {
                Came::Ping => {}
                came => return came,
            }
        }
    }

    async fn next_at_last(&mut self) -> Option<Came> {
        let head: [u8; 2] = self.bytes(2).await?.try_into().ok()?;
        assert_eq!(head[0] & 0xf0, FIN, "a server of ours sends whole frames");
        assert_eq!(head[1] & 0x80, 0, "a server masks nothing");
        let length = match head[1] {
            126 => usize::from(u16::from_be_bytes(self.bytes(2).await?.try_into().ok()?)),
            127 => u64::from_be_bytes(self.bytes(8).await?.try_into().ok()?) as usize,
            short => usize::from(short),
        };
        let payload = self.bytes(length).await?;
        Some(match head[0] & 0x0f {
            TEXT => Came::Text(String::from_utf8(payload).expect("text is UTF-8")),
            PING => Came::Ping,
            PONG => Came::Pong(payload),
            CLOSE => {
                let code = payload.get(..2).map(|code| [code[0], code[1]]);
                Came::Close(code.map(u16::from_be_bytes))
            }
            other => panic!("a server of ours sends no frame of opcode {other}"),
        })
    }

    async fn bytes(&mut self, count: usize) -> Option<Vec<u8>> {
        while self.read.len() < count {
            match self.stream.read_buf(&mut self.read).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return None,
            }
        }
        let rest = self.read.split_off(count);
        Some(std::mem::replace(&mut self.read, rest))
    }
}
