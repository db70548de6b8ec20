//! Rematches, and accepted challenges.

use std::time::Duration;

use mawe_rules::Side;
use mawe_wire::{Command, Event, ServerMsg, SessionMsg};
use serde_json::json;

use super::next_match;
use crate::common::TestServer;
use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;

#[tokio::test]
async fn a_rematch_exchanges_the_sides() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.seats[0].socket.rematch(&pair.id.clone()).await;
    assert_eq!(
        pair.seats[0].socket.error().await.code.as_str(),
        "match-not-over"
    );
    pair.act(0, Command::Abort).await;
    let id = pair.id.clone();
    // Two offers by one player count as one.
    for _ in 0..2 {
        pair.seats[1].socket.rematch(&id).await;
    }
    for seat in &mut pair.seats {
        let offered = seat
            .socket
            .until(|message| match message {
                ServerMsg::Rematch { rematch, .. } => Some(rematch),
                _ => None,
            })
            .await;
        assert_eq!(offered.offered_by, Some(Side::Second));
        assert!(offered.offer_ms.is_some_and(|left| left <= 60_000));
        assert_eq!(offered.next, None);
    }
    // A client that joins now sees the offer.
    let mut late = Socket::open(&pair.people[0]).await;
    assert_eq!(
        late.joined(&id).await.rematch.offered_by,
        Some(Side::Second)
    );
    pair.seats[0].socket.rematch(&id).await;
    let next = next_match(&mut pair.seats[0].socket).await;
    assert_eq!(next_match(&mut pair.seats[1].socket).await, next);
    assert_eq!(next_match(&mut late).await, next);
    Seat::take(&pair.people[0], &next, Side::Second).await;
    Seat::take(&pair.people[1], &next, Side::First).await;
    // A later request names the same match.
    pair.seats[1].socket.rematch(&id).await;
    assert_eq!(next_match(&mut pair.seats[1].socket).await, next);
    server.stop().await;
}

#[tokio::test]
async fn an_offer_of_a_rematch_lapses() {
    let server =
        TestServer::start_with(|config| config.rematch_offer = Duration::from_millis(100)).await;
    let mut pair = Pair::of_guests(&server).await;
    pair.act(0, Command::Abort).await;
    let id = pair.id.clone();
    pair.seats[1].socket.rematch(&id).await;
    for seat in &mut pair.seats {
        for expected in [Some(Side::Second), None] {
            let rematch = seat
                .socket
                .until(|message| match message {
                    ServerMsg::Rematch { rematch, .. } => Some(rematch),
                    _ => None,
                })
                .await;
            assert_eq!(rematch.offered_by, expected);
            assert_eq!(rematch.offer_ms.is_some(), expected.is_some());
        }
    }
    // The other player's offer is now a new one, not the consent to the first.
    pair.seats[0].socket.rematch(&id).await;
    let rematch = pair.seats[1]
        .socket
        .until(|message| match message {
            ServerMsg::Rematch { rematch, .. } => Some(rematch),
            _ => None,
        })
        .await;
    assert_eq!(
        (rematch.offered_by, rematch.next),
        (Some(Side::First), None)
    );
    server.stop().await;
}

#[tokio::test]
async fn both_offering_a_rematch_at_once_make_one_match() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.act(0, Command::Abort).await;
    let id = pair.id.clone();
    let [first, second] = &mut pair.seats;
    tokio::join!(first.socket.rematch(&id), second.socket.rematch(&id));
    let (a, b) = tokio::join!(
        next_match(&mut first.socket),
        next_match(&mut second.socket)
    );
    assert_eq!(a, b);
    let running = pair.people[0].get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn a_computer_takes_a_rematch_at_once() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 2, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 0 },
    });
    let id = person.post("/api/v1/matches", &new).await.text("/id");
    let mut seat = Seat::take(&person, &id, Side::First).await;
    seat.send(Command::Abort).await;
    seat.event().await;
    seat.socket.rematch(&id).await;
    let next = next_match(&mut seat.socket).await;
    let mut seat = Seat::take(&person, &next, Side::Second).await;
    // It has the first move now, and makes it.
    assert!(matches!(
        seat.event().await.event,
        Event::Move(ply) if ply.side == Side::First
    ));
    server.stop().await;
}

#[tokio::test]
async fn a_challenger_is_told_on_every_socket_that_somebody_accepted() {
    let server = TestServer::start().await;
    let (mut challenger, mut other) = (server.guest().await, server.guest().await);
    let mut tabs = [
        Socket::open(&challenger).await,
        Socket::open(&challenger).await,
    ];
    let mut strangers_tab = Socket::open(&other).await;
    let id = challenger.play_with(&mut other, "second", false).await;
    for tab in &mut tabs {
        match tab.next().await {
            ServerMsg::ChallengeAccepted { match_id, .. } => assert_eq!(match_id.to_string(), id),
            other => panic!("not the notice: {other:?}"),
        }
    }
    // No other client gets a message.
    strangers_tab.send(&SessionMsg::Ping).await;
    assert_eq!(strangers_tab.next().await, ServerMsg::Pong);
    server.stop().await;
}
