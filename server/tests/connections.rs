//! Connections: time limits on slow ones, and limits on their number.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use mawe_server::connections::timeouts::Timeouts;
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::common::play::Pair;
use crate::common::raw::{Raw, handshake_lines, shake_hands};
use crate::common::socket::Socket;
use crate::common::{Answer, PATIENCE, TestServer, eventually};

/// A time limit that a test can wait for.
const SHORT: Duration = Duration::from_millis(300);

/// A time limit that a well-behaved client does not reach on a busy machine.
const BUSY: Duration = Duration::from_secs(3);

/// A time limit that no test reaches.
const LONG: Duration = Duration::from_secs(3_600);

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("not zero")
}

/// Opens a connection and writes this text.
async fn connection(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let written = stream.write_all(text.as_bytes()).await;
    written.expect("the line is open");
    stream
}

/// Returns all bytes until the server hangs up.
async fn rest(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    let reading = timeout(PATIENCE, stream.read_to_end(&mut read)).await;
    // A reset connection has ended too.
    let _ = reading.expect("the server hangs up");
    String::from_utf8(read).expect("text")
}

/// Reads until this text has arrived.
async fn until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(wanted) {
        let some = timeout(PATIENCE, stream.read_buf(&mut read)).await;
        let some = some.expect("something comes").expect("the line is open");
        assert_ne!(some, 0, "{wanted} does not come: {read:?}");
    }
    String::from_utf8(read).expect("text")
}

/// Returns the beginning of a request with a body.
fn post(more: &str) -> String {
    format!(
        "POST /api/v1/guests HTTP/1.1\r\nhost: mawe\r\ncontent-type: application/json\r\n{more}\r\n"
    )
}

/// Selects one of the time limits.
type Limit = fn(&mut Timeouts) -> &mut Duration;

