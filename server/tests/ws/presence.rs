//! Presence: players and spectators on one or several sockets, and the player of a socket.

use mawe_rules::Side;
use mawe_wire::{Command, PlayerKind, ServerMsg};
use serde_json::json;
use tokio::net::TcpStream;

use crate::common::play::Pair;
use crate::common::socket::{Socket, handshake};
use crate::common::{PASSWORD, TestServer};

#[tokio::test]
async fn two_tabs_are_one_presence_and_both_hear_everything() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut tab = Socket::open(&pair.people[1]).await;
    let snapshot = tab.joined(&pair.id).await;
    assert_eq!(snapshot.you, Some(Side::Second));
    assert!(snapshot.presence.first && snapshot.presence.second);
    let event = pair.ply().await;
    assert_eq!(tab.event().await, event);
    // The player may move from the second tab as well.
    let reply = Command::Move {
        ply: 1,
        text: event.state.legal[0].clone(),
    };
    tab.command(&pair.id, "from-the-tab", 1, reply).await;
    let heard = tab.event().await;
    for seat in &mut pair.seats {
        assert_eq!(seat.event().await, heard);
    }
    let Pair {
        id,
        people,
        seats: [mut first, second],
    } = pair;
    drop(second);
    let mut watcher = Socket::open(&server.stranger()).await;
    watcher.join(&id).await;
    // No message before the one that counts the watcher reports the player as absent.
    while first.socket.here() != Some((true, true, 1)) {
        first.socket.next().await;
        let said = first.socket.here().expect("it was said at the join");
        assert!(said.1, "gone with one of two tabs: {said:?}");
    }
    drop(tab);
    first.socket.until_present((true, false, 1)).await;
    let mut back = Socket::open(&people[1]).await;
    back.join_since(&id, Some(2)).await;
    first.socket.until_present((true, true, 1)).await;
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_keeps_the_seat() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    let credentials = json!({ "name": "Rehema", "password": PASSWORD });
    let answer = pair.people[0].post("/api/v1/accounts", &credentials).await;
    assert_eq!(answer.text("/player/kind"), "account");
    // All clients see the new name, the old socket continues, and a new one has the same seat.
    for seat in &mut pair.seats {
        let view = seat.socket.snapshot().await.view;
        assert_eq!(view.seats.first.player.name, "Rehema");
        assert_eq!(view.seq, 2);
    }
    pair.plies(1).await;
    let mut socket = Socket::open(&pair.people[0]).await;
    let snapshot = socket.joined(&pair.id).await;
    assert_eq!(snapshot.you, Some(Side::First));
    pair.plies(1).await;
    assert_eq!(socket.event().await.seq, 4);
    let play = Command::Move {
        ply: 4,
        text: pair.seats[0].mirror.state.legal[0].clone(),
    };
    socket.command(&pair.id, "as-rehema", 4, play).await;
    assert_eq!(socket.event().await.seq, 5);
    server.stop().await;
}

#[tokio::test]
async fn hello_says_for_whom_a_socket_speaks() {
    let server = TestServer::start().await;
    let account = server.account("Juma").await;
    let mut said = Vec::new();
    for person in [&server.stranger(), &account] {
        let headers = [
            ("sec-websocket-protocol", "other, mawe.v1"),
            ("cookie", &person.cookie().unwrap_or("a=b".to_owned())),
        ];
        let request = handshake(server.address, &headers);
        let stream = TcpStream::connect(server.address)
            .await
            .expect("it listens");
        let (mut stream, _) = tokio_tungstenite::client_async(request, stream)
            .await
            .expect("a handshake");
        let hello = futures_util::StreamExt::next(&mut stream).await;
        let hello = hello.expect("a message").expect("a frame");
        let hello: ServerMsg =
            serde_json::from_str(hello.to_text().expect("text")).expect("a message");
        let ServerMsg::Hello {
            player,
            heartbeat_ms,
        } = hello
        else {
            panic!("the first message is hello, not {hello:?}");
        };
        assert_eq!(heartbeat_ms, 10_000);
        said.push(player);
    }
    assert_eq!(said[0], None);
    let player = said[1].as_ref().expect("signed in");
    assert_eq!(
        (player.name.as_str(), player.kind),
        ("Juma", PlayerKind::Account)
    );
    server.stop().await;
}
