//! The shown match of each game: over REST, and in live messages.

use crate::common::play::Pair;
use crate::common::socket::Socket;
use crate::common::{Person, TestServer, eventually};
use mawe_rules::GameKind;
use mawe_wire::{Command, ServerMsg, SessionMsg};
use serde_json::{Value, json};

async fn on(person: &Person, game: &str) -> Value {
    let tv = person.get("/api/v1/tv").await.json();
    let items = tv["items"].as_array().expect("channels").clone();
    assert_eq!(items.len(), GameKind::ALL.len());
    let channel = items.into_iter().find(|item| item["game"] == game);
    channel.expect("every game has a channel")["match"].clone()
}

async fn told(socket: &mut Socket) -> (GameKind, Option<String>) {
    match socket.next().await {
        ServerMsg::Tv { game, match_id } => (game, match_id.map(|id| id.to_string())),
        other => panic!("not what is on: {other:?}"),
    }
}

#[tokio::test]
async fn a_running_match_is_on_until_it_has_ended() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    assert_eq!(on(&stranger, "mawe").await, Value::Null);
    let mut socket = Socket::open(&stranger).await;
    let game = GameKind::Mawe;
    socket.send(&SessionMsg::WatchTv { game }).await;
    assert_eq!(told(&mut socket).await, (game, None));
    // A client that has stopped watching receives no more.
    let mut gone = Socket::open(&stranger).await;
    gone.send(&SessionMsg::WatchTv { game }).await;
    told(&mut gone).await;
    gone.send(&SessionMsg::UnwatchTv { game }).await;

    // A private match is not shown.
    let mut guest = server.guest().await;
    let hidden = json!({
        "game": "mawe", "level": 1, "private": true,
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
    });
    assert_eq!(guest.post("/api/v1/matches", &hidden).await.status, 201);
    // Nor is a match before its first ply.
    let untouched = Pair::of_guests(&server).await;
    let mut pair = Pair::of_guests(&server).await;
    pair.ply().await;
    assert_eq!(told(&mut socket).await, (game, Some(pair.id.clone())));
    let shown = eventually("the match", async || {
        let shown = on(&stranger, "mawe").await;
        (!shown.is_null()).then_some(shown)
    })
    .await;
    assert_eq!(shown["id"], pair.id.as_str());
    assert!(shown["seats"]["first"]["player"]["name"].is_string());
    assert_eq!(on(&stranger, "kalah").await, Value::Null);
    // A later client gets the match at once.
    let mut late = Socket::open(&stranger).await;
    late.send(&SessionMsg::WatchTv { game }).await;
    assert_eq!(told(&mut late).await, (game, Some(pair.id.clone())));

    // After its end the next match is shown only after a while.
    pair.act(0, Command::Resign).await;
    let mut next = untouched;
    next.ply().await;
    assert_eq!(told(&mut socket).await, (game, Some(next.id.clone())));
    assert_eq!(told(&mut late).await, (game, Some(next.id.clone())));
    gone.send(&SessionMsg::Ping).await;
    assert_eq!(gone.next().await, ServerMsg::Pong);
    server.stop().await;
}

#[tokio::test]
async fn a_match_whose_players_have_left_is_on_no_longer() {
    let server = TestServer::start().await;
    let game = GameKind::Mawe;
    let mut socket = Socket::open(&server.stranger()).await;
    socket.send(&SessionMsg::WatchTv { game }).await;
    assert_eq!(told(&mut socket).await, (game, None));
    let mut pair = Pair::of_guests(&server).await;
    pair.ply().await;
    assert_eq!(told(&mut socket).await, (game, Some(pair.id.clone())));
    drop(pair);
    assert_eq!(told(&mut socket).await, (game, None));
    server.stop().await;
}

#[tokio::test]
async fn a_game_that_is_none_is_no_channel() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    for text in [
        r#"{"t":"watch-tv","game":"chess"}"#,
        r#"{"t":"watch-tv"}"#,
        r#"{"t":"unwatch-tv","game":7}"#,
    ] {
        socket.send_text(text).await;
        assert_eq!(socket.error().await.code.as_str(), "bad-frame", "{text}");
    }
    // Stopping without having watched is harmless.
    let game = GameKind::Oware;
    socket.send(&SessionMsg::UnwatchTv { game }).await;
    socket.send(&SessionMsg::WatchTv { game }).await;
    socket.send(&SessionMsg::WatchTv { game }).await;
    assert_eq!(told(&mut socket).await, (game, None));
    assert_eq!(told(&mut socket).await, (game, None));
    server.stop().await;
}
