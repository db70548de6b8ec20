//! What people see of each other whichever node they are on: pools, seeks, challenges, sessions.

use std::collections::BTreeSet;
use std::time::Duration;

use mawe_rules::GameKind;
use mawe_server::protocol::{ClientMsg, ServerMsg};
use reqwest::StatusCode;
use serde_json::json;

use super::place::Place;
use crate::common::socket::{Heard, Socket};
use crate::common::{PASSWORD, Person, eventually};

fn join_pool() -> ClientMsg {
    ClientMsg::JoinPool {
        game: GameKind::Kalah,
        pool: "3+2".to_owned(),
        rated: false,
    }
}

async fn paired(socket: &mut Socket) -> String {
    socket
        .until(|message| match message {
            ServerMsg::Paired { match_id, .. } => Some(match_id.to_string()),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}

async fn matches_of(person: &Person) -> usize {
    let list = person.get("/api/v1/me/matches").await.json();
    list["items"].as_array().expect("a list").len()
}

/// An account on a node, and its person.
pub(crate) async fn account(place: &Place, node: usize, name: &str) -> Person {
    let mut person = Person::at(place.addresses[node]);
    let wanted = json!({ "name": name, "password": PASSWORD });
    let made = person.post("/api/v1/accounts", &wanted).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    person
}

#[tokio::test]
async fn strangers_on_different_nodes_are_paired_once() {
    let mut place = Place::of(3).await;
    // Two on each node: whichever node pairs, most of them are elsewhere.
    let mut people = Vec::new();
    let mut sockets = Vec::new();
    for number in 0..6 {
        let person = place.guest(number % 3).await;
        let mut socket = Socket::open(&person).await;
        socket.send(&join_pool()).await;
        people.push(person);
        sockets.push(socket);
    }
    let mut ids = Vec::new();
    for socket in &mut sockets {
        ids.push(paired(socket).await);
    }
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), 3, "{ids:?}");
    for (person, (socket, id)) in people.iter().zip(sockets.iter_mut().zip(&ids)) {
        assert!(
            socket.joined(id).await.you.is_some(),
            "everybody has a seat"
        );
        assert_eq!(matches_of(person).await, 1, "and only one");
    }
    // The node that pairs goes: who waits elsewhere is paired by the next.
    let mut waiting = Vec::new();
    for node in [1, 2] {
        let person = place.guest(node).await;
        let mut socket = Socket::open(&person).await;
        if node == 1 {
            socket.send(&join_pool()).await;
        }
        waiting.push(socket);
    }
    place.take(0).kill().await;
    waiting[1].send(&join_pool()).await;
    let first = paired(&mut waiting[0]).await;
    assert_eq!(paired(&mut waiting[1]).await, first);
}

#[tokio::test]
async fn seeks_and_challenges_are_seen_everywhere() {
    let place = Place::of(2).await;
    let mut asha = account(&place, 0, "Asha").await;
    let mut bahati = account(&place, 1, "Bahati").await;
    let mut at_asha = Socket::open(&asha).await;
    let mut at_bahati = Socket::open(&bahati).await;
    let time = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    let offer = json!({ "game": "oware", "to": "Bahati", "rated": false, "time_control": time });
    let made = asha.post("/api/v1/challenges", &offer).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    let id = at_bahati
        .until(|message| match message {
            ServerMsg::Challenge { challenge } => Some(challenge.id.to_string()),
            _ => None,
        })
        .await;
    let path = format!("/api/v1/challenges/{id}/accept");
    let accepted = bahati.post(&path, &json!({})).await;
    assert_eq!(accepted.status, StatusCode::OK, "{accepted:?}");
    let begun = at_asha
        .until(|message| match message {
            ServerMsg::ChallengeAccepted { match_id, .. } => Some(match_id.to_string()),
            _ => None,
        })
        .await;
    assert_eq!(begun, accepted.text("/id"));

    // A seek is shown on the other node while its seeker has a socket on this one.
    let mut chipo = place.guest(0).await;
    let at_chipo = Socket::open(&chipo).await;
    let seek = json!({ "game": "reversi", "rated": false, "time_control": time });
    let made = chipo.post("/api/v1/seeks", &seek).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    let mut daudi = place.guest(1).await;
    let shown = eventually("the seek is seen", async || {
        let seeks = daudi.get("/api/v1/seeks").await.json();
        seeks["items"][0]["id"].as_str().map(str::to_owned)
    })
    .await;
    let taken = daudi
        .post(&format!("/api/v1/seeks/{shown}/accept"), &json!({}))
        .await;
    assert_eq!(taken.status, StatusCode::OK, "{taken:?}");
    drop(at_chipo);
}

#[tokio::test]
async fn who_logs_out_is_logged_out_everywhere() {
    let place = Place::of(2).await;
    let mut here = account(&place, 0, "Furaha").await;
    let there = here.moved_to(place.addresses[1]);
    let mut socket = Socket::open(&there).await;
    let out = here.delete("/api/v1/sessions/current").await;
    assert!(out.status.is_success(), "{out:?}");
    let (said, code) = socket.rest().await;
    assert!(
        said.iter().any(
            |message| matches!(message, ServerMsg::Closing { reason, .. } if reason == "logged-out")
        ),
        "{said:?} {code:?}"
    );
    let me = there.get("/api/v1/me").await.json();
    assert!(me["player"].is_null(), "{me}");
    // Nothing was forged by it: who else is there stays.
    let other = place.guest(1).await;
    let mut socket = Socket::open(&other).await;
    let heard = socket.hear_within(Duration::from_millis(200)).await;
    assert!(!matches!(heard, Some(Heard::Closed(_))), "{heard:?}");
}
