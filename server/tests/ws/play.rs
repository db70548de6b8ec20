//! Playing and watching.

use mawe_rules::Side;
use mawe_wire::{Command, Event};
use serde_json::json;

use crate::common::TestServer;
use crate::common::play::{Mirror, Pair, Seat};
use crate::common::socket::Socket;

#[tokio::test]
async fn players_and_a_spectator_hear_one_game_without_a_gap() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    let snapshot = spectator.joined(&pair.id).await;
    assert_eq!(snapshot.you, None);
    let mut seen = Mirror::of(&snapshot.view);

    let mut told = Vec::new();
    while !pair.is_over() {
        told.push(pair.ply().await);
    }
    for event in &told {
        let heard = spectator.event().await;
        assert_eq!(&heard, event);
        seen.take(&heard);
    }
    assert_eq!(seen, pair.seats[0].mirror);
    assert_eq!(seen, pair.seats[1].mirror);
    let result = seen.state.result.clone().expect("the game is over");
    assert_eq!(result.reason, "no-moves");
    assert!(result.score.is_some(), "the stones home are counted");

    let view = pair.people[0]
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["seq"], seen.seq);
    assert_eq!(view["position"], seen.state.position);
    assert_eq!(
        view["plies"],
        serde_json::to_value(&seen.plies).expect("plies are plain JSON")
    );
    server.stop().await;
}

#[tokio::test]
async fn an_anonymous_visitor_watches_and_may_do_nothing() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut visitor = Socket::open(&server.stranger()).await;
    assert_eq!(visitor.joined(&pair.id).await.you, None);
    let guest = server.guest().await;
    let mut watching_guest = Socket::open(&guest).await;
    assert_eq!(watching_guest.joined(&pair.id).await.you, None);
    for socket in [&mut visitor, &mut watching_guest] {
        socket.command(&pair.id, "mine", 0, Command::Resign).await;
        let error = socket.error().await;
        assert_eq!(error.code.as_str(), "not-seated");
        assert_eq!(
            error.client_id.map(String::from).as_deref(),
            Some("mine"),
            "the refusal says what it answers"
        );
        socket.rematch(&pair.id).await;
        assert_eq!(socket.error().await.code.as_str(), "not-seated");
    }
    let event = pair.ply().await;
    assert_eq!(event.seq, 1, "nothing was written for them");
    assert_eq!(visitor.event().await, event);
    server.stop().await;
}

#[tokio::test]
async fn a_computer_opponent_answers_a_move() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 1, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 1_000 },
    });
    let id = person.post("/api/v1/matches", &new).await.text("/id");
    let mut seat = Seat::take(&person, &id, Side::First).await;
    let command = seat.a_move("a1b2");
    seat.send(command).await;
    assert!(seat.event().await.client_id.is_some());
    let answer = seat.event().await;
    assert!(
        matches!(&answer.event, Event::Move(ply) if ply.side == Side::Second),
        "{answer:?}"
    );
    // Early in a game a computer declines a draw.
    seat.send(Command::OfferDraw).await;
    assert_eq!(
        seat.event().await.event,
        Event::OfferDraw { side: Side::First }
    );
    assert_eq!(
        seat.event().await.event,
        Event::DeclineDraw { side: Side::Second }
    );
    server.stop().await;
}
