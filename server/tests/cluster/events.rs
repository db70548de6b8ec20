//! Events across nodes: any node takes a player's entry, one node pairs, and another one after its death.

use mawe_wire::ServerMsg;
use serde_json::{Value, json};

use super::lobby::account;
use super::place::Place;
use crate::common::Person;
use crate::common::socket::Socket;

async fn round_robin(person: &mut Person) -> String {
    let body = json!({
        "kind": "round-robin", "name": "Two towns", "game": "mawe", "start_players": 2,
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
    });
    let made = person.post("/api/v1/events", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

async fn join(person: &mut Person, id: &str) {
    let path = format!("/api/v1/events/{id}/join");
    let joined = person.post(&path, &json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
}

/// The match of an event that opens for the player of a socket.
async fn paired(socket: &mut Socket, id: &str) -> String {
    socket
        .until(|message| match message {
            ServerMsg::EventPaired {
                match_id, event, ..
            } if event.id.as_str() == id => Some(match_id.to_string()),
            _ => None,
        })
        .await
}

async fn games(person: &Person, id: &str) -> Vec<Value> {
    let page = person.get(&format!("/api/v1/events/{id}/games")).await;
    page.json()["items"].as_array().expect("items").clone()
}

#[tokio::test]
async fn an_event_of_players_on_different_nodes_is_seated_once_and_a_dead_node_is_replaced() {
    let mut place = Place::of(2).await;
    let mut asha = account(&place, 0, "Asha").await;
    let mut bahati = account(&place, 1, "Bahati").await;
    let mut chiku = account(&place, 1, "Chiku").await;
    let mut at_asha = Socket::open(&asha).await;
    let mut at_bahati = Socket::open(&bahati).await;
    let mut at_chiku = Socket::open(&chiku).await;
    let both = round_robin(&mut asha).await;
    let later = round_robin(&mut asha).await;
    // At the same time, at two nodes.
    tokio::join!(join(&mut asha, &both), join(&mut bahati, &both));
    let first = paired(&mut at_asha, &both).await;
    assert_eq!(paired(&mut at_bahati, &both).await, first);
    for person in [&asha, &bahati] {
        let games = games(person, &both).await;
        assert_eq!(games.len(), 1);
        assert_eq!(games[0]["match"], json!(first));
    }
    join(&mut bahati, &later).await;
    place.take(0).kill().await;
    join(&mut chiku, &later).await;
    let second = paired(&mut at_chiku, &later).await;
    assert_eq!(paired(&mut at_bahati, &later).await, second);
    assert_eq!(games(&chiku, &later).await.len(), 1);
}
