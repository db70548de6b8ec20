//! The lobby across nodes: pools, seeks, challenges and sessions of players on different nodes.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use mawe_rules::GameKind;
use mawe_wire::{ServerMsg, SessionMsg};
use reqwest::StatusCode;
use serde_json::json;

use super::place::Place;
use crate::common::socket::{Heard, Socket};
use crate::common::{PASSWORD, Person, eventually};
use crate::people::block;

fn join_pool() -> SessionMsg {
    SessionMsg::JoinPool {
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

/// Registers an account at a node; returns its person.
pub(crate) async fn account(place: &Place, node: usize, name: &str) -> Person {
    let mut person = Person::at(place.addresses[node]);
    let wanted = json!({ "name": name, "password": PASSWORD });
    let made = person.post("/api/v1/accounts", &wanted).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    person
}

#[tokio::test]
async fn a_block_at_one_node_holds_at_the_others_at_once() {
    let place = Place::of(2).await;
    let mut asha = account(&place, 0, "Asha").await;
    let mut bahati = account(&place, 1, "Bahati").await;
    let terms = json!({ "game": "kalah", "time_control": { "kind": "correspondence", "days": 1 } });
    let seek = asha.post("/api/v1/seeks", &terms).await.text("/id");
    let link = asha.post("/api/v1/challenges", &terms).await.text("/id");
    block(&mut asha, "Bahati").await;
    for path in [
        format!("/api/v1/seeks/{seek}/accept"),
        format!("/api/v1/challenges/{link}/accept"),
    ] {
        let refused = bahati.post(&path, &json!({})).await;
        refused.problem(403, "match-refused");
    }
    let mut to_asha = terms.clone();
    to_asha["to"] = json!("Asha");
    let refused = bahati.post("/api/v1/challenges", &to_asha).await;
    refused.problem(403, "match-refused");
    // Both wait in one pool, which one node pairs: a guest who comes later plays one of them.
    let mut sockets = Vec::new();
    for person in [&asha, &bahati] {
        let mut socket = Socket::open(person).await;
        socket.send(&join_pool()).await;
        let waits = |message| matches!(message, ServerMsg::Pool { .. }).then_some(());
        socket.until(waits).await;
        sockets.push(socket);
    }
    let guest = place.guest(1).await;
    let mut at_guest = Socket::open(&guest).await;
    at_guest.send(&join_pool()).await;
    let id = paired(&mut at_guest).await;
    let view = guest.get(&format!("/api/v1/matches/{id}")).await.json();
    let seats = view["seats"].to_string();
    assert!(
        seats.contains("Asha") != seats.contains("Bahati"),
        "{seats}"
    );
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
    // The node that pairs stops: players who wait on other nodes are paired by the next one.
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
async fn how_many_wait_is_known_on_every_node() {
    let place = Place::of(3).await;
    let mut sockets = Vec::new();
    for node in 0..3 {
        sockets.push(Socket::open(&place.guest(node).await).await);
    }
    let waiting = async |node: usize| {
        let pools = place.guest(node).await.get("/api/v1/pools").await.json();
        let pools = pools["items"].as_array().expect("a list").clone();
        let of = pools.iter().filter_map(|pool| pool["waiting"].as_u64());
        of.sum::<u64>()
    };
    sockets[1].send(&join_pool()).await;
    for node in 0..3 {
        eventually("somebody waits", async || {
            (waiting(node).await == 1).then_some(())
        })
        .await;
    }
    sockets.clear();
    for node in 0..3 {
        eventually("nobody waits", async || {
            (waiting(node).await == 0).then_some(())
        })
        .await;
    }
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

    // A seek is shown on the other node while its owner has a socket on this one.
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
            |message| matches!(message, ServerMsg::Closing { reason, .. } if reason.as_str() == "logged-out")
        ),
        "{said:?} {code:?}"
    );
    let me = there.get("/api/v1/me").await.json();
    assert!(me["player"].is_null(), "{me}");
    // Logging out ended no other session.
    let other = place.guest(1).await;
    let mut socket = Socket::open(&other).await;
    let heard = socket.hear_within(Duration::from_millis(200)).await;
    assert!(!matches!(heard, Some(Heard::Closed(_))), "{heard:?}");
}

#[tokio::test]
async fn who_logs_out_while_nats_is_away_is_logged_out_everywhere_when_it_is_back() {
    let mut place = Place::of(2).await;
    let mut here = account(&place, 0, "Furaha").await;
    let there = here.moved_to(place.addresses[1]);
    let mut socket = Socket::open(&there).await;
    let other = place.guest(1).await;
    let mut other_socket = Socket::open(&other).await;
    place.nats.kill();
    let out = here.delete("/api/v1/sessions/current").await;
    assert!(out.status.is_success(), "{out:?}");
    // Any later message of the node about it is lost.
    place.take(0).kill().await;
    place.nats.revive();
    let (said, code) = socket.rest().await;
    assert!(
        said.iter().any(
            |message| matches!(message, ServerMsg::Closing { reason, .. } if reason.as_str() == "logged-out")
        ),
        "{said:?} {code:?}"
    );
    // No other socket is closed.
    let heard = other_socket.hear_within(Duration::from_millis(300)).await;
    assert!(!matches!(heard, Some(Heard::Closed(_))), "{heard:?}");
}

#[tokio::test]
async fn who_guesses_a_password_on_one_node_has_to_wait_on_all() {
    let place = Place::of(2).await;
    account(&place, 0, "Zofia").await;
    let guess = json!({ "name": "zofia", "password": "not this one, for sure" });
    let mut at = [0, 1].map(|node| Person::at(place.addresses[node]));
    let mut guesses = 0;
    loop {
        let answer = at[0].post("/api/v1/sessions", &guess).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{answer:?}");
        guesses += 1;
    }
    // Five attempts are free; the sixth has to wait.
    assert!(guesses >= 5, "{guesses}");
    // No attempt was made at that node; a few more are free as time passes.
    let mut more = 0;
    while at[1].post("/api/v1/sessions", &guess).await.status != StatusCode::TOO_MANY_REQUESTS {
        more += 1;
    }
    assert!(more <= 4, "{more} guesses more on the other node");
}

/// A player who waits in a pool accepts a seek on another node at about the time at which they are paired.
async fn cross(place: &Place, delay: Duration) {
    let (x, y, mut z) = (
        place.guest(0).await,
        place.guest(1).await,
        place.guest(0).await,
    );
    let mut at_x = Socket::open(&x).await;
    let mut at_y = Socket::open(&y).await;
    let _at_z = Socket::open(&z).await;
    let time = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    let seek = json!({ "game": "reversi", "rated": false, "time_control": time });
    let made = z.post("/api/v1/seeks", &seek).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    let mut x_elsewhere = x.moved_to(place.addresses[1]);
    at_x.send(&join_pool()).await;
    at_y.send(&join_pool()).await;
    tokio::time::sleep(delay).await;
    let path = format!("/api/v1/seeks/{}/accept", made.text("/id"));
    let accepted = x_elsewhere.post(&path, &json!({})).await;
    assert!(
        matches!(
            accepted.status,
            StatusCode::OK | StatusCode::CONFLICT | StatusCode::GONE
        ),
        "{accepted:?}"
    );
    // After two rounds of pairing nothing is pending.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for person in [&x, &y, &z] {
        let count = matches_of(person).await;
        assert!(count <= 1, "{count} matches after {delay:?}: {accepted:?}");
    }
}

#[tokio::test]
async fn a_seek_that_is_accepted_while_its_people_are_paired_seats_nobody_twice() {
    let place = Place::of(2).await;
    let crossing = (0..12u64).map(|n| cross(&place, Duration::from_millis(n * 110)));
    join_all(crossing).await;
}
