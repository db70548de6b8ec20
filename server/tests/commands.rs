//! Commands over REST: a match played without a WebSocket.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer};

fn path(id: &str) -> String {
    format!("/api/v1/matches/{id}/commands")
}

/// Returns a move with a client id derived from its ply.
fn a_move(ply: &Value, text: &Value, seq: &Value) -> Value {
    let command = json!({ "kind": "move", "ply": ply, "move": text });
    json!({ "client_id": format!("ply-{ply}"), "seq": seq, "command": command })
}

async fn post(person: &mut Person, id: &str, body: Value) -> Answer {
    person.post(&path(id), &body).await
}

async fn give(person: &mut Person, id: &str, kind: &str) -> Answer {
    let body = json!({ "client_id": kind, "seq": 0, "command": { "kind": kind } });
    post(person, id, body).await
}

#[tokio::test]
async fn two_programs_play_a_rated_match_without_a_socket() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let id = amina.play_with(&mut zofia, "first", true).await;
    let mut programs = [
        amina.program(&["play", "read"]).await,
        zofia.program(&["play"]).await,
    ];
    let mut random = fastrand::Rng::with_seed(7);
    let mut standing = amina.get(&format!("/api/v1/matches/{id}")).await.json();
    let mut seq = standing["seq"].clone();
    for _ in 0..30 {
        let legal = standing["legal"].as_array().expect("moves");
        if legal.is_empty() {
            break;
        }
        let text = &legal[random.usize(..legal.len())];
        let mover = usize::from(standing["turn"] == "second");
        let body = a_move(&standing["ply"], text, &seq);
        let answer = post(&mut programs[mover], &id, body.clone()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let event = answer.json();
        assert_eq!(event["t"], "event");
        assert_eq!(event["event"]["move"], *text);
        // A resent command is executed once, and gets the same answer.
        let again = post(&mut programs[mover], &id, body).await.json();
        assert_eq!(again["seq"], event["seq"]);
        assert_eq!(again["event"], event["event"]);
        (seq, standing) = (event["seq"].clone(), event["state"].clone());
    }
    let resigned = give(&mut programs[0], &id, "resign").await;
    if resigned.status == 200 {
        assert_eq!(resigned.json()["state"]["result"]["winner"], "second");
    } else {
        resigned.problem(409, "match-over");
    }
    let answer = amina.get(&format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(
        answer["plies"].as_array().map(Vec::len),
        answer["ply"].as_u64().map(|ply| ply as usize)
    );
    assert!(!answer["result"].is_null());
}

#[tokio::test]
async fn what_a_match_does_not_take_is_told_as_a_problem_and_changes_nothing() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let id = amina.play_with(&mut zofia, "first", false).await;
    let before = amina.get(&format!("/api/v1/matches/{id}")).await.json();
    let (ply, first) = (&before["ply"], &before["legal"][0]);

    let zero = json!(0);
    let illegal = post(&mut amina, &id, a_move(ply, &json!("z99"), &zero)).await;
    let problem = illegal.problem(409, "illegal-move");
    assert!(problem["why"].is_string(), "{problem}");
    let early = post(&mut zofia, &id, a_move(ply, first, &zero)).await;
    early.problem(409, "not-your-turn");
    let stale = post(&mut amina, &id, a_move(&json!(7), first, &zero)).await;
    stale.problem(409, "stale-ply");
    let nothing = give(&mut zofia, &id, "accept-draw").await;
    nothing.problem(409, "no-draw-offer");

    let mut stranger = server.stranger();
    let answer = give(&mut stranger, &id, "resign").await;
    answer.problem(401, "sign-in-first");
    let mut guest = server.guest().await;
    let answer = give(&mut guest, &id, "resign").await;
    answer.problem(403, "not-seated");
    let mut reader = amina.program(&["read", "challenge"]).await;
    let answer = give(&mut reader, &id, "resign").await;
    assert_eq!(answer.problem(403, "scope-needed")["scope"], "play");
    let answer = give(&mut amina, "Kx7Rm2Qp9TzA", "resign").await;
    answer.problem(404, "not-found");

    for (body, field) in [
        (json!({ "client_id": "a", "seq": 0 }), "command"),
        (
            json!({ "client_id": "a", "seq": -1, "command": { "kind": "resign" } }),
            "seq",
        ),
        (
            json!({ "client_id": "", "seq": 0, "command": { "kind": "resign" } }),
            "client_id",
        ),
        (
            json!({ "client_id": "a", "seq": 0, "command": { "kind": "win" } }),
            "command",
        ),
        (
            json!({ "client_id": "a", "seq": 0, "command": { "kind": "resign" }, "more": 1 }),
            "more",
        ),
    ] {
        let answer = post(&mut amina, &id, body).await;
        let problem = answer.problem(422, "bad-field");
        let named = problem["field"].as_str().expect("a field");
        assert!(named.starts_with(field), "{problem}");
    }

    let after = amina.get(&format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(
        (&after["seq"], &after["position"]),
        (&before["seq"], &before["position"])
    );
}

#[tokio::test]
async fn one_who_follows_the_match_as_well_hears_of_a_command_once() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let id = amina.play_with(&mut zofia, "first", false).await;
    let mut socket = Socket::open(&amina).await;
    let legal = &socket.joined(&id).await.view.state.legal;
    let body = a_move(&json!(0), &json!(legal[0]), &json!(0));
    let answer = post(&mut amina, &id, body).await.json();
    let heard = socket.event().await;
    assert_eq!(answer["seq"], heard.seq);
    assert_eq!(answer, {
        let message = mawe_wire::ServerMsg::Event(Box::new(heard));
        serde_json::to_value(message).expect("JSON")
    });
    let more = tokio::time::timeout(Duration::from_millis(200), socket.event()).await;
    assert!(more.is_err(), "{more:?}");
}
