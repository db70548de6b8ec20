//! The connection itself: handshakes, bad frames, floods, stalled readers.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use mawe_wire::{ServerMsg, SessionMsg};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::Message;

use crate::common::play::Pair;
use crate::common::socket::{Heard, Socket, handshake};
use crate::common::{PASSWORD, Person, TestServer, eventually};

#[tokio::test]
async fn a_handshake_without_the_subprotocol_is_refused() {
    let server = TestServer::start().await;
    for headers in [&[][..], &[("sec-websocket-protocol", "mawe.v0")]] {
        let (status, code) = refused_handshake(server.address, headers).await;
        assert_eq!((status, code.as_str()), (400, "bad-request"));
    }
    let answer = server.stranger().get("/api/v1/ws").await;
    answer.problem(400, "bad-request");
    server.stop().await;
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_open_a_socket() {
    let server = TestServer::start().await;
    let own = format!("http://{}", server.address);
    let protocol = ("sec-websocket-protocol", "mawe.v1");
    let (status, code) = refused_handshake(
        server.address,
        &[protocol, ("origin", "https://evil.example")],
    )
    .await;
    assert_eq!((status, code.as_str()), (403, "foreign-origin"));
    let stream = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    let request = handshake(server.address, &[protocol, ("origin", &own)]);
    assert!(
        tokio_tungstenite::client_async(request, stream)
            .await
            .is_ok()
    );
    server.stop().await;
}

async fn refused_handshake(address: SocketAddr, headers: &[(&'static str, &str)]) -> (u16, String) {
    let stream = TcpStream::connect(address).await.expect("it listens");
    let refused = tokio_tungstenite::client_async(handshake(address, headers), stream).await;
    match refused {
        Err(tungstenite::Error::Http(response)) => {
            let body = response.body().clone().unwrap_or_default();
            let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
            let code = problem["code"].as_str().unwrap_or_default().to_owned();
            (response.status().as_u16(), code)
        }
        Err(other) => panic!("not refused over HTTP: {other}"),
        Ok(_) => panic!("the handshake was not refused"),
    }
}

#[tokio::test]
async fn a_frame_that_is_no_message_is_answered_and_the_line_kept() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    for text in [
        "",
        "hello",
        "{",
        "[]",
        "{}",
        r#"{"t":"dance"}"#,
        r#"{"t":"join"}"#,
        r#"{"t":"join","match":"no id"}"#,
    ] {
        socket.send_text(text).await;
        assert_eq!(socket.error().await.code.as_str(), "bad-frame", "{text}");
    }
    socket.send(&SessionMsg::Ping).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    server.stop().await;
}

/// Returns the codes of the errors among the messages, and the reason of the `closing` message.
fn codes(said: &[ServerMsg]) -> (Vec<&str>, Option<&str>) {
    let errors = said.iter().filter_map(|message| match message {
        ServerMsg::Error(error) => Some(error.code.as_str()),
        _ => None,
    });
    let farewell = said.last().and_then(|message| match message {
        ServerMsg::Closing { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    (errors.collect(), farewell)
}

#[tokio::test]
async fn too_many_bad_frames_close_the_socket() {
    let server = TestServer::start().await;
    let bad: [(Message, &str, u16); 3] = [
        (Message::text("no message"), "bad-frame", 1003),
        (Message::binary(vec![1, 2, 3]), "bad-frame", 1003),
        (Message::text(" ".repeat(4097)), "frame-too-large", 1009),
    ];
    for (frame, code, closed_with) in bad {
        let mut socket = Socket::open(&server.stranger()).await;
        for _ in 0..9 {
            socket.send_raw(frame.clone()).await.expect("it is open");
        }
        let (said, closed) = socket.rest().await;
        assert_eq!(codes(&said), (vec![code; 9], Some("too-many-bad-frames")));
        assert_eq!(closed, Some(closed_with));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_frame_of_4096_bytes_is_read_and_one_of_4097_is_not() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    let ping = r#"{"t":"ping"}"#;
    socket.send_text(format!("{ping:<4096}")).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    socket.send_text(format!("{ping:<4097}")).await;
    assert_eq!(socket.error().await.code.as_str(), "frame-too-large");
    socket.send_text(ping).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    server.stop().await;
}

/// Returns the head of a masked text frame that announces this many bytes of payload.
fn head_of_a_frame(bytes: u16) -> [u8; 8] {
    let [high, low] = bytes.to_be_bytes();
    [0x81, 0x80 | 126, high, low, 1, 2, 3, 4]
}

#[tokio::test]
async fn a_frame_over_16_kib_closes_the_socket_unread() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // The head alone closes the socket.
    socket.send_bytes(&head_of_a_frame(16 * 1024 + 1)).await;
    assert_eq!(socket.rest().await.1, Some(1009));
    let mut socket = Socket::open(&server.stranger()).await;
    socket.send_text(" ".repeat(16 * 1024)).await;
    assert_eq!(socket.error().await.code.as_str(), "frame-too-large");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_frame_closes_the_socket() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // An unmasked frame, which a client must not send.
    socket.send_bytes(&[0x81, 0x02, b'h', b'i']).await;
    assert_eq!(socket.rest().await.1, Some(1002));
    server.stop().await;
}

#[tokio::test]
async fn a_flood_is_refused_and_then_cut() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // So many frames at once exceed any refill, however slow the machine; the server hangs up during the flood.
    for _ in 0..5_000 {
        if socket
            .send_raw(Message::text(r#"{"t":"ping"}"#))
            .await
            .is_err()
        {
            break;
        }
    }
    let (said, closed) = socket.rest().await;
    let pongs = said
        .iter()
        .filter(|message| **message == ServerMsg::Pong)
        .count();
    assert!(pongs >= 40, "an honest burst passes: {pongs}");
    let (errors, farewell) = codes(&said);
    assert_eq!(errors, vec!["too-fast"; 9]);
    assert_eq!(farewell, Some("too-fast"));
    assert_eq!(closed, Some(1008));
    server.stop().await;
}

#[tokio::test]
async fn an_operator_may_allow_more_messages() {
    let rate = NonZeroU32::new(1_000).expect("not zero");
    let server = TestServer::start_with(|config| config.rates.messages_per_second = rate).await;
    let mut socket = Socket::open(&server.stranger()).await;
    // Far more than the usual burst, and less than the allowed one.
    for _ in 0..2_000 {
        let ping = Message::text(r#"{"t":"ping"}"#);
        socket.send_raw(ping).await.expect("it is open");
    }
    for _ in 0..2_000 {
        socket
            .until(|said| (said == ServerMsg::Pong).then_some(()))
            .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn one_socket_follows_sixteen_matches() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 1, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 0 },
    });
    let mut ids = Vec::new();
    for _ in 0..17 {
        ids.push(person.post("/api/v1/matches", &new).await.text("/id"));
    }
    let mut socket = Socket::open(&server.stranger()).await;
    for id in &ids[..16] {
        socket.joined(id).await;
    }
    socket.join(&ids[16]).await;
    let error = socket.error().await;
    assert_eq!(error.code.as_str(), "too-many-matches");
    assert_eq!(error.match_id.map(String::from).as_ref(), Some(&ids[16]));
    // A followed match may be joined again; and leaving one makes room for another.
    socket.joined(&ids[3]).await;
    socket.leave(&ids[0]).await;
    socket.joined(&ids[16]).await;
    server.stop().await;
}

#[tokio::test]
async fn a_player_has_thirty_two_sockets() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(Socket::open(&person).await);
    }
    let mut one_more = Socket::unheard(
        TcpStream::connect(server.address)
            .await
            .expect("it listens"),
        &person,
    )
    .await;
    assert!(matches!(one_more.hear().await, Heard::Closed(Some(1008))));
    // A closed one makes room.
    open.pop();
    eventually("room for another socket", || async {
        let stream = TcpStream::connect(server.address)
            .await
            .expect("it listens");
        let mut socket = Socket::unheard(stream, &person).await;
        matches!(socket.hear().await, Heard::Said(ServerMsg::Hello { .. })).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn logging_out_closes_the_sockets_of_that_session_only() {
    let server = TestServer::start().await;
    let mut here = server.account("Salma").await;
    let mut elsewhere = server.stranger();
    let credentials = json!({ "name": "salma", "password": PASSWORD });
    assert_eq!(
        elsewhere
            .post("/api/v1/sessions", &credentials)
            .await
            .status,
        200
    );
    let mut tabs = [Socket::open(&here).await, Socket::open(&here).await];
    let mut other = Socket::open(&elsewhere).await;
    assert_eq!(here.delete("/api/v1/sessions/current").await.status, 204);
    for tab in &mut tabs {
        let (said, closed) = tab.rest().await;
        assert_eq!(codes(&said).1, Some("logged-out"));
        assert_eq!(closed, Some(1000));
    }
    other.send(&SessionMsg::Ping).await;
    assert_eq!(other.next().await, ServerMsg::Pong);
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_stops_says_so_to_everybody() {
    let server = TestServer::start().await;
    let pair = Pair::of_guests(&server).await;
    let mut idle = Socket::open(&server.stranger()).await;
    let [mut first, mut second] = pair.seats;
    let stop = tokio::spawn(server.stop());
    for socket in [&mut first.socket, &mut second.socket, &mut idle] {
        let (said, closed) = socket.rest().await;
        assert_eq!(codes(&said).1, Some("restarting"), "{said:?}");
        assert_eq!(closed, Some(1012));
    }
    stop.await.expect("it stops");
}

/// Opens a connection that receives little before it is read.
fn narrow_connection(address: SocketAddr) -> TcpStream {
    let socket = socket2::Socket::new(
        socket2::Domain::for_address(address),
        socket2::Type::STREAM,
        None,
    )
    .expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    socket.connect(&address.into()).expect("it listens");
    socket.set_nonblocking(true).expect("for tokio");
    TcpStream::from_std(socket.into()).expect("an open connection")
}

#[tokio::test]
async fn a_reader_that_stalls_is_cut_and_delays_nobody() {
    let server = TestServer::start().await;
    let mut long = Pair::of_guests(&server).await;
    long.play_out().await;
    let head = long.seats[0].mirror.seq;
    let mut pair = Pair::of_guests(&server).await;

    let visitor = Person::at(server.address);
    let mut stalled = Socket::over(narrow_connection(server.address), &visitor).await;
    stalled.joined(&pair.id).await;
    pair.seats[0].socket.until_present((true, true, 1)).await;
    // From now on it reads nothing, and requests more and more. The players continue.
    while !pair.is_over() {
        // At the rate of a well-behaved client, so that it is not cut for a flood. It may have been cut already.
        stalled.try_join(&long.id, Some(head - 40)).await;
        pair.ply().await;
    }
    pair.seats[1].socket.until_present((true, true, 0)).await;
    server.stop().await;
}
