//! HTTP/1.1 byte by byte: the host that a request must name, and bodies that arrive after the request was refused.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::common::{PATIENCE, TestServer};

/// A connection on which the test writes every byte.
pub(super) struct Line(BufReader<TcpStream>);

/// A raw answer: its status, its head in lower case, its body.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) status: u16,
    pub(super) head: String,
    body: Vec<u8>,
}

impl Raw {
    fn closes(&self) -> bool {
        self.head.contains("\r\nconnection: close\r\n")
    }
}

impl Line {
    pub(super) async fn to(address: SocketAddr) -> Line {
        let stream = TcpStream::connect(address).await.expect("it listens");
        Line(BufReader::new(stream))
    }

    pub(super) async fn send(&mut self, text: &str) {
        // A server that has answered and closed the connection reads no more, which is right.
        let _ = self.0.write_all(text.as_bytes()).await;
    }

    pub(super) async fn answer(&mut self) -> Raw {
        timeout(PATIENCE, async {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                let read = self.0.read_line(&mut head).await.expect("it answers");
                assert_ne!(read, 0, "the connection ended within {head:?}");
            }
            let head = head.to_lowercase();
            let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
            let length = head.split("\r\ncontent-length: ").nth(1);
            let length = length.and_then(|rest| rest.split("\r\n").next()?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            self.0.read_exact(&mut body).await.expect("a whole body");
            Raw {
                status: status.expect("a status"),
                head,
                body,
            }
        })
        .await
        .expect("it answers in time")
    }

    /// Checks that the server has ended the connection.
    async fn is_over(&mut self) {
        let rest = timeout(PATIENCE, self.0.fill_buf()).await;
        // The connection may be reset if bytes of the test were still on their way.
        let rest = rest.expect("it ends in time");
        assert!(rest.is_err() || rest.is_ok_and(<[u8]>::is_empty));
    }
}

#[tokio::test]
async fn a_request_names_one_host() {
    let server = TestServer::start().await;
    for (hosts, status) in [
        ("", 400),
        ("Host: a.example\r\nHost: b.example\r\n", 400),
        ("Host: a.example\r\nHost: a.example\r\n", 400),
        ("Host: \r\n", 400),
        ("Host: a.example/path\r\n", 400),
        ("Host: someone@a.example\r\n", 400),
        ("Host: a.example\r\n", 200),
        ("Host: [::1]:8080\r\n", 200),
    ] {
        for path in ["/healthz", "/api/v1/me", "/"] {
            let mut line = Line::to(server.address).await;
            line.send(&format!("GET {path} HTTP/1.1\r\n{hosts}\r\n"))
                .await;
            let answer = line.answer().await;
            assert_eq!(answer.status, status, "{path} {hosts:?}");
            if status == 400 {
                let text = String::from_utf8_lossy(&answer.body);
                assert!(text.contains("\"bad-request\""), "{text}");
                assert!(answer.closes());
                line.is_over().await;
            }
        }
    }
    // HTTP/1.0 has no such header.
    let mut line = Line::to(server.address).await;
    line.send("GET /healthz HTTP/1.0\r\n\r\n").await;
    assert_eq!(line.answer().await.status, 200);
    server.stop().await;
}

/// Requests that are refused before their body is read.
const REFUSED: [(&str, &str, u16); 5] = [
    ("POST /api/v1/me/tokens", "", 401),
    (
        "POST /api/v1/guests",
        "Origin: https://evil.example\r\n",
        403,
    ),
    ("POST /api/v1/nothing", "", 404),
    ("POST /", "", 405),
    ("PUT /api/v1/guests", "", 405),
];

/// Returns the head of a request, up to its length.
fn head(request: &str, headers: &str) -> String {
    format!("{request} HTTP/1.1\r\nHost: a.example\r\n{headers}Content-Type: application/json\r\n")
}

#[tokio::test]
async fn after_an_early_refusal_the_connection_is_good_for_the_next_request() {
    let server = TestServer::start().await;
    for (request, headers, status) in REFUSED {
        for length in [10, 2_000, 16 * 1024] {
            for chunked in [false, true] {
                let mut line = Line::to(server.address).await;
                let body = "x".repeat(length);
                let head = head(request, headers);
                let (length, body) = if chunked {
                    let chunk = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
                    ("Transfer-Encoding: chunked".to_owned(), chunk)
                } else {
                    (format!("Content-Length: {length}"), body)
                };
                line.send(&format!("{head}{length}\r\n\r\n")).await;
                let (first, rest) = body.split_at(body.len() / 2);
                line.send(first).await;
                // The rest of the body is sent when the request is already refused.
                tokio::task::yield_now().await;
                line.send(rest).await;
                line.send("GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n")
                    .await;
                let refusal = line.answer().await;
                assert_eq!(refusal.status, status, "{request} {length}");
                if refusal.closes() {
                    // On a busy machine the rest may come too late.
                    line.is_over().await;
                } else {
                    let next = line.answer().await;
                    assert_eq!((next.status, &*next.body), (200, &b"ok\n"[..]), "{request}");
                }
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_is_too_long_or_never_comes_ends_the_connection_and_says_so() {
    let server = TestServer::start().await;
    for (request, headers, status) in REFUSED {
        for (length, sent) in [(1_000_000, 1_000), (100, 50)] {
            let mut line = Line::to(server.address).await;
            let head = head(request, headers);
            line.send(&format!("{head}Content-Length: {length}\r\n\r\n"))
                .await;
            line.send(&"x".repeat(sent)).await;
            let answer = line.answer().await;
            assert_eq!(answer.status, status, "{request}");
            assert!(answer.closes(), "{request}: {}", answer.head);
            line.is_over().await;
        }
        // A client that waits for `100 Continue` does not get it.
        let mut line = Line::to(server.address).await;
        let head = head(request, headers);
        line.send(&format!(
            "{head}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"
        ))
        .await;
        let answer = line.answer().await;
        assert_eq!(answer.status, status, "{request}");
        assert!(answer.closes(), "{request}");
    }
    // A body that the route reads, but that is too long.
    let mut line = Line::to(server.address).await;
    let head = head("POST /api/v1/guests", "");
    line.send(&format!("{head}Content-Length: 1000000\r\n\r\n"))
        .await;
    line.send(&"x".repeat(20_000)).await;
    let answer = line.answer().await;
    assert_eq!(answer.status, 413);
    assert!(answer.closes());
    server.stop().await;
}

#[tokio::test]
async fn a_request_too_many_leaves_nothing_on_the_connection() {
    let server = TestServer::start_with(|config| {
        config.rates.requests_per_minute = NonZeroU32::MIN;
    })
    .await;
    let mut line = Line::to(server.address).await;
    let request = format!(
        "{}Content-Length: 2\r\n\r\n{{}}",
        head("POST /api/v1/me/tokens", "")
    );
    let mut statuses = Vec::new();
    for _ in 0..5 {
        line.send(&request).await;
        let answer = line.answer().await;
        statuses.push(answer.status);
        if answer.closes() {
            line = Line::to(server.address).await;
        }
    }
    assert_eq!(statuses[0], 401);
    assert!(statuses.contains(&429), "{statuses:?}");
    let known = |status: &u16| matches!(status, 401 | 429);
    assert!(statuses.iter().all(known), "{statuses:?}");
    server.stop().await;
}