#[tokio::test]
async fn no_slow_connection_is_kept() {
    let get = "GET /healthz HTTP/1.1\r\nhost: mawe\r\n\r\n";
    let timed_out = "HTTP/1.1 408 ";
    // The bytes sent, the time limit that ends the connection, the answer before that.
    let kinds: [(&str, String, Limit, &str); 8] = [
        ("nothing", String::new(), |limits| &mut limits.head, ""),
        (
            "half a line",
            "GET / HT".into(),
            |limits| &mut limits.head,
            "",
        ),
        (
            "half a head",
            "GET / HTTP/1.1\r\nhost: mawe\r\nx-".into(),
            |limits| &mut limits.head,
            "",
        ),
        (
            "a request, then half a head",
            format!("{get}GET / HT"),
            |limits| &mut limits.idle,
            "HTTP/1.1 200 ",
        ),
        (
            "a request",
            get.into(),
            |limits| &mut limits.idle,
            "HTTP/1.1 200 ",
        ),
        (
            "half a body",
            post("content-length: 100\r\n") + "{",
            |limits| &mut limits.body,
            timed_out,
        ),
        (
            "chunks without end",
            post("transfer-encoding: chunked\r\n") + "1\r\n{\r\n",
            |limits| &mut limits.body,
            timed_out,
        ),
        (
            "a body that waits",
            post("content-length: 10\r\nexpect: 100-continue\r\n"),
            |limits| &mut limits.body,
            "HTTP/1.1 100 ",
        ),
    ];
    for (name, sent, limit, answer) in kinds {
        let server = TestServer::start_with(|config| {
            config.timeouts = Timeouts {
                head: LONG,
                body: LONG,
                idle: LONG,
            };
            *limit(&mut config.timeouts) = SHORT;
        })
        .await;
        let mut stream = connection(server.address, &sent).await;
        let heard = rest(&mut stream).await;
        assert!(heard.starts_with(answer), "{name}: {heard}");
        assert!(!answer.is_empty() || heard.is_empty(), "{name}: {heard}");
        if answer.starts_with("HTTP/1.1 1") || answer == timed_out {
            assert!(heard.contains(timed_out), "{name}: {heard}");
            assert!(heard.contains("body-timeout"), "{name}: {heard}");
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn a_connection_that_is_used_outlives_the_time_limits() {
    let server = TestServer::start_with(|config| {
        config.timeouts = Timeouts {
            head: BUSY,
            body: LONG,
            idle: LONG,
        };
    })
    .await;
    let get = "GET /healthz HTTP/1.1\r\nhost: mawe\r\n\r\n";
    let mut stream = connection(server.address, get).await;
    until(&mut stream, "ok\n").await;
    // A socket has no request heads, and a stream no end: both outlive the time limits of other connections.
    let mut socket = Socket::open(&server.stranger()).await;
    let pair = Pair::of_guests(&server).await;
    let path = format!("/api/v1/matches/{}/stream", pair.id);
    let request = server.stranger().request(Method::GET, &path);
    let mut following = request.send().await.expect("the server answers");
    rest(&mut connection(server.address, "GET / HT").await).await;
    stream.write_all(get.as_bytes()).await.expect("it is open");
    until(&mut stream, "ok\n").await;
    socket.joined(&pair.id).await;
    let chunk = following.chunk().await.expect("the line is whole");
    assert!(chunk.is_some());
    server.stop().await;
}

#[tokio::test]
async fn an_address_has_so_many_connections() {
    let server = TestServer::start_with(|config| {
        config.connections.connections_per_address = number(8);
        config.timeouts.head = LONG;
    })
    .await;
    let get = "GET /healthz HTTP/1.1\r\nhost: mawe\r\nconnection: close\r\n\r\n";
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(connection(server.address, "GET / HT").await);
    }
    // The server accepts connections in order.
    let mut stream = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    let refusal = rest(&mut stream).await;
    assert!(refusal.starts_with("HTTP/1.1 503 "), "{refusal}");
    assert!(refusal.contains("retry-after: "), "{refusal}");
    held.pop();
    eventually("a place", || async {
        let mut stream = connection(server.address, get).await;
        rest(&mut stream)
            .await
            .starts_with("HTTP/1.1 200 ")
            .then_some(())
    })
    .await;
    drop(held);
    server.stop().await;
}

/// Returns the status of a handshake without a session.
async fn knock(address: SocketAddr) -> u16 {
    let shaken = shake_hands(address, &handshake_lines(address)).await;
    shaken.map_or(0, |(status, _, _)| status)
}

#[tokio::test]
async fn an_address_has_so_many_sockets_and_a_player_one_more() {
    let server = TestServer::start_with(|config| {
        config.connections.sockets_per_address = number(8);
    })
    .await;
    let mut pair = Pair::of_guests(&server).await;
    let mut held = Vec::new();
    for _ in 2..8 {
        held.push(Raw::open(server.address).await);
    }
    let (status, head, _) = shake_hands(server.address, &handshake_lines(server.address))
        .await
        .expect("an answer");
    assert_eq!(status, 503, "{head}");
    assert!(head.contains("retry-after: 5"), "{head}");
    // A stream counts as a socket.
    let path = format!("/api/v1/matches/{}/stream", pair.id);
    let stream = Answer::of(server.stranger().request(Method::GET, &path)).await;
    stream.problem(503, "too-many-connections");
    // A guest without a match counts as a stranger, a player of a running match does not.
    let guest = server.guest().await;
    assert!(Socket::try_open(&guest).await.is_none());
    Socket::open(&pair.people[0]).await.joined(&pair.id).await;
    pair.plies(4).await;
    held.pop();
    eventually("a place", || async {
        (knock(server.address).await == 101).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn sockets_that_are_opened_over_and_over_are_refused() {
    let server = TestServer::start_with(|config| {
        config.connections.sockets_per_address = number(4);
    })
    .await;
    let mut opened = 0;
    for _ in 0..100 {
        if Raw::try_open(server.address).await.is_some() {
            opened += 1;
        }
    }
    // Eight at once, and four more in each minute that a slow machine takes.
    assert!((1..50).contains(&opened), "{opened}");
    server.stop().await;
}

#[tokio::test]
async fn strangers_cannot_take_what_is_kept_for_players() {
    // Behind a proxy all connections have one address, as in this test; five of these are reserved.
    let server = TestServer::start_with(|config| {
        config.connections.connections = number(40);
        config.network.behind_proxy = true;
        config.timeouts.head = BUSY;
    })
    .await;
    let mut people = [server.guest().await, server.guest().await];
    let [first, second] = &mut people;
    let id = first.play_with(second, "first", false).await;
    let mut held = Vec::new();
    while let Some(raw) = Raw::try_open(server.address).await {
        held.push(raw);
        assert!(held.len() < 40, "strangers took all");
    }
    assert!(held.len() > 20, "{}", held.len());
    assert_eq!(knock(server.address).await, 503);
    // The two players join and play; a stranger's request is answered, but a socket is refused.
    let mut pair = Pair::at(people, id).await;
    pair.plies(4).await;
    let get = "GET /healthz HTTP/1.1\r\nhost: mawe\r\n\r\n";
    let answer = rest(&mut connection(server.address, get).await).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(knock(server.address).await, 503);
    // Idle connections take the rest, but not for long.
    let idle: Vec<TcpStream> = {
        let mut idle = Vec::new();
        for _ in 0..40 {
            idle.push(
                TcpStream::connect(server.address)
                    .await
                    .expect("it listens"),
            );
        }
        idle
    };
    eventually("an answer", || async {
        let mut stream = connection(server.address, get).await;
        rest(&mut stream)
            .await
            .starts_with("HTTP/1.1 200 ")
            .then_some(())
    })
    .await;
    drop(idle);
    pair.plies(2).await;
    server.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_requests_are_counted_by_the_address_that_it_names() {
    let server = TestServer::start_with(|config| {
        config.connections.connections_per_address = number(2);
        config.network.behind_proxy = true;
        config.timeouts.body = LONG;
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let head = post(
            "x-forwarded-for: 6.6.6.6, 1.2.3.4\r\ncontent-length: 2\r\nexpect: 100-continue\r\n",
        );
        let mut stream = connection(server.address, &head).await;
        // The server asks for the body: the request is in progress.
        until(&mut stream, "HTTP/1.1 100 ").await;
        held.push(stream);
    }
    let ask = |from: &'static str| {
        let request = server.stranger().request(Method::GET, "/api/v1/games");
        Answer::of(request.header("x-forwarded-for", from))
    };
    ask("1.2.3.4").await.problem(503, "too-many-connections");
    assert_eq!(ask("1.2.3.5").await.status, 200);
    held[0].write_all(b"{}").await.expect("it is open");
    until(&mut held[0], "HTTP/1.1 201 ").await;
    assert_eq!(ask("1.2.3.4").await.status, 200);
    server.stop().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_limit_of_open_files_is_raised_at_the_start() {
    use crate::common::process::{Process, mawe_after};

    let directory = tempfile::tempdir().expect("a temporary directory");
    let words = ["sh", "-c", r#"ulimit -S -n 200; exec "$0" "$@""#].map(str::to_owned);
    let mut command = mawe_after(
        &words,
        ["--listen", "127.0.0.1:0", "--bots", "1", "--data-dir"],
    );
    command.arg(directory.path());
    let process = Process::of(command).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", process.id()));
    let limits = limits.expect("Linux tells");
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let mut numbers = files.expect("a line").split_whitespace().skip(3);
    let soft = numbers.next().expect("the soft limit");
    assert_ne!(soft, "200", "{limits}");
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_request_with_a_slow_but_whole_body_is_answered() {
    let server = TestServer::start().await;
    let mut stream = connection(server.address, &post("content-length: 2\r\n")).await;
    stream.write_all(b"{").await.expect("the line is open");
    stream.write_all(b"}").await.expect("the line is open");
    until(&mut stream, "HTTP/1.1 201 ").await;
    // A malformed body is not counted as a time-out.
    let mut malformed = connection(server.address, &post("transfer-encoding: chunked\r\n")).await;
    malformed
        .write_all(b"zz\r\n")
        .await
        .expect("the line is open");
    let heard = rest(&mut malformed).await;
    assert!(
        heard.is_empty() || heard.starts_with("HTTP/1.1 400 "),
        "{heard}"
    );
    server.stop().await;
}
